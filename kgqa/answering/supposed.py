"""What would become of one effect in a supposed world: by which routes it changes, and which of its causes are left."""

from __future__ import annotations

from dataclasses import replace

from graph.model import Edge, Relation
from graph.protocols import GraphView
from kgqa.answering.change import contrasted, named_changes, routes
from kgqa.answering.contracts import Side
from kgqa.answering.counterfactual import applied_lines, undecided
from kgqa.answering.evidence import cited
from kgqa.answering.fates import SUREST, Fate, closed, fate, stays
from kgqa.answering.findings import edge_finding, path_finding
from kgqa.answering.following import following
from kgqa.answering.listing import find_as, read_as, refusal
from kgqa.answering.outlook import Direction, Outlook, outlook, rests_on_others, verdict_on
from kgqa.answering.prospects import prospect
from kgqa.answering.pulls import Bearing, bearing
from kgqa.answering.two_worlds import described
from kgqa.answering.wording import counted, listed, sentence
from kgqa.intervention.settings import Part, World
from kgqa.model import Answer, Change, Finding, Missing, Outcome, Route, Semantic, Signals, Verdict
from kgqa.request import Request

_NAMED = 5


def one_effect(request: Request, world: World) -> Answer:
    """Answer for one effect: which routes to it are lost, and which causes of it survive."""
    view, kind = request.view, request.kind
    found = bearing(view, world, request.link(kind.slots.effect or "", view), request.limit)
    if found is None:
        return _no_route(request, world)
    fates = fate(view, world, found.reading)
    before, after = (find_as(one, found.reading, Relation.CAUSES, Side.CAUSES) for one in (view, world.view))
    changed = replace(_changed(found, fates), world=world.name)
    if not any(part.graded for part in world.parts):
        changed = contrasted(changed, view, world, found.reading.concepts, after)
    one = outlook(found, fates, changed)
    verdict = verdict_on(one, kind.slots.outcome) if kind.semantic is Semantic.VERIFICATION else None
    closure = closed(view, found.reading)
    confidence = _sureness(one, world, verdict, kind.slots.outcome, closure)
    told = verdict.value if verdict else one.told
    findings = _findings(one, verdict, told, confidence)[: request.limit]
    shown = [path for pull in found.pulls for path in (pull.best, *pull.driving, *pull.hindering)][: request.limit + 1]
    edges = (edge for path in (*shown, *(other.path for other in findings)) for edge in path.edges)
    supporting, denying = cited(view, dict.fromkeys(edges), each=2)
    answer = Answer(
        question=request.question,
        type=kind,
        route=Route.INTERVENTION_GRAPH,
        answer=told,
        verdict=verdict,
        sentence=sentence(prospect(one, world, verdict, kind.slots.outcome, closure)),
        findings=findings,
        confidence=confidence,
        evidence=supporting,
        against=denying,
        interventions=world.applied,
        change=changed,
        trace=(
            *applied_lines(world),
            *(read_as(reading) for reading in world.read),
            read_as(found.reading),
            *following(view, world),
            *_ways(found),
            f"as it is: {found.reading.concepts[0]} is caused by {described(before)}",
            f"with {world.name}: {found.reading.concepts[0]} is caused by {described(after)}",
            f"{counted(len(fates.lost), 'believed cause')} lost, {len(fates.left)} left, {len(fates.gained)} new",
            *_kept(fates),
            f"all causes of {found.reading.concepts[0]} are known with probability {closure:.2f}, by how often each is told",
            *named_changes(changed, request.limit),
        ),
        signals=_signals(findings[0], found, world),
    )
    return undecided(answer) if verdict is Verdict.UNKNOWN else answer


def _changed(found: Bearing, fates: Fate) -> Change:
    """Return which routes are lost, left and new: those of what is supposed, and the claims of other causes."""
    what = found.reading.concepts[0]
    supposed = {name for pull in found.pulls for name in pull.part.concepts}
    lost = [route for pull in found.pulls if pull.part.cuts for route in pull.told]
    new = [route for pull in found.pulls if _is_new(pull.part, fates) for route in pull.told]
    kept = [route for pull in found.pulls if not pull.part.cuts for route in pull.told if route not in new]
    fallen = [_arrow(edge, what) for edge in fates.lost if edge.cause not in supposed]
    gained = [_arrow(edge, what) for edge in fates.gained]
    return Change(
        lost=tuple(dict.fromkeys((*lost, *fallen))),
        gained=tuple(dict.fromkeys((*new, *gained))),
        surviving=tuple(dict.fromkeys((*kept, *(_arrow(edge, what) for edge in fates.left)))),
    )


def _arrow(edge: Edge, what: str) -> str:
    return f"{edge.cause} → {what}"


def _is_new(part: Part, fates: Fate) -> bool:
    """Return whether a supposition puts in a claim that the graph does not have."""
    return part.effect is not None and not part.takes and any(edge.cause in part.concepts for edge in fates.gained)


def _link(found: Bearing, world: World) -> float:
    """Return how surely the phrases were read: the effect, and the least sure of what is supposed."""
    return found.reading.score * min(reading.score for reading in world.read)


def _sureness(one: Outlook, world: World, verdict: Verdict | None, outcome: Outcome | None, closure: float) -> float:
    """Return how surely an answer is right.

    That an effect still happens rests on the causes that are left; that none is left, on how probably the graph knows them all
    as well; everything else on the best route alone.
    """
    found = one.bearing
    route = min(SUREST, found.leading.best.score * found.leading.valid * _link(found, world))
    if verdict is None or outcome in (Outcome.MORE, Outcome.LESS, Outcome.CHANGES):
        return route
    happens = (verdict is Verdict.YES) is (outcome is not Outcome.GONE)
    if happens and rests_on_others(one):
        return found.reading.score * stays(one.fate.remaining)
    return route * closure if one.direction is Direction.NONE else route


def _findings(one: Outlook, verdict: Verdict | None, told: str, confidence: float) -> tuple[Finding, ...]:
    """Return what the answer rests on: the causes that are left, where they decide that it still happens, else a route."""
    left = [edge for edge in one.fate.remaining if all(edge.cause not in pull.part.concepts for pull in one.bearing.pulls)]
    if verdict is None or not left or not rests_on_others(one):
        return (replace(path_finding(one.bearing.leading.best), text=told, confidence=confidence),)
    first, *others = (edge_finding(edge) for edge in left[:_NAMED])
    return (
        replace(first, text=told, confidence=confidence),
        *(replace(other, text=other.path.edges[0].cause) for other in others),
    )


def _signals(rests_on: Finding, found: Bearing, world: World) -> Signals:
    """Return what the confidence was reckoned from: the route, or the surest cause that is left, that the answer rests on."""
    return Signals(rests_on.path.score, _link(found, world), support=rests_on.support, steps=len(rests_on.path.edges))


def _ways(found: Bearing) -> list[str]:
    """Return the routes of each supposition, for the trace."""
    lines = []
    for pull in found.pulls:
        if len(pull.best.edges) > 1:
            lines.append(f"best route valid with probability {pull.valid:.2f}")
        lines += [f"makes more of it: {path}" for path in routes(pull.driving)]
        lines += [f"makes less of it: {path}" for path in routes(pull.hindering)]
    return lines


def _kept(fates: Fate) -> list[str]:
    """Return the causes that are left, with their beliefs, for the trace."""
    if not fates.remaining:
        return []
    names = [f"{edge.cause} ({edge.belief:.2f})" for edge in fates.remaining[:_NAMED]]
    more = len(fates.remaining) - len(names)
    return [f"left: {listed(names) if more <= 0 else ', '.join(names) + f' and {more} more'}"]


def _no_route(request: Request, world: World) -> Answer:
    """Return that the graph does not know that an effect depends on what is supposed, or that it is itself supposed away."""
    view, effect = request.view, request.kind.slots.effect or ""
    itself = _itself(request, world)
    if itself is not None:
        return itself
    names = listed([f"'{part.reading.phrase}'" for part in world.parts])
    answer = refusal(request.question, request.kind, f"that '{effect}' depends on {names}", effect, view)
    reading = next((one for one in request.link(effect, view) if one.how != "spelling"), None)
    if reading is not None:
        known = fate(view, world, reading).left
        if known:
            shown = listed([f"{edge.cause} ({edge.belief:.2f})" for edge in known[:3]])
            causes = f"{counted(len(known), 'cause')} of '{reading.concepts[0]}'"
            where = f"the graph knows {causes} that this leaves as they are, such as {shown}"
            answer = replace(answer, missing=(*answer.missing, Missing(f"a route from {names} to '{effect}'", where)))
    trace = (*applied_lines(world), *map(read_as, world.read), *(read_as(reading) for reading in [reading] if reading))
    return replace(undecided(answer), trace=trace, interventions=world.applied)


def _itself(request: Request, world: World) -> Answer | None:
    """Return the answer where the effect is a kind of what is supposed to be gone, or that itself."""
    view: GraphView = request.view
    reading = next(iter(request.link(request.kind.slots.effect or "", view)), None)
    cut = [part for part in world.parts if part.cuts and part.effect is None]
    gone = next((part for part in cut if reading is not None and reading.concepts[0] in part.concepts), None)
    if reading is None or gone is None or request.kind.semantic is not Semantic.VERIFICATION:
        return None
    outcome = request.kind.slots.outcome
    verdict = Verdict.NO if outcome in (None, Outcome.HAPPENS, Outcome.MORE) else Verdict.YES
    name, what = reading.concepts[0], gone.reading.concepts[0]
    same = "is itself what is" if name in gone.reading.concepts else f"is a kind of {what}, which is"
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.INTERVENTION_GRAPH,
        answer=verdict.value,
        verdict=verdict,
        sentence=sentence(f"{verdict.value}: {name} {same} supposed to be gone"),
        confidence=reading.score * gone.reading.score,
        interventions=world.applied,
        trace=(*applied_lines(world), *map(read_as, world.read), read_as(reading)),
    )

"""What would follow in a supposed world where no effect is named: what there is more of, less of, and what has no cause left.

What is said to be so because of what is supposed before it ("and, because of that, not B"): whether the graph knows that.

What would become of one effect in a supposed world: by which routes it changes, and which of its causes are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from graph.intervene import Presence
from graph.model import Edge, Relation
from graph.protocols import GraphView
from graph.topology import DRIVING_LINKS
from kgqa.answering.contracts import Side
from kgqa.answering.counterfactuals.effect_direction import (
    SUREST,
    CauseChanges,
    Direction,
    EffectOutlook,
    cause_changes,
    closure_probability,
    effect_outlook,
    outcome_verdict,
    probability_of_any,
    rests_on_remaining,
)
from kgqa.answering.counterfactuals.effect_wording import GRADED_NOTE, word_outlook
from kgqa.answering.counterfactuals.influence import InfluenceSet, find_influences
from kgqa.answering.counterfactuals.world_comparison import as_undecided, describe_listing, supposition_lines, with_chances
from kgqa.answering.findings import cite_evidence, edge_finding, path_finding
from kgqa.answering.link_quality import refuse_phrase, trace_link
from kgqa.answering.lists.list_entries import edges_for_relation, listing_for_relation
from kgqa.answers import Answer, AnswerChange, ConfidenceSignals, Finding, MissingInformation, Route, Verdict
from kgqa.interventions.graph_settings import AppliedSetting, InterventionWorld
from kgqa.question import Condition, EffectOutcome, Semantic
from kgqa.request import Request
from kgqa.wording.answer_phrases import change_lines, format_paths
from kgqa.wording.claim_clauses import as_sentence, count_noun, join_phrases


class _PartConsequences(NamedTuple):
    """What one supposition makes more of, and what less of."""

    more: Sequence[Finding]
    less: Sequence[Finding]


def answer_consequences(request: Request, world: InterventionWorld) -> Answer:
    """Answer for everything that is supposed to change bears on: what it makes more of, and what it makes less of."""
    limit = request.limit
    consequences = [_part_consequences(request, world, part) for part in world.parts]
    driven = _distinct_by_text(item for bears in consequences for item in bears.more)
    held = _distinct_by_text(item for bears in consequences for item in bears.less)
    findings = tuple(sorted((*driven, *held), key=lambda item: -item.confidence))[:limit]
    if not findings:
        names = join_phrases([f"'{part.reading.phrase}'" for part in world.parts])
        phrase = world.parts[0].reading.phrase
        return as_undecided(refuse_phrase(request.question, request.kind, f"what depends on {names}", phrase, request.view))
    cutting = any(part.cuts for part in world.parts)
    own = {name for part in world.parts for name in part.concepts}
    by_name = {item.text: item for item in (*driven, *held)}
    bare = [item for item in by_name.values() if _has_no_cause_left(item, world)] if cutting else []
    farther = sorted(world.view.gone - own - {item.text for item in bare})
    cause_counts = {
        name: _count_causes(name, world) for name in list(by_name)[:limit] if name not in {item.text for item in bare}
    }
    sides = [("less", held), ("more", driven)] if world.parts[0].takes else [("more", driven), ("less", held)]
    parts = [f"{word} likely: {join_phrases([item.text for item in side[:limit]])}" for word, side in sides if side]
    parts += [f"no known cause would be left of {join_phrases([item.text for item in bare[:limit]])}"] if bare else []
    parts += [GRADED_NOTE] if any(part.graded for part in world.parts) else []
    supporting, denying = cite_evidence(
        request.view, dict.fromkeys(edge for item in findings for edge in item.path.edges), each=2
    )
    changed = (
        AnswerChange(lost=(*(item.text for item in bare), *farther), surviving=tuple(cause_counts), world=world.name)
        if cutting
        else None
    )
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.INTERVENTION_GRAPH,
        answer=findings[0].text,
        sentence=as_sentence("; ".join(parts)),
        findings=findings,
        confidence=findings[0].confidence,
        evidence=supporting,
        against=denying,
        interventions=world.applied,
        change=changed,
        trace=(
            *supposition_lines(world),
            *(trace_link(item) for item in world.read),
            *(f"{name}: {count_noun(left, 'other cause')} left" for name, left in cause_counts.items() if cutting),
            *change_lines(changed, limit),
        ),
    )


def _part_consequences(request: Request, world: InterventionWorld, part: AppliedSetting) -> _PartConsequences:
    """Return what a supposition makes more of, and less of: with what is taken away it is the other way round."""
    if part.effect is not None:
        where, ends = request.view if part.takes else world.view, set(part.effect.concepts)
        between = [edge for name in part.concepts for edge in where.effects(name) if edge.effect in ends]
        findings = [replace(edge_finding(edge), text=edge.effect) for edge in between if edge.belief > DRIVING_LINKS.above]
        more = [finding for finding in findings if DRIVING_LINKS.allow(finding.path.edges[0])]
        less = [finding for finding in findings if finding not in more]
    else:
        driven = listing_for_relation(request.view, part.reading, Relation.CAUSES, Side.EFFECTS)
        held = listing_for_relation(request.view, part.reading, Relation.PREVENTS, Side.EFFECTS)
        more = [finding for finding in driven.findings if all(map(DRIVING_LINKS.allow, finding.path.edges))] if driven else []
        less = (
            [finding for finding in held.findings if all(edge.belief > DRIVING_LINKS.above for edge in finding.path.edges)]
            if held
            else []
        )
    return _PartConsequences(less, more) if part.takes else _PartConsequences(more, less)


def _distinct_by_text(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings, one for each name."""
    by_text: dict[str, Finding] = {}
    for finding in findings:
        by_text.setdefault(finding.text, finding)
    return list(by_text.values())


def _has_no_cause_left(finding: Finding, world: InterventionWorld) -> bool:
    """Return whether nothing holds up an effect in a world."""
    return all(edge.effect in world.view.gone for edge in finding.path.edges)


def _count_causes(name: str, world: InterventionWorld) -> int:
    """Return how many causes a concept has in a world."""
    return len(edges_for_relation(world.view.causes(name), Relation.CAUSES, Side.CAUSES))


def check_follows(view: GraphView, world: InterventionWorld) -> Iterator[str]:
    """Yield a line for each supposition that is said to follow from the one before it; it is applied all the same."""
    for before, part in pairwise(world.parts):
        if not (isinstance(part.setting, Condition) and part.setting.follows):
            continue
        cause, effect = before.reading.concepts[0], part.reading.concepts[0]
        statement = f"that this follows from '{cause}'"
        alone = InterventionWorld(world.view, (), (), (before,))
        influence_set = find_influences(view, alone, [part.reading], 1) if _can_follow(before, part) else None
        if influence_set is None:
            yield f"{statement}: the graph knows no way from {cause} to {effect}; it was supposed as it was said"
        elif influence_set.less is (part.setting.presence is Presence.ABSENT or part.takes):
            yield f"{statement}: the graph knows it, too ({influence_set.leading.route_texts[0]})"
        else:
            opposite = influence_set.leading.route_texts[0]
            yield f"{statement}: the graph rather knows the opposite ({opposite}); it was supposed as it was said"


def _can_follow(before: AppliedSetting, part: AppliedSetting) -> bool:
    return part.effect is None and not set(before.concepts) & set(part.concepts)


_REMAINING_NAMED = 5


def answer_effect(request: Request, world: InterventionWorld) -> Answer:
    """Answer for one effect: which routes to it are lost, and which causes of it survive."""
    view, kind = request.view, request.kind
    influence_set = find_influences(view, world, request.link(kind.slots.effect or "", view), request.limit)
    if influence_set is None:
        return _refuse_without_route(request, world)
    changes = cause_changes(view, world, influence_set.reading)
    before, after = (
        listing_for_relation(state, influence_set.reading, Relation.CAUSES, Side.CAUSES) for state in (view, world.view)
    )
    changed = replace(_route_changes(influence_set, changes), world=world.name)
    if not any(part.graded for part in world.parts):
        changed = with_chances(changed, view, world, influence_set.reading.concepts, after)
    state = effect_outlook(influence_set, changes, changed)
    verdict = outcome_verdict(state, kind.slots.outcome) if kind.semantic is Semantic.VERIFICATION else None
    closure = closure_probability(view, influence_set.reading)
    confidence = _effect_confidence(state, world, verdict, kind.slots.outcome, closure)
    answer_text = verdict.value if verdict else state.direction_text
    findings = _effect_findings(state, verdict, answer_text, confidence)[: request.limit]
    paths = [
        path for influence in influence_set.influences for path in (influence.best, *influence.driving, *influence.hindering)
    ][: request.limit + 1]
    edges = (edge for path in (*paths, *(finding.path for finding in findings)) for edge in path.edges)
    supporting, denying = cite_evidence(view, dict.fromkeys(edges), each=2)
    answer = Answer(
        question=request.question,
        type=kind,
        route=Route.INTERVENTION_GRAPH,
        answer=answer_text,
        verdict=verdict,
        sentence=as_sentence(word_outlook(state, world, verdict, kind.slots.outcome, closure)),
        findings=findings,
        confidence=confidence,
        evidence=supporting,
        against=denying,
        interventions=world.applied,
        change=changed,
        trace=(
            *supposition_lines(world),
            *(trace_link(reading) for reading in world.read),
            trace_link(influence_set.reading),
            *check_follows(view, world),
            *_route_lines(influence_set),
            f"as it is: {influence_set.reading.concepts[0]} is caused by {describe_listing(before)}",
            f"with {world.name}: {influence_set.reading.concepts[0]} is caused by {describe_listing(after)}",
            f"{count_noun(len(changes.lost), 'believed cause')} lost, {len(changes.left)} left, {len(changes.gained)} new",
            *_remaining_lines(changes),
            f"all causes of {influence_set.reading.concepts[0]} are known with probability {closure:.2f}, "
            f"by how often each is told",
            *change_lines(changed, request.limit),
        ),
        signals=_effect_signals(findings[0], influence_set, world),
    )
    return as_undecided(answer) if verdict is Verdict.UNKNOWN else answer


def _route_changes(influence_set: InfluenceSet, changes: CauseChanges) -> AnswerChange:
    """Return which routes are lost, left and new: those of what is supposed, and the claims of other causes."""
    what = influence_set.reading.concepts[0]
    supposed = {name for influence in influence_set.influences for name in influence.part.concepts}
    lost = [route for influence in influence_set.influences if influence.part.cuts for route in influence.route_texts]
    new = [
        route
        for influence in influence_set.influences
        if _is_new_claim(influence.part, changes)
        for route in influence.route_texts
    ]
    surviving = [
        route
        for influence in influence_set.influences
        if not influence.part.cuts
        for route in influence.route_texts
        if route not in new
    ]
    fallen = [_cause_arrow(edge, what) for edge in changes.lost if edge.cause not in supposed]
    gained = [_cause_arrow(edge, what) for edge in changes.gained]
    return AnswerChange(
        lost=tuple(dict.fromkeys((*lost, *fallen))),
        gained=tuple(dict.fromkeys((*new, *gained))),
        surviving=tuple(dict.fromkeys((*surviving, *(_cause_arrow(edge, what) for edge in changes.left)))),
    )


def _cause_arrow(edge: Edge, what: str) -> str:
    return f"{edge.cause} → {what}"


def _is_new_claim(part: AppliedSetting, changes: CauseChanges) -> bool:
    """Return whether a supposition puts in a claim that the graph does not have."""
    return part.effect is not None and not part.takes and any(edge.cause in part.concepts for edge in changes.gained)


def _link_score(influence_set: InfluenceSet, world: InterventionWorld) -> float:
    """Return how surely the phrases were read: the effect, and the least sure of what is supposed."""
    return influence_set.reading.score * min(reading.score for reading in world.read)


def _effect_confidence(
    outlook: EffectOutlook, world: InterventionWorld, verdict: Verdict | None, outcome: EffectOutcome | None, closure: float
) -> float:
    """Return how surely an answer is right.

    That an effect still happens rests on the causes that are left; that none is left, on how probably the graph knows them all
    as well; everything else on the best route alone.
    """
    influence_set = outlook.influence_set
    route = min(SUREST, influence_set.leading.best.score * influence_set.leading.valid * _link_score(influence_set, world))
    if verdict is None or outcome in (EffectOutcome.MORE, EffectOutcome.LESS, EffectOutcome.CHANGES):
        return route
    happens = (verdict is Verdict.YES) is (outcome is not EffectOutcome.GONE)
    if happens and rests_on_remaining(outlook):
        return influence_set.reading.score * probability_of_any(outlook.cause_changes.remaining)
    return route * closure if outlook.direction is Direction.NONE else route


def _effect_findings(outlook: EffectOutlook, verdict: Verdict | None, answer_text: str, confidence: float) -> tuple[Finding, ...]:
    """Return what the answer rests on: the causes that are left, where they decide that it still happens, else a route."""
    left = [
        edge
        for edge in outlook.cause_changes.remaining
        if all(edge.cause not in influence.part.concepts for influence in outlook.influence_set.influences)
    ]
    if verdict is None or not left or not rests_on_remaining(outlook):
        return (replace(path_finding(outlook.influence_set.leading.best), text=answer_text, confidence=confidence),)
    first, *rest = (edge_finding(edge) for edge in left[:_REMAINING_NAMED])
    return (
        replace(first, text=answer_text, confidence=confidence),
        *(replace(finding, text=finding.path.edges[0].cause) for finding in rest),
    )


def _effect_signals(rests_on: Finding, influence_set: InfluenceSet, world: InterventionWorld) -> ConfidenceSignals:
    """Return what the confidence was reckoned from: the route, or the surest cause that is left, that the answer rests on."""
    return ConfidenceSignals(
        rests_on.path.score, _link_score(influence_set, world), support=rests_on.support, steps=len(rests_on.path.edges)
    )


def _route_lines(influence_set: InfluenceSet) -> list[str]:
    """Return the routes of each supposition, for the trace."""
    lines = []
    for influence in influence_set.influences:
        if len(influence.best.edges) > 1:
            lines.append(f"best route valid with probability {influence.valid:.2f}")
        lines += [f"makes more of it: {path}" for path in format_paths(influence.driving)]
        lines += [f"makes less of it: {path}" for path in format_paths(influence.hindering)]
    return lines


def _remaining_lines(changes: CauseChanges) -> list[str]:
    """Return the causes that are left, with their beliefs, for the trace."""
    if not changes.remaining:
        return []
    names = [f"{edge.cause} ({edge.belief:.2f})" for edge in changes.remaining[:_REMAINING_NAMED]]
    more = len(changes.remaining) - len(names)
    return [f"left: {join_phrases(names) if more <= 0 else ', '.join(names) + f' and {more} more'}"]


def _refuse_without_route(request: Request, world: InterventionWorld) -> Answer:
    """Return that the graph does not know that an effect depends on what is supposed, or that it is itself supposed away."""
    view, effect = request.view, request.kind.slots.effect or ""
    itself = _answer_supposed_away(request, world)
    if itself is not None:
        return itself
    names = join_phrases([f"'{part.reading.phrase}'" for part in world.parts])
    answer = refuse_phrase(request.question, request.kind, f"that '{effect}' depends on {names}", effect, view)
    reading = next((candidate for candidate in request.link(effect, view) if candidate.how != "spelling"), None)
    if reading is not None:
        known = cause_changes(view, world, reading).left
        if known:
            examples = join_phrases([f"{edge.cause} ({edge.belief:.2f})" for edge in known[:3]])
            causes = f"{count_noun(len(known), 'cause')} of '{reading.concepts[0]}'"
            where = f"the graph knows {causes} that this leaves as they are, such as {examples}"
            answer = replace(answer, missing=(*answer.missing, MissingInformation(f"a route from {names} to '{effect}'", where)))
    trace = (*supposition_lines(world), *map(trace_link, world.read), *(trace_link(reading) for reading in [reading] if reading))
    return replace(as_undecided(answer), trace=trace, interventions=world.applied)


def _answer_supposed_away(request: Request, world: InterventionWorld) -> Answer | None:
    """Return the answer where the effect is a kind of what is supposed to be gone, or that itself."""
    view: GraphView = request.view
    reading = next(iter(request.link(request.kind.slots.effect or "", view)), None)
    cut = [part for part in world.parts if part.cuts and part.effect is None]
    gone = next((part for part in cut if reading is not None and reading.concepts[0] in part.concepts), None)
    if reading is None or gone is None or request.kind.semantic is not Semantic.VERIFICATION:
        return None
    outcome = request.kind.slots.outcome
    verdict = Verdict.NO if outcome in (None, EffectOutcome.HAPPENS, EffectOutcome.MORE) else Verdict.YES
    name, what = reading.concepts[0], gone.reading.concepts[0]
    same = "is itself what is" if name in gone.reading.concepts else f"is a kind of {what}, which is"
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.INTERVENTION_GRAPH,
        answer=verdict.value,
        verdict=verdict,
        sentence=as_sentence(f"{verdict.value}: {name} {same} supposed to be gone"),
        confidence=reading.score * gone.reading.score,
        interventions=world.applied,
        trace=(*supposition_lines(world), *map(trace_link, world.read), trace_link(reading)),
    )

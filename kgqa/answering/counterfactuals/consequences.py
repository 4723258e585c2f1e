"""What would follow in a supposed world: what there would be more and less of, or what would become of one effect.

For one effect, the answer has the routes by which it changes, and the causes of it that are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from graph.intervene import Presence
from graph.model import Edge, Relation
from graph.protocols import GraphView
from graph.topology import DRIVING_LINKS
from kgqa.answer_model import Answer, AnswerChange, ChangedRoute, ConfidenceSignals, Finding, Route, Verdict
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
from kgqa.answering.counterfactuals.influence import InfluenceSet, find_influences
from kgqa.answering.counterfactuals.world_comparison import (
    as_undecided,
    change_steps,
    listing_facts,
    names_as_routes,
    supposition_steps,
    with_chances,
)
from kgqa.answering.findings import cite_evidence, edge_finding, path_finding
from kgqa.answering.link_quality import SPELLING, refuse_phrase
from kgqa.answering.lists.list_entries import edges_for_relation, listing_for_relation
from kgqa.interventions.graph_settings import AppliedSetting, InterventionWorld
from kgqa.linking.concept_links import ConceptLink
from kgqa.question import Condition, EffectOutcome, Semantic
from kgqa.reasons import Conclusion, Missing, Need, Remedy, Step, StepKind
from kgqa.request import Request


@dataclass(frozen=True, slots=True)
class ConsequenceConclusion(Conclusion):
    """What a supposed world makes more of, and less of; `bare` are the effects of which it leaves no cause.

    `takes` says that something is taken away, `graded` that the world has more or less of something.
    """

    more: tuple[str, ...]
    less: tuple[str, ...]
    bare: tuple[str, ...] = ()
    takes: bool = False
    graded: bool = False


@dataclass(frozen=True, slots=True)
class EffectConclusion(Conclusion):
    """What the `parts` of a supposed world make of an effect, with the verdict on the `outcome` that the question asks about.

    `closure` is how probably the graph knows all causes of the effect.
    """

    outlook: EffectOutlook
    parts: tuple[AppliedSetting, ...]
    verdict: Verdict | None
    outcome: EffectOutcome | None
    closure: float


@dataclass(frozen=True, slots=True)
class RemovedEffectConclusion(Conclusion):
    """That the effect of a question is a kind of what is supposed to be gone, or (`same`) that itself."""

    verdict: Verdict
    effect: str
    removed: str
    same: bool


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
        missing = Missing(Need.DEPENDENTS, tuple(part.reading.phrase for part in world.parts))
        return as_undecided(refuse_phrase(request.question, request.kind, missing, missing.names[0], request.view))
    cutting = any(part.cuts for part in world.parts)
    own = {name for part in world.parts for name in part.concepts}
    by_name = {item.text: item for item in (*driven, *held)}
    bare = [item for item in by_name.values() if _has_no_cause_left(item, world)] if cutting else []
    farther = sorted(world.view.gone - own - {item.text for item in bare})
    cause_counts = {
        name: _count_causes(name, world) for name in list(by_name)[:limit] if name not in {item.text for item in bare}
    }
    supporting, denying = cite_evidence(
        request.view, dict.fromkeys(edge for item in findings for edge in item.path.edges), each=2
    )
    changed = (
        AnswerChange(
            removed=names_as_routes((*(item.text for item in bare), *farther)),
            retained=names_as_routes(cause_counts),
            world=world.name,
        )
        if cutting
        else None
    )
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.INTERVENTION_GRAPH,
        answer=findings[0].text,
        conclusion=ConsequenceConclusion(
            tuple(item.text for item in driven[:limit]),
            tuple(item.text for item in held[:limit]),
            tuple(item.text for item in bare[:limit]),
            world.parts[0].takes,
            any(part.graded for part in world.parts),
        ),
        findings=findings,
        confidence=findings[0].confidence,
        evidence=supporting,
        against=denying,
        interventions=world.applied,
        change=changed,
        steps=(
            *supposition_steps(world),
            *world.read,
            *(Step(StepKind.CAUSES_LEFT, (name, left)) for name, left in cause_counts.items() if cutting),
            *change_steps(changed, limit),
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


def check_follows(view: GraphView, world: InterventionWorld) -> Iterator[Step]:
    """Yield, for each supposition that is said to follow from the one before it, whether the graph knows that.

    The supposition is applied all the same.
    """
    for before, part in pairwise(world.parts):
        if not (isinstance(part.setting, Condition) and part.setting.follows):
            continue
        alone = InterventionWorld(world.view, (), (), (before,))
        influence_set = find_influences(view, alone, [part.reading], 1) if _can_follow(before, part) else None
        agrees, route = None, None
        if influence_set is not None:
            agrees = influence_set.less is (part.setting.presence is Presence.ABSENT or part.takes)
            route = influence_set.leading.routes[0]
        yield Step(StepKind.FOLLOWS, (before.reading.concepts[0], part.reading.concepts[0], agrees, route))


def _can_follow(before: AppliedSetting, part: AppliedSetting) -> bool:
    return part.effect is None and not set(before.concepts) & set(part.concepts)


_REMAINING_NAMED, _CAUSES_SHOWN = 5, 3


def answer_effect(request: Request, world: InterventionWorld) -> Answer:
    """Answer for one effect: which routes to it are lost, and which causes of it survive."""
    view, kind = request.view, request.kind
    influence_set = find_influences(view, world, request.link(kind.slots.effect or "", view), request.limit)
    if influence_set is None:
        return _refuse_without_route(request, world)
    concept = influence_set.reading.concepts[0]
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
        conclusion=EffectConclusion(state, world.parts, verdict, kind.slots.outcome, closure),
        findings=findings,
        confidence=confidence,
        evidence=supporting,
        against=denying,
        interventions=world.applied,
        change=changed,
        steps=(
            *supposition_steps(world),
            *world.read,
            influence_set.reading,
            *check_follows(view, world),
            *_route_steps(influence_set),
            Step(StepKind.CAUSES_BEFORE, (concept, *listing_facts(before))),
            Step(StepKind.CAUSES_AFTER, (world.name, concept, *listing_facts(after))),
            Step(StepKind.CAUSE_CHANGES, (len(changes.lost), len(changes.left), len(changes.gained))),
            *_remaining_steps(changes),
            Step(StepKind.CLOSURE, (concept, closure)),
            *change_steps(changed, request.limit),
        ),
        signals=_effect_signals(findings[0], influence_set, world),
    )
    return as_undecided(answer) if verdict is Verdict.UNKNOWN else answer


def _route_changes(influence_set: InfluenceSet, changes: CauseChanges) -> AnswerChange:
    """Return which routes are lost, left and new: those of what is supposed, and the claims of other causes."""
    what = influence_set.reading.concepts[0]
    supposed = {name for influence in influence_set.influences for name in influence.part.concepts}
    lost = [route for influence in influence_set.influences if influence.part.cuts for route in influence.routes]
    new = [
        route for influence in influence_set.influences if _is_new_claim(influence.part, changes) for route in influence.routes
    ]
    surviving = [
        route
        for influence in influence_set.influences
        if not influence.part.cuts
        for route in influence.routes
        if route not in new
    ]
    fallen = [_cause_route(edge, what) for edge in changes.lost if edge.cause not in supposed]
    gained = [_cause_route(edge, what) for edge in changes.gained]
    return AnswerChange(
        removed=tuple(dict.fromkeys((*lost, *fallen))),
        added=tuple(dict.fromkeys((*new, *gained))),
        retained=tuple(dict.fromkeys((*surviving, *(_cause_route(edge, what) for edge in changes.left)))),
    )


def _cause_route(edge: Edge, effect: str) -> ChangedRoute:
    return ChangedRoute((edge.cause, effect))


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
    """Return the signals of the confidence: those of the route, or of the surest cause that is left, that the answer rests on."""
    return ConfidenceSignals(
        rests_on.path.score, _link_score(influence_set, world), support=rests_on.support, steps=len(rests_on.path.edges)
    )


def _route_steps(influence_set: InfluenceSet) -> list[Step]:
    """Return the routes of each supposition, with how probably the best one is valid where it is indirect."""
    steps = []
    for influence in influence_set.influences:
        if len(influence.best.edges) > 1:
            steps.append(Step(StepKind.ROUTE_VALIDITY, (influence.valid,)))
        steps += [Step(StepKind.DRIVING_ROUTE, (path,)) for path in influence.driving]
        steps += [Step(StepKind.HINDERING_ROUTE, (path,)) for path in influence.hindering]
    return steps


def _remaining_steps(changes: CauseChanges) -> list[Step]:
    """Return the causes that are left, with their beliefs."""
    if not changes.remaining:
        return []
    first = changes.remaining[:_REMAINING_NAMED]
    return [Step(StepKind.REMAINING_CAUSES, (first, len(changes.remaining) - len(first)))]


def _refuse_without_route(request: Request, world: InterventionWorld) -> Answer:
    """Return that the graph does not know that an effect depends on what is supposed, or that it is itself supposed away."""
    view, effect = request.view, request.kind.slots.effect or ""
    itself = _answer_supposed_away(request, world)
    if itself is not None:
        return itself
    names = tuple(part.reading.phrase for part in world.parts)
    answer = refuse_phrase(request.question, request.kind, Missing(Need.DEPENDENCE, (effect, *names)), effect, view)
    reading = next((candidate for candidate in request.link(effect, view) if candidate.how != SPELLING), None)
    if reading is not None:
        known = cause_changes(view, world, reading).left
        if known:
            details = (reading.concepts[0], known[:_CAUSES_SHOWN], len(known))
            gap = Missing(Need.ROUTE, (effect, *names), Remedy.OTHER_CAUSES, details)
            answer = replace(answer, gaps=(*answer.gaps, gap))
    steps: list[Step | ConceptLink] = [*supposition_steps(world), *world.read, *([reading] if reading is not None else [])]
    return replace(as_undecided(answer), steps=tuple(steps), interventions=world.applied)


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
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.INTERVENTION_GRAPH,
        answer=verdict.value,
        verdict=verdict,
        conclusion=RemovedEffectConclusion(verdict, name, what, name in gone.reading.concepts),
        confidence=reading.score * gone.reading.score,
        interventions=world.applied,
        steps=(*supposition_steps(world), *world.read, reading),
    )

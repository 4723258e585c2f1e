"""An answer in a world that was set, beside the answer in the world as it is: changed routes, concepts and probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from graph.intervene import Presence
from graph.intervene.overlay import PREVENTING_LINKS, Overlay
from graph.model import Edge, Path, Relation
from graph.protocols import GraphView
from graph.topology import DRIVING_LINKS, Links
from kgqa.answer_model import Answer, AnswerChange, ChangedRoute, ConfidenceSignals, Finding, Route, Verdict
from kgqa.answering.contracts import Side, contract_for
from kgqa.answering.findings import edge_finding
from kgqa.answering.lists.list_entries import Listing, build_listing, first_listing, listing_for_relation
from kgqa.interventions.graph_settings import (
    EDGE_ARROW,
    InterventionWorld,
    SettingLinker,
)
from kgqa.linking.concept_links import ConceptLink
from kgqa.linking.linker import link_pairs, link_phrase
from kgqa.question import QuestionType, Semantic
from kgqa.reasons import Conclusion, Reason, Refusal, Step, StepKind


@dataclass(frozen=True, slots=True)
class WorldConclusion(Conclusion):
    """What an answer says in the world that was set, which `world` names, and what it says as the graph is."""

    world: str
    before: Conclusion | str
    after: Conclusion | str


@dataclass(frozen=True, slots=True)
class SetClaimConclusion(Conclusion):
    """That a claim holds because it was set."""

    edge: Edge


@dataclass(frozen=True, slots=True)
class LostRouteConclusion(Conclusion):
    """That a world leaves no route from a cause to an effect."""

    cause: str
    effect: str


def as_undecided(answer: Answer) -> Answer:
    """Return an answer that decides nothing, with the verdict "unknown" to a yes/no question."""
    is_verification = answer.type.semantic is Semantic.VERIFICATION
    verdict = Verdict.UNKNOWN if is_verification else None
    return replace(answer, verdict=verdict, answer=None, findings=(), confidence=0.0, signals=ConfidenceSignals())


def supposition_steps(world: InterventionWorld) -> tuple[Step, ...]:
    """Return what was supposed and done, with the kinds of a concept that are absent with it."""
    steps = []
    for part, applied in zip(world.parts, world.applied, strict=True):
        steps.append(Step(StepKind.SUPPOSED, (applied,)))
        if part.kinds:
            steps.append(Step(StepKind.KINDS_REMOVED, tuple(part.kinds)))
    return tuple(steps)


def change_steps(change: AnswerChange | None, limit: int) -> tuple[Step, ...]:
    """Return what a world removes and adds, a step each, at most `limit` of either."""
    if change is None:
        return ()
    lost = (Step(StepKind.LOST, (route,)) for route in change.removed[:limit])
    return (*lost, *(Step(StepKind.GAINED, (route,)) for route in change.added[:limit]))


def routes_of(paths: Iterable[Path]) -> tuple[ChangedRoute, ...]:
    """Return paths as the routes of a change."""
    return tuple(ChangedRoute(path.concepts) for path in paths)


def names_as_routes(names: Iterable[str]) -> tuple[ChangedRoute, ...]:
    """Return single concepts as the routes of a change."""
    return tuple(ChangedRoute((name,)) for name in names)


_NAMES_TRACED = 4
MAX_ROUTE_LENGTH = 3
"""The most edges of a route, and the most steps to the causes that a probability is computed on."""


def route_change(
    before: GraphView, world: InterventionWorld, sources: Sequence[str], effects: Sequence[str], relation: Relation, limit: int
) -> AnswerChange:
    """Return what a world changes for how some concepts lead to, or prevent, others (forms of one name, the first one shown)."""
    from graph.intervene.world_difference import compare_worlds

    contrast = compare_worlds(before, world.view, effects, sources, route_links(relation), MAX_ROUTE_LENGTH, limit)
    changed = AnswerChange(routes_of(contrast.lost), routes_of(contrast.gained), routes_of(contrast.surviving), world=world.name)
    return replace(changed, effect=effects[0], given=(sources[0],), chances=contrast.chances)


def name_change(before: Listing | None, after: Listing | None) -> AnswerChange:
    """Return what a world changes in a list."""
    old, new = (listing.names if listing else [] for listing in (before, after))
    known, left = frozenset(old), frozenset(new)
    return AnswerChange(
        removed=names_as_routes(name for name in old if name not in left),
        added=names_as_routes(name for name in new if name not in known),
        retained=names_as_routes(name for name in new if name in known),
    )


def with_chances(
    changed: AnswerChange, before: GraphView, world: InterventionWorld, effects: Sequence[str], left: Listing | None
) -> AnswerChange:
    """Return a change with how probable the effect is if only what is set, and the best cause that is left, are there.

    What is set present is given in its own world only. A change that changes nothing stays without a probability.
    """
    from graph.intervene.probability import RegionBound
    from graph.intervene.world_difference import effect_probabilities

    changed = replace(changed, world=world.name)
    set_concepts = [applied.target.split(EDGE_ARROW)[0] for applied in world.applied if applied.value != Presence.PRESENT]
    sources = [name for name in world.touched if name not in effects]
    supposed = {name for reading in world.read for name in reading.concepts}
    entries = (entry for part in left.parts for entry in part.entries) if left is not None else ()
    other_causes = (entry.finding.path.edges[0].cause for entry in entries)
    best = list(islice((name for name in other_causes if name not in supposed), 1))
    both = effect_probabilities(
        before, world.view, effects, list(dict.fromkeys((*sources, *best))), RegionBound(MAX_ROUTE_LENGTH)
    )
    if both.before == both.after and not changed.removed and not changed.added:
        return changed
    given = tuple(name for name in dict.fromkeys((*set_concepts, *best)) if name not in effects)
    return replace(changed, effect=effects[0], given=given, chances=both)


def route_links(relation: Relation) -> Links:
    """Return the links of a route that answers a question about `relation`."""
    return Links(PREVENTING_LINKS.kinds, 0.5) if relation is Relation.PREVENTS else DRIVING_LINKS


def compare_world_answers(
    before: Answer,
    after: Answer,
    kind: QuestionType,
    view: GraphView,
    world: InterventionWorld,
    limit: int,
    link: SettingLinker = link_phrase,
) -> Answer:
    """Return the answer of a world that was set, with that of the world as it is and what is different; `link` reads phrases."""
    changed = after.change
    details: list[Step] = []
    slots = kind.slots
    if kind.semantic is not None and changed is None and slots.cause and slots.effect:
        pair = _surest_pair(slots.cause, slots.effect, slots.relation, (view, world.view), link)
        if pair is not None:
            changed = route_change(view, world, pair[0].concepts, pair[1].concepts, slots.relation, limit)
            if kind.semantic is Semantic.VERIFICATION:
                after = _set_verdict(before, after, pair, world, changed, slots.relation)
    elif kind.semantic is not None and changed is None and (slots.cause or slots.effect):
        after, changed, details = _compare_listings(after, kind, view, world, link)
    return replace(
        after,
        route=after.route if after.route is Route.NONE else Route.INTERVENTION_GRAPH,
        conclusion=WorldConclusion(world.name, before.conclusion, after.conclusion),
        interventions=(*world.applied, *after.interventions),
        change=changed,
        steps=(*world.read, *after.steps, *details, *change_steps(changed, limit)),
    )


def _surest_pair(
    cause: str, effect: str, relation: Relation, worlds: tuple[GraphView, ...], link: SettingLinker
) -> tuple[ConceptLink, ConceptLink] | None:
    """Return the surest readings of cause and effect between which a world has a direct edge, else the surest ones."""
    links = route_links(relation)
    surest = None
    for cause_reading, effect_reading in link_pairs(cause, effect, worlds[0], link):
        surest = surest or (cause_reading, effect_reading)
        for view in worlds:
            if any(
                links.allow(edge) and edge.effect in effect_reading.concepts
                for name in cause_reading.concepts
                for edge in view.effects(name)
            ):
                return cause_reading, effect_reading
    return surest


def _compare_listings(
    after: Answer, kind: QuestionType, view: GraphView, world: InterventionWorld, link: SettingLinker
) -> tuple[Answer, AnswerChange | None, list[Step]]:
    """Return the answer in a world to a question for a list, what is different in the list, and both lists as steps.

    Both lists are of the same reading: where nothing of it is left, that is the answer, not what another reading leads to.
    """
    side = Side.EFFECTS if kind.slots.effect is None else Side.CAUSES
    phrase = kind.slots.cause or kind.slots.effect or ""
    relation, contract = kind.slots.relation, contract_for(kind, side)
    worlds = (view, world.view)
    first = next(
        (listing for world_view in worlds if (listing := first_listing(world_view, link(phrase, view), contract)) is not None),
        None,
    )
    if first is None:
        return after, None, []
    reading = first.reading
    old, new = (build_listing(world_view, reading, contract) for world_view in worlds)
    changed = replace(name_change(old, new), world=world.name)
    if new is None:
        facts = (reading.concepts[0], side is Side.EFFECTS, relation is Relation.PREVENTS)
        after = _without_answer(after, Refusal(Reason.NOTHING_LEFT, facts))
    if side is Side.CAUSES:
        left = new if relation is not Relation.PREVENTS else listing_for_relation(world.view, reading, Relation.CAUSES, side)
        changed = with_chances(changed, view, world, reading.concepts, left)
    steps = [Step(StepKind.LIST_BEFORE, listing_facts(old)), Step(StepKind.LIST_AFTER, listing_facts(new))]
    return after, changed, steps


def _set_verdict(
    before: Answer,
    after: Answer,
    pair: tuple[ConceptLink, ConceptLink],
    world: InterventionWorld,
    changed: AnswerChange,
    relation: Relation,
) -> Answer:
    """Return the verdict that what was set makes: yes by an edge that was set, no where all that led to yes is cut."""
    cause, effect = pair[0].concepts[0], pair[1].concepts[0]
    edge = _edge_put_in(pair, world.view, relation)
    if edge is not None and route_links(relation).allow(edge):
        finding = replace(edge_finding(edge), text=Verdict.YES.value)
        return _with_verdict(after, finding, SetClaimConclusion(edge))
    if edge is not None:
        refusal = Refusal(Reason.WEAK_SETTING, (edge,))
        return replace(_without_answer(after, refusal), verdict=Verdict.UNKNOWN)
    refused = after.verdict is Verdict.UNKNOWN and before.verdict is Verdict.YES
    if refused and changed.removed and not changed.retained and not changed.added and before.findings:
        finding = replace(before.findings[0], text=Verdict.NO.value)
        return _with_verdict(after, finding, LostRouteConclusion(cause, effect))
    return after


def _edge_put_in(pair: tuple[ConceptLink, ConceptLink], view: Overlay, relation: Relation) -> Edge | None:
    """Return the edge between two readings that was put in, or `None`."""
    between = [edge for name in pair[0].concepts for edge in view.effects(name) if edge.effect in pair[1].concepts]
    return next((edge for edge in between if edge.claim in view.changed), None)


def _with_verdict(after: Answer, finding: Finding, conclusion: Conclusion) -> Answer:
    """Return an answer with the verdict that a finding has for its text."""
    return replace(
        after,
        route=Route.INTERVENTION_GRAPH,
        verdict=Verdict(finding.text),
        answer=finding.text,
        conclusion=conclusion,
        findings=(finding,),
        confidence=finding.confidence,
        gaps=(),
    )


def _without_answer(after: Answer, refusal: Refusal) -> Answer:
    """Return an answer that nothing is left, in place of what another reading would give."""
    return replace(
        after,
        route=Route.INTERVENTION_GRAPH,
        answer=None,
        conclusion=refusal,
        findings=(),
        confidence=0.0,
        evidence=(),
        against=(),
        gaps=(),
    )


def listing_facts(listing: Listing | None) -> tuple[int, Sequence[str]]:
    """Return how many names the list of a world holds, and the first of them."""
    names = listing.names if listing is not None else []
    return len(names), tuple(names[:_NAMES_TRACED])

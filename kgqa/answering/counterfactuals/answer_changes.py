"""What a world that was set changes in an answer: routes, concepts, probabilities, and the verdict."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from graph.intervene import Presence
from graph.intervene.overlay import PREVENTING_LINKS
from graph.model import Edge, Relation
from graph.protocols import GraphView
from graph.topology import DRIVING_LINKS, Links
from kgqa.answer_model import Answer, AnswerChange, ChangedRoute, ConfidenceSignals, Finding, Route, Verdict
from kgqa.answering.contracts import CAUSE, Side, contract_for
from kgqa.answering.findings import edge_finding
from kgqa.answering.lists.listing import Listing, build_listing, first_listing
from kgqa.interventions.graph_settings import EDGE_ARROW, InterventionWorld
from kgqa.linking.concept_links import ConceptLink, LinkPair
from kgqa.linking.linker import link_pairs
from kgqa.question import Semantic
from kgqa.reasons import Conclusion, Refusal, Step
from kgqa.request import Request


@dataclass(frozen=True, slots=True)
class WorldConclusion(Conclusion):
    """What an answer says in the world that was set, which `world` names, and what it says as the graph is."""

    world: str
    before: Conclusion | str
    after: Conclusion | str


@dataclass(frozen=True, slots=True)
class SetVerdictConclusion(Conclusion):
    """The verdict that what was set makes: yes by an `edge` that was set, no where no route from `cause` to `effect` is left."""

    cause: str
    effect: str
    edge: Edge | None = None


def as_undecided(answer: Answer) -> Answer:
    """Return an answer that decides nothing, with the verdict "unknown" to a yes/no question."""
    is_verification = answer.type.semantic is Semantic.VERIFICATION
    verdict = Verdict.UNKNOWN if is_verification else None
    return replace(answer, verdict=verdict, answer=None, findings=(), confidence=0.0, signals=ConfidenceSignals())


def supposition_steps(world: InterventionWorld) -> tuple[Step | ConceptLink, ...]:
    """Return what was supposed and done, with the kinds of a concept that are absent with it, and how each phrase was read."""
    steps: list[Step | ConceptLink] = []
    for part, applied in zip(world.parts, world.applied, strict=True):
        steps.append(Step("supposed", (applied,)))
        if part.kinds:
            steps.append(Step("kinds_removed", tuple(part.kinds)))
    return (*steps, *world.read)


def change_steps(change: AnswerChange | None, limit: int) -> tuple[Step, ...]:
    """Return what a world removes and adds, a step each, at most `limit` of either."""
    if change is None:
        return ()
    lost = (Step("lost", (route,)) for route in change.removed[:limit])
    return (*lost, *(Step("gained", (route,)) for route in change.added[:limit]))


def names_as_routes(names: Iterable[str]) -> tuple[ChangedRoute, ...]:
    """Return single concepts as the routes of a change."""
    return tuple(ChangedRoute((name,)) for name in names)


_NAMES_TRACED = 4
MAX_ROUTE_LENGTH = 3
"""The most edges of a route, and the most steps to the causes that a probability is computed on."""


def with_chances(
    changed: AnswerChange, before: GraphView, world: InterventionWorld, effects: Sequence[str], left: Listing | None
) -> AnswerChange:
    """Return a change with how probable the effect is if only what is set, and the best cause that is left, are there.

    What is set present is given in its own world only. A change that changes nothing stays without a probability.
    """
    from graph.intervene.effect_probability import RegionBound, effect_probabilities

    set_concepts = [applied.target.split(EDGE_ARROW)[0] for applied in world.applied if applied.value != Presence.PRESENT]
    sources = [name for name in world.touched if name not in effects]
    supposed = {name for reading in world.read for name in reading.concepts}
    entries = (entry for part in left.parts for entry in part.entries) if left is not None else ()
    causes = (entry.finding.path.edges[0].cause for entry in entries)
    best = list(islice((name for name in causes if name not in supposed), 1))
    given = list(dict.fromkeys((*sources, *best)))
    chances = effect_probabilities(before, world.view, effects, given, RegionBound(MAX_ROUTE_LENGTH))
    if chances.before == chances.after and not changed.removed and not changed.added:
        return changed
    set_names = tuple(name for name in dict.fromkeys((*set_concepts, *best)) if name not in effects)
    return replace(changed, effect=effects[0], given=set_names, chances=chances)


def _route_links(relation: Relation) -> Links:
    return Links(PREVENTING_LINKS.kinds, 0.5) if relation is Relation.PREVENTS else DRIVING_LINKS


def compare_world_answers(before: Answer, after: Answer, request: Request, world: InterventionWorld) -> Answer:
    """Return the answer to a request in a world that was set, with that in the world as it is and what is different."""
    changed = after.change
    details: list[Step] = []
    slots, semantic = request.kind.slots, request.kind.semantic
    if semantic is not None and changed is None and slots.cause and slots.effect:
        pair = _surest_pair(slots.cause, slots.effect, request, world)
        if pair is not None:
            changed = _route_change(pair, request, world)
            if semantic is Semantic.VERIFICATION:
                after = _set_verdict(before, after, pair, world, changed, slots.relation)
    elif semantic is not None and changed is None and (slots.cause or slots.effect):
        after, changed, details = _compare_listings(after, request, world)
    return replace(
        after,
        route=after.route if after.route is Route.NONE else Route.INTERVENTION_GRAPH,
        conclusion=WorldConclusion(world.name, before.conclusion, after.conclusion),
        interventions=(*world.applied, *after.interventions),
        change=changed,
        steps=(*world.read, *after.steps, *details, *change_steps(changed, request.limit)),
    )


def _route_change(pair: LinkPair, request: Request, world: InterventionWorld) -> AnswerChange:
    from graph.intervene.effect_probability import compare_worlds

    sources, effects = pair[0].concepts, pair[1].concepts
    links = _route_links(request.kind.slots.relation)
    change = compare_worlds(request.view, world.view, effects, sources, links, MAX_ROUTE_LENGTH, request.limit)
    lost, gained, surviving = (
        tuple(ChangedRoute(path.concepts) for path in paths) for paths in (change.lost, change.gained, change.surviving)
    )
    return AnswerChange(lost, gained, surviving, effects[0], (sources[0],), change.chances, world.name)


def _surest_pair(cause: str, effect: str, request: Request, world: InterventionWorld) -> LinkPair | None:
    """Return the surest readings of cause and effect between which a world has a direct edge, else the surest ones."""
    links = _route_links(request.kind.slots.relation)
    surest = None
    for pair in link_pairs(cause, effect, request.view, request.link):
        surest = surest or pair
        ends = pair[0].concepts, pair[1].concepts
        if any(links.allow(edge) for view in (request.view, world.view) for edge in edges_between(*ends, view)):
            return pair
    return surest


def edges_between(causes: Iterable[str], effects: Collection[str], view: GraphView) -> Iterator[Edge]:
    """Return the edges of a view from one of some concepts to one of others."""
    return (edge for name in causes for edge in view.effects(name) if edge.effect in effects)


def _compare_listings(
    after: Answer, request: Request, world: InterventionWorld
) -> tuple[Answer, AnswerChange | None, list[Step]]:
    """Return the answer in a world to a question for a list, what is different in the list, and both lists as steps.

    Both lists are of the same reading: where nothing of it is left, that is the answer, not what another reading leads to.
    """
    slots = request.kind.slots
    side = Side.EFFECTS if slots.effect is None else Side.CAUSES
    phrase = slots.cause or slots.effect or ""
    relation, contract = slots.relation, contract_for(request.kind, side)
    worlds = (request.view, world.view)
    listings = (first_listing(view, request.link(phrase, view), contract) for view in worlds)
    reading = next((listing.reading for listing in listings if listing is not None), None)
    if reading is None:
        return after, None, []
    old, new = (build_listing(view, reading, contract) for view in worlds)
    names_before, names_after = (listing.names if listing else [] for listing in (old, new))
    known, left_names = frozenset(names_before), frozenset(names_after)
    changed = AnswerChange(
        removed=names_as_routes(name for name in names_before if name not in left_names),
        added=names_as_routes(name for name in names_after if name not in known),
        retained=names_as_routes(name for name in names_after if name in known),
        world=world.name,
    )
    if new is None:
        facts = (reading.concepts[0], side is Side.EFFECTS, relation is Relation.PREVENTS)
        after = _without_answer(after, Refusal("nothing_left", facts))
    if side is Side.CAUSES:
        left = new if relation is not Relation.PREVENTS else build_listing(world.view, reading, CAUSE)
        changed = with_chances(changed, request.view, world, reading.concepts, left)
    steps = [Step("list_before", listing_facts(old)), Step("list_after", listing_facts(new))]
    return after, changed, steps


def _set_verdict(
    before: Answer, after: Answer, pair: LinkPair, world: InterventionWorld, changed: AnswerChange, relation: Relation
) -> Answer:
    """Return the verdict that what was set makes: yes by an edge that was set, no where all that led to yes is cut."""
    ends = pair[0].concepts, pair[1].concepts
    cause, effect = ends[0][0], ends[1][0]
    edge = next((edge for edge in edges_between(*ends, world.view) if edge.claim in world.view.changed), None)
    if edge is not None and _route_links(relation).allow(edge):
        finding = replace(edge_finding(edge), text=Verdict.YES.value)
        return _with_verdict(after, finding, SetVerdictConclusion(cause, effect, edge))
    if edge is not None:
        refusal = Refusal("weak_setting", (edge,))
        return replace(_without_answer(after, refusal), verdict=Verdict.UNKNOWN)
    refused = after.verdict is Verdict.UNKNOWN and before.verdict is Verdict.YES
    if refused and changed.removed and not changed.retained and not changed.added and before.findings:
        finding = replace(before.findings[0], text=Verdict.NO.value)
        return _with_verdict(after, finding, SetVerdictConclusion(cause, effect))
    return after


def _with_verdict(after: Answer, finding: Finding, conclusion: Conclusion) -> Answer:
    verdict, confidence = Verdict(finding.text), finding.confidence
    decided = replace(after, verdict=verdict, answer=finding.text, findings=(finding,), confidence=confidence, gaps=())
    return replace(decided, route=Route.INTERVENTION_GRAPH, conclusion=conclusion)


def _without_answer(after: Answer, refusal: Refusal) -> Answer:
    empty = replace(after, answer=None, findings=(), confidence=0.0, evidence=(), against=(), gaps=())
    return replace(empty, route=Route.INTERVENTION_GRAPH, conclusion=refusal)


def listing_facts(listing: Listing | None) -> tuple[int, Sequence[str]]:
    """Return how many names the list of a world holds, and the first of them."""
    names = listing.names if listing is not None else []
    return len(names), tuple(names[:_NAMES_TRACED])

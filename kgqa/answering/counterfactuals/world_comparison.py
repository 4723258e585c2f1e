"""An answer in a world that was set, beside the answer in the world as it is.

What a world changes for an effect, in words: routes, concepts and probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from graph.intervene import Overlay, Presence
from graph.intervene.edited_topology import PREVENTING_LINKS
from graph.model import Edge, Relation
from graph.protocols import GraphView
from graph.topology import DRIVING_LINKS, Links
from kgqa.answering.contracts import Side, contract_for
from kgqa.answering.findings import edge_finding
from kgqa.answering.link_quality import trace_link
from kgqa.answering.lists.list_entries import Listing, build_listing, first_listing, listing_for_relation
from kgqa.answers import Answer, AnswerChange, ConfidenceSignals, Finding, Route, Verdict
from kgqa.interventions.graph_settings import (
    EDGE_ARROW,
    InterventionWorld,
    SettingLinker,
)
from kgqa.linking.concept_links import ConceptLink
from kgqa.linking.linker import link_pairs, link_phrase
from kgqa.question import QuestionType, Semantic
from kgqa.wording.answer_phrases import change_lines, format_paths
from kgqa.wording.claim_clauses import as_sentence, claim_clause, count_noun, join_phrases

if TYPE_CHECKING:
    pass


def as_undecided(answer: Answer) -> Answer:
    """Return an answer that decides nothing, with the verdict "unknown" where a verdict was asked for."""
    is_verification = answer.type.semantic is Semantic.VERIFICATION
    verdict = Verdict.UNKNOWN if is_verification else None
    return replace(answer, verdict=verdict, answer=None, findings=(), confidence=0.0, signals=ConfidenceSignals())


def supposition_lines(world: InterventionWorld) -> tuple[str, ...]:
    """Return what was supposed and done, a line each, for the trace: with the kinds that go, and what follows from what."""
    lines = []
    for part, applied in zip(world.parts, world.applied, strict=True):
        lines.append(f"supposed: '{applied.source}', {applied.operation} {applied.target} = {applied.value}")
        if part.kinds:
            more = f" and {len(part.kinds) - 4} more" if len(part.kinds) > 4 else ""
            kinds = ", ".join(part.kinds[:4]) if more else join_phrases(part.kinds)
            lines.append(f"absent with it, as kinds of it: {kinds}{more}")
    return tuple(lines)


MAX_ROUTE_LENGTH = 3
"""How many edges a route has at most, and how far away the causes are that a probability is reckoned on."""


def route_change(
    before: GraphView, world: InterventionWorld, sources: Sequence[str], effects: Sequence[str], relation: Relation, limit: int
) -> AnswerChange:
    """Return what a world changes for how some concepts lead to, or prevent, others (forms of one name, the first one shown)."""
    from graph.intervene.world_difference import compare_worlds

    contrast = compare_worlds(before, world.view, effects, sources, route_links(relation), MAX_ROUTE_LENGTH, limit)
    changed = AnswerChange(
        format_paths(contrast.lost), format_paths(contrast.gained), format_paths(contrast.surviving), world=world.name
    )
    return replace(changed, effect=effects[0], given=(sources[0],), chances=contrast.chances)


def name_change(before: Listing | None, after: Listing | None) -> AnswerChange:
    """Return what a world changes in a list."""
    old, new = (listing.names if listing else [] for listing in (before, after))
    known, left = frozenset(old), frozenset(new)
    return AnswerChange(
        lost=tuple(name for name in old if name not in left),
        gained=tuple(name for name in new if name not in known),
        surviving=tuple(name for name in new if name in known),
    )


def with_chances(
    changed: AnswerChange, before: GraphView, world: InterventionWorld, effects: Sequence[str], left: Listing | None
) -> AnswerChange:
    """Return a change with how probable the effect is if only what is set, and the best cause that is left, are there.

    What is set present is given in its own world only. A change that changes nothing stays without a probability.
    """
    from graph.intervene.region import RegionBound
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
    if both.before == both.after and not changed.lost and not changed.gained:
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
    details: list[str] = []
    slots = kind.slots
    if kind.semantic is not None and changed is None and slots.cause and slots.effect:
        pair = _surest_pair(slots.cause, slots.effect, slots.relation, (view, world.view), link)
        if pair is not None:
            changed = route_change(view, world, pair[0].concepts, pair[1].concepts, slots.relation, limit)
            if kind.semantic is Semantic.VERIFICATION:
                after = _set_verdict(before, after, pair, world, changed, slots.relation)
    elif kind.semantic is not None and changed is None and (slots.cause or slots.effect):
        after, changed, details = _compare_listings(after, kind, view, world, link)
    same = before.sentence == after.sentence
    text = f"With {world.name}, the answer stays as it is: {before.sentence}"
    return replace(
        after,
        route=after.route if after.route is Route.NONE else Route.INTERVENTION_GRAPH,
        sentence=text if same else f"With {world.name}: {after.sentence} As it is: {before.sentence}",
        interventions=(*world.applied, *after.interventions),
        change=changed,
        trace=(*map(trace_link, world.read), *after.trace, *details, *change_lines(changed, limit)),
    )


def _surest_pair(
    cause: str, effect: str, relation: Relation, worlds: tuple[GraphView, ...], link: SettingLinker
) -> tuple[ConceptLink, ConceptLink] | None:
    """Return the surest readings of cause and effect between which a world has a direct edge, else the surest ones."""
    pairs = link_pairs(cause, effect, worlds[0], link)
    links = route_links(relation)
    for cause_reading, effect_reading in pairs:
        for view in worlds:
            if any(
                links.allow(edge) and edge.effect in effect_reading.concepts
                for name in cause_reading.concepts
                for edge in view.effects(name)
            ):
                return cause_reading, effect_reading
    return pairs[0] if pairs else None


def _compare_listings(
    after: Answer, kind: QuestionType, view: GraphView, world: InterventionWorld, link: SettingLinker
) -> tuple[Answer, AnswerChange | None, list[str]]:
    """Return what is different in a list of causes or effects, with both lists in words, and the answer that fits it.

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
        does = "prevents or reduces" if relation is Relation.PREVENTS else "causes"
        what = f"{does} {reading.concepts[0]}" if side is Side.CAUSES else f"{reading.concepts[0]} {does}"
        after = _without_answer(after, f"nothing that the graph knows of is left that {what}")
    if side is Side.CAUSES:
        left = new if relation is not Relation.PREVENTS else listing_for_relation(world.view, reading, Relation.CAUSES, side)
        changed = with_chances(changed, view, world, reading.concepts, left)
    return after, changed, [f"as it is: {describe_listing(old)}", f"so set: {describe_listing(new)}"]


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
        return _with_verdict(after, finding, f"yes, as it was set: {claim_clause(edge)}, believed {edge.belief:g}")
    if edge is not None:
        text = f"unknown: that {claim_clause(edge)} was set to be believed {edge.belief:g} only"
        return replace(_without_answer(after, text), verdict=Verdict.UNKNOWN)
    refused = after.verdict is Verdict.UNKNOWN and before.verdict is Verdict.YES
    if refused and changed.lost and not changed.surviving and not changed.gained and before.findings:
        finding = replace(before.findings[0], text=Verdict.NO.value)
        text = f"no: nothing that the graph knows leads from {cause} to {effect} any more"
        return _with_verdict(after, finding, text)
    return after


def _edge_put_in(pair: tuple[ConceptLink, ConceptLink], view: Overlay, relation: Relation) -> Edge | None:
    """Return the edge between two readings that was put in, or `None`."""
    between = [edge for name in pair[0].concepts for edge in view.effects(name) if edge.effect in pair[1].concepts]
    return next((edge for edge in between if edge.claim in view.changed), None)


def _with_verdict(after: Answer, finding: Finding, text: str) -> Answer:
    """Return an answer with the verdict that a finding has for its text."""
    return replace(
        after,
        route=Route.INTERVENTION_GRAPH,
        verdict=Verdict(finding.text),
        answer=finding.text,
        sentence=as_sentence(text),
        findings=(finding,),
        confidence=finding.confidence,
        missing=(),
    )


def _without_answer(after: Answer, text: str) -> Answer:
    """Return an answer that nothing is left, in place of what another reading would give."""
    return replace(
        after,
        route=Route.INTERVENTION_GRAPH,
        answer=None,
        sentence=as_sentence(text),
        findings=(),
        confidence=0.0,
        evidence=(),
        against=(),
        missing=(),
    )


def describe_listing(listing: Listing | None) -> str:
    """Return what a list of one of the two worlds holds, for the trace."""
    if listing is None:
        return "nothing that the graph knows"
    names = listing.names
    return f"{count_noun(len(names), 'concept')}, first {join_phrases(names[:4])}"

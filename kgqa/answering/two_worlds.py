"""An answer in a world that was set, beside the answer in the world as it is."""

from __future__ import annotations

from dataclasses import replace

from graph.intervene import Overlay
from graph.model import Edge, Relation
from graph.protocols import GraphView
from kgqa.answering.change import change, contrasted, links_for, named_changes, names_changed
from kgqa.answering.contracts import Side, contract_for
from kgqa.answering.entries import Listing
from kgqa.answering.findings import edge_finding
from kgqa.answering.listing import find_as, first_listing, listing_as, read_as
from kgqa.answering.wording import claim, counted, listed, sentence
from kgqa.intervention.settings import Linker, World
from kgqa.linking.linker import Reading, reading_pairs, readings
from kgqa.model import Answer, Change, Finding, QuestionType, Route, Semantic, Verdict


def compared(
    before: Answer, after: Answer, kind: QuestionType, view: GraphView, world: World, limit: int, link: Linker = readings
) -> Answer:
    """Return the answer of a world that was set, with that of the world as it is and what is different; `link` reads phrases."""
    changed = after.change
    details: list[str] = []
    slots = kind.slots
    if kind.semantic is not None and changed is None and slots.cause and slots.effect:
        pair = _pair(slots.cause, slots.effect, slots.relation, (view, world.view), link)
        if pair is not None:
            changed = change(view, world, pair[0].concepts, pair[1].concepts, slots.relation, limit)
            if kind.semantic is Semantic.VERIFICATION:
                after = _verdict(before, after, pair, world, changed, slots.relation)
    elif kind.semantic is not None and changed is None and (slots.cause or slots.effect):
        after, changed, details = _listings(after, kind, view, world, link)
    same = before.sentence == after.sentence
    text = f"With {world.name}, the answer stays as it is: {before.sentence}"
    return replace(
        after,
        route=after.route if after.route is Route.NONE else Route.INTERVENTION_GRAPH,
        sentence=text if same else f"With {world.name}: {after.sentence} As it is: {before.sentence}",
        interventions=(*world.applied, *after.interventions),
        change=changed,
        trace=(*map(read_as, world.read), *after.trace, *details, *named_changes(changed, limit)),
    )


def _pair(
    cause: str, effect: str, relation: Relation, worlds: tuple[GraphView, ...], link: Linker
) -> tuple[Reading, Reading] | None:
    """Return the surest readings of cause and effect between which a world has a direct edge, else the surest ones."""
    pairs = reading_pairs(cause, effect, worlds[0], link)
    links = links_for(relation)
    for one, other in pairs:
        for view in worlds:
            if any(links.allow(edge) and edge.effect in other.concepts for name in one.concepts for edge in view.effects(name)):
                return one, other
    return pairs[0] if pairs else None


def _listings(
    after: Answer, kind: QuestionType, view: GraphView, world: World, link: Linker
) -> tuple[Answer, Change | None, list[str]]:
    """Return what is different in a list of causes or effects, with both lists in words, and the answer that fits it.

    Both lists are of the same reading: where nothing of it is left, that is the answer, not what another reading leads to.
    """
    side = Side.EFFECTS if kind.slots.effect is None else Side.CAUSES
    phrase = kind.slots.cause or kind.slots.effect or ""
    relation, contract = kind.slots.relation, contract_for(kind, side)
    worlds = (view, world.view)
    first = next((found for one in worlds if (found := first_listing(one, link(phrase, view), contract)) is not None), None)
    if first is None:
        return after, None, []
    reading = first.reading
    old, new = (listing_as(one, reading, contract) for one in worlds)
    changed = replace(names_changed(old, new), world=world.name)
    if new is None:
        does = "prevents or reduces" if relation is Relation.PREVENTS else "causes"
        what = f"{does} {reading.concepts[0]}" if side is Side.CAUSES else f"{reading.concepts[0]} {does}"
        after = _refused(after, f"nothing that the graph knows of is left that {what}")
    if side is Side.CAUSES:
        left = new if relation is not Relation.PREVENTS else find_as(world.view, reading, Relation.CAUSES, side)
        changed = contrasted(changed, view, world, reading.concepts, left)
    return after, changed, [f"as it is: {described(old)}", f"so set: {described(new)}"]


def _verdict(
    before: Answer, after: Answer, pair: tuple[Reading, Reading], world: World, changed: Change, relation: Relation
) -> Answer:
    """Return the verdict that what was set makes: yes by an edge that was set, no where all that led to yes is cut."""
    cause, effect = pair[0].concepts[0], pair[1].concepts[0]
    edge = _set_edge(pair, world.view, relation)
    if edge is not None and links_for(relation).allow(edge):
        finding = replace(edge_finding(edge), text=Verdict.YES.value)
        return _decided(after, finding, f"yes, as it was set: {claim(edge)}, believed {edge.belief:g}")
    if edge is not None:
        text = f"unknown: that {claim(edge)} was set to be believed {edge.belief:g} only"
        return replace(_refused(after, text), verdict=Verdict.UNKNOWN)
    refused = after.verdict is Verdict.UNKNOWN and before.verdict is Verdict.YES
    if refused and changed.lost and not changed.surviving and not changed.gained and before.findings:
        finding = replace(before.findings[0], text=Verdict.NO.value)
        text = f"no: nothing that the graph knows leads from {cause} to {effect} any more"
        return _decided(after, finding, text)
    return after


def _set_edge(pair: tuple[Reading, Reading], view: Overlay, relation: Relation) -> Edge | None:
    """Return the edge between two readings that was put in, or `None`."""
    between = [edge for name in pair[0].concepts for edge in view.effects(name) if edge.effect in pair[1].concepts]
    return next((edge for edge in between if edge.claim in view.changed), None)


def _decided(after: Answer, finding: Finding, text: str) -> Answer:
    """Return an answer with the verdict that a finding has for its text."""
    return replace(
        after,
        route=Route.INTERVENTION_GRAPH,
        verdict=Verdict(finding.text),
        answer=finding.text,
        sentence=sentence(text),
        findings=(finding,),
        confidence=finding.confidence,
        missing=(),
    )


def _refused(after: Answer, text: str) -> Answer:
    """Return an answer that nothing is left, in place of what another reading would give."""
    return replace(
        after,
        route=Route.INTERVENTION_GRAPH,
        answer=None,
        sentence=sentence(text),
        findings=(),
        confidence=0.0,
        evidence=(),
        against=(),
        missing=(),
    )


def described(listing: Listing | None) -> str:
    """Return what a list of one of the two worlds holds, for the trace."""
    if listing is None:
        return "nothing that the graph knows"
    names = listing.names
    return f"{counted(len(names), 'concept')}, first {listed(names[:4])}"

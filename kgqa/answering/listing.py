"""Answers that list concepts: the causes of something, its effects, what prevents it, what it is for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from graph.model import Edge, Relation
from graph.protocols import GraphView
from kgqa.answering.contracts import (
    ENABLEMENT,
    Contract,
    Side,
    contract_for,
    in_tiers,
    plain_contract,
)
from kgqa.answering.entries import Entries, Entry, Listing, Part
from kgqa.answering.enumeration import enumerated
from kgqa.answering.evidence import cited
from kgqa.answering.findings import edge_finding
from kgqa.answering.grouping import forms_together, merged
from kgqa.answering.ranking import Named, Ordering, Records, ranked, supporters, worth
from kgqa.answering.readings import BROADER, NARROWER, SPELLING, exists, is_clause, is_enough, is_of_pronoun
from kgqa.answering.wording import counted, listed, sentence
from kgqa.linking.linker import Reading, near_names, readings
from kgqa.model import (
    Answer,
    Attribute,
    Connection,
    Missing,
    Pragmatic,
    QuestionType,
    Route,
    Semantic,
    Signals,
)
from kgqa.request import Request

_MERGED = 60
"""How many of the best names are looked through for others that say the same."""

_UNFULFILLED = 0.5
"""What is left of the confidence where the list holds nothing that was asked for."""

_RAREST = re.compile(
    r"\b(?:least (?:common|frequent|likely|usual|important|significant)|(?<!at )least|rarest)\s+(?:\w+\s+){0,2}?"
    r"(?:causes?|reasons?|factors?|sources?|triggers?|effects?|results?|consequences?|symptoms?|complications?)\b",
    re.IGNORECASE,
)

_TRIVIA = 3
"""How many names a short answer shows."""


def wanted_edges(edges: Iterable[Edge], relation: Relation, side: Side) -> list[Edge]:
    """Return the believed edges that answer a question about `relation`, those of the best tier first."""
    ends = ((edge, edge.cause if side is Side.CAUSES else edge.effect) for edge in edges if edge.belief > 0.0)
    return [edge for tier in in_tiers(plain_contract(relation, side), ends) for edge, _ in tier]


def find(view: GraphView, phrase: str, relation: Relation, side: Side) -> Listing | None:
    """Return what the first reading of `phrase` that has any wanted edge leads to; `None` where none has."""
    return first_listing(view, readings(phrase, view), plain_contract(relation, side))


def find_as(view: GraphView, reading: Reading, relation: Relation, side: Side) -> Listing | None:
    """Return what a reading leads to; `None` where it has no wanted edge."""
    return listing_as(view, reading, plain_contract(relation, side))


def first_listing(
    view: GraphView, read: Iterable[Reading], contract: Contract, limit: int = 10, orders: Sequence[Ordering] = ()
) -> Listing | None:
    """Return what the first of some readings that leads anywhere leads to under a contract; `None` where none does."""
    listings = (listing_as(view, reading, contract, limit, orders) for reading in read if is_enough(reading))
    return next((listing for listing in listings if listing is not None), None)


def listing_as(
    view: GraphView, reading: Reading, contract: Contract, limit: int = 10, orders: Sequence[Ordering] = ()
) -> Listing | None:
    """Return what a reading leads to under a contract, in the plain order or in others; `None` where it leads to nothing.

    How many independent sources support a name is told of the first `limit` of each part; the order does not depend on it.
    """
    own = set(reading.concepts)
    tiers = in_tiers(contract, (one for one in contract.ends(view, reading.concepts) if one[1] not in own))
    fulfilled = any(ends for tier, ends in zip(contract.tiers, tiers, strict=True) if tier.fulfils)
    records = Records(view)
    parts: list[Part] = []
    for tier, ends in zip(contract.tiers, tiers, strict=True):
        if ends and (tier.fulfils or not (fulfilled and contract.lacking)):
            named_before = {name for part in parts for name in part.entries.names}
            found = [one for one in forms_together(ends) if one.name not in named_before]
            if found:
                parts.append(Part(tier, _entries(view, found, reading, records, limit, orders)))
    return Listing(reading, contract, tuple(parts), records) if parts else None


def _entries(
    view: GraphView,
    found: Sequence[Named],
    reading: Reading,
    records: Records,
    limit: int,
    orders: Sequence[Ordering],
) -> Entries:
    """Return an entry for each name that was found, in order, those that say the same together."""
    values = {one.name: worth(one) for one in found}
    found = sorted(found, key=lambda one: (-values[one.name], one.name))
    if len(found) > 1:
        from kgqa.linking.alike import alike

        found = [*merged(found[:_MERGED], alike), *found[_MERGED:]]
    found = ranked(view, found, reading.concepts, records, lambda one: worth(one) if one.others else values[one.name])
    for order in orders:
        found = list(order.ordered(found, records))
    return Entries(found, lambda number, one: _entry(one, reading, records, closely=number < limit))


def _entry(one: Named, reading: Reading, records: Records, *, closely: bool) -> Entry:
    """Return one name as an entry; whether the sources of its claims depend on each other is only asked `closely`."""
    finding = replace(
        edge_finding(one.best),
        text=one.name,
        confidence=one.best.belief * reading.score,
        support=supporters(one.edges, records) if closely else one.support,
        merged=one.others,
    )
    return Entry(finding, one.edges)


def answer_listing(request: Request) -> Answer:
    """Answer a question that asks for causes or for effects, whichever slot it fills, by the contract of its type."""
    kind, view = request.kind, request.view
    slots = kind.slots
    side = Side.EFFECTS if slots.effect is None else Side.CAUSES
    slot, phrase = ("cause", slots.cause or "") if side is Side.EFFECTS else ("effect", slots.effect or "")
    if slots.options is not None and slots.options.slot == slot and len(slots.options.phrases) > 1:
        from kgqa.answering.jointly import answer_jointly

        return answer_jointly(request)
    if side is Side.CAUSES and exists(phrase, request.question):
        # What a thing is there for, not what happens to it: "Why does the heart exist?"
        kind, side = replace(kind, semantic=Semantic.PURPOSE, slots=replace(slots, relation=Relation.IS_FOR)), Side.EFFECTS
    contract = contract_for(kind, side, request.question)
    orders = _orders(kind, contract, view)
    surest, read = _surest(request.link(phrase, view))
    if is_of_pronoun(phrase, request.question.rstrip(" ?!.")):
        return refused(request.question, kind, f"what is meant that is '{phrase}'", phrase, view, None)
    if is_clause(phrase, request.question) or exists(phrase, request.question):
        read = (reading for reading in read if reading.how not in (BROADER, NARROWER))
    listing = first_listing(view, read, contract, request.limit, orders)
    if listing is None:
        return refused(request.question, kind, f"{contract.missing or f'the {side.value} of'} '{phrase}'", phrase, view, surest)
    answer = answer_of(request, listing, orders)
    if asks_rarest(request.question):
        from kgqa.answering.superlative import rarest_untold

        return rarest_untold(answer)
    return answer


def asks_rarest(question: str) -> bool:
    """Say whether a question asks for the least common of its kind: of "the least common cause", "the rarest effect"."""
    return ("least " in question.lower() or "rarest " in question.lower()) and _RAREST.search(question) is not None


def _surest(read: Iterable[Reading]) -> tuple[Reading | None, Iterable[Reading]]:
    """Return the first of some readings, or `None`, and all of them; none but the first is looked up yet."""
    rest = iter(read)
    first = next(rest, None)
    return first, () if first is None else chain((first,), rest)


def _orders(kind: QuestionType, contract: Contract, view: GraphView) -> list[Ordering]:
    """Return the orders that a question asks for, the one that decides last."""
    orders: list[Ordering] = []
    if Attribute.SUPERLATIVE in kind.attributes:
        from kgqa.answering.superlative import BySupport

        orders.append(BySupport())
    if kind.slots.population or kind.slots.place or kind.slots.time:
        from kgqa.answering.occasions import ByCircumstance

        orders.append(ByCircumstance(kind.slots))
    if contract is ENABLEMENT:
        from kgqa.answering.needed import ByNeed

        orders.append(ByNeed(view))
    return orders


def answer_of(request: Request, listing: Listing, orders: Sequence[Ordering] = ()) -> Answer:
    """Return a list as an answer: the first findings of each part, with their evidence, in a sentence."""
    kind = request.kind
    limit = min(request.limit, _TRIVIA) if kind.pragmatic is Pragmatic.TRIVIA else request.limit
    parts = _shown(listing.parts, limit)
    entries = [entry for part in parts for entry in part.entries]
    first = entries[0].finding
    edges = [entry.edges for entry in entries]
    supporting, denying = cited(request.view, dict.fromkeys(edge for group in edges for edge in group))
    told = [text for order in orders if (text := order.told(edges, listing.records))]
    return Answer(
        question=request.question,
        type=kind,
        route=Route.GRAPH,
        answer=first.text,
        sentence=sentence("; ".join([enumerated(listing, parts), *told])),
        findings=tuple(entry.finding for entry in entries),
        confidence=first.confidence * (_UNFULFILLED if listing.lacks and listing.contract.lacking else 1.0),
        evidence=supporting,
        against=denying,
        trace=(read_as(listing.reading), *_counts(listing), *told),
        missing=_missing(listing),
        signals=_signals(entries[0], listing.reading),
    )


def _shown(parts: Sequence[Part], limit: int) -> list[Part]:
    """Return the parts with the entries that are shown: at most `limit`, of which each part that was asked for gets one."""
    shown = []
    for number, part in enumerate(parts):
        behind = sum(other.tier.fulfils for other in parts[number + 1 :])
        taken = min(len(part.entries), max(limit - behind, 1 if part.tier.fulfils else 0), limit)
        if taken:
            shown.append(Part(part.tier, part.entries.first(taken)))
        limit -= taken
    return shown


def _signals(entry: Entry, reading: Reading) -> Signals:
    """Return what the confidence of a list rests on: its first entry."""
    finding = entry.finding
    return Signals(
        belief=finding.path.score,
        link=reading.score,
        support=finding.support,
        against=sum(edge.against for edge in entry.edges),
        hedged=sum(edge.hedged for edge in entry.edges),
        steps=len(finding.path.edges),
        connection=Connection.ASSOCIATED if finding.relation is Relation.ASSOCIATED else Connection.DIRECT,
    )


def _counts(listing: Listing) -> list[str]:
    """Return how much each part holds, for the trace."""
    subject = listing.reading.concepts[0]
    return [f"{part.tier.heading.format(subject)}: {counted(len(part.entries), 'concept')} found" for part in listing.parts]


def _missing(listing: Listing) -> tuple[Missing, ...]:
    """Return what the contract asks for where the list has none of it."""
    if not (listing.lacks and listing.contract.missing):
        return ()
    what = f"{listing.contract.missing} '{listing.reading.concepts[0]}'"
    return (Missing(what, "texts that state it, mined with kgqa mine"),)


def read_as(reading: Reading) -> str:
    """Return how a phrase was read, for the trace."""
    return f"'{reading.phrase}' read as {listed([repr(name) for name in reading.concepts[:4]])} ({reading.how})"


def refusal(question: str, kind: QuestionType, what: str, phrase: str, view: GraphView) -> Answer:
    """Return the answer "unknown": what is missing, and whether the phrase itself is unknown to the graph."""
    return refused(question, kind, what, phrase, view, next(iter(readings(phrase, view)), None))


def refused(question: str, kind: QuestionType, what: str, phrase: str, view: GraphView, reading: Reading | None) -> Answer:
    """Return the answer "unknown" where the surest reading of the phrase is known, or that there is none."""
    if reading is None:
        where = f"no concept of the graph is called '{phrase}'"
    elif reading.how == BROADER:
        where = f"it knows '{reading.concepts[0]}', which is not the same; mine texts about it with kgqa mine"
    elif reading.how == SPELLING:
        where = f"no concept of the graph is called '{phrase}'; near: {', '.join(near_names(phrase, view))}"
    else:
        where = f"the graph knows '{reading.concepts[0]}', but holds no such claim; mine texts about it with kgqa mine"
    return Answer(
        question=question,
        type=kind,
        route=Route.NONE,
        sentence=sentence(f"unknown: the graph does not say {what}; {where}"),
        missing=(Missing(what, where),),
    )

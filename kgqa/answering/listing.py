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
    plain_contract,
    sort_into_tiers,
)
from kgqa.answering.entries import ListEntries, ListEntry, Listing, ListPart
from kgqa.answering.enumeration import word_listing
from kgqa.answering.evidence import cite_evidence
from kgqa.answering.findings import edge_finding
from kgqa.answering.grouping import group_forms, merge_names
from kgqa.answering.ranking import EvidenceRecords, ListedName, ListOrder, count_supporters, name_score, rank_names
from kgqa.answering.readings import BROADER, NARROWER, SPELLING, asks_about_clause, asks_why_exists, is_close_link, is_of_pronoun
from kgqa.answering.wording import as_sentence, count_noun, join_phrases
from kgqa.linking.linker import ConceptLink, link_phrase, similar_names
from kgqa.model import (
    Answer,
    Attribute,
    CausalConnection,
    ConfidenceSignals,
    MissingInformation,
    Pragmatic,
    QuestionType,
    Route,
    Semantic,
)
from kgqa.request import Request

_MERGE_CANDIDATES = 60
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


def edges_for_relation(edges: Iterable[Edge], relation: Relation, side: Side) -> list[Edge]:
    """Return the believed edges that answer a question about `relation`, those of the best tier first."""
    ends = ((edge, edge.cause if side is Side.CAUSES else edge.effect) for edge in edges if edge.belief > 0.0)
    return [edge for tier in sort_into_tiers(plain_contract(relation, side), ends) for edge, _ in tier]


def find_listing(view: GraphView, phrase: str, relation: Relation, side: Side) -> Listing | None:
    """Return what the first reading of `phrase` that has any wanted edge leads to; `None` where none has."""
    return first_listing(view, link_phrase(phrase, view), plain_contract(relation, side))


def listing_for_relation(view: GraphView, reading: ConceptLink, relation: Relation, side: Side) -> Listing | None:
    """Return what a reading leads to; `None` where it has no wanted edge."""
    return build_listing(view, reading, plain_contract(relation, side))


def first_listing(
    view: GraphView, read: Iterable[ConceptLink], contract: Contract, limit: int = 10, orders: Sequence[ListOrder] = ()
) -> Listing | None:
    """Return what the first of some readings that leads anywhere leads to under a contract; `None` where none does."""
    listings = (build_listing(view, reading, contract, limit, orders) for reading in read if is_close_link(reading))
    return next((listing for listing in listings if listing is not None), None)


def build_listing(
    view: GraphView, reading: ConceptLink, contract: Contract, limit: int = 10, orders: Sequence[ListOrder] = ()
) -> Listing | None:
    """Return what a reading leads to under a contract, in the plain order or in others; `None` where it leads to nothing.

    How many independent sources support a name is told of the first `limit` of each part; the order does not depend on it.
    """
    own = set(reading.concepts)
    tiers = sort_into_tiers(contract, (item for item in contract.ends(view, reading.concepts) if item[1] not in own))
    fulfilled = any(ends for tier, ends in zip(contract.tiers, tiers, strict=True) if tier.fulfils)
    records = EvidenceRecords(view)
    parts: list[ListPart] = []
    for tier, ends in zip(contract.tiers, tiers, strict=True):
        if ends and (tier.fulfils or not (fulfilled and contract.lacking)):
            named_before = {name for part in parts for name in part.entries.names}
            candidates = [item for item in group_forms(ends) if item.name not in named_before]
            if candidates:
                parts.append(ListPart(tier, _build_entries(view, candidates, reading, records, limit, orders)))
    return Listing(reading, contract, tuple(parts), records) if parts else None


def _build_entries(
    view: GraphView,
    candidates: Sequence[ListedName],
    reading: ConceptLink,
    records: EvidenceRecords,
    limit: int,
    orders: Sequence[ListOrder],
) -> ListEntries:
    """Return an entry for each name that was found, in order, those that say the same together."""
    values = {candidate.name: name_score(candidate) for candidate in candidates}
    candidates = sorted(candidates, key=lambda candidate: (-values[candidate.name], candidate.name))
    if len(candidates) > 1:
        from kgqa.linking.alike import group_alike_names

        candidates = [*merge_names(candidates[:_MERGE_CANDIDATES], group_alike_names), *candidates[_MERGE_CANDIDATES:]]
    candidates = rank_names(
        view,
        candidates,
        reading.concepts,
        records,
        lambda candidate: name_score(candidate) if candidate.merged_names else values[candidate.name],
    )
    for order in orders:
        candidates = list(order.arrange(candidates, records))
    return ListEntries(candidates, lambda number, candidate: _build_entry(candidate, reading, records, closely=number < limit))


def _build_entry(candidate: ListedName, reading: ConceptLink, records: EvidenceRecords, *, closely: bool) -> ListEntry:
    """Return one name as an entry; whether the sources of its claims depend on each other is only asked `closely`."""
    finding = replace(
        edge_finding(candidate.best),
        text=candidate.name,
        confidence=candidate.best.belief * reading.score,
        support=count_supporters(candidate.edges, records) if closely else candidate.support,
        merged=candidate.merged_names,
    )
    return ListEntry(finding, candidate.edges)


def answer_listing(request: Request) -> Answer:
    """Answer a question that asks for causes or for effects, whichever slot it fills, by the contract of its type."""
    kind, view = request.kind, request.view
    slots = kind.slots
    side = Side.EFFECTS if slots.effect is None else Side.CAUSES
    slot, phrase = ("cause", slots.cause or "") if side is Side.EFFECTS else ("effect", slots.effect or "")
    if slots.options is not None and slots.options.slot == slot and len(slots.options.phrases) > 1:
        from kgqa.answering.jointly import answer_shared_causes

        return answer_shared_causes(request)
    if side is Side.CAUSES and asks_why_exists(phrase, request.question):
        # What a thing is there for, not what happens to it: "Why does the heart exist?"
        kind, side = replace(kind, semantic=Semantic.PURPOSE, slots=replace(slots, relation=Relation.IS_FOR)), Side.EFFECTS
    contract = contract_for(kind, side, request.question)
    orders = _requested_orders(kind, contract, view)
    surest, read = _peek_surest(request.link(phrase, view))
    if is_of_pronoun(phrase, request.question.rstrip(" ?!.")):
        return refuse_link(request.question, kind, f"what is meant that is '{phrase}'", phrase, view, None)
    if asks_about_clause(phrase, request.question) or asks_why_exists(phrase, request.question):
        read = (reading for reading in read if reading.how not in (BROADER, NARROWER))
    listing = first_listing(view, read, contract, request.limit, orders)
    if listing is None:
        return refuse_link(
            request.question, kind, f"{contract.missing or f'the {side.value} of'} '{phrase}'", phrase, view, surest
        )
    answer = answer_from_listing(request, listing, orders)
    if asks_rarest(request.question):
        from kgqa.answering.superlative import refuse_rarest

        return refuse_rarest(answer)
    return answer


def asks_rarest(question: str) -> bool:
    """Say whether a question asks for the least common of its kind: of "the least common cause", "the rarest effect"."""
    return ("least " in question.lower() or "rarest " in question.lower()) and _RAREST.search(question) is not None


def _peek_surest(read: Iterable[ConceptLink]) -> tuple[ConceptLink | None, Iterable[ConceptLink]]:
    """Return the first of some readings, or `None`, and all of them; none but the first is looked up yet."""
    rest = iter(read)
    first = next(rest, None)
    return first, () if first is None else chain((first,), rest)


def _requested_orders(kind: QuestionType, contract: Contract, view: GraphView) -> list[ListOrder]:
    """Return the orders that a question asks for, the one that decides last."""
    orders: list[ListOrder] = []
    if Attribute.SUPERLATIVE in kind.attributes:
        from kgqa.answering.superlative import SupportOrder

        orders.append(SupportOrder())
    if kind.slots.population or kind.slots.place or kind.slots.time:
        from kgqa.answering.occasions import CircumstanceOrder

        orders.append(CircumstanceOrder(kind.slots))
    if contract is ENABLEMENT:
        from kgqa.answering.needed import NecessityOrder

        orders.append(NecessityOrder(view))
    return orders


def answer_from_listing(request: Request, listing: Listing, orders: Sequence[ListOrder] = ()) -> Answer:
    """Return a list as an answer: the first findings of each part, with their evidence, in a sentence."""
    kind = request.kind
    limit = min(request.limit, _TRIVIA) if kind.pragmatic is Pragmatic.TRIVIA else request.limit
    parts = _limit_parts(listing.parts, limit)
    entries = [entry for part in parts for entry in part.entries]
    first = entries[0].finding
    edges = [entry.edges for entry in entries]
    supporting, denying = cite_evidence(request.view, dict.fromkeys(edge for group in edges for edge in group))
    remarks = [text for order in orders if (text := order.explain_order(edges, listing.records))]
    return Answer(
        question=request.question,
        type=kind,
        route=Route.GRAPH,
        answer=first.text,
        sentence=as_sentence("; ".join([word_listing(listing, parts), *remarks])),
        findings=tuple(entry.finding for entry in entries),
        confidence=first.confidence * (_UNFULFILLED if listing.lacks and listing.contract.lacking else 1.0),
        evidence=supporting,
        against=denying,
        trace=(trace_link(listing.reading), *_count_lines(listing), *remarks),
        missing=_missing_tier(listing),
        signals=_listing_signals(entries[0], listing.reading),
    )


def _limit_parts(parts: Sequence[ListPart], limit: int) -> list[ListPart]:
    """Return the parts with the entries that are shown: at most `limit`, of which each part that was asked for gets one."""
    shown_parts = []
    for number, part in enumerate(parts):
        behind = sum(later_part.tier.fulfils for later_part in parts[number + 1 :])
        taken = min(len(part.entries), max(limit - behind, 1 if part.tier.fulfils else 0), limit)
        if taken:
            shown_parts.append(ListPart(part.tier, part.entries.first(taken)))
        limit -= taken
    return shown_parts


def _listing_signals(entry: ListEntry, reading: ConceptLink) -> ConfidenceSignals:
    """Return what the confidence of a list rests on: its first entry."""
    finding = entry.finding
    return ConfidenceSignals(
        belief=finding.path.score,
        link=reading.score,
        support=finding.support,
        against=sum(edge.against for edge in entry.edges),
        hedged=sum(edge.hedged for edge in entry.edges),
        steps=len(finding.path.edges),
        connection=CausalConnection.ASSOCIATED if finding.relation is Relation.ASSOCIATED else CausalConnection.DIRECT,
    )


def _count_lines(listing: Listing) -> list[str]:
    """Return how much each part holds, for the trace."""
    subject = listing.reading.concepts[0]
    return [f"{part.tier.heading.format(subject)}: {count_noun(len(part.entries), 'concept')} found" for part in listing.parts]


def _missing_tier(listing: Listing) -> tuple[MissingInformation, ...]:
    """Return what the contract asks for where the list has none of it."""
    if not (listing.lacks and listing.contract.missing):
        return ()
    what = f"{listing.contract.missing} '{listing.reading.concepts[0]}'"
    return (MissingInformation(what, "texts that state it, mined with kgqa mine"),)


def trace_link(reading: ConceptLink) -> str:
    """Return how a phrase was read, for the trace."""
    return f"'{reading.phrase}' read as {join_phrases([repr(name) for name in reading.concepts[:4]])} ({reading.how})"


def refuse_phrase(question: str, kind: QuestionType, what: str, phrase: str, view: GraphView) -> Answer:
    """Return the answer "unknown": what is missing, and whether the phrase itself is unknown to the graph."""
    return refuse_link(question, kind, what, phrase, view, next(iter(link_phrase(phrase, view)), None))


def refuse_link(
    question: str, kind: QuestionType, what: str, phrase: str, view: GraphView, reading: ConceptLink | None
) -> Answer:
    """Return the answer "unknown" where the surest reading of the phrase is known, or that there is none."""
    if reading is None:
        where = f"no concept of the graph is called '{phrase}'"
    elif reading.how == BROADER:
        where = f"it knows '{reading.concepts[0]}', which is not the same; mine texts about it with kgqa mine"
    elif reading.how == SPELLING:
        where = f"no concept of the graph is called '{phrase}'; near: {', '.join(similar_names(phrase, view))}"
    else:
        where = f"the graph knows '{reading.concepts[0]}', but holds no such claim; mine texts about it with kgqa mine"
    return Answer(
        question=question,
        type=kind,
        route=Route.NONE,
        sentence=as_sentence(f"unknown: the graph does not say {what}; {where}"),
        missing=(MissingInformation(what, where),),
    )

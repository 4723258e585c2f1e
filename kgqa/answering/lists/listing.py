"""Answers that list concepts: the causes of something, its effects, what prevents it, what it is for.

A list in a sentence: what heads each part, its first names, and what is told of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from graph.model import Polarity, Relation
from graph.protocols import GraphView
from kgqa.answering.contracts import (
    ENABLEMENT,
    PREVENTED,
    PREVENTION,
    Contract,
    Side,
    contract_for,
)
from kgqa.answering.findings import cite_evidence, was_set_by_hand
from kgqa.answering.link_quality import (
    BROADER,
    NARROWER,
    SURE_LINK,
    asks_about_clause,
    asks_why_exists,
    is_of_pronoun,
    refuse_link,
    trace_link,
)
from kgqa.answering.lists.list_entries import ListEntry, Listing, ListPart, first_listing
from kgqa.answering.lists.list_ranking import ListOrder
from kgqa.answers import Answer, CausalConnection, ConfidenceSignals, MissingInformation, Route
from kgqa.linking.concept_links import ConceptLink
from kgqa.question import Attribute, Pragmatic, QuestionType, Semantic
from kgqa.request import Request
from kgqa.wording.claim_clauses import as_sentence, concept_phrase, count_noun, join_phrases

_NAMES_FIRST, _NAMES_BEHIND = 5, 3
"""How many names the sentence tells of the first part, and of those behind it."""


def word_listing(listing: Listing, parts: Sequence[ListPart]) -> str:
    """Return the list in a sentence."""
    reading, contract = listing.reading, listing.contract
    subject = _listing_subject(reading, parts)
    loosely = f" ('{reading.phrase}' was read so: {reading.how})" if reading.score < SURE_LINK else ""
    texts = []
    for number, part in enumerate(parts):
        heading = contract.lacking if listing.lacks and contract.lacking and not number else part.tier.heading
        most = _NAMES_FIRST if not number else _NAMES_BEHIND
        items = join_phrases(
            [f"{concept_phrase(entry.finding.text)} ({_entry_remark(entry, contract)})" for entry in part.entries[:most]]
        )
        texts.append(f"{heading.format(subject)}{'' if number else loosely}: {items}")
    return "; ".join(texts)


def _listing_subject(reading: ConceptLink, parts: Sequence[ListPart]) -> str:
    """Return what the list is about: of kinds of what was asked for those that the first names are said of."""
    if reading.how != NARROWER:
        return concept_phrase(reading.concepts[0])
    edges = [entry.finding.path.edges[0] for entry in parts[0].entries[:_NAMES_FIRST]]
    own = dict.fromkeys(edge.effect if edge.effect in reading.concepts else edge.cause for edge in edges)
    return join_phrases([concept_phrase(name) for name in own])


_POLARITY_REMARKS = {Polarity.INCREASES: "more of it", Polarity.DECREASES: "less of it"}


def _entry_remark(entry: ListEntry, contract: Contract) -> str:
    """Return what stands in brackets behind a finding: how an effect changes, what it is also called, and its sources."""
    finding, edge = entry.finding, entry.finding.path.edges[0]
    about = []
    if contract.side is Side.EFFECTS and contract is not PREVENTED and finding.polarity in _POLARITY_REMARKS:
        about.append(_POLARITY_REMARKS[finding.polarity])
    if contract.besides is PREVENTION.besides and finding.relation is Relation.MOTIVATES:
        about.append(f"done to {edge.cause}")
    if finding.merged:
        about.append(f"also {join_phrases(finding.merged)}")
    if not finding.support and was_set_by_hand(edge):
        about.append("as it was set")
    else:
        about.append(count_noun(finding.support, "source") if finding.support else "only with a hedge")
    return ", ".join(about)


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


def answer_listing(request: Request) -> Answer:
    """Answer a question that asks for causes or for effects, whichever slot it fills, by the contract of its type."""
    kind, view = request.kind, request.view
    slots = kind.slots
    side = Side.EFFECTS if slots.effect is None else Side.CAUSES
    phrase = (slots.cause if side is Side.EFFECTS else slots.effect) or ""
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
        from kgqa.answering.lists.list_orders import refuse_rarest

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
        from kgqa.answering.lists.list_orders import SupportOrder

        orders.append(SupportOrder())
    if kind.slots.population or kind.slots.place or kind.slots.time:
        from kgqa.answering.lists.list_orders import CircumstanceOrder

        orders.append(CircumstanceOrder(kind.slots))
    if contract is ENABLEMENT:
        from kgqa.answering.lists.list_orders import NecessityOrder

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

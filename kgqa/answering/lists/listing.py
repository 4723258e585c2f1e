"""Answers that list concepts: the causes of something, its effects, what prevents it, what it is for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from graph.model import Relation
from graph.protocols import GraphView
from kgqa.answer_model import Answer, CausalConnection, ConfidenceSignals, Route
from kgqa.answering.contracts import (
    ENABLEMENT,
    Contract,
    Side,
    TierKind,
    contract_for,
)
from kgqa.answering.findings import cite_evidence
from kgqa.answering.link_quality import (
    BROADER,
    NARROWER,
    asks_about_clause,
    asks_why_exists,
    is_of_pronoun,
    refuse_link,
)
from kgqa.answering.lists.list_entries import ListEntry, Listing, ListPart, first_listing
from kgqa.answering.lists.list_ranking import ListOrder, OrderNote
from kgqa.linking.concept_links import ConceptLink
from kgqa.question import Attribute, Pragmatic, QuestionType, Semantic
from kgqa.reasons import Conclusion, Missing, Need, Remedy, Step, StepKind
from kgqa.request import Request


class ListedPart(NamedTuple):
    """The entries of one tier that an answer shows."""

    tier: TierKind
    entries: tuple[ListEntry, ...]


@dataclass(frozen=True, slots=True)
class ListConclusion(Conclusion):
    """A list of the concepts that answer a question about `link`: its parts, best first, and what its orders go by.

    `need` and `side` name the contract of the list; with `lacking`, the list holds nothing that fulfils the contract.
    """

    link: ConceptLink
    side: Side
    need: Need
    parts: tuple[ListedPart, ...]
    orders: tuple[OrderNote, ...] = ()
    lacking: bool = False


_UNFULFILLED = 0.5
"""The factor of the confidence of a list that holds nothing that fulfils its contract."""

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
        return refuse_link(request.question, kind, Missing(Need.REFERENT, (phrase,)), phrase, view, None)
    if asks_about_clause(phrase, request.question) or asks_why_exists(phrase, request.question):
        read = (reading for reading in read if reading.how not in (BROADER, NARROWER))
    listing = first_listing(view, read, contract, request.limit, orders)
    if listing is None:
        return refuse_link(request.question, kind, Missing(contract.need, (phrase,)), phrase, view, surest)
    answer = answer_from_listing(request, listing, orders)
    if asks_rarest(request.question):
        from kgqa.answering.lists.list_orders import refuse_rarest

        return refuse_rarest(answer)
    return answer


def asks_rarest(question: str) -> bool:
    """Return whether a question asks for the least common entry of a list: "the least common cause", "the rarest effect"."""
    return ("least " in question.lower() or "rarest " in question.lower()) and _RAREST.search(question) is not None


def _peek_surest(read: Iterable[ConceptLink]) -> tuple[ConceptLink | None, Iterable[ConceptLink]]:
    """Return the first of some readings, or `None`, and all of them; none but the first is looked up yet."""
    rest = iter(read)
    first = next(rest, None)
    return first, () if first is None else chain((first,), rest)


def _requested_orders(kind: QuestionType, contract: Contract, view: GraphView) -> list[ListOrder]:
    """Return the orders that a question asks for, the deciding order last."""
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
    """Return a list as an answer: the first findings of each part, with their evidence."""
    kind, contract = request.kind, listing.contract
    limit = min(request.limit, _TRIVIA) if kind.pragmatic is Pragmatic.TRIVIA else request.limit
    parts = _limit_parts(listing.parts, limit)
    entries = [entry for part in parts for entry in part.entries]
    first = entries[0].finding
    edges = [entry.edges for entry in entries]
    supporting, denying = cite_evidence(request.view, dict.fromkeys(edge for group in edges for edge in group))
    notes = tuple(note for order in orders if (note := order.explain_order(edges, listing.records)))
    unfulfilled = listing.lacks and contract.lacking
    return Answer(
        question=request.question,
        type=kind,
        route=Route.GRAPH,
        answer=first.text,
        conclusion=ListConclusion(listing.reading, contract.side, contract.need, tuple(parts), notes, unfulfilled),
        findings=tuple(entry.finding for entry in entries),
        confidence=first.confidence * (_UNFULFILLED if unfulfilled else 1.0),
        evidence=supporting,
        against=denying,
        steps=(listing.reading, *_tier_sizes(listing), *(Step(StepKind.ORDER, (note,)) for note in notes)),
        gaps=_missing_tier(listing),
        signals=_listing_signals(entries[0], listing.reading),
    )


def _limit_parts(parts: Sequence[ListPart], limit: int) -> list[ListedPart]:
    """Return the parts with the entries that are shown: at most `limit`, one for each part that fulfils the contract."""
    shown_parts = []
    for number, part in enumerate(parts):
        behind = sum(later_part.tier.fulfils for later_part in parts[number + 1 :])
        taken = min(len(part.entries), max(limit - behind, 1 if part.tier.fulfils else 0), limit)
        if taken:
            shown_parts.append(ListedPart(part.tier.kind, part.entries[:taken]))
        limit -= taken
    return shown_parts


def _listing_signals(entry: ListEntry, reading: ConceptLink) -> ConfidenceSignals:
    """Return the signals of the confidence of a list: those of its first entry."""
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


def _tier_sizes(listing: Listing) -> list[Step]:
    """Return how many concepts each part holds."""
    subject = listing.reading.concepts[0]
    return [Step(StepKind.TIER_SIZE, (part.tier.kind, subject, len(part.entries))) for part in listing.parts]


def _missing_tier(listing: Listing) -> tuple[Missing, ...]:
    """Return what the contract wants where the list has none of it; a list of mere links lacks nothing."""
    need = listing.contract.need
    if not listing.lacks or need in (Need.CAUSES, Need.EFFECTS):
        return ()
    return (Missing(need, (listing.reading.concepts[0],), Remedy.TEXTS_STATING_IT),)

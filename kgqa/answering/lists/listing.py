"""Answers that list concepts: the causes of something, its effects, what prevents it, what it is for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import NamedTuple

from graph.model import Relation
from kgqa.answer_model import Answer, CausalConnection, ConfidenceSignals, Route
from kgqa.answering.contracts import ENABLEMENT, Side, TierKind, contract_for
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
from kgqa.answering.lists.list_ranking import CircumstanceOrder, ListOrder, NecessityOrder, OrderNote, SupportOrder
from kgqa.linking.concept_links import ConceptLink
from kgqa.question import Attribute, Pragmatic, Semantic
from kgqa.reasons import Conclusion, Missing, Need, Reason, Refusal, Remedy, Step, StepKind
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
    orders: list[ListOrder] = [SupportOrder()] if Attribute.SUPERLATIVE in kind.attributes else []
    if kind.slots.population or kind.slots.place or kind.slots.time:
        orders.append(CircumstanceOrder(kind.slots))
    if contract is ENABLEMENT:
        orders.append(NecessityOrder())
    read = iter(request.link(phrase, view))
    surest = next(read, None)
    if is_of_pronoun(phrase, request.question.rstrip(" ?!.")):
        return refuse_link(request.question, kind, Missing(Need.REFERENT, (phrase,)), phrase, view, None)
    readings: Iterable[ConceptLink] = chain([surest], read) if surest is not None else ()
    if asks_about_clause(phrase, request.question) or asks_why_exists(phrase, request.question):
        readings = (reading for reading in readings if reading.how not in (BROADER, NARROWER))
    listing = first_listing(view, readings, contract, request.limit, orders)
    if listing is None:
        return refuse_link(request.question, kind, Missing(contract.need, (phrase,)), phrase, view, surest)
    answer = _answer_from_listing(request, listing, orders)
    return _refuse_rarest(answer) if asks_rarest(request.question) else answer


def asks_rarest(question: str) -> bool:
    """Return whether a question asks for the least common entry of a list: "the least common cause", "the rarest effect"."""
    return ("least " in question.lower() or "rarest " in question.lower()) and _RAREST.search(question) is not None


def _refuse_rarest(answer: Answer) -> Answer:
    """Return the refusal to name the rarest entry of a list: a graph holds claims, and not how often their effects happen."""
    return replace(
        answer,
        answer=None,
        conclusion=Refusal(Reason.RAREST, (answer.conclusion,)),
        findings=(),
        confidence=0.0,
        gaps=(Missing(Need.FREQUENCY, remedy=Remedy.FIGURES), *answer.gaps),
    )


def _answer_from_listing(request: Request, listing: Listing, orders: Sequence[ListOrder]) -> Answer:
    """Return a list as an answer: the first findings of each part, with their evidence and the signals of the first one."""
    kind, contract, reading = request.kind, listing.contract, listing.reading
    limit = min(request.limit, _TRIVIA) if kind.pragmatic is Pragmatic.TRIVIA else request.limit
    parts = _limit_parts(listing.parts, limit)
    entries = [entry for part in parts for entry in part.entries]
    first, path = entries[0].finding, entries[0].finding.path
    edges = [entry.edges for entry in entries]
    supporting, denying = cite_evidence(request.view, dict.fromkeys(edge for group in edges for edge in group))
    notes = tuple(note for order in orders if (note := order.explain_order(edges, request.view)))
    unfulfilled = listing.lacks and contract.lacking
    subject = reading.concepts[0]
    # A list of mere links lacks nothing.
    lacks_tier = listing.lacks and contract.need not in (Need.CAUSES, Need.EFFECTS)
    return Answer(
        question=request.question,
        type=kind,
        route=Route.GRAPH,
        answer=first.text,
        conclusion=ListConclusion(reading, contract.side, contract.need, tuple(parts), notes, unfulfilled),
        findings=tuple(entry.finding for entry in entries),
        confidence=first.confidence * (_UNFULFILLED if unfulfilled else 1.0),
        evidence=supporting,
        against=denying,
        steps=(
            reading,
            *(Step(StepKind.TIER_SIZE, (part.tier.kind, subject, len(part.listed_names))) for part in listing.parts),
            *(Step(StepKind.ORDER, (note,)) for note in notes),
        ),
        gaps=(Missing(contract.need, (subject,), Remedy.TEXTS_STATING_IT),) if lacks_tier else (),
        signals=ConfidenceSignals(
            belief=path.score,
            link=reading.score,
            support=first.support,
            against=sum(edge.against for edge in entries[0].edges),
            hedged=sum(edge.hedged for edge in entries[0].edges),
            steps=len(path.edges),
            connection=CausalConnection.ASSOCIATED if first.relation is Relation.ASSOCIATED else CausalConnection.DIRECT,
        ),
    )


def _limit_parts(parts: Sequence[ListPart], limit: int) -> list[ListedPart]:
    """Return the parts with the entries that are shown: at most `limit`, one for each part that fulfils the contract."""
    shown_parts = []
    for number, part in enumerate(parts):
        behind = sum(later_part.tier.fulfils for later_part in parts[number + 1 :])
        entries = tuple(islice(part.entries, min(max(limit - behind, 1 if part.tier.fulfils else 0), limit)))
        if entries:
            shown_parts.append(ListedPart(part.tier.kind, entries))
        limit -= len(entries)
    return shown_parts

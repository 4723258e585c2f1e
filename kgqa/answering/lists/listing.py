"""Answers that list concepts: the causes of something, its effects, what prevents it, what it is for.

A list has the parts of its contract; forms of one name, and names that say nearly the same, are one entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, islice, pairwise, takewhile, tee
from types import MappingProxyType
from typing import NamedTuple

from graph.model import Edge, Relation
from graph.protocols import GraphView
from graph.text.normalise import concept_name, surface_name
from graph.text.stop_words import DETERMINERS, PREPOSITIONS, STOP_WORDS
from graph.text.word_lists import kind_of_noun
from kgqa.answer_model import Answer, CausalConnection, Finding, Route
from kgqa.answering.contracts import ENABLEMENT, Contract, Side, Tier, TierKind, contract_for, plain_contract, sort_into_tiers
from kgqa.answering.findings import cite_evidence, edge_finding, finding_signals
from kgqa.answering.lists.asked_kinds import AskedKind, asked_kind
from kgqa.answering.lists.list_ranking import (
    ENOUGH_MAIN,
    NECESSITY_ORDER,
    SUPPORT_ORDER,
    CircumstanceNote,
    ListedName,
    ListOrder,
    OrderNote,
    best_rating,
    circumstance_order,
    count_supporters,
    is_doubtful,
    is_narrower,
    kind_order,
    rank_names,
    ratings_among,
    topic_order,
    topics_about,
)
from kgqa.answering.refusals import refuse, refuse_link
from kgqa.linking.concept_links import BROADER, NARROWER, NEAR_CLAIM, ConceptLink, drops_name
from kgqa.linking.lexical_relations import group_alike_names, is_only_verb
from kgqa.question import Attribute, Pragmatic, QuestionType, Semantic
from kgqa.reasons import Conclusion, Missing, Need, Refusal, Step
from kgqa.request import Request

_MERGE_CANDIDATES = 60
_CLOSE_LINK = 0.6
"""What is read less surely than this is something wider or narrower."""
_FEW, _NEXT_TO_NOTHING = 5, 2
"""A list of fewer names may lack what claims near to the question tell; one of so few or less says little without these."""


class ListEntry(NamedTuple):
    """A finding with every edge that it stands on: those of other forms of its name, and of names that say the same."""

    finding: Finding
    edges: tuple[Edge, ...]


class ListPart(NamedTuple):
    """The names of one tier of the contract, best first; `entry_of` makes an entry of a place and its name."""

    tier: Tier
    listed_names: Sequence[ListedName]
    entry_of: Callable[[int, ListedName], ListEntry]

    @property
    def entries(self) -> Iterator[ListEntry]:
        """The entries, each made when it is read: there may be thousands."""
        return map(self.entry_of, count(), self.listed_names)


class Listing(NamedTuple):
    """What a reading leads to under a contract, part after part, with how the phrase was read.

    `near` are the names that claims near to the question are of.
    """

    reading: ConceptLink
    contract: Contract
    parts: tuple[ListPart, ...]
    near: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the list."""
        return tuple(entry.finding for part in self.parts for entry in part.entries)

    @property
    def names(self) -> list[str]:
        """The names of all findings, in the same order."""
        return [candidate.name for part in self.parts for candidate in part.listed_names]

    @property
    def lacks(self) -> bool:
        """Whether no part fulfils the contract."""
        return not any(part.tier.fulfils for part in self.parts)


def edges_for_relation(edges: Iterable[Edge], relation: Relation, side: Side) -> list[Edge]:
    """Return the believed edges that answer a question about `relation`, those of the best tier first."""
    ends = ((edge, edge.cause if side is Side.CAUSES else edge.effect) for edge in edges if edge.belief > 0.0)
    return [edge for tier in sort_into_tiers(plain_contract(relation, side), ends) for edge, _ in tier]


def first_listing(
    view: GraphView, read: Iterable[ConceptLink], contract: Contract, limit: int = 10, orders: Sequence[ListOrder] = ()
) -> Listing | None:
    """Return what the first of some readings that leads anywhere leads to under a contract; `None` where none does."""
    listings = (build_listing(view, reading, contract, limit, orders) for reading in read if is_close_link(reading))
    return next((listing for listing in listings if listing is not None), None)


def build_listing(
    view: GraphView,
    reading: ConceptLink,
    contract: Contract,
    limit: int = 10,
    orders: Sequence[ListOrder] = (),
    near: Mapping[Edge, float] = MappingProxyType({}),
) -> Listing | None:
    """Return what a reading leads to under a contract, in the plain order or in others; `None` where it leads to nothing.

    Claims that are `near` to what is asked, with the probability that they answer it, are listed with those of the reading.
    Dependent sources are counted once for the first `limit` names of each part; the order does not depend on it.
    """

    def entry_of(place: int, candidate: ListedName) -> ListEntry:
        finding = replace(
            edge_finding(candidate.best),
            text=candidate.name,
            confidence=candidate.best.belief * (reading.score if candidate.share == 1.0 else candidate.share),
            support=count_supporters(candidate.edges, view) if place < limit else candidate.support,
            merged=candidate.merged_names,
        )
        return ListEntry(finding, candidate.edges)

    others = tuple(dict.fromkeys(contract.side.ends(edge)[0] for edge in near))
    own = reading.concepts[:1] if reading.how == NEAR_CLAIM else reading.concepts
    linked = () if reading.how == NEAR_CLAIM else contract.ends(view, reading.concepts)
    listed = chain(linked, ((edge, contract.side.ends(edge)[1]) for edge in near))
    tiers = sort_into_tiers(contract, (item for item in listed if item[1] not in own))
    fulfilled = any(ends for tier, ends in zip(contract.tiers, tiers, strict=True) if tier.fulfils)
    parts: list[ListPart] = []
    for tier, ends in zip(contract.tiers, tiers, strict=True):
        if tier.fulfils or not (fulfilled and contract.lacking):
            named_before = {candidate.name for part in parts for candidate in part.listed_names}
            candidates = [candidate for candidate in _group_forms(ends, near) if candidate.name not in named_before]
            if candidates:
                parts.append(ListPart(tier, _order_names(view, candidates, (*reading.concepts, *others), orders), entry_of))
    # What is only hedged does not come before what is stated.
    parts.sort(key=lambda part: (not part.tier.fulfils, not any(name.support for name in part.listed_names)))
    return Listing(reading, contract, tuple(parts), others) if parts else None


def _group_forms(ends: Iterable[tuple[Edge, str]], near: Mapping[Edge, float]) -> list[ListedName]:
    edges: dict[str, list[Edge]] = {}
    names: dict[str, dict[str, None]] = {}
    for edge, far in ends:
        name = concept_name(far) or far
        edges.setdefault(name, []).append(edge)
        names.setdefault(name, {})[far] = None
    shares = {name: max(near.get(edge, 1.0) for edge in members) for name, members in edges.items()}
    return [ListedName(name, tuple(members), tuple(names[name]), (), shares[name]) for name, members in edges.items()]


def _order_names(
    view: GraphView, candidates: Sequence[ListedName], about: Iterable[str], orders: Sequence[ListOrder]
) -> Sequence[ListedName]:
    candidates = sorted(candidates, key=lambda candidate: (-candidate.best.belief, -candidate.support, candidate.name))
    if len(candidates) > 1:
        candidates = [*_merge_names(candidates[:_MERGE_CANDIDATES]), *candidates[_MERGE_CANDIDATES:]]
    candidates = _put_repeats_last(rank_names(view, candidates, about), view)
    for order in orders:
        candidates = order.arrange(candidates, view)
    return candidates


def _merge_names(candidates: Sequence[ListedName]) -> list[ListedName]:
    place = {candidate.name: number for number, candidate in enumerate(candidates)}
    groups = [sorted(map(place.__getitem__, group)) for group in group_alike_names(list(place))]
    together = []
    for group in sorted(groups):
        members = [candidates[number] for number in group]
        first = members[0]
        if len(members) > 1:
            edges = tuple(edge for candidate in members for edge in candidate.edges)
            concepts = tuple(dict.fromkeys(name for candidate in members for name in candidate.concepts))
            share = max(candidate.share for candidate in members)
            first = ListedName(first.name, edges, concepts, tuple(candidate.name for candidate in members[1:]), share)
        together.append(first)
    return together


def _put_repeats_last(candidates: Sequence[ListedName], view: GraphView) -> list[ListedName]:
    """Return candidates with those of the first behind all that only narrow another of them, unless an editor kept them."""
    first, rest = candidates[:_MERGE_CANDIDATES], candidates[_MERGE_CANDIDATES:]
    repeats = [
        candidate
        for candidate in first
        if any(is_narrower(candidate.name, beside.name) for beside in first) and best_rating(candidate, view) != "main"
    ]
    return [*(entry for entry in first if entry not in repeats), *rest, *(entry._replace(repeats=True) for entry in repeats)]


class ListedPart(NamedTuple):
    """The entries of one tier that an answer shows; its sentence names the first `name_count` of them at most."""

    tier: TierKind
    entries: tuple[ListEntry, ...]
    name_count: int


@dataclass(frozen=True, slots=True)
class ListConclusion(Conclusion):
    """A list of the concepts that answer a question about `link`: its parts, best first, and what its orders go by.

    `need` and `side` name the contract of the list; with `lacking`, the list holds nothing that fulfils the contract. All that
    the sentence names of a `doubtful` list is such as an editor would hardly name. `near` are the names that claims near to the
    question are of.
    """

    link: ConceptLink
    side: Side
    need: Need
    parts: tuple[ListedPart, ...]
    orders: tuple[OrderNote, ...] = ()
    lacking: bool = False
    doubtful: bool = False
    near: tuple[str, ...] = ()

    @property
    def is_thin(self) -> bool:
        """Whether an editor would hardly name it, it is of something wider or narrower, or it names few things."""
        return not self.is_sound or self.name_count < _FEW

    @property
    def is_sound(self) -> bool:
        """Whether an editor would name some of it, and it is of nothing that is wider or narrower by much."""
        return self.is_close and not self.doubtful

    @property
    def is_bare(self) -> bool:
        """Whether it names next to nothing."""
        return self.doubtful or self.name_count <= _NEXT_TO_NOTHING

    @property
    def name_count(self) -> int:
        """How many names its sentence may have."""
        return sum(part.name_count for part in self.parts)

    @property
    def is_close(self) -> bool:
        """Whether it is of nothing that is wider or narrower by much."""
        return self.link.score >= _CLOSE_LINK


_UNFULFILLED = 0.5
"""The factor of the confidence of a list that holds nothing that fulfils its contract."""
_RAREST = re.compile(
    r"\b(?:least (?:common|frequent|likely|usual|important|significant)|(?<!at )least|rarest)\s+(?:\w+\s+){0,2}?"
    r"(?:causes?|reasons?|factors?|sources?|triggers?|effects?|results?|consequences?|symptoms?|complications?)\b",
    re.IGNORECASE,
)

_READINGS_LISTED = 12
"""How many readings of a phrase a list is looked for under."""
_TRIVIA = 3
"""How many names a short answer shows."""


class AskedList(NamedTuple):
    """What list a question asks for: its type, side, the phrase that it is of, its contract, a kind of things, and orders."""

    kind: QuestionType
    side: Side
    phrase: str
    contract: Contract
    kind_asked: AskedKind | None
    orders: tuple[ListOrder, ...]


def asked_list(request: Request) -> AskedList:
    """Return what list a question asks for that asks for causes or for effects."""
    kind, slots = request.kind, request.kind.slots
    side = Side.EFFECTS if slots.effect is None else Side.CAUSES
    phrase = (slots.cause if side is Side.EFFECTS else slots.effect) or ""
    if side is Side.CAUSES and asks_why_exists(phrase, request.question):
        # What a thing is there for, not what happens to it: "Why does the heart exist?"
        kind, side = replace(kind, semantic=Semantic.PURPOSE, slots=replace(slots, relation=Relation.IS_FOR)), Side.EFFECTS
    contract = contract_for(kind, side, request.question)
    orders = (
        *((SUPPORT_ORDER,) if Attribute.SUPERLATIVE in kind.attributes else ()),
        *((circumstance_order(slots),) if slots.population or slots.place or slots.time else ()),
        *((NECESSITY_ORDER,) if contract is ENABLEMENT else ()),
    )
    return AskedList(kind, side, phrase, contract, asked_kind(request.question, phrase), orders)


def answer_listing(request: Request) -> Answer:
    """Answer a question that asks for causes or for effects, whichever slot it fills, by the contract of its type."""
    wanted, view = asked_list(request), request.view
    side, phrase, contract = wanted.side, wanted.phrase, wanted.contract
    kind_asked, orders = wanted.kind_asked, [*wanted.orders]
    read = iter(request.link(phrase, view))
    surest = next(read, None)
    if is_of_pronoun(phrase, request.question.rstrip(" ?!.")):
        return refuse_link(replace(request, kind=wanted.kind), Missing("referent", (phrase,)), phrase, None)
    linked = chain([surest], read) if surest is not None else ()
    readings: Iterable[ConceptLink] = (reading for reading in linked if not drops_name(reading, request.question))
    if asks_about_clause(phrase, request.question) or asks_why_exists(phrase, request.question):
        readings = (reading for reading in readings if reading.how not in (BROADER, NARROWER))
    readings, readings_again = tee(islice(readings, _READINGS_LISTED))
    listing = first_listing(view, readings, kind_asked.narrow(contract) if kind_asked else contract, request.limit, orders)
    if listing is None and kind_asked is not None:
        return _refuse_kind(request, list(readings_again), contract, kind_asked, phrase)
    if listing is None and side is Side.CAUSES:
        from kgqa.linking.changed_amounts import changed_amounts

        changed = changed_amounts(phrase, request.question, view)
        listing = first_listing(view, changed, plain_contract(Relation.CAUSES, side), request.limit, orders)
    if listing is None:
        return _refuse_listing(replace(request, kind=wanted.kind), contract, phrase, surest, list(readings_again))
    if kind_asked is not None and kind_asked.topics:
        orders.append(kind_order(kind_asked.noun))
    answer = answer_from_listing(request, listing, orders)
    return _refuse_rarest(answer) if asks_rarest(request.question) else answer


def answer_listing_about(request: Request) -> Answer | None:
    """Answer with the effects of the cause whose names have a word in common with the effect of the question; `None` for none."""
    from kgqa.answering.nearest_claims import names_topic

    slots = request.kind.slots
    about = names_topic(slots.effect or "")
    contract = plain_contract(Relation.CAUSES, Side.EFFECTS)
    tiers = (Tier(TierKind.EFFECTS, lambda edge: contract.tiers[0].accepts(edge) and about(edge.effect)),)
    readings = islice(request.link(slots.cause or "", request.view), _READINGS_LISTED)
    orders = [topic_order(slots.effect or "")]
    listing = first_listing(request.view, readings, contract._replace(tiers=tiers), request.limit, orders)
    return None if listing is None else answer_from_listing(request, listing, orders)


def _refuse_kind(
    request: Request, readings: Sequence[ConceptLink], contract: Contract, kind_asked: AskedKind, phrase: str
) -> Answer:
    """Refuse to list things of a kind, with the first that are known of other kinds."""
    listing = first_listing(request.view, readings, contract, request.limit)
    missing = Missing(contract.need, (phrase,))
    if listing is None:
        return _refuse_listing(request, contract, phrase, next(iter(readings), None), readings)
    names = tuple(listing.names)
    return refuse(
        request,
        Refusal("none_of_kind", (listing.reading.concepts[0], kind_asked.noun, names)),
        missing._replace(remedy="texts_about_it"),
    )


def _refuse_listing(
    request: Request, contract: Contract, phrase: str, surest: ConceptLink | None, readings: Sequence[ConceptLink]
) -> Answer:
    """Refuse a list, with how many things are known of what is wider than the phrase."""
    from kgqa.answering.nearest_claims import nearest_of_clause, with_nearest

    missing = Missing(contract.need, (phrase,))
    nearest = nearest_of_clause(request, phrase) if request.question.lower().startswith(("why", "how")) else ()
    if nearest:
        return with_nearest(refuse_link(request, missing, phrase, surest), missing, nearest)
    if (
        surest is not None
        and surest.how == BROADER
        and (surest in readings or drops_name(surest, request.question))
        and not _leaves_out_verb(surest)
    ):
        wider = build_listing(request.view, surest, contract, request.limit)
        if wider is not None:
            gap = missing._replace(
                remedy="claims_of_wider", details=(surest.concepts[0], contract.need, tuple(wider.names), phrase)
            )
            return refuse(request, Refusal("not_said", (gap,)), gap)
    return refuse_link(request, missing, phrase, surest)


def asks_rarest(question: str) -> bool:
    """Return whether a question asks for the least common entry of a list: "the least common cause", "the rarest effect"."""
    return ("least " in question.lower() or "rarest " in question.lower()) and _RAREST.search(question) is not None


def _refuse_rarest(answer: Answer) -> Answer:
    """Return the refusal to name the rarest entry of a list: a graph holds claims, and not how often their effects happen."""
    return replace(
        answer,
        answer=None,
        conclusion=Refusal("rarest", (answer.conclusion,)),
        findings=(),
        confidence=0.0,
        gaps=(Missing("frequency", remedy="figures"), *answer.gaps),
    )


def answer_from_listing(request: Request, listing: Listing, orders: Sequence[ListOrder]) -> Answer:
    """Return the answer that shows what a reading leads to."""
    kind, contract, reading = request.kind, listing.contract, listing.reading
    limit = min(request.limit, _TRIVIA) if kind.pragmatic is Pragmatic.TRIVIA else request.limit
    parts = _limit_parts(listing.parts, limit, request.view)
    entries = [entry for part in parts for entry in part.entries]
    first = entries[0].finding
    connection = CausalConnection.ASSOCIATED if first.relation is Relation.ASSOCIATED else CausalConnection.DIRECT
    edges = [entry.edges for entry in entries]
    supporting, denying = cite_evidence(request.view, dict.fromkeys(edge for group in edges for edge in group))
    notes = tuple(note for order in orders if (note := order.explain(edges, request.view)))
    unfulfilled = listing.lacks and contract.lacking
    outside = any(isinstance(note, CircumstanceNote) and not note.matched for note in notes)
    doubtful = not listing.lacks and _is_all_doubtful(listing, parts, request.view, loose=outside or reading.how == NARROWER)
    subject = reading.concepts[0]
    # A list of mere links lacks nothing.
    lacks_tier = listing.lacks and contract.need not in ("causes", "effects")
    return Answer(
        question=request.question,
        type=kind,
        route=Route.GRAPH,
        answer=first.text,
        conclusion=ListConclusion(
            reading, contract.side, contract.need, tuple(parts), notes, unfulfilled, doubtful, listing.near
        ),
        findings=tuple(entry.finding for entry in entries),
        confidence=first.confidence * (_UNFULFILLED if unfulfilled else 1.0),
        evidence=supporting,
        against=denying,
        steps=(
            reading,
            *(Step("tier_size", (part.tier.kind, subject, len(part.listed_names))) for part in listing.parts),
            *(Step("order", (note,)) for note in notes),
        ),
        gaps=(Missing(contract.need, (subject,), "texts_stating_it"),) if lacks_tier else (),
        signals=replace(finding_signals(first, reading.score, connection, entries[0].edges), doubtful=doubtful),
    )


def _is_all_doubtful(listing: Listing, parts: Sequence[ListedPart], view: GraphView, *, loose: bool) -> bool:
    topology, topics = view.topology(), topics_about(listing.reading.concepts)
    names = (name for part, listed in zip(listing.parts, parts, strict=False) for name in part.listed_names[: listed.name_count])
    return all(is_doubtful(name, topology, view, topics, loose=loose) for name in names)


def _limit_parts(parts: Sequence[ListPart], limit: int, view: GraphView) -> list[ListedPart]:
    """Return the parts with the entries that are shown: at most `limit`, one for each part that fulfils the contract."""
    shown_parts = []
    for number, part in enumerate(parts):
        behind = sum(later_part.tier.fulfils for later_part in parts[number + 1 :])
        entries = tuple(islice(part.entries, min(max(limit - behind, 1 if part.tier.fulfils else 0), limit)))
        if entries:
            names = part.listed_names[: len(entries)]
            rated = zip(names, ratings_among(names, view), strict=True)
            ratings = ["repeat" if name.repeats else rating for name, rating in rated]
            shown_parts.append(ListedPart(part.tier.kind, entries, _count_named(ratings)))
        limit -= len(entries)
    return shown_parts


def _count_named(ratings: Sequence[str]) -> int:
    """Return how many of the first entries a sentence names, by their ratings: no repeat, and nothing odd, beside others."""
    main = sum(1 for _ in takewhile(lambda rating: rating == "main", ratings))
    fine = sum(1 for _ in takewhile(lambda rating: rating not in ("repeat", "odd"), ratings))
    return main if main >= ENOUGH_MAIN else fine or len(ratings)


_ENOUGH_LINK = 0.45
"""The least score of a wider reading that a list is given for: it leaves out one modifier, and what is left says something.

The causes of "migrate" are none of "birds migrate over deserts", nor those of "death" of "the death of the poet's sister".
"""

_OF_PRONOUN = re.compile(r"\b(?:is|was|are|were) (?:it|this|that|they|these|those) (?:so |very |really )?$")
_OWN_OF_PRONOUN = re.compile(r"(?:its|their|his|her) ", re.IGNORECASE)
_DONE_TO = frozenset(("act", "event", "process", "attribute", "relation", "cognition", "communication"))
"""Kinds of nouns that are done to something, or are towards it: "damage to skin", "resistance to change"."""
_DETERMINERS = DETERMINERS["clauses"]


def is_close_link(reading: ConceptLink) -> bool:
    """Return whether a list of what a reading leads to is an answer about the phrase: one modifier may be left out, no clause."""
    if reading.how != BROADER:
        return True
    return reading.score >= _ENOUGH_LINK and not _leaves_out_verb(reading) and not _leaves_out_participant(reading)


def _leaves_out_participant(reading: ConceptLink) -> bool:
    """Return whether an act is read without what it is done by or to: the eruption of Krakatoa is no eruption at large."""
    head = surface_name(reading.concepts[0]).split()[-1]
    return reading.constraint.startswith(("of ", "to ", "by ")) and kind_of_noun(head) in ("act", "event", "process")


def _leaves_out_verb(reading: ConceptLink) -> bool:
    """Return whether what was left out has a verb, by its look: what "the" follows is one if it is no preposition."""
    words = reading.constraint.lower().split()
    no_verbs = PREPOSITIONS["linking"] | STOP_WORDS["linking"]
    object_of = any(word in _DETERMINERS and before not in no_verbs for before, word in pairwise(words))
    return object_of or any(is_only_verb(word) and not word.endswith("ing") for word in words)


def asks_why_exists(phrase: str, question: str) -> bool:
    """Return whether a question asks why a thing, such as an organ or a tool, is there at all."""
    words = surface_name(phrase).split()
    if not words or "exist" not in question.lower():
        return False
    from kgqa.questions.lexicon import topics_of

    thing = kind_of_noun(words[-1]) in ("artifact", "body", "plant", "animal") or "body" in topics_of(words[-1])
    return thing and re.match(rf"\s*why (?:do|does|did) {re.escape(phrase)} exist\b", question, re.IGNORECASE) is not None


def asks_about_clause(phrase: str, question: str) -> bool:
    """Return whether a question asks what makes something act ("what causes plants to mold"), not what is done to a thing."""
    before, to, behind = phrase.partition(" to ")
    if not to or re.search(rf"\bcaus(?:e|es|ed|ing)\s+{re.escape(phrase)}", question, re.IGNORECASE) is None:
        return False
    head, verb = surface_name(before).split()[-1:], behind.split()[:1]
    if not head or not verb or verb[0] != verb[0].lower() or verb[0] in _DETERMINERS:
        return False
    plural = verb[0].endswith("s") and not verb[0].endswith("ss")
    return verb[0] in STOP_WORDS["linking"] or not (plural or kind_of_noun(head[0]) in _DONE_TO)


def is_of_pronoun(phrase: str, question: str) -> bool:
    """Return whether a phrase is of a pronoun that names nothing: "important" of "Why is it important?", "its strength"."""
    if _OWN_OF_PRONOUN.match(phrase):
        return True
    return not phrase.endswith("ing") and _OF_PRONOUN.search(question.lower().removesuffix(phrase.lower())) is not None

"""The order of the names of a list, by how likely an editor would name each; and the orders that a question asks for.

A logistic model gives that likelihood (models/list_order.json); scripts/fit/fit_list_order.py fits it to lists that were rated
(docs/answers-contracts.md). A rating of the entry itself, where an editor gave one, counts more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from math import exp, log, log2
from pathlib import Path
from typing import NamedTuple

from graph.model import AS_CAUSE_SLOT, AS_EFFECT_SLOT, SPECIFIC_SLOT, Edge, Evidence, Relation, Stance
from graph.protocols import GraphView, Topology
from graph.text.normalise import concept_name, singular
from graph.text.stems import PREFIX_LETTERS
from graph.text.stop_words import PREPOSITIONS, STOP_WORDS
from graph.text.word_lists import kind_of_noun, place_names, table_rows
from graph.topology import DRIVING_LINKS
from kgqa.answering.contracts import Side, is_prevention
from kgqa.answering.evidence_kind import answering_words, count_matching_cases, question_circumstances
from kgqa.calibration.answer_confidence import is_in_causenet
from kgqa.calibration.linear_model import load_fitted_model
from kgqa.linking.lexical_relations import is_of_less
from kgqa.linking.mention import content_words
from kgqa.question import Slots

LIST_ORDER = "list_order"
"""The name of the fitted model of the order."""
RATING_WEIGHTS = {"main": 3.0, "": 0.0, "minor": -1.5, "repeat": -5.0, "odd": -7.0}
"""What an editor's rating of the entry adds to the log-odds, the best one of its records."""
EMPTY_WEIGHT = -2.0
"""What it adds that a name says nothing by itself ("significant factor"), or is a piece of a clause ("experimentally")."""
RESTATING_WEIGHT = -3.0
"""What it adds that a name says no more than the other end: a leak as the cause of the leak of an oil tanker."""
_CLOSELY_RANKED = 10
"""So many names are to be in the right order, however many are shown."""
_YEAR_DIGITS = 4
ENOUGH_MAIN = 3
"""Where an editor rated so many entries as those that matter, the sentence has no others."""
_LEAD_CHARACTERS = 1_500
"""How much of an article is its lead."""
_MOST_CLAIMS, _MOST_WORDS, _USUAL_WORDS = 20, 8, 2


class ListFeatures(NamedTuple):
    """What the order of a list is made from, of one name and the records of its claims.

    `claims` is the binary logarithm of 1 + the claims about the name, at most 20; `curated` says that CauseNet holds it;
    `support` is the binary logarithm of its sources; `words` counts those of the name beyond two; `hedged` says that all records
    are hedged, `associated` that the two only go together, `specific` that all records speak of one event; `lead` that one
    stands in the lead of the article about the concept of the question; `expected` that an encyclopedia should tell it, as
    data/expected_entries.tsv has it.
    """

    claims: float
    curated: float
    support: float
    words: float
    associated: float
    expected: float
    hedged: float = 0.0
    lead: float = 0.0
    specific: float = 0.0


class ListedName(NamedTuple):
    """What a list names once: a name, the edges that it stands on, and the concepts of the graph that these belong to.

    `merged_names` are names that say nearly the same and were merged into it. `share` is how probably it is of what the list is
    asked of: less than 1 where that is known by a name that is only near to it. It `repeats` another that it only narrows.
    """

    name: str
    edges: tuple[Edge, ...]
    concepts: tuple[str, ...]
    merged_names: tuple[str, ...] = ()
    share: float = 1.0
    repeats: bool = False

    @property
    def best(self) -> Edge:
        """The edge that is most believed, the one with the stronger wording among equals."""
        if len(self.edges) == 1:
            return self.edges[0]
        return max(self.edges, key=lambda edge: (edge.belief, -edge.strength.rank))

    @property
    def support(self) -> int:
        """How many sources support it, each claim's counted by itself."""
        return sum(edge.support for edge in self.edges)


def rank_names(view: GraphView, candidates: Iterable[ListedName], about: Iterable[str]) -> Sequence[ListedName]:
    """Return the candidates in the order of the list; `about` are the concepts of the question.

    Records are read of those alone that they can bring among the first.
    """
    topology, weights = view.topology(), load_fitted_model(LIST_ORDER).logistic()
    plain = [
        (_shared(weights.log_odds(edge_features(name, topology)._asdict()) + _name_value(name), name), name)
        for name in candidates
    ]
    plain.sort(key=lambda pair: (-pair[0], pair[1].name))
    if len(plain) < 2:
        return [name for _, name in plain]
    last = plain[min(_CLOSELY_RANKED, len(plain)) - 1][0] - weights.weights["lead"] - RATING_WEIGHTS["main"]
    looked = [pair for pair in plain[: 6 * _CLOSELY_RANKED] if pair[0] >= last]
    topics = topics_about(about)
    close: list[tuple[float, int, str, ListedName]] = []
    ratings = ratings_among([name for _, name in looked], view)
    for (_, name), rating in zip(looked, ratings, strict=True):
        value = list_value(name, topology, view, topics, rating)
        close.append((-round(value, 6), name.best.strength.rank, name.name, name))
    close.sort(key=lambda row: row[:3])
    return [*(row[3] for row in close), *(name for _, name in plain[len(looked) :])]


def list_value(
    candidate: ListedName, topology: Topology, view: GraphView, topics: Iterable[str], rating: str | None = None
) -> float:
    """Return how likely an editor would name a candidate, as log-odds: by the model, its name and its best rating, or another."""
    features = list_features(candidate, topology, view, topics)
    value = load_fitted_model(LIST_ORDER).logistic().log_odds(features._asdict())
    return _shared(
        value + _name_value(candidate) + RATING_WEIGHTS[best_rating(candidate, view) if rating is None else rating], candidate
    )


def _shared(value: float, candidate: ListedName) -> float:
    """Return log-odds with the share of a candidate."""
    if candidate.share == 1.0:
        return value
    chance = candidate.share / (1 + exp(-value))
    return log(chance / (1 - chance))


_LEAST_UNRATED, _LEAST_LOOSE = -1.2, 0.3
"""The least log-odds of a candidate that nobody rated to be named without a reservation, and of one of a list that is loose."""


def is_doubtful(candidate: ListedName, topology: Topology, view: GraphView, topics: Iterable[str], *, loose: bool) -> bool:
    """Return whether an editor would hardly name a candidate: it is rated odd, or unrated with little behind it.

    A list is `loose` whose phrase was read as something narrower, or whose sources do not speak of the population in question.
    """
    rating = best_rating(candidate, view)
    least = _LEAST_LOOSE if loose else _LEAST_UNRATED
    return (rating == "odd" or (loose and rating != "main")) if rating else list_value(candidate, topology, view, topics) < least


def topics_about(concepts: Iterable[str]) -> frozenset[str]:
    """Return the titles of articles about some concepts, as the features of a list compare them."""
    return frozenset(map(_topic, concepts))


def edge_features(candidate: ListedName, topology: Topology) -> ListFeatures:
    """Return the features of a name that its edges tell without their records."""
    numbers = (topology.number(name) for name in candidate.concepts)
    claims = max((topology.degree(number) for number in numbers if number is not None), default=0)
    best = candidate.best
    return ListFeatures(
        claims=log2(1 + min(claims, _MOST_CLAIMS)),
        curated=is_in_causenet(best),
        support=log2(max(1, candidate.support)),
        words=max(0, min(len(candidate.name.split()), _MOST_WORDS) - _USUAL_WORDS),
        associated=best.claim.relation is Relation.ASSOCIATED,
        expected=_is_expected(candidate),
    )


@cache
def _expected_entries() -> frozenset[tuple[str, ...]]:
    path = Path(__file__).parents[1].joinpath("data", "expected_entries.tsv")
    return frozenset(tuple(row.values()) for row in table_rows(path.read_text(encoding="utf-8")))


def _is_expected(candidate: ListedName) -> bool:
    """Return whether an encyclopedia should tell one of the claims of a candidate in the list of the other end."""
    side = Side.CAUSES if candidate.best.cause in candidate.concepts else Side.EFFECTS
    rows = ((side.value, "yes" if is_prevention(edge) else "no", *side.ends(edge)) for edge in candidate.edges)
    return any((*row, concept_name(far) or far) in _expected_entries() for *row, far in rows)


def list_features(candidate: ListedName, topology: Topology, view: GraphView, topics: Iterable[str]) -> ListFeatures:
    """Return all features of a name in a list about concepts that articles with the titles `topics` are about."""
    records = [record for edge in candidate.edges for record in view.evidence(edge.claim)]
    return edge_features(candidate, topology)._replace(
        hedged=bool(records) and all(record.stance is Stance.HEDGED for record in records),
        lead=any(_stands_in_lead(record) and _topic(record.source.title) in topics for record in records),
        specific=_tell_one_event(records),
    )


def is_single_event(candidate: ListedName, view: GraphView) -> bool:
    """Return whether all records of a candidate speak of one event."""
    return _tell_one_event([record for edge in candidate.edges for record in view.evidence(edge.claim)])


def _tell_one_event(records: Sequence[Evidence]) -> bool:
    return bool(records) and all(any(slot == SPECIFIC_SLOT for slot, _ in record.context) for record in records)


def _stands_in_lead(record: Evidence) -> bool:
    return record.start is not None and record.start < _LEAD_CHARACTERS


def best_rating(candidate: ListedName, view: GraphView) -> str:
    """Return how an editor rated an entry, by the best of its records: one of `LIST_RATINGS`, or "" where none was rated."""
    slot = AS_CAUSE_SLOT if candidate.best.cause in candidate.concepts else AS_EFFECT_SLOT
    contexts = (record.context for edge in candidate.edges for record in view.evidence(edge.claim))
    ratings = {words for context in contexts for key, words in context if key == slot}
    return max(ratings, key=RATING_WEIGHTS.__getitem__, default="")


def ratings_among(candidates: Sequence[ListedName], view: GraphView) -> list[str]:
    """Return how an editor rated the entries of a list: among enough kinds that matter, one event of a year is minor at best."""
    ratings = [best_rating(candidate, view) for candidate in candidates]
    main = [place for place, rating in enumerate(ratings) if rating == "main"]
    single = {place for place in main if is_single_event(candidates[place], view)} if any(map(_has_year, candidates)) else set()
    if single and len(main) - len(single) >= ENOUGH_MAIN:
        for place in single:
            ratings[place] = "minor" if _has_year(candidates[place]) else "main"
    return ratings


def _has_year(candidate: ListedName) -> bool:
    return any(word.isdigit() and len(word) == _YEAR_DIGITS for word in candidate.name.split())


def is_narrower(name: str, beside: str) -> bool:
    """Return whether a name is that of another thing, which a reader takes for one with it, with a degree, place or owner.

    "The worst famine of the 19th century" is a famine; but air pollution, a kind, is kept beside pollution.
    """
    before, known, behind = f" {name} ".partition(f" {beside} ")
    if not known or name == beside or is_of_less(name, beside) or is_generic_name(beside):
        return False
    rest = behind.split()
    return answering_words("degree").issuperset(before.split()) and (not rest or rest[0] in PREPOSITIONS["linking"])


_topic = lru_cache(maxsize=1 << 14)(concept_name)


def _name_value(candidate: ListedName) -> float:
    best = candidate.best
    far_end = best.effect if best.cause in candidate.concepts else best.cause
    if is_generic_name(candidate.name) or is_broken_name(candidate.name):
        return EMPTY_WEIGHT
    return RESTATING_WEIGHT if _word_beginnings(candidate.name) <= _word_beginnings(far_end) else 0.0


@lru_cache(maxsize=1 << 14)
def _word_beginnings(name: str) -> frozenset[str]:
    return frozenset(word[:PREFIX_LETTERS] for word in name.split() if word not in STOP_WORDS["linking"])


def is_generic_name(name: str) -> bool:
    """Return whether a name says nothing by itself: "factor", "one major factor", "Europe"."""
    if name in place_names() and kind_of_noun(name) in ("", "location"):
        return True
    *before, head = name.split() or [""]
    return head in answering_words("generic") and answering_words("generic").union(answering_words("empty")).issuperset(before)


def is_broken_name(name: str) -> bool:
    """Return whether a name looks like a piece of a clause rather than like a name."""
    parts = name.split()
    clause = len(parts) > 1 and not answering_words("clause").isdisjoint(parts)
    adverb = len(parts) == 1 and len(name) > 6 and name.endswith(("ally", "ously", "ively"))
    number = parts[-1].replace(".", "").replace(",", "").isdigit() if parts else True
    return clause or adverb or number


def count_supporters(edges: Sequence[Edge], view: GraphView) -> int:
    """Return how many independent sources support the edges of one name together."""
    if len(edges) == 1:
        return edges[0].support
    from graph.belief.independence import independent_groups

    asserting = [record for edge in edges for record in view.evidence(edge.claim) if record.stance is Stance.ASSERTED]
    return len(independent_groups(asserting))


_LOOKED_THROUGH = 40
"""How many of the first names an order looks through the sources of."""
_SUPERLATIVE_CUE = re.compile(
    r"\b(?:(?:most|more)\s+(?:common|frequent|important|usual|likely)|commonest|leading|main|primary|principal|major|chief|"
    r"biggest|largest|greatest|number[\s-]one|no\.\s*1|predominant)\s+(?:\w+\s+){0,2}?"
    r"(?:causes?|reasons?|sources?|factors?|drivers?|triggers?|effects?|results?|consequences?|complications?|treatments?)\b",
    re.IGNORECASE,
)

_CUE_DISTANCE = 60
"""How many characters behind the cue one of the two is named."""
_WAYS_FOLLOWED = 30
"""How many of the other causes, and how many causes of each, the ways are followed from."""
_WAY_LENGTH = 3


class SupportNote(NamedTuple):
    """That a list is ordered by sources; a sentence itself calls the first `stated` entries the main ones."""

    stated: int


class CircumstanceNote(NamedTuple):
    """That the sources say it of the circumstances in `phrases` for the first `matched` of `total` entries."""

    phrases: tuple[str, ...]
    matched: int
    total: int


class NecessityNote(NamedTuple):
    """The concepts that every known way to the effect leads through."""

    names: tuple[str, ...]


class SelectionNote(NamedTuple):
    """That only a part is listed: what is of the kind of the noun `words` or, where it is `topical`, has words of a phrase."""

    words: str
    topical: bool = False


OrderNote = SupportNote | CircumstanceNote | NecessityNote | SelectionNote
"""What an answer says of the order of its list, as data."""


class ListOrder(NamedTuple):
    """Another order than the plain one, which the answer must name; equals stay in the order in which they are given.

    `explain` returns what the answer says of the order, if anything, from the edges of each entry that is shown.
    """

    arrange: Callable[[Sequence[ListedName], GraphView], Sequence[ListedName]]
    explain: Callable[[Sequence[tuple[Edge, ...]], GraphView], OrderNote | None]


def _arrange_by_support(candidates: Sequence[ListedName], view: GraphView) -> Sequence[ListedName]:
    by_support = sorted(candidates, key=lambda candidate: -candidate.support)
    first = sorted(
        by_support[:_LOOKED_THROUGH],
        key=lambda candidate: (-_states_superlative(candidate.edges, view), -count_supporters(candidate.edges, view)),
    )
    return [*first, *by_support[_LOOKED_THROUGH:]]


def _states_superlative(edges: Sequence[Edge], view: GraphView) -> bool:
    """Return whether a sentence that asserts one of the edges calls it the main, leading or most common one of its kind.

    One of the ends of the edge must stand right behind the superlative.
    """
    for edge in edges:
        stems = [name.split()[-1][:PREFIX_LETTERS].lower() for name in (edge.cause, edge.effect)]
        for record in view.evidence(edge.claim):
            if record.text is not None and record.stance is Stance.ASSERTED:
                cues = _SUPERLATIVE_CUE.finditer(record.text)
                behind = [record.text[cue.end() : cue.end() + _CUE_DISTANCE].lower() for cue in cues]
                if any(stem in words for words in behind for stem in stems):
                    return True
    return False


SUPPORT_ORDER = ListOrder(
    _arrange_by_support, lambda first, view: SupportNote(sum(_states_superlative(edges, view) for edges in first))
)
"""What a sentence itself calls the main or most common one comes first, then what most independent sources support."""


def circumstance_order(slots: Slots) -> ListOrder:
    """Return the order in which what sources say of the population, place or time of the question comes first."""
    circumstances = question_circumstances(slots)
    words = [{singular(word) for word in content_words(phrase)} for _, phrase in circumstances]

    def count_named_cases(edges: Sequence[Edge]) -> int:
        """Return how many of the circumstances the names of the edges themselves have."""
        own = {singular(word) for edge in edges[:1] for word in content_words(f"{edge.cause} {edge.effect}")}
        return sum(case <= own for case in words)

    def matched(edges: Sequence[Edge], view: GraphView) -> int:
        """Return how many of the circumstances the asserting record that fits them best is about."""
        records = (record for edge in edges for record in view.evidence(edge.claim))
        asserting = (record for record in records if record.stance in (Stance.ASSERTED, Stance.HEDGED))
        return max(
            count_named_cases(edges), max((count_matching_cases(record, circumstances) for record in asserting), default=0)
        )

    def arrange(candidates: Sequence[ListedName], view: GraphView) -> Sequence[ListedName]:
        first = sorted(candidates[:_LOOKED_THROUGH], key=lambda candidate: -matched(candidate.edges, view))
        return [*first, *candidates[_LOOKED_THROUGH:]]

    def explain(first: Sequence[tuple[Edge, ...]], view: GraphView) -> CircumstanceNote | None:
        phrases = tuple(phrase for _, phrase in circumstances)
        return CircumstanceNote(phrases, sum(matched(edges, view) > 0 for edges in first), len(first)) if phrases else None

    return ListOrder(arrange, explain)


def kind_order(noun: str) -> ListOrder:
    """Return the plain order, with the note that only what a question asks for by a noun is listed."""
    return ListOrder(lambda candidates, view: candidates, lambda first, view: SelectionNote(noun))


def topic_order(phrase: str) -> ListOrder:
    """Return the plain order, with the note that only what has a word in common with a phrase is listed."""
    return ListOrder(lambda candidates, view: candidates, lambda first, view: SelectionNote(phrase, topical=True))


def _arrange_by_necessity(candidates: Sequence[ListedName], view: GraphView) -> Sequence[ListedName]:
    necessary = _necessary_concepts([edge for candidate in candidates for edge in candidate.edges], view)
    return sorted(candidates, key=lambda candidate: necessary.isdisjoint(candidate.concepts))


def _explain_necessity(first: Sequence[tuple[Edge, ...]], view: GraphView) -> NecessityNote | None:
    edges = [edge for entry_edges in first for edge in entry_edges]
    necessary = _necessary_concepts(edges, view)
    names = tuple(dict.fromkeys(edge.cause for edge in edges if edge.cause in necessary))
    return NecessityNote(names) if names or any(edge.claim.relation is Relation.ENABLES for edge in edges) else None


def _necessary_concepts(edges: Sequence[Edge], view: GraphView) -> frozenset[str]:
    """Return the concepts on every way of a few steps to the effects of some edges from what is before their causes."""
    from graph.algorithms.cuts import necessary_causes

    effects = dict.fromkeys(edge.effect for edge in edges)
    before = dict.fromkeys(
        far.cause
        for effect in effects
        for near in view.causes(effect)[:_WAYS_FOLLOWED]
        if DRIVING_LINKS.allow(near)
        for far in view.causes(near.cause)[:_WAYS_FOLLOWED]
        if DRIVING_LINKS.allow(far) and far.cause not in effects
    )
    direct = {near.cause for effect in effects for near in view.causes(effect) if DRIVING_LINKS.allow(near)}
    if len(direct) == 1:
        return frozenset(direct)
    sources = [name for name in before if name not in direct]
    # A cause that nothing known is before is a way of its own.
    if any(not view.causes(name) for name in direct):
        return frozenset()
    return frozenset(necessary_causes(view, sources, effects, _WAY_LENGTH, DRIVING_LINKS))


NECESSITY_ORDER = ListOrder(_arrange_by_necessity, _explain_necessity)
"""Conditions without which no known way leads to the effect come first."""

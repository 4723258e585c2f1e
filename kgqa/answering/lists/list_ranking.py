"""The order of the names of a list, by belief, support and how much a name says; and the orders that a question asks for.

The weights are added to the log-odds of the belief. They are few, and set by hand: docs/answers-contracts.md shows what they
change in lists that were judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from math import log, log2
from typing import NamedTuple

from graph.belief.priors import probability_of
from graph.model import JUDGED_SLOT, NAMES_SLOT, READ_SLOT, SPECIFIC_SLOT, Edge, Evidence, Relation, Stance
from graph.protocols import GraphView
from graph.text.normalise import concept_name, singular
from graph.text.stems import PREFIX_LETTERS
from graph.text.word_lists import kind_of_noun, place_names
from graph.topology import DRIVING_LINKS
from kgqa.answering.evidence_kind import answering_words, count_matching_cases, question_circumstances
from kgqa.calibration.linear_model import PROBABILITY_CLIP, log_odds
from kgqa.linking.mention import content_words
from kgqa.question import Slots

SOURCE_WEIGHT = 0.5
"""What each doubling of the independent sources adds."""
TOPICAL_WEIGHT = 1.2
"""What an article about the concept of the question adds."""
OWN_ARTICLE_WEIGHT = 0.6
"""What it adds that an article about the very thing that is named says so."""
GENERIC_WEIGHT = -2.0
"""What it adds that the name says nothing by itself ("significant factor")."""

BROKEN_WEIGHT = -1.5
"""What it adds that the name is a piece of a clause ("coal have high sulfur content", "experimentally", "magnitude 7.8")."""

CURATED_WEIGHT = 0.8
"""What it adds that CauseNet holds it: several patterns found it, and its names are whole, but it names no article."""
NAMES_WEIGHT = 0.4
"""What the log-odds are multiplied by that the judge of claims gives to the names of the best record."""
READ_NAMES = 0.95
"""The probability of good names where a reader gave them."""
SPECIFIC_WEIGHT = -1.0
"""What it adds that all judged records speak of one event, and of no kind of things."""
HUB_WEIGHT = -0.5
"""What each doubling of the claims about a name beyond `_HUB_CLAIMS` adds."""
_HUB_CLAIMS = 100
_CLOSELY_RANKED = 10
"""So many names are to be in the right order, however many are shown."""
_CURATED_KINDS = frozenset({"causenet", "clueweb12"})
_MAX_BELIEF = 0.97
"""Belief beyond which more belief makes no difference to the order: more sources do."""


class ListedName(NamedTuple):
    """What a list names once: a name, the edges that it stands on, and the concepts of the graph that these belong to.

    `merged_names` are names that say nearly the same and were merged into it.
    """

    name: str
    edges: tuple[Edge, ...]
    concepts: tuple[str, ...]
    merged_names: tuple[str, ...] = ()

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


def rank_names(view: GraphView, candidates: Iterable[tuple[float, ListedName]], about: Collection[str]) -> Sequence[ListedName]:
    """Return the candidates, each given with its score, in the order of the list; `about` are the concepts of the question.

    The score of the first names also counts what their sources are about, and how many claims are about them.
    """
    plain = sorted(candidates, key=lambda pair: (-pair[0], pair[1].name))
    if len(plain) < 2:
        return [candidate for _, candidate in plain]
    # What is further down than the most that a closer look can add cannot come up.
    last = plain[min(_CLOSELY_RANKED, len(plain)) - 1][0] - TOPICAL_WEIGHT - OWN_ARTICLE_WEIGHT
    looked = [pair for pair in plain[: 3 * _CLOSELY_RANKED] if pair[0] >= last]
    topics, topology = {_topic(name) for name in about}, view.topology()
    close: list[tuple[float, int, str, ListedName]] = []
    for value, candidate in looked:
        records = [record for edge in candidate.edges for record in view.evidence(edge.claim)]
        value += _judged_value(records)
        titles = {_topic(record.source.title) for record in records if record.source.title}
        if not topics.isdisjoint(titles):
            value += TOPICAL_WEIGHT
        if not titles.isdisjoint({_topic(name) for name in candidate.concepts} - topics):
            value += OWN_ARTICLE_WEIGHT
        numbers = (topology.number(name) for name in candidate.concepts)
        claims = max((topology.degree(number) for number in numbers if number is not None), default=0)
        if claims > _HUB_CLAIMS:
            value += HUB_WEIGHT * log2(claims / _HUB_CLAIMS)
        close.append((-round(value, 6), candidate.best.strength.rank, candidate.name, candidate))
    close.sort(key=lambda row: row[:3])
    return [*(row[3] for row in close), *(candidate for _, candidate in plain[len(looked) :])]


def _judged_value(records: Iterable[Evidence]) -> float:
    """Return what the judgements of some records add: how good their names are, and whether they speak of one event only."""
    contexts = [context for record in records if JUDGED_SLOT in (context := dict(record.context))]
    if not contexts:
        return 0.0
    names = max(READ_NAMES if READ_SLOT in context else probability_of(context.get(NAMES_SLOT, "")) for context in contexts)
    is_specific = all(SPECIFIC_SLOT in context for context in contexts)
    return NAMES_WEIGHT * log_odds(names, PROBABILITY_CLIP) + (SPECIFIC_WEIGHT if is_specific else 0.0)


_topic = lru_cache(maxsize=1 << 14)(concept_name)


def name_score(candidate: ListedName) -> float:
    """Return the score of a name by its edges and its words."""
    best = candidate.best
    belief = min(best.belief, _MAX_BELIEF)
    value = log(max(belief, 0.01) / (1.0 - belief)) + SOURCE_WEIGHT * log2(max(1, candidate.support))
    if any(kind in _CURATED_KINDS for ground in best.grounds for kind, _ in ground.readings):
        value += CURATED_WEIGHT
    name = candidate.name
    return value + ((GENERIC_WEIGHT if is_generic_name(name) else 0.0) + (BROKEN_WEIGHT if is_broken_name(name) else 0.0))


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

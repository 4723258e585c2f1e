"""The order of the names of a list: by belief and support, then by how much a name says.

The weights are added to the log-odds of the belief. They are few, and set by hand: docs/answers-contracts.md shows what they
change in lists that were judged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, lru_cache
from math import log, log2
from pathlib import Path
from typing import NamedTuple, Protocol

from graph.model import Claim, Edge, Evidence, Stance
from graph.protocols import GraphView
from graph.text.normalise import concept_name

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

HUB_WEIGHT = -0.5
"""What each doubling of the claims about a name beyond `_HUB_CLAIMS` adds."""

_HUB_CLAIMS = 100
_CLOSELY_RANKED = 10
"""So many names are to be in the right order, however many are shown."""
_CURATED_KINDS = frozenset({"causenet", "clueweb12"})
_MAX_BELIEF = 0.97
"""Belief beyond which more belief makes no difference to the order: more sources do."""


class EvidenceRecords:
    """The evidence of a view, each claim's fetched once."""

    def __init__(self, view: GraphView) -> None:
        self._view = view
        self._held: dict[Claim, Sequence[Evidence]] = {}

    def of(self, edge: Edge) -> Sequence[Evidence]:
        """Return the evidence records of an edge."""
        records = self._held.get(edge.claim)
        if records is None:
            records = self._held[edge.claim] = self._view.evidence(edge.claim)
        return records


class ListedName(NamedTuple):
    """What a list names once: a name, the edges that it stands on, and the concepts of the graph that these belong to.

    `others` are names that say nearly the same and were merged into it.
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


class OrderNote:
    """What an answer says of the order of its list, as data: each order has a subclass, a frozen dataclass."""

    __slots__ = ()


class ListOrder(Protocol):
    """Another order than the plain one, which the answer must name."""

    def arrange(self, candidates: Sequence[ListedName], records: EvidenceRecords) -> Sequence[ListedName]:
        """Return what was ranked in this order; equals stay in the order in which they are given."""
        ...

    def explain_order(self, first: Sequence[tuple[Edge, ...]], records: EvidenceRecords) -> OrderNote | None:
        """Return what the answer says of the order, if anything; `first` are the edges of each entry that is shown, in order."""
        ...


def rank_names(
    view: GraphView,
    candidates: Iterable[ListedName],
    about: Collection[str],
    records: EvidenceRecords,
    value_of: Callable[[ListedName], float],
) -> list[ListedName]:
    """Return the candidates in the order of the list; `about` are the concepts of the question.

    `value_of` gives the score of a name. The score of the first names also counts what their sources are about, and how many
    claims are about them.
    """
    topics = {_topic(name) for name in about}
    plain = sorted(((value_of(candidate), candidate) for candidate in candidates), key=lambda pair: (-pair[0], pair[1].name))
    if len(plain) < 2:
        return [candidate for _, candidate in plain]
    # What is further down than the most that a closer look can add cannot come up.
    last = plain[min(_CLOSELY_RANKED, len(plain)) - 1][0] - TOPICAL_WEIGHT - OWN_ARTICLE_WEIGHT
    looked = [pair for pair in plain[: 3 * _CLOSELY_RANKED] if pair[0] >= last]
    topology = view.topology()
    close: list[tuple[float, int, str, ListedName]] = []
    for value, candidate in looked:
        titles = {_topic(title) for edge in candidate.edges for record in records.of(edge) if (title := record.source.title)}
        if not topics.isdisjoint(titles):
            value += TOPICAL_WEIGHT
        if titles and not titles.isdisjoint({_topic(name) for name in candidate.concepts} - topics):
            value += OWN_ARTICLE_WEIGHT
        numbers = (topology.number(name) for name in candidate.concepts)
        claims = max((topology.degree(number) for number in numbers if number is not None), default=0)
        if claims > _HUB_CLAIMS:
            value += HUB_WEIGHT * log2(claims / _HUB_CLAIMS)
        close.append((-round(value, 6), candidate.best.strength.rank, candidate.name, candidate))
    close.sort(key=lambda row: row[:3])
    return [*(row[3] for row in close), *(candidate for _, candidate in plain[len(looked) :])]


_topic = lru_cache(maxsize=1 << 14)(concept_name)


def name_score(candidate: ListedName) -> float:
    """Return the score of a name by its edges and its words."""
    best = candidate.best
    belief = min(best.belief, _MAX_BELIEF)
    value = log(max(belief, 0.01) / (1.0 - belief)) + SOURCE_WEIGHT * log2(max(1, candidate.support))
    if any(kind in _CURATED_KINDS for ground in best.grounds for kind, _ in ground.readings):
        value += CURATED_WEIGHT
    return value + _wording_score(candidate.name)


@lru_cache(maxsize=1 << 14)
def _wording_score(name: str) -> float:
    """Return what a name adds or takes away by its words alone."""
    return (GENERIC_WEIGHT if is_generic_name(name) else 0.0) + (BROKEN_WEIGHT if is_broken_name(name) else 0.0)


def is_generic_name(name: str) -> bool:
    """Return whether a name says nothing by itself: "factor", "one major factor"."""
    *before, head = name.split() or [""]
    return head in _name_words("generic") and _name_words("generic").union(_name_words("empty")).issuperset(before)


def is_broken_name(name: str) -> bool:
    """Return whether a name looks like a piece of a clause rather than like a name."""
    parts = name.split()
    clause = len(parts) > 1 and not _name_words("clause").isdisjoint(parts)
    adverb = len(parts) == 1 and len(name) > 6 and name.endswith(("ally", "ously", "ively"))
    number = parts[-1].replace(".", "").replace(",", "").isdigit() if parts else True
    return clause or adverb or number


def count_supporters(edges: Sequence[Edge], records: EvidenceRecords) -> int:
    """Return how many independent sources support the edges of one name together."""
    if len(edges) == 1:
        return edges[0].support
    from graph.belief.independence import independent_groups

    asserting = [record for edge in edges for record in records.of(edge) if record.stance is Stance.ASSERTED]
    return len(independent_groups(asserting))


@cache
def _name_words(kind: str) -> frozenset[str]:
    lines = Path(__file__).parent.joinpath("data/names.tsv").read_text(encoding="utf-8").splitlines()
    return frozenset(dict(line.split("\t") for line in lines)[kind].split())

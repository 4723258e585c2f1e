"""The search for the best chains of numbered concepts, from both ends at once.

A chain of n edges is looked for as a half from its first concept and a half from its last one that meet in a middle concept.
Chains of 1, 2, 3, ... edges are looked for in turn, and each time the side that is cheaper to lengthen grows by one edge: the
rows of the concepts that it has reached are intersected, as sets, with what the other side has reached. Rows come most believed
first, so a row is left at the first edge that cannot be part of a chain as good as the worst of those to be returned (branch and
bound: the share of no middle concept exceeds `Transitivity.hop`). The result is exact.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import compress
from operator import neg
from typing import NamedTuple

from graph.algorithms.transitivity import Transitivity
from graph.protocols import Row, Topology
from graph.topology import EDGE_KINDS, Links


class HalfChain(NamedTuple):
    """A part of a chain, from an end inwards: its score, without the share of its innermost concept, and its last sense."""

    score: float
    nodes: tuple[int, ...]
    kinds: tuple[int, ...] = ()
    sense: int = 0
    sign: int = 0


class ChainExtensions(NamedTuple):
    """The extensions of a half, which ends at a place of the row of `parent`, by one edge."""

    parent: ChainExtensions | None
    place: int
    number: int  # the innermost concept of the half
    worth: float  # a bound of the score of the half with the share of that concept
    row: Row
    tips: Sequence[int]  # the useful ends of the row

    def promise(self) -> float:
        """Return a bound of the scores of the extended halves."""
        return self.worth * self.row.beliefs[0]


@dataclass(slots=True)
class SearchLevel:
    """The halves of one length on one side, as groups of extensions."""

    groups: list[ChainExtensions]
    best: float = field(init=False)  # a bound of their scores
    tips: set[int] = field(init=False)  # their innermost concepts
    # Where the other side has met a concept: bounds of the scores, the groups and the places in their rows; and the best bound
    # with the share of the concept.
    holders: dict[int, list[tuple[float, ChainExtensions, int]]] = field(default_factory=dict)
    reach: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.best = max(map(ChainExtensions.promise, self.groups), default=0.0)
        self.tips = set().union(*(group.tips for group in self.groups))

    @property
    def size(self) -> int:
        """The number of halves."""
        return sum(len(group.tips) for group in self.groups)


UNSIGNED = bytes(len(EDGE_KINDS))  # no kind of edge turns the sign of a chain: chains of the same concepts are one
SLACK = 1.0 - 1e-6  # scores nearer than this share are taken as equal here, and compared later with the exact factors
_FIRST_CHUNK, _GROWTH = 16, 4
_SHORT_ROW = 10


class ConceptChain(NamedTuple):
    """A chain: its score, the numbers of its concepts and the kinds of its edges, first cause first."""

    score: float
    nodes: tuple[int, ...]
    kinds: tuple[int, ...]


def best_chains(
    topology: Topology,
    starts: Collection[int],
    ends: Collection[int],
    max_length: int,
    limit: int,
    links: Links,
    transitivity: Transitivity,
    turning: bytes = UNSIGNED,
) -> list[ConceptChain]:
    """Return the chains from a start to an end of at most `max_length` edges that can be among the `limit` best, in no order.

    Every chain that scores like the last of the best is there, so that ties can be settled by name. No concept comes twice,
    except that a chain whose only start is its only end goes round; no middle concept is a start or an end. Of chains that differ
    only in parallel edges the best is kept, one for each parity of the edges whose kind is 1 in `turning`.
    """
    if limit < 1 or max_length < 1 or not starts or not ends:
        return []
    return _ChainSearch(topology, starts, ends, limit, links, transitivity, turning).run(max_length)


@dataclass
class _ChainSearch:
    topology: Topology
    starts: Collection[int]
    ends: Collection[int]
    limit: int
    links: Links
    transitivity: Transitivity
    turning: bytes
    shares: dict[int, float] = field(default_factory=dict)
    chains: dict[tuple[tuple[int, ...], int], ConceptChain] = field(default_factory=dict)
    scores: list[float] = field(default_factory=list)
    least: float = 0.0

    def __post_init__(self) -> None:
        self.taken = frozenset(self.starts) | frozenset(self.ends)
        self.allowed, self.above, self.hop = self.links.mask(), self.links.above, self.transitivity.hop

    def run(self, max_length: int) -> list[ConceptChain]:
        forward = self._outermost(self.starts, forward=True)
        ends = frozenset(self.ends)
        for group in forward.groups:  # the chains of one edge
            for place in compress(range(len(group.tips)), map(ends.__contains__, group.tips)):
                belief, kind = group.row.beliefs[place], group.row.kinds[place]
                if belief > self.above and self.allowed[kind]:
                    self._add(ConceptChain(belief, (group.number, group.tips[place]), (kind,)), self.turning[kind])
        if max_length > 1 and forward.size:
            backward = self._outermost(self.ends, forward=False)
            common = backward.tips - self.taken
            meetings = [(group, common.intersection(group.tips)) for group in forward.groups]
            self._meet([meeting for meeting in meetings if meeting[1]], backward, forward=True)
            for length in range(3, max_length + 1):
                if not forward.size or not backward.size or forward.best * backward.best * self.hop**2 < self.least:
                    break
                last = length == max_length
                if forward.size <= backward.size:
                    forward = self._extend_level(forward, backward, forward=True, last=last)
                else:
                    backward = self._extend_level(backward, forward, forward=False, last=last)
        return [chain for chain in self.chains.values() if chain.score >= self.least]

    def _outermost(self, numbers: Collection[int], *, forward: bool) -> SearchLevel:
        self.topology.prepare(numbers, forward=forward)
        row_of = self.topology.outgoing if forward else self.topology.incoming
        rows = ((number, row_of(number)) for number in numbers)
        return SearchLevel([ChainExtensions(None, 0, number, 1.0, row, _as_list(row.ends)) for number, row in rows if row.ends])

    def _extend_level(self, level: SearchLevel, opposite: SearchLevel, *, forward: bool, last: bool) -> SearchLevel:
        """Return a side's level one edge further in (the `last` one stays empty), and add the chains that meet the other side."""
        row_of = self.topology.outgoing if forward else self.topology.incoming
        common_with, taken = (opposite.tips - self.taken).intersection, self.taken
        hop, rest = self.hop, self.hop * opposite.best
        grown: list[ChainExtensions] = []
        for group in sorted(level.groups, key=ChainExtensions.promise, reverse=True):
            beliefs = group.row.beliefs
            size, start = _FIRST_CHUNK, 0
            while numbers := self._cut(group.tips[start : start + size], beliefs, group.worth * hop * rest, start):
                self.topology.prepare(numbers, forward=forward)
                least = self.least
                meetings: list[tuple[ChainExtensions, set[int]]] = []
                for place, number in enumerate(numbers, start):
                    worth = group.worth * beliefs[place] * self._share(number)
                    if worth * rest < least or number in taken:
                        continue
                    row = row_of(number)
                    ends = row.ends
                    if not ends or worth * row.beliefs[0] * rest < least:
                        continue
                    if len(ends) > _SHORT_ROW:
                        ends = self._cut(ends, row.beliefs, worth * rest)
                    tips = _as_list(ends)
                    common = common_with(tips)
                    if common:
                        meetings.append((ChainExtensions(group, place, number, worth, row, tips), common))
                    elif not last and worth * row.beliefs[0] * rest * hop >= least:
                        grown.append(ChainExtensions(group, place, number, worth, row, tips))
                if meetings:
                    self._meet(meetings, opposite, forward=forward)
                    grown += [group for group, _ in meetings if not last]
                start, size = start + len(numbers), size * _GROWTH
        return SearchLevel(grown)

    def _cut(self, numbers: Sequence[int], beliefs: Sequence[float], worth: float, start: int = 0) -> Sequence[int]:
        """Return those of some ends, at `start` of a row, that can be part of a useful chain: `worth` is the rest of it."""
        if not numbers or beliefs[start + len(numbers) - 1] * worth >= self.least:
            return numbers
        if worth <= 0.0:
            return ()
        return numbers[: bisect_right(beliefs, -self.least / worth, start, start + len(numbers), key=neg) - start]

    def _meet(self, meetings: Sequence[tuple[ChainExtensions, set[int]]], opposite: SearchLevel, *, forward: bool) -> None:
        """Add the chains in which groups of one side meet a level of the other side, each at some concepts."""
        share, least = self._share, self.least
        useful: list[tuple[ChainExtensions, set[int]]] = []
        for group, common in meetings:
            bound = group.worth * group.row.beliefs[0] * opposite.best
            if useful_tips := {tip for tip in common if bound * share(tip) >= least}:
                useful.append((group, useful_tips))
        self._index_holders(opposite, set().union(*[common for _, common in useful]))
        reach = opposite.reach
        for group, common in useful:
            worth, tips, beliefs = group.worth, group.tips, group.row.beliefs
            if worth * beliefs[0] * max(map(reach.__getitem__, common)) < self.least:
                continue
            for place in compress(range(len(tips)), map(common.__contains__, tips)):
                bound, tip = worth * beliefs[place], tips[place]
                if bound * reach[tip] < self.least:
                    continue
                bound *= share(tip)
                first_half = None
                for held_worth, held, held_place in opposite.holders[tip]:
                    if bound * held_worth >= self.least:
                        first_half = first_half or self._half(group, place)
                        second_half = first_half and self._half(held, held_place)
                        if first_half and second_half:
                            self._join(first_half, second_half, forward=forward)

    def _index_holders(self, level: SearchLevel, concepts: set[int]) -> None:
        """Look up where the halves of a level are that end at any of these concepts."""
        new = concepts - level.reach.keys()
        if not new:
            return
        holders, apart, holds = level.holders, new.isdisjoint, new.__contains__
        for group in level.groups:
            tips = group.tips
            if not apart(tips):
                worth, beliefs = group.worth, group.row.beliefs
                for place in compress(range(len(tips)), map(holds, tips)):
                    holders.setdefault(tips[place], []).append((worth * beliefs[place], group, place))
        for number in new:
            level.reach[number] = max([holder[0] for holder in holders[number]]) * self._share(number)

    def _join(self, first_half: HalfChain, second_half: HalfChain, *, forward: bool) -> None:
        """Add the chain of two halves that end at the same concept, if no other concept is on both."""
        if not set(first_half.nodes[1:-1]).isdisjoint(second_half.nodes):
            return
        share, senses = self._share(first_half.nodes[-1]), self.transitivity.of_senses(first_half.sense, second_half.sense)
        score = first_half.score * second_half.score * share * senses
        if score >= self.least:
            first, last = (first_half, second_half) if forward else (second_half, first_half)
            chain = ConceptChain(score, first.nodes + last.nodes[-2::-1], first.kinds + last.kinds[::-1])
            self._add(chain, first.sign ^ last.sign)

    def _half(self, group: ChainExtensions, place: int) -> HalfChain | None:
        """Return the half that takes the edge at a place of the row of a group, if its edges may be taken."""
        row, tip = group.row, group.tips[place]
        kind, belief, sense = row.kinds[place], row.beliefs[place], row.senses[place]
        if not self.allowed[kind] or belief <= self.above:
            return None
        if group.parent is None:
            return HalfChain(belief, (group.number, tip), (kind,), sense, self.turning[kind])
        half = self._half(group.parent, group.place)
        if half is None or tip in half.nodes:
            return None
        score = half.score * belief * self._share(group.number) * self.transitivity.of_senses(half.sense, sense)
        return HalfChain(score, (*half.nodes, tip), (*half.kinds, kind), sense, half.sign ^ self.turning[kind])

    def _share(self, number: int) -> float:
        share = self.shares.get(number)
        if share is None:
            share = self.shares[number] = self.transitivity.of_degree(self.topology.degree(number))
        return share

    def _add(self, chain: ConceptChain, sign: int) -> None:
        """Keep a chain, unless one of the same concepts and sign is kept that is better."""
        key = chain.nodes, sign
        old = self.chains.get(key)
        if old is not None:
            if (old.score, chain.kinds) >= (chain.score, old.kinds):
                return
            self.scores.remove(old.score)
        self.chains[key] = chain
        insort(self.scores, chain.score)
        if len(self.scores) >= self.limit:
            self.least = self.scores[-self.limit] * SLACK


def _as_list(numbers: Sequence[int]) -> Sequence[int]:
    # A piece of a mapped file is slow to read one by one.
    return numbers.tolist() if isinstance(numbers, memoryview) else numbers

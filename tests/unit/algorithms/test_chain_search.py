"""The search for the best chains on a graph with hubs, whose rows are longer than what is looked at at once."""

from __future__ import annotations

import random
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import pytest

from graph.algorithms.chain_search import UNSIGNED, best_chains
from graph.algorithms.transitivity import DEFAULT_TRANSITIVITY, Transitivity
from graph.protocols import Row
from graph.topology import DRIVING_LINKS, EDGE_KINDS, EMPTY_ROW, EVERY_LINK, Links

CONCEPTS = 90
Arrow = tuple[int, int, float, int, int]


@dataclass(frozen=True)
class Numbered:
    """A topology of numbers: rows as tuples, or as views of memory like those of a file."""

    out: dict[int, Row]
    into: dict[int, Row]

    def number(self, name: str) -> int | None:
        return int(name)

    def name(self, number: int) -> str:
        return str(number)

    def outgoing(self, number: int) -> Row:
        return self.out.get(number, EMPTY_ROW)

    def incoming(self, number: int) -> Row:
        return self.into.get(number, EMPTY_ROW)

    def degree(self, number: int) -> int:
        return len(self.outgoing(number).ends) + len(self.incoming(number).ends)

    def prepare(self, numbers: Collection[int], *, forward: bool) -> None:
        assert len(set(numbers)) <= CONCEPTS


def arrows_of(seed: int, count: int) -> list[Arrow]:
    """Arrows between hubs at both ends and a crowd, with parallel ones, unbelieved ones and few different beliefs."""
    chance = random.Random(seed)
    beliefs = (0.0, 0.4, 0.51, 0.74, 0.769, 0.769, 0.9, 0.98)
    made: dict[tuple[int, int, int], Arrow] = {}
    for _ in range(count):
        # The square of an even number makes low numbers hubs.
        cause, effect = (int(CONCEPTS * chance.random() ** 2) for _ in range(2))
        kind = chance.choice((2, 2, 2, 5, 8, 17))
        made[cause, effect, kind] = (cause, effect, chance.choice(beliefs), kind, chance.choice((0, 1, 2, 3, 6)))
    return list(made.values())


def topology_of(arrows: list[Arrow], *, mapped: bool) -> Numbered:
    sides: list[dict[int, Row]] = []
    for near, far in ((0, 1), (1, 0)):
        rows: dict[int, list[Arrow]] = defaultdict(list)
        for arrow in sorted(arrows, key=lambda arrow: (-arrow[2], arrow[far], arrow[3])):
            rows[int(arrow[near])].append(arrow)
        columns = {
            number: tuple(
                array(code, [arrow[place] for arrow in row]) for code, place in zip("IdBQ", (far, 2, 3, 4), strict=True)
            )
            for number, row in rows.items()
        }
        sides.append(
            {number: Row(*(memoryview(part) if mapped else tuple(part) for part in row)) for number, row in columns.items()}
        )
    return Numbered(*sides)


def every_chain(
    topology: Numbered, start: int, end: int, max_length: int, links: Links, transitivity: Transitivity
) -> Iterator[tuple[float, tuple[int, ...]]]:
    """Every chain with each choice of parallel edges, by depth-first search."""
    mask = links.mask()

    def further(score: float, nodes: tuple[int, ...], sense: int) -> Iterator[tuple[float, tuple[int, ...]]]:
        for tip, belief, kind, tip_sense in zip(*topology.outgoing(nodes[-1]), strict=True):
            if belief <= links.above or not mask[kind] or tip in nodes:
                continue
            share = transitivity.through(topology.degree(nodes[-1]), sense, tip_sense) if len(nodes) > 1 else 1.0
            if tip == end:
                yield score * share * belief, (*nodes, tip)
            elif len(nodes) < max_length:
                yield from further(score * share * belief, (*nodes, tip), tip_sense)

    return further(1.0, (start,), 0)


@pytest.mark.parametrize("mapped", [False, True])
@pytest.mark.parametrize("links", [EVERY_LINK, DRIVING_LINKS])
@pytest.mark.parametrize(
    ("seed", "count", "lengths"), [(1, 900, (1, 2, 3)), (2, 900, (2, 3)), (3, 250, (4, 5)), (4, 300, (4, 6))]
)
def test_the_best_chains_between_hubs_are_those_of_a_full_search(
    seed: int, count: int, lengths: tuple[int, ...], links: Links, mapped: bool
) -> None:
    topology = topology_of(arrows_of(seed, count), mapped=mapped)
    chance = random.Random(seed)
    assert max(len(row.ends) for row in topology.out.values()) > 16
    for transitivity in (DEFAULT_TRANSITIVITY, Transitivity(hop=1.0, hub=0.8, unlike=0.3)):
        for max_length in lengths:
            start, end = chance.randrange(6), chance.randrange(6, 50)
            best: dict[tuple[int, ...], float] = {}
            for score, nodes in every_chain(topology, start, end, max_length, links, transitivity):
                best[nodes] = max(best.get(nodes, 0.0), score)
            for limit in (1, 5, 40):
                chains = best_chains(topology, (start,), (end,), max_length, limit, links, transitivity)
                scores = sorted(best.values(), reverse=True)
                least = scores[limit - 1] if len(scores) >= limit else 0.0
                assert {chain.nodes: pytest.approx(chain.score) for chain in chains} == {
                    nodes: score for nodes, score in best.items() if score >= least * (1 - 1e-6)
                }


def test_kinds_are_those_of_the_edges_that_score_most() -> None:
    arrows = [(0, 1, 0.9, 2, 1), (1, 2, 0.9, 2, 2), (1, 2, 0.8, 5, 1)]
    (chain,) = best_chains(topology_of(arrows, mapped=True), (0,), (2,), 3, 5, EVERY_LINK, DEFAULT_TRANSITIVITY)
    assert (chain.nodes, chain.kinds) == ((0, 1, 2), (2, 5))
    assert EDGE_KINDS[chain.kinds[1]] == EDGE_KINDS[5]


@pytest.mark.parametrize(
    ("starts", "ends", "max_length", "limit"), [((), (1,), 3, 5), ((0,), (), 3, 5), ((0,), (1,), 0, 5), ((0,), (1,), 3, 0)]
)
def test_nothing_is_found_where_nothing_is_asked(
    starts: tuple[int, ...], ends: tuple[int, ...], max_length: int, limit: int
) -> None:
    topology = topology_of([(0, 1, 0.9, 2, 0)], mapped=False)
    assert best_chains(topology, starts, ends, max_length, limit, EVERY_LINK, DEFAULT_TRANSITIVITY, UNSIGNED) == []


def test_where_nothing_is_passed_on_longer_chains_score_nothing() -> None:
    topology = topology_of([(0, 1, 0.9, 2, 0), (1, 2, 0.9, 2, 0), (2, 3, 0.9, 2, 0), (3, 4, 0.9, 2, 0)], mapped=False)
    (chain,) = best_chains(topology, (0,), (4,), 5, 5, EVERY_LINK, Transitivity(hop=0.0), UNSIGNED)
    assert (chain.score, chain.nodes) == (0.0, (0, 1, 2, 3, 4))

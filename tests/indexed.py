"""Graphs for the tests of the index, and what it means that two topologies agree."""

from __future__ import annotations

import random
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from hostile import HOSTILE_NAMES

from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement
from graph.protocols import GraphStore, Topology
from graph.stores import open_store
from graph.topology import NamedTopology

PLAIN = [f"{kind} {number}" for kind in ("storm", "flood", "fever", "loss of sleep", "ice-cream sale") for number in range(40)]


def some_statements(seed: int = 1, claims: int = 600, names: Iterable[str] = ()) -> list[Statement]:
    """Return statements about a few hubs and many other concepts, with all relations, polarities, stances and titles."""
    chance = random.Random(seed)
    concepts = [*PLAIN, *HOSTILE_NAMES, *names]
    chance.shuffle(concepts)

    def concept() -> str:
        return concepts[int(len(concepts) * chance.random() ** 3)]

    found = []
    for number in range(claims):
        claim = Claim(concept(), concept(), chance.choice(list(Relation)), chance.choice(list(Polarity)))
        for place in range(chance.choice((1, 1, 1, 2, 5))):
            page = f"Page {chance.randrange(10_000)}"
            source = Source(chance.choice(("wikipedia", "clueweb12")), page, page_id=page)
            stance = chance.choice([Stance.ASSERTED] * 5 + list(Stance))
            found.append(Statement(claim, Evidence(source, stance, rule=f"r{number % 7}", start=place, end=place + 9)))
    return found


def written(path: Path, statements: Iterable[Statement]) -> Path:
    """Write a graph."""
    with closing(open_store(str(path), create=True)) as store:
        store.add(statements)
    return path


Arrows = dict[str, tuple[int, tuple[object, ...], tuple[object, ...]]]


def arrows_of(topology: Topology, names: Iterable[str]) -> Arrows:
    """Return what a topology tells of each concept, with names for numbers: its degree, its row out, its row in."""
    found = {}
    for name in names:
        number = topology.number(name)
        assert number is not None, name
        assert topology.name(number) == name
        rows = [
            (tuple(map(topology.name, row.ends)), *map(tuple, row[1:]))
            for row in (topology.outgoing(number), topology.incoming(number))
        ]
        found[name] = topology.degree(number), rows[0], rows[1]
    return found


def true_arrows(store: GraphStore) -> Arrows:
    """Return what the tables of a store tell of each of its concepts."""
    names = {name: None for edge in store.edges() for name in (edge.cause, edge.effect)}
    assert names
    return arrows_of(NamedTopology(store), names)


def assert_arrows(topology: Topology, true: Arrows) -> None:
    """Fail unless a topology tells of every concept what is `true`, and of no other."""
    assert arrows_of(topology, true) == true
    for absent in ("", "no such concept", "\U0010ffff", "\udfff\udfff"):
        assert topology.number(absent) is None

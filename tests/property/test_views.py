"""Every view of a graph gives the same answers: its index, its tables, and an overlay that edits nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from hostile import HOSTILE_NAMES
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.algorithms.cuts import blocking_concepts, blocking_edges, necessary_causes
from graph.algorithms.paths import best_paths, common_causes, common_effects, feedback_loops
from graph.algorithms.reachability import neighbourhood, reachable_concepts
from graph.intervene import Overlay
from graph.intervene.effect_probability import effect_probabilities
from graph.model import Alias, Claim, Evidence, Polarity, Relation, Source, Stance, Statement
from graph.protocols import GraphView, Topology
from graph.stores import open_store
from graph.stores.sqlite.index import index_build as building
from graph.stores.sqlite.index import lifecycle as keeping
from graph.stores.sqlite.index.mapped_topology import MappedTopology
from graph.topology import ACTING_LINKS, DRIVING_LINKS, EVERY_LINK, Links, NamedTopology

_NAMES = (*HOSTILE_NAMES[::3], "rain", "flood", "loss")
_names = st.sampled_from(_NAMES)
_records = st.builds(
    Evidence,
    st.builds(Source, st.just("text"), st.sampled_from(("", "Market crash", "Depression of the mind")), st.sampled_from("abc")),
    st.sampled_from([Stance.ASSERTED, *Stance]),
)
_claims = st.builds(Claim, _names, _names, st.sampled_from((Relation.CAUSES, *Relation)), st.sampled_from(Polarity))
_statements = st.lists(st.builds(Statement, _claims, _records), min_size=1, max_size=60)
_aliases = st.lists(st.builds(Alias, st.sampled_from(("x", "y")), _names), max_size=2)
_some = st.lists(_names, min_size=1, max_size=2, unique=True)
_links = st.sampled_from((EVERY_LINK, DRIVING_LINKS, ACTING_LINKS, Links(above=-1.0)))


class Tables:
    """A view whose arrows are asked of it edge by edge, with the `degree_of` of the tables or without."""

    def __init__(self, view: GraphView, degree_of: Callable[[str], int] | None = None) -> None:
        self._view = view
        self._degree_of = degree_of

    def topology(self) -> Topology:
        return NamedTopology(self._view, self._degree_of)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._view, name)


def answers(view: GraphView, xs: Sequence[str], ys: Sequence[str], length: int, limit: int, links: Links) -> dict[str, object]:
    """What a view answers to every operation."""
    around = neighbourhood(view, xs, length, limit, links)
    return {
        "paths": best_paths(view, xs, ys, length, limit, links),
        "reachable": (
            reachable_concepts(view, xs[0], length, links),
            reachable_concepts(view, ys[0], length, links, forward=False),
        ),
        "necessary": (necessary_causes(view, xs, ys, length, links), necessary_causes(view, xs, ys, None, links)),
        "blocking": (blocking_edges(view, xs, ys, length, links), blocking_concepts(view, xs, ys, length, links)),
        "loops": feedback_loops(view, xs, length, limit, links),
        "common": (common_causes(view, xs, ys, length, limit, links), common_effects(view, xs, ys, length, limit, links)),
        "around": (sorted(around.concepts), around.edges),
        "chances": (
            effect_probabilities(view, view, ys[:1], xs, samples=64),
            effect_probabilities(view, view, ys[:1], samples=64),
        ),
    }


@settings(max_examples=40, deadline=None)
@given(_statements, _aliases, _some, _some, st.integers(0, 4), st.integers(0, 5), _links, st.booleans())
def test_every_view_gives_the_same_answers(
    statements: list[Statement],
    aliases: list[Alias],
    xs: list[str],
    ys: list[str],
    length: int,
    limit: int,
    links: Links,
    large: bool,
) -> None:
    size = partial(patch.object, building)
    with (
        TemporaryDirectory() as folder,
        patch.object(keeping, "FEWEST", 0),
        size("LARGE", 1 if large else 1 << 30),
        size("MANY_NAMES", 1 if large else 1 << 30),
    ):
        path = str(Path(folder) / "graph.kgqa")
        with closing(open_store(path, create=True)) as writer:
            writer.add(statements, aliases)
        with closing(open_store(path)) as store:
            assert isinstance(store.topology(), MappedTopology)

            def degree(name: str) -> int:
                return len(store.causes(name)) + len(store.effects(name))

            expected = answers(store, xs, ys, length, limit, links)
            for view in (
                Tables(store),
                Tables(store, degree),
                Overlay(store, ()),
                Overlay(Tables(store), ()),
                Tables(Overlay(store, ())),
            ):
                assert answers(view, xs, ys, length, limit, links) == expected

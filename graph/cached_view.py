"""A causal graph as a view that looks everything up once: for as long as one question is being answered."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import TypeVar, cast

from graph.model import Claim, Concept, Edge, Evidence
from graph.protocols import GraphView, Topology

_Result = TypeVar("_Result")


class CachedView:
    """A view of a graph that does not change: what was looked up is kept as long as the view.

    Whoever answers one question asks for the same edges and names several times, along each reading of its phrases.
    """

    def __init__(self, view: GraphView) -> None:
        self._view = view
        self._held: dict[tuple[Hashable, ...], object] = {}

    def _cached(self, look_up: Callable[..., _Result], *about: Hashable) -> _Result:
        key = (look_up.__name__, *about)
        try:
            return cast(_Result, self._held[key])
        except KeyError:
            result = self._held[key] = look_up(*about)
            return result

    @cached_property
    def _topology(self) -> Topology:
        return self._view.topology()

    def topology(self) -> Topology:
        """Return the arrows of the graph as they were when they were first asked for."""
        return self._topology

    def concept(self, name: str) -> Concept | None:
        """Return the concept of exactly this name, or that has it as an alias, or `None`."""
        return self._cached(self._view.concept, name)

    def causes(self, effect: str) -> Sequence[Edge]:
        """Return the edges into `effect`, most believed first."""
        return self._cached(self._view.causes, effect)

    def effects(self, cause: str) -> Sequence[Edge]:
        """Return the edges out of `cause`, most believed first."""
        return self._cached(self._view.effects, cause)

    def edge(self, claim: Claim) -> Edge | None:
        """Return the edge of exactly this claim, or `None`."""
        return self._cached(self._view.edge, claim)

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        """Return every evidence record of `claim`, in a stable order."""
        return self._cached(self._view.evidence, claim)

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        """Return names of concepts that hold every one of `words` by stem, shortest names first."""
        return self._cached(self._search, tuple(words), limit)

    def _search(self, words: tuple[str, ...], limit: int) -> Sequence[str]:
        return self._view.search(words, limit)

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        """Return names of concepts that are spelt like `name`, nearest first."""
        return self._cached(self._view.similar, name, limit)

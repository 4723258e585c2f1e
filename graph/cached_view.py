"""A causal graph as a view that looks everything up once: for as long as one question is being answered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from graph.protocols import GraphView


class CachedView:
    """A view of a graph that does not change: results are cached as long as the view.

    One question needs the same edges and names several times, along each reading of its phrases.
    """

    def __init__(self, view: GraphView) -> None:
        self.topology, self.concept, self.edge = cache(view.topology), cache(view.concept), cache(view.edge)
        self.causes, self.effects, self.evidence = cache(view.causes), cache(view.effects), cache(view.evidence)
        self.similar = cache(view.similar)
        self._search = cache(view.search)

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        """Return names of concepts that contain every one of `words` by stem, shortest names first."""
        return self._search(tuple(words), limit)

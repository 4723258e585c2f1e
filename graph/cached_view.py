"""A causal graph as a view that looks everything up once: for as long as one question is being answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from graph.protocols import GraphView


class CachedView:
    """A view of a graph that does not change: results are cached as long as the view.

    One question needs the same edges and names several times, along each reading of its phrases. A view behind a network has a
    `bulk_view`, which is used in its place: it fetches many things at once, those that it is told to `expect` among them.
    """

    def __init__(self, view: GraphView) -> None:
        bulk_view: Callable[[], GraphView] | None = getattr(view, "bulk_view", None)
        view = view if bulk_view is None else bulk_view()
        self.expect: Callable[[Iterable[str]], None] | None = getattr(view, "expect", None)
        self.expect_searches: Callable[[Iterable[Sequence[str]]], None] | None = getattr(view, "expect_searches", None)
        self.topology, self.concept, self.edge = cache(view.topology), cache(view.concept), cache(view.edge)
        self.causes, self.effects, self.evidence = cache(view.causes), cache(view.effects), cache(view.evidence)
        self.similar = cache(view.similar)
        self._search = cache(view.search)

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        """Return names of concepts that contain every one of `words` by stem, shortest names first."""
        return self._search(tuple(words), limit)


def expect_names(view: GraphView, names: Callable[[], Iterable[str]]) -> None:
    """Tell a view which names are probably looked up next, if it fetches many at once; other views do not compute them."""
    expect: Callable[[Iterable[str]], None] | None = getattr(view, "expect", None)
    if expect is not None:
        expect(names())


def expect_searches(view: GraphView, searches: Callable[[], Iterable[Sequence[str]]]) -> None:
    """Tell a view which searches are probably done next, if it does many at once; for other views they are not computed."""
    expect: Callable[[Iterable[Sequence[str]]], None] | None = getattr(view, "expect_searches", None)
    if expect is not None:
        expect(searches())

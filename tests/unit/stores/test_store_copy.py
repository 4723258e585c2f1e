"""Copying a graph from one store to another, in batches and after a stop."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from graph.errors import CopyDiffers
from graph.model import Alias, Claim, Evidence, Source, Statement
from graph.protocols import Added
from graph.stores import store_copy as copying
from graph.stores.sqlite.embedded_store import EmbeddedStore
from graph.stores.store_copy import copy_graph


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "BATCH", 10)


def graph_of(claims: int, records: int = 3) -> EmbeddedStore:
    store = EmbeddedStore.in_memory()
    pages = [Source("text", f"Page {place}") for place in range(records)]
    store.add(
        [Statement(Claim(f"cause {place:03}", "effect"), Evidence(page)) for place in range(claims) for page in pages],
        [Alias(f"alias {place}", f"cause {place:03}") for place in range(claims)],
    )
    return store


class Stopping(EmbeddedStore):
    """A store whose process is stopped after some batches."""

    left = 2

    def add(
        self, statements: Iterable[Statement], aliases: Iterable[Alias] = (), progress: tuple[str, int] | None = None
    ) -> Added:
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        return super().add(statements, aliases, progress)


@pytest.mark.parametrize(("claims", "records"), [(0, 1), (1, 1), (20, 3), (3, 50), (10, 1)])
def test_a_copy_has_the_digest_of_its_source(claims: int, records: int) -> None:
    source, target = graph_of(claims, records), EmbeddedStore.in_memory()
    added = copy_graph(source, target)
    assert (added.claims, added.evidence) == (claims, claims * records)
    assert target.digest() == source.digest()
    assert list(target.aliases()) == list(source.aliases())


@pytest.mark.parametrize("stops", range(8))
def test_a_copy_that_was_stopped_goes_on_where_it_was(stops: int) -> None:
    source, target = graph_of(20), Stopping.in_memory()
    assert isinstance(target, Stopping)
    target.left = stops
    with pytest.raises(KeyboardInterrupt):
        copy_graph(source, target)
    before = target.stats().evidence
    target.left = 100
    seen: list[int] = []
    added = copy_graph(source, target, seen.append)
    assert added.evidence == 60 - before
    assert seen[0] >= before
    assert target.digest() == source.digest()


def test_a_graph_that_held_something_keeps_it() -> None:
    source, target = graph_of(5), EmbeddedStore.in_memory()
    target.add([Statement(Claim("rain", "flood"), Evidence(Source("text", "A")))])
    copy_graph(source, target)
    assert target.stats().claims == 6


def test_a_source_that_changes_meanwhile_is_told() -> None:
    source, target = graph_of(20), EmbeddedStore.in_memory()

    def change(done: int) -> None:
        if done == 12:
            source.add([Statement(Claim("x", "y"), Evidence(Source("text", "A")))])

    with pytest.raises(CopyDiffers, match="changed meanwhile"):
        copy_graph(source, target, change)

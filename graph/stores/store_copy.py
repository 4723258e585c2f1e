"""Copies of a graph in another store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from graph.errors import CopyDiffers
from graph.model import Statement
from graph.protocols import Added, GraphStore
from graph.stores.codec import chunks
from graph.stores.digest import EMPTY_DIGEST

BATCH = 10_000


def copy_graph(source: GraphStore, target: GraphStore, on_batch: Callable[[int], None] = lambda done: None) -> Added:
    """Add everything in `source` to `target` in batches; return what was new there.

    The progress is stored in `target` with the records, so an interrupted copy continues where it stopped. `on_batch` is called
    with the number of records and aliases that are done. Raises `CopyDiffers` if `target` was empty before and its digest is
    not that of `source` at the end.
    """
    digest = source.digest()
    alone = f"copy of {digest} alone"
    is_alone = target.digest() == EMPTY_DIGEST or target.progress(alone) > 0
    job = alone if is_alone else f"copy of {digest}"
    statements, aliases = iter(source.statements()), iter(source.aliases())
    done, added = sum(1 for _ in islice(chain(statements, aliases), target.progress(job))), Added()
    on_batch(done)
    for batch in _whole_claims(statements):
        done += len(batch)
        added += target.add(batch, progress=(job, done))
        on_batch(done)
    for names in chunks(aliases, BATCH):
        done += len(names)
        added += target.add((), names, progress=(job, done))
        on_batch(done)
    target.add((), progress=(job, 0))
    if is_alone and target.digest() != digest:
        raise CopyDiffers(source.url, target.url, digest, target.digest())
    return added


def _whole_claims(statements: Iterable[Statement]) -> Iterator[list[Statement]]:
    """Yield statements in batches that end with a claim, unless one claim alone has more records than a batch."""
    batch: list[Statement] = []
    for statement in statements:
        if len(batch) >= BATCH and (statement.claim != batch[-1].claim or len(batch) >= 2 * BATCH):
            yield batch
            batch = []
        batch.append(statement)
    if batch:
        yield batch

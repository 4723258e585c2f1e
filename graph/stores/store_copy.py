"""Copying a graph from one store to another, whatever keeps them: in batches, and on from where it was after a stop.

Graphs that ship facts only: their evidence says where its sentence stands and how to tell its copies, not what it says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import TypeVar

from graph.belief.independence import sketch
from graph.errors import CopyDiffers
from graph.model import Claim, Evidence, Statement
from graph.protocols import Added, GraphStore
from graph.stores.digest import EMPTY_DIGEST

BATCH = 10_000
Item = TypeVar("Item")


def copy_graph(source: GraphStore, target: GraphStore, on_batch: Callable[[int], None] = lambda done: None) -> Added:
    """Add everything that `source` holds to `target`; return what was new there.

    How far it has come is kept in `target` with the records themselves, so a copy that was stopped goes on where it was.
    `on_batch` is told how many records and aliases are done. A graph that held nothing else has the digest of its source
    in the end; raises `CopyDiffers` where it has not.
    """
    digest = source.digest()
    alone = f"copy of {digest} alone"
    is_alone = target.digest() == EMPTY_DIGEST or target.progress(alone) > 0
    job = alone if is_alone else f"copy of {digest}"
    done, added = target.progress(job), Added()
    statements, aliases = _CountedItems(source.statements()), _CountedItems(source.aliases())
    skipped = sum(1 for _ in islice(chain(statements, aliases), done))
    on_batch(skipped)
    for batch in _whole_claims(statements):
        added += target.add(batch, progress=(job, statements.count))
        on_batch(statements.count)
    for some in _batches(aliases):
        added += target.add((), some, progress=(job, statements.count + aliases.count))
        on_batch(statements.count + aliases.count)
    target.add((), progress=(job, 0))
    if is_alone and target.digest() != digest:
        raise CopyDiffers(source.url, target.url, digest, target.digest())
    return added


class _CountedItems(Iterator[Item]):
    """Items, and how many of them were taken."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = iter(items)
        self.count = 0

    def __next__(self) -> Item:
        item = next(self._items)
        self.count += 1
        return item


def _batches(items: Iterator[Item]) -> Iterator[list[Item]]:
    while batch := list(islice(items, BATCH)):
        yield batch


def _whole_claims(statements: _CountedItems[Statement]) -> Iterator[list[Statement]]:
    """Yield statements in batches that end with a claim, unless one claim alone has more records than a batch."""
    batch: list[Statement] = []
    last: Claim | None = None
    for statement in statements:
        if len(batch) >= BATCH and (statement.claim != last or len(batch) >= 2 * BATCH):
            statements.count -= 1
            yield batch
            statements.count += 1
            batch = []
        batch.append(statement)
        last = statement.claim
    if batch:
        yield batch


LONGEST_NAME_WORDS = 5
LONGEST_PAIR_WORDS = 7


def without_texts(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the statements without the text of their evidence."""
    for statement in statements:
        yield Statement(statement.claim, without_text(statement.evidence))


def has_short_names(claim: Claim) -> bool:
    """Return whether both names of a claim are short enough to be asked for: five words each at most, seven together."""
    words = len(claim.cause.split()), len(claim.effect.split())
    return max(words) <= LONGEST_NAME_WORDS and sum(words) <= LONGEST_PAIR_WORDS


def without_text(evidence: Evidence) -> Evidence:
    """Return a record without its text, but with its sketch, so that what was one group stays one."""
    return evidence if evidence.text is None else replace(evidence, text=None, sketch=sketch(evidence.text))

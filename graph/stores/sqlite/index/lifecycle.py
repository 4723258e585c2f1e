"""The index of one graph file: opened where it fits, made where it does not."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from graph.mapped_file import BlockDamaged, MappedFile, Unfit, write_mapped_file
from graph.stores.sqlite.index.edge_rows import EdgeRows
from graph.stores.sqlite.index.index_folder import (
    ARROWS,
    NAMES,
    WORDS,
    Generations,
    file_exists,
    folder_beside,
    folder_in_cache,
    index_folder_of,
)
from graph.stores.sqlite.index.mapped_topology import (
    ConnectionProvider,
    MappedTopology,
    TableFallback,
    consistent_snapshot,
    current_fingerprint,
)
from graph.stores.sqlite.index.name_table import CompressedNameTable, PlainNameTable

FEWEST = 1_000
"""A graph of fewer claims needs no index: SQLite is fast enough, and no folder appears beside its file."""
AT_ONCE = 300_000
"""For so many claims an index is made within two seconds, so that who asks first can wait for it."""


class _OpenGeneration(NamedTuple):
    """A generation of an index that was opened, with what it fits."""

    fit: bytes
    names: CompressedNameTable | PlainNameTable
    words: MappedFile | None
    topology: MappedTopology


class GraphIndex:
    """The index of the graph in the file at `path`, which messages call `url`; `connected` gives the connection to it."""

    def __init__(self, url: str, path: Path, connected: ConnectionProvider) -> None:
        self._url = url
        self._path = path
        self._connected = connected
        self._held: _OpenGeneration | None = None
        self._tried: bytes | None = None

    def topology(self, *, make: bool) -> MappedTopology | None:
        """Return the arrows of the graph as it is now, or `None` where there is no index of them.

        Where there is none, and the graph is small, `make` one first.
        """
        held = self._generation(make=make)
        return None if held is None else held.topology

    def similar(self, name: str, limit: int) -> list[str] | None:
        """Return names that are spelt like `name`, or `None` where that is not to be asked of the index."""
        held = self._generation(make=False)
        if held is None or held.words is None:
            return None
        from graph.stores.sqlite.index.spelling_index import WordGroups, names_of_similar_words

        try:
            return names_of_similar_words(WordGroups(held.words), held.names, name, limit)
        except BlockDamaged:
            return None

    def fits(self, connection: sqlite3.Connection) -> bool:
        """Return whether there is an index of the graph as it is now, or none is needed."""
        fit = current_fingerprint(connection)
        return fit is None or count_claims(connection) < FEWEST or self._opened(fit) is not None

    def renew(self, connection: sqlite3.Connection, *, wait: bool) -> None:
        """Make the index anew, unless another process does and this one shall not `wait`.

        Where it cannot be made, for want of room or of rights or of a sound graph, there is none: the tables answer, or fail.
        """
        from graph.stores.sqlite.index.index_build import Unindexable, index_contents

        folder = index_folder_of(self._path)
        if folder is None:
            return
        with suppress(OSError, Unindexable, sqlite3.Error), consistent_snapshot(connection):
            fit = current_fingerprint(connection)
            if fit is None:
                return
            with Generations(folder).new(wait=wait) as generation:
                if generation is None:
                    return
                for name, sections in index_contents(connection):
                    write_mapped_file(generation / name, fit, sections)
            self._remove_from(stale_folder for stale_folder in self._folders() if stale_folder != folder)

    def remove(self) -> None:
        """Delete the index, as far as that may be done."""
        self._remove_from(self._folders())

    def problems(self, connection: sqlite3.Connection) -> Iterator[str]:
        """Compare the whole index with the graph, where one is there for it as it is now; yield what is wrong, in sentences."""
        from graph.stores.sqlite.index.index_build import index_problems

        with consistent_snapshot(connection):
            fit = current_fingerprint(connection)
            if fit is not None:
                yield from self._obstacles(connection)
                yield from index_problems(connection, map(Generations, self._folders()), fit)

    def _obstacles(self, connection: sqlite3.Connection) -> Iterator[str]:
        """Yield what hinders an index from being made that the graph would have."""
        folder = index_folder_of(self._path)
        obstacle = "" if folder is None or count_claims(connection) < FEWEST else Generations(folder).obstacle()
        if obstacle:
            yield f"no index can be made: {obstacle}; remove it, and then `kgqa check --mend` makes one"

    def _remove_from(self, folders: Iterable[Path]) -> None:
        for folder in folders:
            with suppress(OSError):
                Generations(folder).remove()

    def _generation(self, *, make: bool) -> _OpenGeneration | None:
        with self._connected() as connection:
            fit = current_fingerprint(connection)
            if fit is None:
                return None
            if self._held is None or self._held.fit != fit:
                self._held = self._opened(fit)
                # What could not be made once is not tried again with each question.
                if self._held is None and make and self._tried != fit and self._may_be_made_at_once(connection):
                    self._tried = fit
                    self.renew(connection, wait=False)
                    self._held = self._opened(fit)
            return self._held

    def _may_be_made_at_once(self, connection: sqlite3.Connection) -> bool:
        # A writer makes one when it is done; until then what is made would be out of date at once.
        return FEWEST <= count_claims(connection) <= AT_ONCE and not file_exists(Path(f"{self._path}-lock"))

    def _folders(self) -> list[Path]:
        """Return the folders in which the index may lie, first the one in which it would be made."""
        folders = dict.fromkeys((index_folder_of(self._path), folder_beside(self._path), folder_in_cache(self._path)))
        return [folder for folder in folders if folder is not None]

    def _opened(self, fit: bytes) -> _OpenGeneration | None:
        for folder in self._folders():
            # A generation may be deleted between the reading of the pointer and the opening of its files; then there is another.
            for _ in range(2):
                generation = Generations(folder).current()
                if generation is None:
                    break
                with suppress(BlockDamaged, Unfit):
                    return self._mapped(generation, fit)
        return None

    def _mapped(self, generation: Path, fit: bytes) -> _OpenGeneration:
        arrows = EdgeRows(MappedFile(generation / ARROWS, fit))
        names_file = MappedFile(generation / NAMES, fit)
        names = (PlainNameTable if names_file.has("names") else CompressedNameTable)(names_file, arrows.concepts)
        words = None
        with suppress(Unfit):
            words = MappedFile(generation / WORDS, fit)
        return _OpenGeneration(fit, names, words, MappedTopology(arrows, names, TableFallback(self._url, fit, self._connected)))


def count_claims(connection: sqlite3.Connection) -> int:
    """Return the number of claims in a store."""
    # Claims are never deleted, so that the last id is their number.
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM claim").fetchone()[0])

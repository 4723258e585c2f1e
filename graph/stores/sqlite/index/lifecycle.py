"""The index of one graph file: opened if it fits, built if it does not."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from graph.mapped_file import BlockDamaged, MappedFile, Unfit, write_mapped_file
from graph.stores.sqlite.index.claim_hashes import ClaimHashes
from graph.stores.sqlite.index.edge_rows import EdgeRows
from graph.stores.sqlite.index.index_folder import ARROWS, HASHES, NAMES, WORDS, Generations, index_folder_of, index_folders
from graph.stores.sqlite.index.mapped_topology import ConnectionProvider, MappedTopology, TableFallback, current_fingerprint
from graph.stores.sqlite.index.name_table import CompressedNameTable, PlainNameTable
from graph.stores.sqlite.sqlite_queries import consistent_snapshot

FEWEST = 1_000  # a graph of fewer claims needs no index: SQLite is fast enough, and no folder appears beside its file
AT_ONCE = 300_000  # the index of so many claims is built within three seconds, so that the first reader can wait for it


class _OpenGeneration(NamedTuple):
    """A generation of an index that was opened, with the fingerprint that it fits."""

    fingerprint: bytes
    names: CompressedNameTable | PlainNameTable
    words: MappedFile | None
    topology: MappedTopology
    hashes: ClaimHashes


class GraphIndex:
    """The index of the graph in the file at `path`, which messages call `url`; `connected` gives the connection to it."""

    def __init__(self, url: str, path: Path, connected: ConnectionProvider) -> None:
        self._url = url
        self._path = path
        self._connected = connected
        self._held: _OpenGeneration | None = None
        self._tried: bytes | None = None

    def topology(self, *, make: bool) -> MappedTopology | None:
        """Return the arrows of the graph as it is now, or `None` if there is no index of them.

        If there is none, and the graph is small, `make` one first.
        """
        held = self._generation(make=make)
        return None if held is None else held.topology

    def similar(self, name: str, limit: int) -> list[str] | None:
        """Return names that are spelled like `name`, or `None` if the index cannot find them."""
        held = self._generation(make=False)
        if held is None or held.words is None:
            return None
        from graph.stores.sqlite.index.spelling_index import WordGroups, names_of_similar_words

        try:
            return names_of_similar_words(WordGroups(held.words), held.names, name, limit)
        except BlockDamaged:
            return None

    def claims_of_hash(self, digits: str) -> list[int] | None:
        """Return the ids of the claims that may have this hash, or `None` if the index cannot tell."""
        held = self._generation(make=False)
        if held is None:
            return None
        try:
            return list(held.hashes.claims(digits))
        except BlockDamaged:
            return None

    def fits(self, connection: sqlite3.Connection) -> bool:
        """Return whether there is an index of the graph as it is now, or none is needed."""
        fingerprint = current_fingerprint(connection)
        return fingerprint is None or _count_claims(connection) < FEWEST or self._opened(fingerprint) is not None

    def renew(self, connection: sqlite3.Connection, *, wait: bool) -> None:
        """Build the index again, unless another process builds it and this one shall not `wait`.

        If it cannot be built, for want of room or of rights or of a sound graph, there is none: the tables answer, or fail.
        """
        from graph.stores.sqlite.index.index_build import Unindexable, index_contents

        folder = index_folder_of(self._path)
        if folder is None:
            return
        with suppress(OSError, Unindexable, sqlite3.Error), consistent_snapshot(connection):
            fingerprint = current_fingerprint(connection)
            if fingerprint is None:
                return
            with Generations(folder).new(wait=wait) as generation:
                if generation is None:
                    return
                for name, sections in index_contents(connection):
                    write_mapped_file(generation / name, fingerprint, sections)
            self.remove(except_in=folder)

    def remove(self, except_in: Path | None = None) -> None:
        """Delete the index, as far as possible, from all folders but one."""
        for folder in index_folders(self._path):
            if folder != except_in:
                with suppress(OSError):
                    Generations(folder).remove()

    def problems(self, connection: sqlite3.Connection) -> Iterator[str]:
        """Compare the whole index with the graph, if there is one of its present state; yield what is wrong, in sentences."""
        from graph.stores.sqlite.index.index_integrity import index_problems

        with consistent_snapshot(connection):
            fingerprint = current_fingerprint(connection)
            if fingerprint is None:
                return
            folder = index_folder_of(self._path)
            if folder is not None and _count_claims(connection) >= FEWEST and (obstacle := Generations(folder).obstacle()):
                yield f"no index can be made: {obstacle}; remove it, and then `kgqa check --mend` makes one"
            yield from index_problems(connection, map(Generations, index_folders(self._path)), fingerprint)

    def _generation(self, *, make: bool) -> _OpenGeneration | None:
        with self._connected() as connection:
            fingerprint = current_fingerprint(connection)
            if fingerprint is None:
                return None
            if self._held is None or self._held.fingerprint != fingerprint:
                self._held = self._opened(fingerprint)
                # What could not be built is not tried again with each question.
                if self._held is None and make and self._tried != fingerprint and self._is_small_and_at_rest(connection):
                    self._tried = fingerprint
                    self.renew(connection, wait=False)
                    self._held = self._opened(fingerprint)
            return self._held

    def _is_small_and_at_rest(self, connection: sqlite3.Connection) -> bool:
        # A writer builds an index when it closes the store; one built before would be out of date at once.
        return FEWEST <= _count_claims(connection) <= AT_ONCE and not os.access(f"{self._path}-lock", os.F_OK)

    def _opened(self, fingerprint: bytes) -> _OpenGeneration | None:
        for folder in index_folders(self._path):
            # A generation may be deleted after the pointer is read and before its files are opened; then there is another.
            for _ in range(2):
                generation = Generations(folder).current()
                if generation is None:
                    break
                with suppress(BlockDamaged, Unfit):
                    return self._mapped(generation, fingerprint)
        return None

    def _mapped(self, generation: Path, fingerprint: bytes) -> _OpenGeneration:
        arrows = EdgeRows(MappedFile(generation / ARROWS, fingerprint))
        file = MappedFile(generation / NAMES, fingerprint)
        names = (PlainNameTable if file.has("names") else CompressedNameTable)(file, arrows.concepts)
        words = None
        with suppress(Unfit):
            words = MappedFile(generation / WORDS, fingerprint)
        topology = MappedTopology(arrows, names, TableFallback(self._url, fingerprint, self._connected))
        return _OpenGeneration(fingerprint, names, words, topology, ClaimHashes(MappedFile(generation / HASHES, fingerprint)))


def _count_claims(connection: sqlite3.Connection) -> int:
    # Claims are never deleted, so that the last id is their number.
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM claim").fetchone()[0])

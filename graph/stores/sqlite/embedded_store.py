"""The store that ships with kgqa: a graph in one SQLite file, or in memory.

Making a graph that was mined into one that ships: a single small file that is only read.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from graph.errors import StoreReadOnly
from graph.model import Alias, Claim, Concept, Edge, Evidence, Statement
from graph.protocols import Added, Stats, Topology
from graph.stores.closable_store import ClosableStore
from graph.stores.digest import digest_after
from graph.stores.serialization import encode_text
from graph.stores.sqlite import interned_texts as sentences
from graph.stores.sqlite import sqlite_queries as reading
from graph.stores.sqlite import sqlite_queries as spelling
from graph.stores.sqlite.index.lifecycle import GraphIndex
from graph.stores.sqlite.index.mapped_topology import consistent_snapshot
from graph.stores.sqlite.sqlite_connection import WriterLock, close_journal, connect_in_memory, connect_to_read, connect_to_write
from graph.stores.sqlite.sqlite_errors import translate_sqlite_errors
from graph.topology import NamedTopology


class EmbeddedStore(ClosableStore):
    """A `GraphStore` over an SQLite database.

    Every method raises an error of `graph.errors` where the database fails, and `ValueError` where the store is closed.
    """

    def __init__(self, url: str, connection: sqlite3.Connection, *, lock: WriterLock | None, writable: bool) -> None:
        self.url = url
        self._open: sqlite3.Connection | None = connection
        self._lock = lock
        self._writable = writable
        self._indexed = True
        self._index = None if lock is None and writable else GraphIndex(url, Path(url).resolve(), self._reading)

    @classmethod
    def in_memory(cls) -> EmbeddedStore:
        """Return a new, empty store that is gone when it is closed."""
        return cls("memory:", connect_in_memory(), lock=None, writable=True)

    @classmethod
    def to_read(cls, url: str) -> EmbeddedStore:
        """Return the store in the file at the path `url`, to read; a writer may be at work beside."""
        return cls(url, connect_to_read(url), lock=None, writable=False)

    @classmethod
    def to_write(cls, url: str, *, create: bool = False) -> EmbeddedStore:
        """Return the store in the file at the path `url`, to read and write; `create` makes it where there is none."""
        connection, lock = connect_to_write(url, may_create=create)
        return cls(url, connection, lock=lock, writable=True)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection; its errors are those of `graph.errors`."""
        if self._open is None:
            raise ValueError(f"the graph '{self.url}' is closed")
        with translate_sqlite_errors(self.url, writing=self._writable):
            yield self._open

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[sqlite3.Connection]:
        """Give the connection in one transaction: committed at the end, rolled back where the block raises."""
        with self._reading() as connection:
            connection.execute(f"BEGIN {kind}")
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                # SQLite has rolled back by itself after some failures, such as a full disk.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def concept(self, name: str) -> Concept | None:
        """Return the concept of exactly this name, or that has it as an alias, or `None`."""
        with self._reading() as connection:
            return reading.select_concept(connection, name)

    def causes(self, effect: str) -> Sequence[Edge]:
        """Return the edges into `effect`, most believed first."""
        with self._reading() as connection:
            return reading.select_causes(connection, effect)

    def effects(self, cause: str) -> Sequence[Edge]:
        """Return the edges out of `cause`, most believed first."""
        with self._reading() as connection:
            return reading.select_effects(connection, cause)

    def edge(self, claim: Claim) -> Edge | None:
        """Return the edge of exactly this claim, or `None`."""
        with self._reading() as connection:
            return reading.select_edge(connection, claim)

    def topology(self) -> Topology:
        """Return the arrows of the graph as it is now: those of its index, which may be made first, or of the tables."""
        if self._index is not None:
            indexed_topology = self._index.topology(make=not self._writable)
            if indexed_topology is not None:
                return indexed_topology
        return NamedTopology(self, self._degree)

    def _degree(self, name: str) -> int:
        with self._reading() as connection:
            return reading.select_degree(connection, name)

    def evidence(self, claim: Claim) -> Sequence[Evidence]:
        """Return every record of `claim`, by source, place and rule."""
        with self._reading() as connection:
            return reading.select_evidence(connection, claim)

    def search_evidence(self, words: Sequence[str], limit: int = 20) -> Sequence[Statement]:
        """Return records whose sentence holds any of `words` by stem, best first (BM25)."""
        with self._reading() as connection:
            return sentences.select_evidence_by_words(connection, words, limit)

    def search(self, words: Sequence[str], limit: int = 20) -> Sequence[str]:
        """Return names of concepts that hold every one of `words` by stem, shortest first, then alphabetically."""
        with self._reading() as connection:
            return reading.select_names_by_words(connection, words, limit)

    def beginning_with(self, prefix: str, limit: int) -> Sequence[str]:
        """Return names of concepts that begin with `prefix`: those of most claims first, then the shortest."""
        with self._reading() as connection:
            return reading.select_names_by_prefix(connection, prefix, limit)

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        """Return names of concepts that are spelt like `name`, nearest first; empty where none is near."""
        names = None if self._index is None else self._index.similar(name, limit)
        if names is not None:
            return names
        with self._reading() as connection:
            return spelling.select_similar_names(connection, name, limit)

    def add(
        self, statements: Iterable[Statement], aliases: Iterable[Alias] = (), progress: tuple[str, int] | None = None
    ) -> Added:
        """Add records, ignoring those that are there already, in one transaction; a record may gain its text.

        Raises `StoreReadOnly`, `StoreFull`, or `ValueError` for a claim without a cause or an effect; nothing is added then.
        """
        if not self._writable:
            raise StoreReadOnly(self.url)
        # What writes is imported here: who only reads opens a store in a few milliseconds.
        from graph.stores.sqlite.insertion import add_aliases, add_statements

        with self._transaction("IMMEDIATE") as connection:
            added, marks = add_statements(connection, statements)
            marks += add_aliases(connection, aliases)
            if marks:
                digest = digest_after(reading.select_digest(connection), marks)
                connection.execute("UPDATE meta SET value = ? WHERE key = 'digest'", (digest,))
            if progress is not None:
                job, done = progress
                connection.execute("REPLACE INTO job (name, done) VALUES (?, ?)", (encode_text(job), done))
        return added

    def progress(self, job: str) -> int:
        """Return how many items of `job` are done: 0 for a job never seen."""
        with self._reading() as connection:
            return reading.select_progress(connection, job)

    def statements(self) -> Iterator[Statement]:
        """Iterate over every claim with each of its records, sorted by cause, effect, source and place."""
        with self._reading() as connection:
            yield from reading.select_statements(connection)

    def edges(self) -> Iterator[Edge]:
        """Iterate over every claim as an edge, in the order of `statements`."""
        with self._reading() as connection:
            yield from reading.select_edges(connection)

    def aliases(self) -> Iterator[Alias]:
        """Iterate over every alias, sorted by name."""
        with self._reading() as connection:
            yield from reading.select_aliases(connection)

    def digest(self) -> str:
        """Return 32 hexadecimal digits that depend on the claims, evidence and aliases alone."""
        with self._reading() as connection:
            return reading.select_digest(connection)

    def stats(self) -> Stats:
        """Return counts and the digest, all of one state of the store."""
        with self._transaction("DEFERRED") as connection:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            return reading.select_stats(connection, self.url, str(version))

    def check(self) -> Sequence[str]:
        """Verify the database and what is derived from it; return what is wrong, a sentence each."""
        from graph.stores.sqlite import integrity as checking

        # What is compared must be of one state, or a writer beside would look like damage.
        with self._reading() as connection, consistent_snapshot(connection):
            return checking.sqlite_problems(connection, *(() if self._index is None else (self._index.problems,)))

    def compact(self) -> None:
        """Rewrite the file as small as it can be, and leave it without an index; nothing that can be asked changes."""
        if not self._writable:
            raise StoreReadOnly(self.url)
        from graph.stores.sqlite.claim_rows import recount_all

        with self._transaction("IMMEDIATE") as connection:
            recount_all(connection)
        with self._reading() as connection:
            connection.execute("INSERT INTO concept_words (concept_words) VALUES ('optimize')")
            connection.execute("VACUUM")
        self._indexed = False

    def repair(self) -> None:
        """Make anew what is derived: counts and word indexes where the store may be written, and the index in any case."""
        if self._writable:
            from graph.stores.sqlite.integrity import repair_tables

            with self._transaction("IMMEDIATE") as connection:
                repair_tables(connection)
        if self._index is not None:
            with self._reading() as connection:
                self._index.renew(connection, wait=True)

    def close(self) -> None:
        """Release the store and leave one file; closing twice is allowed."""
        connection, self._open = self._open, None
        if connection is None:
            return
        try:
            with translate_sqlite_errors(self.url), closing(connection):
                if self._lock is not None:
                    self._renew_index(connection)
                    close_journal(connection)
        finally:
            if self._lock is not None:
                self._lock.release()

    def _renew_index(self, connection: sqlite3.Connection) -> None:
        if self._index is None:
            return
        if not self._indexed:
            self._index.remove()
        # Who was interrupted, or has failed, does not wait for an index; and a graph that is damaged is closed all the same.
        elif sys.exc_info()[0] is None:
            with suppress(sqlite3.Error):
                if not self._index.fits(connection):
                    self._index.renew(connection, wait=True)


_READ_ONLY = 0o444


def compact_store(path: str | Path) -> None:
    """Rewrite the store at `path` as small as it can be, and take away the right to write it.

    Raises what opening a store to write raises, and `StoreFull` where there is no room for the copy; the store is intact then.
    """
    with closing(EmbeddedStore.to_write(str(path))) as store:
        store.compact()
    Path(path).chmod(_READ_ONLY)


def repair_store(url: str) -> None:
    """Rebuild everything derived from the graph in the file at `url`, or the index alone where the file is read-only.

    Raises what opening a store raises, and `StoreDamaged` where the claims themselves cannot be read.
    """
    try:
        store = EmbeddedStore.to_write(url)
    except StoreReadOnly:
        store = EmbeddedStore.to_read(url)
    with closing(store):
        store.repair()

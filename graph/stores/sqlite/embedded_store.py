"""The store that ships with kgqa: a graph in one SQLite file, or in memory."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from graph.errors import StoreReadOnly
from graph.model import Alias, Claim, Statement
from graph.protocols import Added, Topology
from graph.stores.codec import encode_text
from graph.stores.digest import digest_after
from graph.stores.sqlite import sqlite_connection
from graph.stores.sqlite.index.lifecycle import GraphIndex
from graph.stores.sqlite.sqlite_queries import SqliteQueries, consistent_snapshot, select_digest
from graph.topology import NamedTopology


class EmbeddedStore(SqliteQueries):
    """A `GraphStore` over an SQLite database.

    Every method raises an error of `graph.errors` if the database fails, and `ValueError` if the store is closed.
    """

    def __init__(
        self, url: str, connection: sqlite3.Connection, *, lock: sqlite_connection.WriterLock | None, writable: bool
    ) -> None:
        super().__init__(url, connection, writable=writable)
        self._lock = lock
        self._indexed = True
        self._index = None if lock is None and writable else GraphIndex(url, Path(url).resolve(), self._reading)

    @classmethod
    def in_memory(cls) -> EmbeddedStore:
        """Return a new, empty store that ends when it is closed."""
        return cls("memory:", sqlite_connection.connect_in_memory(), lock=None, writable=True)

    @classmethod
    def to_read(cls, url: str) -> EmbeddedStore:
        """Return the store in the file at the path `url`, to read; another process may write it meanwhile."""
        return cls(url, sqlite_connection.connect_to_read(url), lock=None, writable=False)

    @classmethod
    def to_write(cls, url: str, *, create: bool = False) -> EmbeddedStore:
        """Return the store in the file at the path `url`, to read and write; `create` creates it if there is none."""
        connection, lock = sqlite_connection.connect_to_write(url, may_create=create)
        return cls(url, connection, lock=lock, writable=True)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Give the connection in one transaction: committed at the end, rolled back if the block raises."""
        with self._reading() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                # SQLite has rolled back by itself after some failures, such as a full disk.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def topology(self) -> Topology:
        """Return the arrows of the graph as it is now: those of its index, which may be built first, or of the tables."""
        topology = None if self._index is None else self._index.topology(make=not self._writable)
        return NamedTopology(self, self._degree) if topology is None else topology

    def similar(self, name: str, limit: int = 3) -> Sequence[str]:
        """Return names of concepts that are spelled like `name`, nearest first; empty if none is near."""
        names = None if self._index is None else self._index.similar(name, limit)
        return super().similar(name, limit) if names is None else names

    def claim_of_hash(self, digits: str) -> Claim | None:
        """Return the claim with this hash, or `None`: by the index, or by a look at every claim where there is none."""
        numbers = None if self._index is None else self._index.claims_of_hash(digits)
        if numbers is None:
            return super().claim_of_hash(digits)
        claims = map(self._claim_of_id, numbers)
        return next((claim for claim in claims if claim is not None and claim.hash == digits), None)

    def add(
        self, statements: Iterable[Statement], aliases: Iterable[Alias] = (), progress: tuple[str, int] | None = None
    ) -> Added:
        """Add records in one transaction, ignoring those that are stored already; a record may gain its text.

        Raises `StoreReadOnly`, `StoreFull`, or `ValueError` for a claim without a cause or an effect; then nothing is added.
        """
        if not self._writable:
            raise StoreReadOnly(self.url)
        # Not imported above, so that opening a store to read takes a few milliseconds only.
        from graph.stores.sqlite.insertion import add_aliases, add_statements

        with self._writing() as connection:
            added, marks = add_statements(connection, statements)
            marks += add_aliases(connection, aliases)
            if marks:
                digest = digest_after(select_digest(connection), marks)
                connection.execute("UPDATE meta SET value = ? WHERE key = 'digest'", (digest,))
            if progress is not None:
                job, done = progress
                connection.execute("REPLACE INTO job (name, done) VALUES (?, ?)", (encode_text(job), done))
        return added

    def check(self) -> Sequence[str]:
        """Verify the database and what is derived from it; return what is wrong, a sentence each."""
        from graph.stores.sqlite.integrity import sqlite_problems

        # All reads must be of one state, or a concurrent writer would look like damage.
        with self._reading() as connection, consistent_snapshot(connection):
            return sqlite_problems(connection, *(() if self._index is None else (self._index.problems,)))

    def compact(self) -> None:
        """Rewrite the file as small as possible, without an index; answers stay the same."""
        if not self._writable:
            raise StoreReadOnly(self.url)
        from graph.stores.sqlite.claim_rows import recount_all

        with self._writing() as connection:
            recount_all(connection)
        with self._reading() as connection:
            connection.execute("INSERT INTO concept_words (concept_words) VALUES ('optimize')")
            connection.execute("VACUUM")
        self._indexed = False

    def repair(self) -> None:
        """Derive counts and word indexes again if the store can be written, and build the index again in any case."""
        if self._writable:
            from graph.stores.sqlite.integrity import repair_tables

            with self._writing() as connection:
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
            with sqlite_connection.translate_sqlite_errors(self.url), closing(connection):
                if self._lock is not None:
                    self._renew_index(connection)
                    sqlite_connection.close_journal(connection)
        finally:
            if self._lock is not None:
                self._lock.release()

    def _renew_index(self, connection: sqlite3.Connection) -> None:
        if self._index is None:
            return
        if not self._indexed:
            self._index.remove()
        # After an interruption or an error nobody waits for an index; and a damaged graph is closed all the same.
        elif sys.exc_info()[0] is None:
            with suppress(sqlite3.Error):
                if not self._index.fits(connection):
                    self._index.renew(connection, wait=True)


def compact_store(path: str | Path) -> None:
    """Rewrite the store at `path` as a single small file that can only be read.

    Raises what opening a store to write raises, and `StoreFull` if there is no room for the copy; then the store is intact.
    """
    with closing(EmbeddedStore.to_write(str(path))) as store:
        store.compact()
    Path(path).chmod(0o444)


def repair_store(url: str) -> None:
    """Rebuild everything derived from the graph in the file at `url`, or the index alone if the file is read-only.

    Raises what opening a store raises, and `StoreDamaged` if the claims themselves cannot be read.
    """
    try:
        store = EmbeddedStore.to_write(url)
    except StoreReadOnly:
        store = EmbeddedStore.to_read(url)
    with closing(store):
        store.repair()

"""Adding records to a graph in Neo4j, in one transaction that may be run again from its beginning.

What is stored already is read first, under a lock on the node of the graph; only what is new or changed is written. So a
transaction that was committed without the client learning of it changes nothing when it is run again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, filterfalse
from types import TracebackType
from typing import Any, Self

import neo4j

from graph.model import Alias, Claim, Evidence, Source, Statement
from graph.protocols import Added
from graph.stores import claim_records
from graph.stores.claim_records import RecordsByIdentity
from graph.stores.codec import chunks
from graph.stores.digest import EMPTY_DIGEST, alias_marks, claim_mark, digest_after, evidence_mark
from graph.stores.neo4j import value_mapping as mapping
from graph.stores.neo4j.neo4j_connection import QUERY_S, fetch_rows
from graph.stores.neo4j.value_mapping import QueryRow, name_key, unescape_name

BATCH = 5_000
_LONGEST_QUEUE = 2

QueryRows = list[dict[str, Any]]


class QueryQueue:
    """Runs queries in order in another thread, so that the server works on one while the rows of the next are made.

    An error of a query is raised here, at the end at the latest.
    """

    def __init__(self, transaction: neo4j.ManagedTransaction) -> None:
        self._transaction = transaction
        self._thread = ThreadPoolExecutor(1, "neo4j")
        self._waiting: deque[Future[QueryRows]] = deque()

    def send(self, query: str, /, **parameters: object) -> None:
        """Add a query that returns nothing; wait if the queue is full."""
        self._waiting.append(self._thread.submit(fetch_rows, self._transaction, query, parameters))
        while len(self._waiting) > _LONGEST_QUEUE:
            self._waiting.popleft().result()

    def ask(self, query: str, /, **parameters: object) -> QueryRows:
        """Return the rows of a query, which runs after all that were sent."""
        self.send(query, **parameters)
        while len(self._waiting) > 1:
            self._waiting.popleft().result()
        return self._waiting.popleft().result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, raised: BaseException | None, where: TracebackType | None) -> None:
        """Wait for the queries; after an error, drop those that have not begun."""
        self._thread.shutdown(cancel_futures=raised is not None)
        if raised is None:
            for future in self._waiting:
                future.result()


class WriterCache:
    """The concepts and sources that a writer has met, and the claims that it has added: all of the graph, if `complete`.

    It is valid as long as the digest of the graph is the one that the writer left, which changes when others add anything, or
    when a transaction of its own is committed unnoticed. Otherwise everything is forgotten and looked up.
    """

    def __init__(self) -> None:
        self.complete = False
        self.concepts: set[str] = set()
        self.pages: set[Source] = set()
        self._claims: set[str] = set()
        self._digest: str | None = None

    def recall(self, digest: str) -> None:
        """Begin a transaction on a graph with this digest; forget what belongs to another."""
        if digest != self._digest or digest == EMPTY_DIGEST:
            self.complete = digest == EMPTY_DIGEST
            self.concepts.clear()
            self.pages.clear()
            self._claims.clear()
        self._digest = None  # until the transaction has ended

    def keep(self, digest: str) -> None:
        """End a transaction that leaves this digest, if it is committed."""
        self._digest = digest

    def add_claims(self, claims: Iterable[Claim]) -> None:
        """Remember claims by their hashes, if that can save a lookup."""
        if self.complete:
            self._claims.update(claim.hash for claim in claims)

    def maybe_claims(self, claims: Sequence[Claim]) -> Sequence[Claim]:
        """Return those of `claims` that may be in the graph."""
        return [claim for claim in claims if claim.hash in self._claims] if self.complete else claims


@neo4j.unit_of_work(timeout=QUERY_S)
def add_records(
    transaction: neo4j.ManagedTransaction,
    statements: Sequence[Statement],
    aliases: Sequence[Alias],
    progress: tuple[str, int] | None,
    cache: WriterCache,
) -> Added:
    """Add what is new of the records, and the progress of a job; return what was added.

    `cache` is that of all transactions of one writer.
    """
    with QueryQueue(transaction) as queue:
        before = queue.ask("lock")[0]["digest"]
        cache.recall(before)
        writer = _RecordWriter(queue, cache)
        for batch in chunks(statements, BATCH):
            writer.add_statements(claim_records.group_by_claim(batch))
        for names in chunks(aliases, BATCH):
            writer.add_aliases(names)
        after = digest_after(before, writer.marks) if writer.marks else before
        if writer.marks:
            queue.send("set_digest", digest=after)
        if progress is not None:
            job, done = progress
            queue.send("set_progress", job=name_key(job), done=done)
    cache.keep(after)
    return writer.added


class _RecordWriter:
    """The writes of one transaction: `added` and `marks` hold what they changed."""

    def __init__(self, queue: QueryQueue, cache: WriterCache) -> None:
        self.added = Added()
        self.marks = 0
        self._queue = queue
        self._cache = cache

    def _send(self, query: str, rows: Iterable[QueryRow]) -> None:
        """Run a query on rows, if there are any: a list of each column, so that names are sent once and not once a row."""
        if several := list(rows):
            self._queue.send(query, **{name: [row[name] for row in several] for name in several[0]})

    def add_statements(self, claims: dict[Claim, RecordsByIdentity]) -> None:
        """Add new claims and records, replace records by fuller ones, and derive the columns of the changed claims again."""
        new_names = self._add_concepts(dict.fromkeys(chain.from_iterable((claim.cause, claim.effect) for claim in claims)))
        # A claim about a new concept is new and need not be looked up.
        old = [claim for claim in claims if claim.cause not in new_names and claim.effect not in new_names]
        stored = self._stored_records(self._cache.maybe_claims(old))
        new, recounted, coming = [], [], []
        gone: list[str] = []
        for claim, records in claims.items():
            before = stored.get(claim.hash, {})
            fresh = claim_records.changed_records(before, records)
            replaced = [identity for identity in fresh if identity in before]
            gone += replaced
            self.marks += sum(evidence_mark(identity, record) for identity, record in fresh.items())
            self.marks -= sum(evidence_mark(identity, before[identity]) for identity in replaced)
            coming += [(claim, identity, record) for identity, record in fresh.items()]
            if not before:
                self.marks += claim_mark(claim)
                new.append(mapping.claim_row(claim, fresh.values()))
            elif fresh:
                recounted.append(mapping.derived_row(claim, (before | fresh).values()))
        if gone:
            self._queue.send("remove_evidence", hashes=gone)
            self._cache.pages.clear()
        self._send("add_claims", new)
        self._send("recount", recounted)
        self._add_evidence(coming)
        self._cache.add_claims(claims)
        self.added += Added(claims=len(new), evidence=len(coming) - len(gone))

    def _add_concepts(self, names: Iterable[str]) -> set[str]:
        """Add the concepts that are not stored yet, and return their names."""
        keys = {name: name_key(name) for name in names if name not in self._cache.concepts}
        known = set() if self._cache.complete else self._known(keys.values())
        new = [name for name, key in keys.items() if key not in known]
        self._send("add_concepts", map(mapping.concept_row, new, mapping.index_stems(new)))
        self._cache.concepts.update(keys)
        self.added += Added(concepts=len(new))
        if shadowed := {} if self._cache.complete else self._stored_aliases(new):
            self._queue.send("drop_aliases", names=list(map(name_key, shadowed)))
            self.marks -= alias_marks(shadowed.items())
        return set(new)

    def _known(self, keys: Iterable[str]) -> set[str]:
        names = list(keys)
        return {row["name"] for row in self._queue.ask("known_names", names=names)} if names else set()

    def _stored_records(self, claims: Sequence[Claim]) -> dict[str, RecordsByIdentity]:
        stored: dict[str, RecordsByIdentity] = {}
        if claims:
            for row in self._queue.ask("evidence", hashes=[claim.hash for claim in claims]):
                stored.setdefault(row["claim"], {})[row["hash"]] = mapping.evidence_from_row(row)
        return stored

    def _add_evidence(self, coming: Sequence[tuple[Claim, str, Evidence]]) -> None:
        sources = dict.fromkeys(record.source for _, _, record in coming if record.source not in self._cache.pages)
        self._send("add_pages", map(mapping.page_row, filter(mapping.is_page, sources)))
        self._send("add_sources", map(mapping.page_row, filterfalse(mapping.is_page, sources)))
        self._cache.pages.update(sources)
        self._send("add_evidence", (mapping.evidence_row(*entry) for entry in coming))

    def add_aliases(self, aliases: Sequence[Alias]) -> None:
        """Add what is new of `aliases`."""
        names = dict.fromkeys(chain.from_iterable((alias.concept, alias.name) for alias in aliases))
        known = self._known(map(name_key, names))
        targets = claim_records.aliases_to_add(aliases, {name for name in names if name_key(name) in known})
        self._cache.complete = False  # it holds no aliases
        changed, marks = claim_records.changed_aliases(targets, self._stored_aliases(targets))
        self._send("set_aliases", map(mapping.alias_row, changed, changed.values()))
        self.marks += marks

    def _stored_aliases(self, names: Iterable[str]) -> dict[str, str]:
        keys = list(map(name_key, names))
        rows = self._queue.ask("stored_aliases", names=keys) if keys else []
        return {unescape_name(row["name"], row["whole"]): unescape_name(row["concept"], row["concept_whole"]) for row in rows}

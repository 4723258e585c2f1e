"""Adding records to a graph in Neo4j, in one transaction that may be run again from its beginning.

What is there already is read first, under a lock on the node of the graph; only what is new or changed is written. So a
transaction that has come through, but whose end was not heard of, changes nothing when it is run again.

What one writer put into an empty graph it need not look for, as long as the digest is the one that it left (`Memory`). The
server writes one set of rows while the next is made here (`Line`).

The queries of one transaction, waiting in line: the server works on one while the rows of the next are made.

What a writer put into a graph that was empty, so that it need not look for it there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from types import TracebackType
from typing import Any, Self

import neo4j

from graph.model import Alias, Claim, Evidence, Source, Statement
from graph.protocols import Added
from graph.stores.claim_records import RecordsByIdentity, changed_records, group_by_claim
from graph.stores.digest import EMPTY_DIGEST, alias_mark, claim_mark, digest_after, evidence_mark
from graph.stores.neo4j.neo4j_connection import fetch_rows
from graph.stores.neo4j.value_mapping import (
    QueryRow,
    claim_row,
    concept_row,
    derived_row,
    evidence_from_row,
    evidence_row,
    index_stems,
    name_key_and_whole,
    page_row,
    rows_to_columns,
    unescape_name,
)
from graph.stores.serialization import chunks

LONGEST_QUEUE = 2

QueryRows = list[dict[str, Any]]


class QueryQueue:
    """Runs queries in their order, in a thread of its own; what one of them raises is raised here, at the latest at the end."""

    def __init__(self, transaction: neo4j.ManagedTransaction) -> None:
        self._transaction = transaction
        self._thread = ThreadPoolExecutor(1, "neo4j")
        self._waiting: deque[Future[QueryRows]] = deque()

    def send(self, query: str, /, **parameters: object) -> None:
        """Put a query that returns nothing into the line; wait where the line is long."""
        self._waiting.append(self._thread.submit(fetch_rows, self._transaction, query, parameters))
        while len(self._waiting) > LONGEST_QUEUE:
            self._waiting.popleft().result()

    def ask(self, query: str, /, **parameters: object) -> QueryRows:
        """Return the rows of a query, which is run after all that were sent."""
        self.send(query, **parameters)
        while len(self._waiting) > 1:
            self._waiting.popleft().result()
        return self._waiting.popleft().result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, raised: BaseException | None, where: TracebackType | None) -> None:
        """Wait for the queries; after an error, those that have not begun are not run."""
        self._thread.shutdown(cancel_futures=raised is not None)
        if raised is None:
            for future in self._waiting:
                future.result()


class WriterCache:
    """The concepts and sources that a writer has met, and the claims that it has added; all that there are, where `complete`.

    It holds as long as the digest is the one that the writer left: whatever others add moves it, and so does a transaction of
    its own that came through unheard. Then nothing is remembered, and all is looked for.
    """

    def __init__(self) -> None:
        self.complete = False
        self.concepts: set[str] = set()
        self.pages: set[Source] = set()
        self._claims: set[str] = set()
        self._digest: str | None = None

    def recall(self, digest: str) -> None:
        """Begin a transaction on a graph with this digest; what was remembered of another is forgotten."""
        if digest != self._digest or digest == EMPTY_DIGEST:
            self.complete = digest == EMPTY_DIGEST
            self.concepts.clear()
            self.pages.clear()
            self._claims.clear()
        self._digest = None  # until the transaction has come to its end

    def keep(self, digest: str) -> None:
        """End a transaction that leaves this digest, if it comes through."""
        self._digest = digest

    def add_claims(self, claims: Iterable[Claim]) -> None:
        """Remember claims by their hashes, where that can save looking for others."""
        if self.complete:
            self._claims.update(claim.hash for claim in claims)

    def maybe_claims(self, claims: Sequence[Claim]) -> Sequence[Claim]:
        """Return those of `claims` that may be in the graph."""
        return [claim for claim in claims if claim.hash in self._claims] if self.complete else claims


BATCH = 5_000


def add_records(
    transaction: neo4j.ManagedTransaction,
    statements: Sequence[Statement],
    aliases: Sequence[Alias],
    progress: tuple[str, int] | None,
    memory: WriterCache,
) -> Added:
    """Add what is new of the records, and write how far a job has come; return what was added.

    `memory` is that of all transactions of one writer.
    """
    with QueryQueue(transaction) as line:
        before = line.ask("lock")[0]["digest"]
        memory.recall(before)
        writing = _RecordWriter(line, memory)
        for batch in chunks(statements, BATCH):
            writing.add_statements(group_by_claim(batch))
        for some in chunks(aliases, BATCH):
            writing.add_aliases(some)
        after = digest_after(before, writing.marks) if writing.marks else before
        if writing.marks:
            line.send("set_digest", digest=after)
        if progress is not None:
            job, done = progress
            line.send("set_progress", job=name_key_and_whole(job)[0], done=done)
    memory.keep(after)
    return writing.added


class _RecordWriter:
    """The writes of one transaction: `added` and `marks` tell what they changed."""

    def __init__(self, line: QueryQueue, memory: WriterCache) -> None:
        self.added = Added()
        self.marks = 0
        self._line = line
        self._memory = memory

    def _send(self, query: str, rows: Iterable[QueryRow]) -> None:
        """Run a query on rows, a list of each column; nothing where there are none."""
        if parameters := rows_to_columns(rows):
            self._line.send(query, **parameters)

    def add_statements(self, claims: dict[Claim, RecordsByIdentity]) -> None:
        """Add what is new, complete what has gained its text, and count again what was touched."""
        new_names = self._add_concepts(dict.fromkeys(chain.from_iterable((claim.cause, claim.effect) for claim in claims)))
        # A claim about a new concept is new, and need not be looked for.
        old = [claim for claim in claims if claim.cause not in new_names and claim.effect not in new_names]
        stored = self._stored(self._memory.maybe_claims(old))
        new, recounted, coming = [], [], []
        gone: list[str] = []
        for claim, records in claims.items():
            before = stored.get(claim.hash, {})
            fresh = changed_records(before, records)
            gone += [identity for identity in fresh if identity in before]
            self.marks += sum(evidence_mark(identity, record) for identity, record in fresh.items())
            self.marks -= sum(evidence_mark(identity, before[identity]) for identity in fresh if identity in before)
            coming += [(claim, identity, record) for identity, record in fresh.items()]
            if not before:
                self.marks += claim_mark(claim)
                new.append(claim_row(claim, fresh.values()))
            elif fresh:
                recounted.append(derived_row(claim, (before | fresh).values()))
        if gone:
            self._line.send("remove_evidence", hashes=gone)
            self._memory.pages.clear()
        self._send("add_claims", new)
        self._send("recount", recounted)
        self._add_evidence(coming)
        self._memory.add_claims(claims)
        self.added += Added(claims=len(new), evidence=len(coming) - len(gone))

    def _add_concepts(self, names: Iterable[str]) -> set[str]:
        """Add the concepts that are not there yet, and return their names."""
        unseen = {name: name_key_and_whole(name)[0] for name in names if name not in self._memory.concepts}
        known = set() if self._memory.complete else self._known(unseen.values())
        new = [name for name, known_by in unseen.items() if known_by not in known]
        self._send("add_concepts", map(concept_row, new, index_stems(new)))
        self._memory.concepts.update(unseen)
        self.added += Added(concepts=len(new))
        if shadowed := {} if self._memory.complete else self._stored_aliases(new):
            self._line.send("drop_aliases", names=[name_key_and_whole(name)[0] for name in shadowed])
            self.marks -= sum(alias_mark(Alias(name, concept)) for name, concept in shadowed.items())
        return set(new)

    def _known(self, names: Iterable[str]) -> set[str]:
        """Return those of `names`, as they are known by, that are names of concepts."""
        wanted = list(names)
        return {row["name"] for row in self._line.ask("known_names", names=wanted)} if wanted else set()

    def _stored(self, claims: Sequence[Claim]) -> dict[str, RecordsByIdentity]:
        """Return all the records that are there already for `claims`, by the hashes of the claims."""
        stored: dict[str, RecordsByIdentity] = {}
        if claims:
            for row in self._line.ask("evidence", hashes=[claim.hash for claim in claims]):
                stored.setdefault(row["claim"], {})[row["hash"]] = evidence_from_row(row)
        return stored

    def _add_evidence(self, coming: Sequence[tuple[Claim, str, Evidence]]) -> None:
        sources = dict.fromkeys(record.source for _, _, record in coming if record.source not in self._memory.pages)
        self._send("add_pages", map(page_row, sources))
        self._memory.pages.update(sources)
        self._send("add_evidence", (evidence_row(*entry) for entry in coming))

    def add_aliases(self, aliases: Sequence[Alias]) -> None:
        """Add what is new of `aliases`: a name leads to one concept, and a concept's own name is never an alias."""
        names = dict.fromkeys(chain.from_iterable((alias.concept, alias.name) for alias in aliases))
        known = self._known(name_key_and_whole(name)[0] for name in names)
        concepts = {name for name in names if name_key_and_whole(name)[0] in known}
        wanted: dict[str, str] = {}
        for alias in aliases:
            if alias.name and alias.name not in concepts and alias.concept in concepts:
                wanted[alias.name] = min(alias.concept, wanted.get(alias.name, alias.concept))
        self._memory.complete = False  # it knows nothing of aliases
        stored = self._stored_aliases(wanted)
        changed = {name: concept for name, concept in wanted.items() if name not in stored or concept < stored[name]}
        self._send("set_aliases", (_alias_row(name, concept) for name, concept in changed.items()))
        self.marks += sum(alias_mark(Alias(name, concept)) for name, concept in changed.items())
        self.marks -= sum(alias_mark(Alias(name, stored[name])) for name in changed if name in stored)

    def _stored_aliases(self, names: Iterable[str]) -> dict[str, str]:
        """Return those of `names` that are aliases, with the names of their concepts."""
        wanted = [name_key_and_whole(name)[0] for name in names]
        rows = self._line.ask("stored_aliases", names=wanted) if wanted else []
        return {unescape_name(row["name"], row["whole"]): unescape_name(row["concept"], row["concept_whole"]) for row in rows}


def _alias_row(name: str, concept: str) -> Mapping[str, str | None]:
    known_by, whole = name_key_and_whole(name)
    return {"name": known_by, "whole": whole, "concept": name_key_and_whole(concept)[0]}

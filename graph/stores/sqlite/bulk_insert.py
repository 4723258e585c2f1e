"""Creating a store of very many statements, completely or not at all.

Two processes share the work: this one reads statements and makes rows of them, the other writes the rows into a file with another
name, `FILE-loading`, until it is complete. The next run removes what a killed one leaves of that file.

Rows are only appended, and sorted at the end where needed. Nothing is looked up in the file meanwhile, so that the time for a
record does not grow with the graph. The names of concepts are held in memory: 12 million take some 2 GB. A claim that comes again
later is stored twice at first, and merged at the end.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from graph.errors import GraphError, StoreLocked, StoreUnfinished
from graph.model import Statement
from graph.protocols import Added
from graph.stores import codec
from graph.stores.claim_records import group_by_claim
from graph.stores.codec import chunks, decode_text, encode_text, searchable_text
from graph.stores.digest import EMPTY_DIGEST, claim_mark, digest_after, evidence_mark
from graph.stores.sqlite import claim_rows
from graph.stores.sqlite.claim_rows import InternedNames
from graph.stores.sqlite.insertion import BATCH, add_statements
from graph.stores.sqlite.schema import read_script, table_statements
from graph.stores.sqlite.sqlite_connection import lock_to_write, sync_to_disk, translate_os_error, translate_sqlite_errors

_CACHE_KIB = 1 << 19
# The bytes of words that an index collects before it writes them: while the store is filled, and usually.
_HASH_BYTES = 1 << 26
_USUAL_HASH_BYTES = 1 << 20
_MERGED_AT_ONCE = 5_000
_SAME_CLAIM = "cause, effect, relation, polarity"


class BulkInsert:
    """The rows of a store in an empty file, in one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        # Nothing is synchronised: an incomplete file has another name, and what a crash leaves of it is deleted.
        for setting in ("journal_mode = MEMORY", "synchronous = OFF", f"cache_size = -{_CACHE_KIB}", "threads = 2"):
            connection.execute(f"PRAGMA {setting}")
        connection.execute("CREATE TEMP TABLE met (id INTEGER, kind TEXT, title TEXT, page_id TEXT, revision TEXT, url TEXT)")
        connection.executescript(f"BEGIN; {table_statements()}")
        self._set_hash_size(_HASH_BYTES)
        self._names: dict[str, int] = {}
        self._claims = 0
        self._marks = 0
        self._grounds, self._rules, self._sections = (InternedNames(connection, table) for table in ("ground", "rule", "section"))

    def write(self, flat: claim_rows.FlatClaims) -> None:
        """Append claims with their records."""
        claims, records, sources, marks = flat
        names = self._names
        new: list[tuple[int, str | bytes]] = []
        for name in (name for row in claims for name in row[:2]):
            if name not in names:
                names[name] = len(names) + 1
                new.append((len(names), encode_text(name)))
        self._connection.executemany("INSERT INTO concept (id, name) VALUES (?, ?)", new)
        numbered = enumerate(claims, self._claims + 1)
        rows = [(number, names[row[0]], names[row[1]], row[2], row[3], row[4]) for number, row in numbered]
        claim_rows.store_claims(self._connection, rows, self._grounds)
        claim_rows.store_records(self._connection, records, self._rules, self._sections, self._claims + 1)
        self._connection.executemany(f"INSERT INTO met VALUES ({claim_rows.placeholders(6)})", sources)
        self._claims += len(claims)
        self._marks += marks

    def finish(self) -> Added:
        """Sort and index the rows; return how many there are."""
        self._names.clear()
        connection = self._connection
        connection.execute("INSERT OR IGNORE INTO source SELECT * FROM met ORDER BY id")
        connection.execute("DROP TABLE met")
        self._index_words()
        for statement in filter(str.strip, read_script("indexes.sql").split(";")):
            try:
                connection.execute(statement)
            except sqlite3.IntegrityError:
                self._merge_repeated_claims()
                connection.execute(statement)
        digest = digest_after(EMPTY_DIGEST, self._marks)
        connection.execute("UPDATE meta SET value = ? WHERE key = 'digest'", (digest,))
        self._set_hash_size(_USUAL_HASH_BYTES)
        counts = (connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("concept", "claim", "evidence"))
        added = Added(*counts)
        connection.execute("COMMIT")
        return added

    def _set_hash_size(self, size: int) -> None:
        for index in ("concept_words", "sentence_words"):
            self._connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('hashsize', ?)", (size,))

    def _index_words(self) -> None:
        """Index the names of concepts: inside SQLite, which is faster, those that the index can hold unchanged."""
        plain = "typeof(name) = 'text' AND instr(name, char(0)) = 0"
        self._connection.execute(f"INSERT INTO concept_words (rowid, name) SELECT id, name FROM concept WHERE {plain}")
        special_names = self._connection.execute(f"SELECT id, name FROM concept WHERE NOT ({plain})").fetchall()
        rows = ((number, searchable_text(decode_text(name))) for number, name in special_names)
        self._connection.executemany("INSERT INTO concept_words (rowid, name) VALUES (?, ?)", rows)
        self._connection.execute("INSERT INTO concept_words (concept_words) VALUES ('optimize')")

    def _merge_repeated_claims(self) -> None:
        """Remove the repetitions of claims, with their records, and add these records in the ordinary way."""
        connection = self._connection
        connection.execute(f"CREATE INDEX same_claim ON claim ({_SAME_CLAIM})")
        again = f"""
            SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY {_SAME_CLAIM} ORDER BY id) AS place FROM claim)
            WHERE place > 1 ORDER BY id
        """
        for chunk in chunks(connection.execute(again).fetchall(), _MERGED_AT_ONCE):
            statements = [statement for (number,) in chunk for statement in self._remove_claim(number)]
            self._marks += add_statements(connection, statements)[1]
        connection.execute("DROP INDEX same_claim")

    def _remove_claim(self, number: int) -> list[Statement]:
        query = f"""
            SELECT cause.name, effect.name, claim.relation, claim.polarity, {codec.EVIDENCE_COLUMNS}
            FROM claim
            CROSS JOIN concept AS cause ON cause.id = claim.cause
            CROSS JOIN concept AS effect ON effect.id = claim.effect
            CROSS JOIN {codec.EVIDENCE_TABLES}
            WHERE claim.id = ? AND evidence.claim = claim.id
        """
        rows = self._connection.execute(query, (number,)).fetchall()
        claim = codec.decode_claim(*rows[0][:4])
        records = [codec.decode_evidence(*row[4:]) for row in rows]
        self._marks -= claim_mark(claim) + sum(evidence_mark(record.hash(claim), record) for record in records)
        self._connection.execute("DELETE FROM evidence WHERE claim = ?", (number,))
        self._connection.execute("DELETE FROM claim WHERE id = ?", (number,))
        return [Statement(claim, record) for record in records]


LoadProgress = Callable[[int, bool], None]
"""A function that takes how many statements were read, and whether these are all and are sorted now."""


def load_new(url: str, statements: Iterable[Statement], on_progress: LoadProgress = lambda seen, sorting: None) -> Added:
    """Create the store of `statements` at the path `url`, where there is none.

    The store is the same as if the statements were added to an empty one, including its digest. Raises what opening a new store
    to write raises, `StoreFull`, `StoreUnfinished` if the process that writes was killed, and what `statements` raises.
    """
    path, lock = lock_to_write(url, may_create=True)
    loading = Path(f"{path}-loading")
    try:
        if path.exists():
            raise StoreLocked(url)  # another process has just created it
        loading.unlink(missing_ok=True)
        added = _load_in_process(url, loading, statements, on_progress)
        try:
            sync_to_disk(loading)
            loading.replace(path)
            sync_to_disk(path.parent)
        except OSError as error:
            raise translate_os_error(url, error) from error
    finally:
        loading.unlink(missing_ok=True)
        lock.release()
    return added


def _load_in_process(url: str, path: Path, statements: Iterable[Statement], on_progress: LoadProgress) -> Added:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_fill, args=(url, str(path), theirs, os.getpid()), daemon=True)
    _start(process)
    theirs.close()
    seen = 0
    try:
        with ours:
            for batch in chunks(statements, BATCH):
                _send(ours, claim_rows.flatten_claims(group_by_claim(batch)), url)
                seen += len(batch)
                on_progress(seen, False)
            on_progress(seen, True)
            _send(ours, None, url)
            return _answer(ours, url)
    finally:
        process.kill()
        process.join()


def _start(process: BaseProcess) -> None:
    # The process inherits the mask, so that Ctrl-C does not end it.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _send(pipe: Connection, rows: claim_rows.FlatClaims | None, url: str) -> None:
    if pipe.poll():
        _answer(pipe, url)
    try:
        pipe.send(rows)
    except (BrokenPipeError, ConnectionResetError):
        _answer(pipe, url)


def _answer(pipe: Connection, url: str) -> Added:
    try:
        answer = pipe.recv()
    except (EOFError, ConnectionResetError):
        raise StoreUnfinished(url) from None
    if isinstance(answer, Added):
        return answer
    raise answer


def _fill(url: str, path: str, pipe: Connection, parent: int) -> None:
    """Write the rows that come through `pipe`, and send back how many there are, or an error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_exit_with_parent, args=(parent,), daemon=True).start()
    # SQLite sorts on the disk of the store, which must have room for it anyway.
    os.environ["SQLITE_TMPDIR"] = str(Path(path).parent)
    try:
        with translate_sqlite_errors(url), closing(sqlite3.connect(path, isolation_level=None)) as connection:
            filling = BulkInsert(connection)
            while (rows := pipe.recv()) is not None:
                filling.write(rows)
            answer: object = filling.finish()
    except EOFError:
        return
    except GraphError as error:
        answer = error
    with suppress(BrokenPipeError):
        pipe.send(answer)


def _exit_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)

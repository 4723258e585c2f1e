"""The names that an embedded store keeps once and knows by number: those of concepts, rules and sections.

The sentences of an embedded store: each is kept once, and found by its words.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence

from graph.model import Statement, stable_hash
from graph.stores.serialization import (
    EVIDENCE_COLUMNS,
    EVIDENCE_ORDER,
    EVIDENCE_TABLES,
    chunks,
    decode_claim,
    decode_evidence,
    decode_text,
    encode_text,
    searchable_text,
    signed_key,
)

REMEMBERED = 1_000_000


def placeholders(count: int, placeholder: str = "?") -> str:
    """Return `count` placeholders for the parameters of a query."""
    return ", ".join([placeholder] * count)


class InternedNames:
    """The numbered names of one table, remembered while one transaction goes on."""

    def __init__(self, connection: sqlite3.Connection, table: str) -> None:
        self._connection = connection
        self._table = table
        self._ids: dict[str, int] = {}

    def known(self, names: Iterable[str]) -> dict[str, int]:
        """Return the ids of the names that are there: of all among `names`, and perhaps of others."""
        if len(self._ids) > REMEMBERED:
            self._ids.clear()
        for chunk in chunks(name for name in names if name not in self._ids):
            query = f"SELECT name, id FROM {self._table} WHERE name IN ({placeholders(len(chunk))})"
            rows = self._connection.execute(query, [encode_text(name) for name in chunk])
            self._ids.update((decode_text(name), number) for name, number in rows)
        return self._ids

    def ids(self, names: Collection[str]) -> tuple[dict[str, int], list[str]]:
        """Return the ids of all of `names`, and perhaps of others, and which of `names` are new and were added."""
        ids = self.known(names)
        new = [name for name in names if name not in ids]
        if new:
            first = self._connection.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {self._table}").fetchone()[0]
            ids.update((name, first + place) for place, name in enumerate(new))
            rows = ((ids[name], encode_text(name)) for name in new)
            self._connection.executemany(f"INSERT INTO {self._table} (id, name) VALUES (?, ?)", rows)
        return ids, new


def sentence_key(text: str) -> int:
    """Return the key that a sentence is kept under, which depends on its text alone."""
    return signed_key(stable_hash((text,)))


def sentence_ids(connection: sqlite3.Connection, texts: Iterable[str]) -> dict[str, int]:
    """Return the ids of sentences, which are then all there and can be searched."""
    keys = {text: sentence_key(text) for text in texts}
    known: dict[int, int] = {}
    for chunk in chunks(keys.values()):
        known.update(connection.execute(f"SELECT key, id FROM sentence WHERE key IN ({placeholders(len(chunk))})", chunk))
    new = [text for text, key in keys.items() if key not in known]
    if new:
        first = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM sentence").fetchone()[0]
        known.update((keys[text], first + place) for place, text in enumerate(new))
        rows = ((known[keys[text]], keys[text], encode_text(text)) for text in new)
        connection.executemany("INSERT INTO sentence (id, key, text) VALUES (?, ?, ?)", rows)
        words = ((known[keys[text]], searchable_text(text)) for text in new)
        connection.executemany("INSERT INTO sentence_words (rowid, text) VALUES (?, ?)", words)
    return {text: known[key] for text, key in keys.items()}


def drop_unused_sentences(connection: sqlite3.Connection, texts: Collection[str]) -> None:
    """Delete those of `texts` that no record has any more."""
    query = """
        SELECT id FROM sentence WHERE key = ? AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.sentence = sentence.id)
    """
    for text in texts:
        for (number,) in connection.execute(query, (sentence_key(text),)).fetchall():
            words = "INSERT INTO sentence_words (sentence_words, rowid, text) VALUES ('delete', ?, ?)"
            connection.execute(words, (number, searchable_text(text)))
            connection.execute("DELETE FROM sentence WHERE id = ?", (number,))


def select_evidence_by_words(connection: sqlite3.Connection, words: Sequence[str], limit: int) -> list[Statement]:
    """Return records whose sentence holds any of `words` by stem, best first; a sentence comes once for each claim it is about.

    Sentences rank by BM25 (Robertson and others 1994, as FTS5 has it), then alphabetically, so that the order of loading does
    not matter.
    """
    wanted = " OR ".join('"' + word.replace('"', " ") + '"' for word in dict.fromkeys(map(searchable_text, words)))
    if not wanted or limit <= 0:
        return []
    query = f"""
        WITH found (id, score, words) AS MATERIALIZED (
            SELECT sentence.id, bm25(sentence_words) AS score, sentence.text
            FROM sentence_words JOIN sentence ON sentence.id = sentence_words.rowid
            WHERE sentence_words MATCH ? ORDER BY score, sentence.text LIMIT ?
        )
        SELECT cause.name, effect.name, claim.relation, claim.polarity, {EVIDENCE_COLUMNS}
        FROM found
        CROSS JOIN {EVIDENCE_TABLES}
        CROSS JOIN claim ON claim.id = evidence.claim
        CROSS JOIN concept AS cause ON cause.id = claim.cause
        CROSS JOIN concept AS effect ON effect.id = claim.effect
        WHERE evidence.sentence = found.id
        ORDER BY found.score, found.words, cause.name, effect.name, claim.relation, claim.polarity, {EVIDENCE_ORDER}
    """
    statements: dict[tuple[object, ...], Statement] = {}
    for row in connection.execute(query, (wanted, limit)):
        claim, evidence = decode_claim(*row[:4]), decode_evidence(*row[4:])
        statements.setdefault((claim, evidence.text), Statement(claim, evidence))
        if len(statements) == limit:
            break
    return list(statements.values())

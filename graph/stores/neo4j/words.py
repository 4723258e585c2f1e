"""The words that names are searched by: the stems that SQLite's full-text index makes, so that all stores find the same."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import cache

from graph.stores.columns import searchable_text


def index_stems(texts: Sequence[str]) -> list[str]:
    """Return the stems of each text, in order, with a space before, between and after them; a space where there are none."""
    connection = _stemming_index()
    words: list[list[str]] = [[] for _ in texts]
    with closing(connection.cursor()) as cursor:
        cursor.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", enumerate(map(searchable_text, texts)))
        for term, text, _ in cursor.execute("SELECT term, doc, offset FROM entry ORDER BY doc, offset"):
            words[text].append(term)
        cursor.execute("INSERT INTO words (words) VALUES ('delete-all')")
    return [f" {' '.join(terms)} " if terms else " " for terms in words]


@cache
def _stemming_index() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    connection.execute("CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize='porter unicode61')")
    connection.execute("CREATE VIRTUAL TABLE entry USING fts5vocab(words, instance)")
    return connection

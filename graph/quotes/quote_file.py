"""Quotes in a file of their own, for graphs that are only read: an SQLite database that several processes may use."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from graph.errors import SubjectError, system_error_text

_WAIT_S = 20.0
_KEYS = 500
_TABLE = """
CREATE TABLE IF NOT EXISTS quote (
    record TEXT PRIMARY KEY, fit TEXT NOT NULL, text TEXT NOT NULL, day INTEGER NOT NULL
) WITHOUT ROWID
"""


class QuotesUnusable(SubjectError):
    """The file of quotes cannot be read or written."""

    message = "the quotes in '{}' cannot be used: {}"


class QuoteFit(StrEnum):
    """How a quote fits its record."""

    SAME = "same"  # the very sentence
    REWORDED = "reworded"
    MISSING = "missing"  # the article does not have the sentence


class Quote(NamedTuple):
    """The sentence of a record, empty if `MISSING`, and the `day` since 1970 on which its article was read."""

    fit: QuoteFit
    text: str = ""
    day: int = 0


class QuoteFile:
    """The quotes in the file at `path` by the hash of their record. A file that cannot be used raises `QuotesUnusable`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, records: Iterable[str]) -> dict[str, Quote]:
        """Return the quotes that there are of some records; none where there is no file."""
        if not self.path.exists():
            return {}
        quotes: dict[str, Quote] = {}
        keys = iter(records)
        with self._connected("ro") as connection:
            while batch := list(islice(keys, _KEYS)):
                query = f"SELECT record, fit, text, day FROM quote WHERE record IN ({', '.join('?' * len(batch))})"
                quotes |= {key: Quote(QuoteFit(fit), *values) for key, fit, *values in connection.execute(query, batch)}
        return quotes

    def write(self, quotes: Mapping[str, Quote]) -> None:
        """Put quotes into the file, all or none, each in place of an earlier one of its record."""
        with self._connected("rwc") as connection, connection:
            connection.execute(_TABLE)
            connection.executemany("REPLACE INTO quote VALUES (?, ?, ?, ?)", ((key, *quote) for key, quote in quotes.items()))

    @contextmanager
    def _connected(self, mode: str) -> Iterator[sqlite3.Connection]:
        try:
            if mode == "rwc":
                self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(f"{self.path.as_uri()}?mode={mode}", uri=True, timeout=_WAIT_S)) as connection:
                yield connection
        except (sqlite3.Error, ValueError) as error:
            raise QuotesUnusable(self.path, f"{error}; without the file they are begun anew") from error
        except OSError as error:
            raise QuotesUnusable(self.path, system_error_text(error)) from error

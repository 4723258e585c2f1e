"""The names that an embedded store keeps once and knows by number: those of concepts, rules and sections."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from graph.stores.columns import decode_text, encode_text

CHUNK = 500
REMEMBERED = 1_000_000
Item = TypeVar("Item")


def chunks(items: Iterable[Item], size: int = CHUNK) -> Iterator[list[Item]]:
    """Cut `items` into lists of `size`, the last one shorter."""
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk


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

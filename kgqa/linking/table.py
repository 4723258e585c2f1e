"""Tables of a name and what belongs to it, looked up without being read line by line."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_OFTEN_LOOKED_UP = 400
"""So many lookups by halving take as long as building the table does."""


class LookupTable:
    """A file of lines "key, tab, value" in the order of the keys' bytes: a line is found by halving, nothing is built first.

    What is asked often is built after all: one question has some dozens of words, a file of questions thousands.
    """

    def __init__(self, path: Path) -> None:
        self._bytes = b"\n" + path.read_bytes()
        self._lookups = 0
        self._built: dict[str, str] = {}

    def get(self, key: str) -> str:
        """Return what stands behind `key`; empty where it has no line."""
        if self._built:
            return self._built.get(key, "")
        if not key.isascii():
            return ""
        self._lookups += 1
        if self._lookups > _OFTEN_LOOKED_UP:
            lines = self._bytes.decode("ascii").splitlines()[1:]
            self._built = {entry: value for entry, _, value in (line.partition("\t") for line in lines)}
            return self._built.get(key, "")
        wanted = key.encode()
        low, high = 0, len(self._bytes) - 1
        while low < high:
            middle = self._bytes.rfind(b"\n", low, (low + high) // 2 + 1)
            if middle < 0:
                middle = low
            end = self._bytes.find(b"\n", middle + 1)
            entry, _, value = self._bytes[middle + 1 : end].partition(b"\t")
            if entry == wanted:
                return value.decode()
            if entry < wanted:
                low = end
            else:
                high = middle
        return ""


@cache
def lookup_table(name: str) -> LookupTable:
    """Return the table of a name in the folder of data, read once: "synonyms", "forms", "opposites" or "verbs"."""
    return LookupTable(Path(__file__).with_name("data") / f"{name}.tsv")

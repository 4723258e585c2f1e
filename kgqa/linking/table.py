"""Tables of a name and what belongs to it, looked up without being read line by line."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_OFTEN = 400
"""So many lookups by halving take as long as building the table does."""


class Table:
    """A file of lines "key, tab, value" in the order of the keys' bytes: a line is found by halving, nothing is built first.

    What is asked often is built after all: one question has some dozens of words, a file of questions thousands.
    """

    def __init__(self, path: Path) -> None:
        self._bytes = b"\n" + path.read_bytes()
        self._asked = 0
        self._built: dict[str, str] = {}

    def get(self, key: str) -> str:
        """Return what stands behind `key`; empty where it has no line."""
        if self._built:
            return self._built.get(key, "")
        if not key.isascii():
            return ""
        self._asked += 1
        if self._asked > _OFTEN:
            lines = self._bytes.decode("ascii").splitlines()[1:]
            self._built = {found: value for found, _, value in (line.partition("\t") for line in lines)}
            return self._built.get(key, "")
        wanted = key.encode()
        low, high = 0, len(self._bytes) - 1
        while low < high:
            middle = self._bytes.rfind(b"\n", low, (low + high) // 2 + 1)
            if middle < 0:
                middle = low
            end = self._bytes.find(b"\n", middle + 1)
            found, _, value = self._bytes[middle + 1 : end].partition(b"\t")
            if found == wanted:
                return value.decode()
            if found < wanted:
                low = end
            else:
                high = middle
        return ""


@cache
def table(name: str) -> Table:
    """Return the table of a name in the folder of data, read once: "synonyms", "forms", "opposites" or "verbs"."""
    return Table(Path(__file__).with_name("data") / f"{name}.tsv")

"""Word lists of the miner, kinds of nouns in WordNet, names of places, and tables that are searched as they are stored.

The kinds are the 26 lexicographer files of nouns (Fellbaum 1998), by the sense that is tagged most often in WordNet 3.0.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import count
from pathlib import Path

from graph.text.normalise import singular

_OFTEN = 100  # searches through the text of the table of kinds, which take as long as building a dictionary of it
_OFTEN_LOOKED_UP = 400  # times in a table, by binary searches
_searches = count(1)
ACT_KINDS = frozenset({"act", "event", "phenomenon", "process", "state"})
"""The kinds of nouns that name what is done or happens."""


@cache
def word_list(name: str) -> frozenset[str]:
    """Return the lower-case words of the list called `name`, or the nouns of a kind: "@event"; `KeyError` for another name."""
    if name.startswith("@"):
        return nouns_by_kind()[name[1:]]
    _, separator, rest = _lists_text().partition(f'\n{name} = """')
    if not separator:
        raise KeyError(name)
    return frozenset(rest.partition('"""')[0].split())


@cache
def word_list_names() -> frozenset[str]:
    """Return the names of all lists."""
    import tomllib

    return frozenset(tomllib.loads(_lists_text())) | {f"@{kind}" for kind in nouns_by_kind()}


@cache
def _lists_text() -> str:
    return Path(__file__).with_name("word_lists.toml").read_text(encoding="utf-8")


def kind_of_noun(noun: str) -> str:
    """Return the kind of a lower-case noun, singular or plural ("event", "artifact"); empty for a word not in WordNet."""
    return _kind_in_table(singular(noun)) or _kind_in_table(noun)


@lru_cache(maxsize=1 << 14)
def _kind_in_table(noun: str) -> str:
    """Return the kind of a noun in the table: the first lookups search its text, later ones a dictionary."""
    if next(_searches) > _OFTEN:
        return _kind_by_noun().get(noun, "")
    if not noun or " " in noun:
        return ""
    text = _kind_table()
    place = text.find(f" {noun} ")
    return "" if place < 0 else text[text.rfind("\n", 0, place) + 1 : place].partition("\t")[0]


@cache
def _kind_table() -> str:
    """Return the table, built by scripts/build/build_kinds.py, with a space on both sides of every noun."""
    text = Path(__file__).parent.joinpath("data/kinds.tsv").read_text(encoding="ascii")
    return text.replace("\t", "\t ").replace("\n", " \n")


@cache
def _kind_by_noun() -> dict[str, str]:
    return {noun: kind for kind, nouns in nouns_by_kind().items() for noun in nouns}


@cache
def nouns_by_kind() -> dict[str, frozenset[str]]:
    """Return the nouns of each kind, in the singular."""
    return {kind: frozenset(nouns.split()) for kind, nouns in (line.split("\t") for line in _kind_table().splitlines())}


@cache
def place_names() -> frozenset[str]:
    """Return the names of countries, cities, regions and waters, in lower case, built by scripts/build/build_places.py."""
    return frozenset(Path(__file__).parent.joinpath("data/places.txt").read_text(encoding="ascii").splitlines())


@cache
def table_rows(text: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a table of tab-separated values by the names in its first line; raises `ValueError` for uneven ones."""
    header, *lines = text.splitlines()
    names = header.split("\t")
    return (dict(zip(names, line.split("\t"), strict=True)) for line in lines)


def word_sets(path: Path) -> dict[str, frozenset[str]]:
    """Return the sets of words of a table by their names: lines of a name, its meaning and the words, under a header."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:])
    return {name: frozenset(words.split()) for name, _, words in rows}


class LookupTable:
    """Lines "key, tab, value", keys in ASCII, in the byte order of the keys, searched as they are, or often by a dictionary."""

    def __init__(self, lines: bytes) -> None:
        self._bytes = b"\n" + lines
        self._lookups = 0
        self._values: dict[str, str] = {}

    def get(self, key: str) -> str:
        """Return the value of `key`; empty for a key without a line."""
        if self._values:
            return self._values.get(key, "")
        if not key.isascii():
            return ""
        self._lookups += 1
        if self._lookups > _OFTEN_LOOKED_UP:
            lines = self._bytes.decode().splitlines()[1:]
            self._values = {entry: value for entry, _, value in (line.partition("\t") for line in lines)}
            return self._values.get(key, "")
        wanted = key.encode()
        low, high = 0, len(self._bytes) - 1
        while low < high:
            middle = max(low, self._bytes.rfind(b"\n", low, (low + high) // 2 + 1))
            end = self._bytes.find(b"\n", middle + 1)
            entry, _, value = self._bytes[middle + 1 : end].partition(b"\t")
            if entry == wanted:
                return value.decode()
            if entry < wanted:
                low = end
            else:
                high = middle
        return ""

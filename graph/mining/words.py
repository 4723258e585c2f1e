"""The word lists of the miner, read once from words.toml; lists called "@kind" are WordNet's kinds of nouns."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from graph.mining.kinds import kinds, nouns_of


@cache
def words(name: str) -> frozenset[str]:
    """Return the lower-case words of the list called `name`, or the nouns of a kind: "@event"."""
    return nouns_of(name[1:]) if name.startswith("@") else frozenset(_list(name).split())


@cache
def known_lists() -> frozenset[str]:
    """Return the names that `words` knows."""
    return frozenset(_table()) | {f"@{kind}" for kind in kinds()}


@cache
def _table() -> dict[str, str]:
    """Read all the lists, once."""
    import tomllib

    return tomllib.loads(_text())


def _list(name: str) -> str:
    """Return one list: every list is a string in three quotation marks, so that it is found without reading the others."""
    _, found, rest = _text().partition(f'\n{name} = """')
    if not found:
        raise KeyError(name)
    return rest.partition('"""')[0]


@cache
def _text() -> str:
    return Path(__file__).parent.joinpath("words.toml").read_text(encoding="utf-8")

"""The word lists of the miner, read once from words.toml; lists called "@kind" are WordNet's kinds of nouns."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from graph.mining.kinds import kinds, nouns_of


@cache
def words(name: str) -> frozenset[str]:
    """Return the lower-case words of the list called `name`, or the nouns of a kind: "@event"."""
    return nouns_of(name[1:]) if name.startswith("@") else frozenset(_table()[name].split())


@cache
def known_lists() -> frozenset[str]:
    """Return the names that `words` knows."""
    return frozenset(_table()) | {f"@{kind}" for kind in kinds()}


@cache
def _table() -> dict[str, str]:
    """Read the lists, once."""
    return tomllib.loads(Path(__file__).parent.joinpath("words.toml").read_text(encoding="utf-8"))

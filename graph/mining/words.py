"""The word lists of the miner, read once from words.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources


@cache
def words(name: str) -> frozenset[str]:
    """Return the lower-case words of the list called `name`."""
    return frozenset(_table()[name].split())


@cache
def _table() -> dict[str, str]:
    """Read the lists, once."""
    return tomllib.loads(resources.files("graph.mining").joinpath("words.toml").read_text(encoding="utf-8"))

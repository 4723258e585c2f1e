"""The names of places that the miner knows."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def place_names() -> frozenset[str]:
    """Return the names of countries, cities, regions and waters, in lower case, built by scripts/build_places.py."""
    return frozenset(Path(__file__).parent.joinpath("data/places.txt").read_text(encoding="ascii").splitlines())

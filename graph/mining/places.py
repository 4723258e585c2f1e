"""The names of places that the miner knows."""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def places() -> frozenset[str]:
    """Return the names of countries, cities, regions and waters, in lower case, built by scripts/build_places.py."""
    return frozenset(resources.files("graph.mining").joinpath("data/places.txt").read_text(encoding="ascii").splitlines())

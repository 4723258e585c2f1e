"""Kinds of nouns by WordNet's lexicographer files (event, state, artifact, person and so on), and names of places."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import count
from pathlib import Path

from graph.text.normalise import singular

_OFTEN = 100
"""The number of searches through the text of the table that take as long as building a dictionary of it."""
_searches = count(1)


def kind_of_noun(noun: str) -> str:
    """Return the kind of a lower-case noun, singular or plural; empty for a word that is not in WordNet.

    The kinds are the 26 lexicographer files of nouns (Fellbaum 1998), by the sense that is tagged most often in WordNet 3.0.
    """
    return _kind_in_table(singular(noun)) or _kind_in_table(noun)


def nouns_of_kind(kind: str) -> frozenset[str]:
    """Return the nouns of a kind in the singular; raises `KeyError` for an unknown kind."""
    return _nouns_by_kind()[kind]


def noun_kinds() -> frozenset[str]:
    """Return the 26 kinds of nouns."""
    return frozenset(_nouns_by_kind())


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
    """Return the kind of each noun."""
    return {noun: kind for kind, nouns in _nouns_by_kind().items() for noun in nouns}


@cache
def _nouns_by_kind() -> dict[str, frozenset[str]]:
    """Return the nouns of each kind."""
    return {kind: frozenset(nouns.split()) for kind, nouns in (line.split("\t") for line in _kind_table().splitlines())}


@cache
def place_names() -> frozenset[str]:
    """Return the names of countries, cities, regions and waters, in lower case, built by scripts/build/build_places.py."""
    return frozenset(Path(__file__).parent.joinpath("data/places.txt").read_text(encoding="ascii").splitlines())

"""What kind of thing a noun names, by WordNet's lexicographer files: event, state, artifact, person and so on."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from graph.normalize import singular


def kind_of(noun: str) -> str:
    """Return the kind of a noun in lower case, singular or plural; empty for a word that WordNet does not have.

    The kinds are the 26 lexicographer files of nouns (Fellbaum 1998), by the sense that is tagged most often in WordNet 3.0.
    """
    kinds = _kinds()
    return kinds.get(singular(noun)) or kinds.get(noun, "")


def nouns_of(kind: str) -> frozenset[str]:
    """Return the nouns of a kind, in the singular; raises `KeyError` for a kind that there is not."""
    return _nouns()[kind]


def kinds() -> frozenset[str]:
    """Return the kinds of nouns that there are."""
    return frozenset(_nouns())


@cache
def _kinds() -> dict[str, str]:
    """Return the kind of each noun."""
    return {noun: kind for kind, nouns in _nouns().items() for noun in nouns}


@cache
def _nouns() -> dict[str, frozenset[str]]:
    """Return the table, built by scripts/build_kinds.py."""
    table = Path(__file__).parent.joinpath("data/kinds.tsv").read_text(encoding="ascii")
    return {kind: frozenset(nouns.split(" ")) for kind, nouns in (line.split("\t") for line in table.splitlines())}

"""The word lists of the miner, read once from word_lists.toml; the list "@kind" has WordNet's nouns of a kind."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from graph.text.noun_kinds import noun_kinds, nouns_of_kind


@cache
def word_list(name: str) -> frozenset[str]:
    """Return the lower-case words of the list called `name`, or the nouns of a kind: "@event"."""
    return nouns_of_kind(name[1:]) if name.startswith("@") else frozenset(_words_of_list(name).split())


@cache
def word_list_names() -> frozenset[str]:
    """Return the names of all lists."""
    return frozenset(_all_lists()) | {f"@{kind}" for kind in noun_kinds()}


@cache
def _all_lists() -> dict[str, str]:
    """Return all lists of the file by name."""
    import tomllib

    return tomllib.loads(_lists_text())


def _words_of_list(name: str) -> str:
    """Return one list without parsing the others: each is a string in three quotation marks."""
    _, separator, rest = _lists_text().partition(f'\n{name} = """')
    if not separator:
        raise KeyError(name)
    return rest.partition('"""')[0]


@cache
def _lists_text() -> str:
    """Return the text of the file."""
    return Path(__file__).parent.joinpath("word_lists.toml").read_text(encoding="utf-8")

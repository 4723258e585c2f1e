"""The words and cues by which questions are compared with the sentences of a passage, from statements.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from graph.text.stop_words import STOP_WORDS
from kgqa.linking.lexical_relations import word_roots

LONGEST_TEXT = 20_000
"""How many characters of a passage are read for what it states."""


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(Path(__file__).with_name("statements.toml").read_text(encoding="utf-8"))


@cache
def statement_cue(name: str) -> re.Pattern[str]:
    """Return the pattern of a cue by its name."""
    return re.compile(_tables()["cues"][name], re.IGNORECASE)


@cache
def words_of(name: str) -> frozenset[str]:
    """Return a set of words by its name."""
    return frozenset(_tables()["cues"][name].split())


@cache
def direction_words() -> Mapping[str, str]:
    """Return the words that say that there is more or less of something, with "more" or "less"."""
    return {word: sign for sign, words in _tables()["directions"].items() for word in words.split()}


@cache
def _groups() -> Mapping[str, frozenset[str]]:
    groups: dict[str, frozenset[str]] = {}
    for number, group in enumerate(_tables()["synonyms"]["groups"].split(",")):
        for word in group.split():
            groups[word] = groups.get(word, frozenset()) | {f"={number}"}
    return groups


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), word) for word, pattern in _tables()["phrases"].items())


class StatementWord(NamedTuple):
    """A word in lower case, the keys by which it is held to be the same as another, and where it begins."""

    text: str
    keys: frozenset[str]
    start: int


def _padded(word: str, match: re.Match[str]) -> str:
    """Return a word with the space of the phrase that it stands for, so that the places behind it stay as they are."""
    return word.ljust(len(match[0]))


def read_words(text: str) -> list[StatementWord]:
    """Return the words of a text with the keys by which two words are held to be the same."""
    for pattern, word in _phrases():
        text = pattern.sub(partial(_padded, word), text)
    words = []
    for match in re.finditer(r"[^\W_]+(?:['’](?!s\b)[^\W_]+)?", text):
        lower = match[0].lower()
        roots = word_roots(lower) | _positive_forms(lower)
        groups = frozenset[str]().union(*(_groups().get(root, frozenset()) for root in roots))
        words.append(StatementWord(lower, roots | groups, match.start()))
    return words


def telling_words(text: str) -> list[StatementWord]:
    """Return the words of a text that are neither function words nor general ones."""
    return [word for word in read_words(text) if word.text not in STOP_WORDS["yes-no"] | words_of("general")]


def _positive_forms(word: str) -> frozenset[str]:
    """Return what a comparative may be one of: "rarer" gives "rare", "drier" "dry"."""
    cut = word.removesuffix("er")
    if cut == word or len(cut) < 3:
        return frozenset()
    return frozenset({cut, f"{cut}e", *([f"{cut[:-1]}y"] if cut[-1] == "i" else []), *([cut[:-1]] if cut[-1] == cut[-2] else [])})


def word_keys(words: Sequence[StatementWord]) -> frozenset[str]:
    """Return the keys of all of some words."""
    return frozenset[str]().union(*(word.keys for word in words))

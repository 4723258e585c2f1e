"""What a common word is about: illness, body, machine, state and so on, and what kind of act a verb names.

The table, data/topics.tsv, is made from WordNet by scripts/build_topics.py. Its lines are in alphabetical order and are searched
as they stand: no question needs more than a few dozen of its 25,000 words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from kgqa.typology.vocabulary import read_question_data

_TOPIC_ENDINGS = (
    ("ies", "y"),
    ("es", ""),
    ("s", ""),
    ("ied", "y"),
    ("ed", ""),
    ("ed", "e"),
    ("d", ""),
    ("ing", ""),
    ("ing", "e"),
)
_SHORTEST_STEM = 3


@lru_cache(maxsize=8192)
def topics_of(word: str) -> tuple[str, ...]:
    """Return the topics of a word in lower case, those of its base form where it is inflected; none for a word unknown."""
    names, table = _topic_table()
    for form in _base_forms(word):
        letters = _find_letters(table, form)
        if letters:
            return tuple(names[letter] for letter in letters)
    return ()


@lru_cache(maxsize=8192)
def verb_topics(word: str, *, base: bool = False) -> tuple[str, ...]:
    """Return the topics that a word has as a verb; with `base` only where it is no inflected form."""
    names, table = _topic_table()
    letters = _find_letters(table, word) if base else None
    topics = topics_of(word) if letters is None else tuple(names[letter] for letter in letters)
    return tuple(topic for topic in topics if topic.startswith("v "))


def _base_forms(word: str) -> Sequence[str]:
    """Return a word and what it may be a form of."""
    stems = [word.removesuffix(ending) + base for ending, base in _TOPIC_ENDINGS if word.endswith(ending)]
    return [word, *(stem for stem in stems if len(stem) >= _SHORTEST_STEM)]


def _find_letters(table: str, word: str) -> str:
    """Return what the line of `word` says, found by halving the table; empty where there is no such line."""
    low, high = 0, len(table)
    while low < high:
        start = table.rfind("\n", low, (low + high) // 2) + 1 or low
        end = table.find("\n", start)
        here, _, letters = table[start:end].partition("\t")
        if here == word:
            return letters
        if here < word:
            low = end + 1
        else:
            high = start
    return ""


@cache
def _topic_table() -> tuple[Mapping[str, str], str]:
    """Read the names of the letters, and the lines that follow, once."""
    header, _, lines = read_question_data("topics.tsv").partition("\n")
    return dict(part.split("=") for part in header[1:].split("|")), lines

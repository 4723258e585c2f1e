"""Other names for a thing, from a table of WordNet's nouns and of what encyclopaedia articles call their subjects."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from graph.mining.kinds import kind_of_noun
from graph.normalize import singular
from kgqa.linking.guards import changes_polarity
from kgqa.linking.table import lookup_table

_MOST_WORDS = 6


@lru_cache(maxsize=20_000)
def synonyms(name: str) -> tuple[str, ...]:
    """Return the names that say the same as a concept's name: its whole name, or else a part of it, said in another way.

    "car accident" is an "auto accident" as well. None turns a direction or a word into its opposite.
    """
    whole = _table_synonyms(name)
    parts = () if whole else tuple(_part_synonyms(name.split()))
    return tuple(
        dict.fromkeys(synonym for synonym in (*whole, *parts) if synonym != name and not changes_polarity(name, synonym))
    )


def _table_synonyms(name: str) -> tuple[str, ...]:
    return tuple(filter(None, lookup_table("synonyms").get(name).split("|")))


def _part_synonyms(words: list[str]) -> Iterator[str]:
    """Iterate over the names in which the longest part that has other names is replaced by them."""
    if not 1 < len(words) <= _MOST_WORDS:
        return
    for length in range(len(words) - 1, 0, -1):
        for start in range(len(words) - length + 1):
            part = " ".join(words[start : start + length])
            if len(part) > 2 and (replacements := _table_synonyms(part)):
                yield from (" ".join((*words[:start], replacement, *words[start + length :])) for replacement in replacements)
                return


def is_known_word(word: str) -> bool:
    """Return whether one of the tables knows a lower-case word."""
    return any(lookup_table(name).get(form) for name in ("synonyms", "forms", "opposites") for form in (word, singular(word)))


def abbreviates(short: str, long: str) -> bool:
    """Return whether a name is made of the first letters of the words of another."""
    return " " not in short and len(short) >= 2 and short == "".join(word[0] for word in long.replace("-", " ").split())


_AILMENTS = ("disease", "syndrome", "disorder", "problem", "condition", "issue", "trouble")


def ailment_names(name: str) -> Iterator[str]:
    """Iterate over the other ways to name an ailment: "Crohn's disease" for "crohn's", "lung disease" for "lung problem"."""
    *front, head = name.split()
    if front and head in _AILMENTS[3:]:
        yield from (" ".join((*front, alternative)) for alternative in _AILMENTS if alternative != head)
    elif head.endswith("'s") or not is_noun(head):
        stem = name.removesuffix("'s")
        for form in dict.fromkeys((f"{stem}'s", stem, f"{stem[:-1]}'s" if stem.endswith("s") else stem)):
            yield from (f"{form} {ailment}" for ailment in _AILMENTS[:3])


def is_noun(word: str) -> bool:
    """Return whether WordNet has a noun of this name."""
    return bool(kind_of_noun(word))

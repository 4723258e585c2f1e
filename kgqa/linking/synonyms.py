"""Synonyms: other names of a concept, from WordNet's nouns and from the first sentences of encyclopaedia articles.

Names that mean nearly the same, such as "flood" and "flooding", are grouped, so that an answer shows them once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from graph.text.normalise import concept_name, singular
from graph.text.stop_words import STOP_WORDS
from graph.text.word_lists import kind_of_noun
from kgqa.linking.polarity import changes_polarity, polarity_group
from kgqa.linking.word_forms import act_verb, lookup_table

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
    elif head.endswith("'s") or not kind_of_noun(head):
        stem = name.removesuffix("'s")
        for form in dict.fromkeys((f"{stem}'s", stem, f"{stem[:-1]}'s" if stem.endswith("s") else stem)):
            yield from (f"{form} {ailment}" for ailment in _AILMENTS[:3])


_SAME_SENSE = frozenset({"excess", "increase", "high", "lack", "decrease", "low"})


def group_alike_names(names: Sequence[str]) -> list[list[str]]:
    """Return the names in groups that say nearly the same, in the order of their first ones, which is the one to be shown.

    Two names are alike where their words are, in the same order or turned round an "of" ("loss of hearing", "hearing loss"), in
    other numbers and forms of one verb, or where one is a synonym of the other. Neither has a word that the other lacks, so that
    a broader name is never taken for a narrower one; nor do they differ in direction.
    """
    groups: list[list[str]] = []
    places: dict[frozenset[str], int] = {}
    for name in dict.fromkeys(names):
        keys = _name_keys(name)
        place = next(
            (at for key in keys if (at := places.get(key)) is not None and not changes_polarity(groups[at][0], name)), None
        )
        if place is None:
            place = len(groups)
            groups.append([])
        groups[place].append(name)
        for key in keys:
            places.setdefault(key, place)
    return groups


@lru_cache(maxsize=20_000)
def _name_keys(name: str) -> tuple[frozenset[str], ...]:
    """Return the keys of a name and of its synonyms; alike names share one."""
    plain = concept_name(name) or name
    return tuple(dict.fromkeys(_name_key(variant) for variant in (plain, *synonyms(plain))))


def _name_key(name: str) -> frozenset[str]:
    """Return what the words of a name come to: acts by their verb, directions by their group, other words in the singular."""
    words = [word for word in name.replace("-", " ").split() if word not in STOP_WORDS["names"]] or [name]
    return frozenset(_word_sense(word, alone=len(words) == 1) for word in words)


def _word_sense(word: str, *, alone: bool) -> str:
    group = "" if alone else polarity_group(word)
    if group in _SAME_SENSE:
        return f"<{group}>"
    act = act_verb(word)
    return f"to {act}" if act else singular(word)

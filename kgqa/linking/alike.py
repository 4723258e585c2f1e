"""Names of concepts that say nearly the same and are shown once, such as "flood" and "flooding"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from graph.normalize import concept_name, singular
from kgqa.linking.forms import act_verb
from kgqa.linking.guards import changes_polarity, polarity_group
from kgqa.linking.synonyms import synonyms

_SAME_SENSE = frozenset({"excess", "increase", "high", "lack", "decrease", "low"})
_EMPTY_WORDS = frozenset("a an the of in on at to for from by and or with its their his her".split())


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
    words = [word for word in name.replace("-", " ").split() if word not in _EMPTY_WORDS] or [name]
    return frozenset(_word_sense(word, alone=len(words) == 1) for word in words)


def _word_sense(word: str, *, alone: bool) -> str:
    group = "" if alone else polarity_group(word)
    if group in _SAME_SENSE:
        return f"<{group}>"
    act = act_verb(word)
    return f"to {act}" if act else singular(word)

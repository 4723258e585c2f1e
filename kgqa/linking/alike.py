"""Names of concepts that say nearly the same and are shown once, such as "flood" and "flooding"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from graph.normalize import concept_name, singular
from kgqa.linking.forms import act_of
from kgqa.linking.guards import crosses, group_of
from kgqa.linking.synonyms import synonyms

_SAME_SENSE = frozenset({"excess", "increase", "high", "lack", "decrease", "low"})
_EMPTY = frozenset("a an the of in on at to for from by and or with its their his her".split())


def alike(names: Sequence[str]) -> list[list[str]]:
    """Return the names in groups that say nearly the same, in the order of their first ones, which is the one to be shown.

    Two names are alike where their words are, in the same order or turned round an "of" ("loss of hearing", "hearing loss"), in
    other numbers and forms of one verb, or where one is a synonym of the other. Neither has a word that the other lacks, so that
    a broader name is never taken for a narrower one; nor do they differ in direction.
    """
    groups: list[list[str]] = []
    places: dict[frozenset[str], int] = {}
    for name in dict.fromkeys(names):
        keys = _keys(name)
        place = next((at for key in keys if (at := places.get(key)) is not None and not crosses(groups[at][0], name)), None)
        if place is None:
            place = len(groups)
            groups.append([])
        groups[place].append(name)
        for key in keys:
            places.setdefault(key, place)
    return groups


@lru_cache(maxsize=20_000)
def _keys(name: str) -> tuple[frozenset[str], ...]:
    """Return the keys of a name and of its synonyms; alike names share one."""
    plain = concept_name(name) or name
    return tuple(dict.fromkeys(_key(one) for one in (plain, *synonyms(plain))))


def _key(name: str) -> frozenset[str]:
    """Return what the words of a name come to: acts by their verb, directions by their group, other words in the singular."""
    words = [word for word in name.replace("-", " ").split() if word not in _EMPTY] or [name]
    return frozenset(_said(word, alone=len(words) == 1) for word in words)


def _said(word: str, *, alone: bool) -> str:
    group = "" if alone else group_of(word)
    if group in _SAME_SENSE:
        return f"<{group}>"
    act = act_of(word)
    return f"to {act}" if act else singular(word)

"""Forms of words: which are of one family, as "flood", "floods" and "flooding" are, and "death" and "die"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from graph.mining.kinds import kind_of
from graph.normalize import singular
from kgqa.linking.table import table


@lru_cache(maxsize=20_000)
def act_of(word: str) -> str:
    """Return the verb of a noun that names an act or a state, or of an irregular form; empty where it names none."""
    return table("forms").get(word) or table("forms").get(singular(word))


def is_only_verb(word: str) -> bool:
    """Return whether a lower-case word is the base form of a verb, or its participle, and neither a noun nor an adjective."""
    return table("verbs").get(word) != ""


@lru_cache(maxsize=20_000)
def family(word: str) -> str:
    """Return what the forms of a word have in common: its verb where it names an act, else its singular."""
    return act_of(word) or singular(word)


@lru_cache(maxsize=50_000)
def related(one: str, other: str) -> bool:
    """Return whether two lower-case words are forms of one word: by number, by inflection, or derived from one verb."""
    if singular(one) == singular(other) or family(one) == family(other):
        return True
    return bool(_roots(one) & _roots(other))


@lru_cache(maxsize=20_000)
def _roots(word: str) -> frozenset[str]:
    """Return what a word may be a regular form of, with the verb of each."""
    found = {word, singular(word)}
    for ending in ("ing", "ed", "es", "s", "d"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)]
            found.update((stem, stem + "e"))
            if stem[-1] == stem[-2] and stem[-1] not in "aeiouls":
                found.add(stem[:-1])
            if stem[-1] == "i":
                found.add(stem[:-1] + "y")
    return frozenset(found | {act for root in found if (act := act_of(root))})


def words_key(name: str) -> tuple[str, ...]:
    """Return the singulars of a name's words, without hyphens: names with one key differ in number at most."""
    return tuple(singular(word) for word in name.replace("-", " ").split())


def same_alone(one: str, other: str) -> bool:
    """Return whether two words that stand alone are forms of one: a thing is not what is done with it ("fish", "fishing")."""
    if singular(one) == singular(other):
        return True
    if act_of(one) or act_of(other) or kind_of(one):
        return bool(act_of(one)) and (act_of(one) == act_of(other) or act_of(one) in _roots(other))
    return related(one, other)


def cover(words: Sequence[str], theirs: Sequence[str]) -> bool:
    """Return whether the words of two names are forms of one another, one to one, in any order."""
    if len(words) != len(theirs):
        return False
    if len(words) == 1:
        return same_alone(words[0], theirs[0])
    rest = list(theirs)
    for word in words:
        match = next((other for other in rest if word == other or related(word, other)), None)
        if match is None:
            return False
        rest.remove(match)
    return True

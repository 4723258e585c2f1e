"""Forms of words: which are of one family, as "flood", "floods" and "flooding" are, and "death" and "die"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from graph.mining.kinds import kind_of_noun
from graph.normalize import singular
from kgqa.linking.table import lookup_table


@lru_cache(maxsize=20_000)
def act_verb(word: str) -> str:
    """Return the verb of a noun that names an act or a state, or of an irregular form; empty where it names none."""
    return lookup_table("forms").get(word) or lookup_table("forms").get(singular(word))


def is_only_verb(word: str) -> bool:
    """Return whether a lower-case word is the base form of a verb, or its participle, and neither a noun nor an adjective."""
    return lookup_table("verbs").get(word) != ""


@lru_cache(maxsize=20_000)
def word_family(word: str) -> str:
    """Return what the forms of a word have in common: its verb where it names an act, else its singular."""
    return act_verb(word) or singular(word)


@lru_cache(maxsize=50_000)
def is_related_form(first: str, second: str) -> bool:
    """Return whether two lower-case words are forms of one word: by number, by inflection, or derived from one verb."""
    if singular(first) == singular(second) or word_family(first) == word_family(second):
        return True
    return bool(_roots(first) & _roots(second))


@lru_cache(maxsize=20_000)
def _roots(word: str) -> frozenset[str]:
    """Return what a word may be a regular form of, with the verb of each."""
    roots = {word, singular(word)}
    for ending in ("ing", "ed", "es", "s", "d"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)]
            roots.update((stem, stem + "e"))
            if stem[-1] == stem[-2] and stem[-1] not in "aeiouls":
                roots.add(stem[:-1])
            if stem[-1] == "i":
                roots.add(stem[:-1] + "y")
    return frozenset(roots | {act for root in roots if (act := act_verb(root))})


def words_key(name: str) -> tuple[str, ...]:
    """Return the singulars of a name's words, without hyphens: names with one key differ in number at most."""
    return tuple(singular(word) for word in name.replace("-", " ").split())


def is_same_alone(first: str, second: str) -> bool:
    """Return whether two words that stand alone are forms of one: a thing is not what is done with it ("fish", "fishing")."""
    if singular(first) == singular(second):
        return True
    if act_verb(first) or act_verb(second) or kind_of_noun(first):
        return bool(act_verb(first)) and (act_verb(first) == act_verb(second) or act_verb(first) in _roots(second))
    return is_related_form(first, second)


def covers_words(words: Sequence[str], theirs: Sequence[str]) -> bool:
    """Return whether the words of two names are forms of one another, one to one, in any order."""
    if len(words) != len(theirs):
        return False
    if len(words) == 1:
        return is_same_alone(words[0], theirs[0])
    rest = list(theirs)
    for word in words:
        match = next((candidate for candidate in rest if word == candidate or is_related_form(word, candidate)), None)
        if match is None:
            return False
        rest.remove(match)
    return True

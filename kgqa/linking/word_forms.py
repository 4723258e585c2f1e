"""Forms of words: families such as "flood", "floods" and "flooding", or "death" and "die"."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from graph.text.normalise import singular
from graph.text.stems import regular_roots
from graph.text.word_lists import LookupTable, kind_of_noun


@cache
def lookup_table(name: str) -> LookupTable:
    """Return a table of the folder of data, read once: "synonyms", "forms", "opposites" or "verbs"."""
    return LookupTable(Path(__file__).with_name("data").joinpath(f"{name}.tsv").read_bytes())


@cache
def word_set(name: str) -> frozenset[str]:
    """Return one of the sets of words of data/words.tsv, where the meaning of each stands."""
    lines = Path(__file__).with_name("data").joinpath("words.tsv").read_text(encoding="ascii").splitlines()
    return next(frozenset(words.split()) for row, _, words in (line.split("\t") for line in lines) if row == name)


def is_known_word(word: str) -> bool:
    """Return whether one of the tables of words knows a lower-case word."""
    return any(lookup_table(name).get(form) for name in ("synonyms", "forms", "opposites") for form in (word, singular(word)))


@lru_cache(maxsize=20_000)
def act_verb(word: str) -> str:
    """Return the verb of a noun that names an act or a state, or of an irregular form; empty where it names none."""
    return lookup_table("forms").get(word) or lookup_table("forms").get(singular(word))


def is_only_verb(word: str) -> bool:
    """Return whether a lower-case word is the base form of a verb, or its participle, and neither a noun nor an adjective."""
    return lookup_table("verbs").get(word) != ""


@lru_cache(maxsize=50_000)
def is_related_form(first: str, second: str) -> bool:
    """Return whether two lower-case words are forms of one word: by number, by inflection, or derived from one verb."""
    if singular(first) == singular(second) or (act_verb(first) or singular(first)) == (act_verb(second) or singular(second)):
        return True
    return not _roots(first).isdisjoint(_roots(second))


@lru_cache(maxsize=20_000)
def _roots(word: str) -> frozenset[str]:
    roots = {word, singular(word), *regular_roots(word)}
    return frozenset(roots | {act for root in roots if (act := act_verb(root))})


def words_key(name: str) -> tuple[str, ...]:
    """Return the singulars of a name's words, without hyphens: names with one key differ in number at most."""
    return tuple(singular(word) for word in name.replace("-", " ").split())


def covers_words(words: Sequence[str], theirs: Sequence[str]) -> bool:
    """Return whether the words of two names are forms of one another, one to one, in any order."""
    if len(words) != len(theirs):
        return False
    if len(words) == 1:
        return _is_same_alone(words[0], theirs[0])
    rest = list(theirs)
    for word in words:
        match = next((candidate for candidate in rest if word == candidate or is_related_form(word, candidate)), None)
        if match is None:
            return False
        rest.remove(match)
    return True


def _is_same_alone(first: str, second: str) -> bool:
    """Return whether two words that stand alone are forms of one: a thing is not what is done with it ("fish", "fishing")."""
    if singular(first) == singular(second):
        return True
    if act_verb(first) or act_verb(second) or kind_of_noun(first):
        return bool(act_verb(first)) and (act_verb(first) == act_verb(second) or act_verb(first) in _roots(second))
    return is_related_form(first, second)

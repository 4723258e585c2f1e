"""English inflection: plurals, gerunds, articles and capitals, by suffix rules and a table of the words that they get wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

_VOWELS = "aeiou"
_SIBILANT = ("s", "x", "z", "ch", "sh")
_VOWEL_SOUNDS = ("hour", "honest", "honour", "honor", "heir", "x-", "8", "11 ", "18")
_CONSONANT_SOUNDS = ("uni", "use", "usu", "uti", "ubi", "ura", "eu", "one", "once", "ewe")
"""Beginnings that are pronounced with a vowel or a consonant although the other is written."""
_NEGATIONS = ("unin", "unim", "unid", "unir")
_LETTERS_WITH_VOWEL = "AEFHILMNORSX"


def plural_by_rule(noun: str) -> str:
    """Return the plural of a noun by the suffix rules alone."""
    if noun.endswith("y") and noun[-2:-1] not in _VOWELS:
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(_SIBILANT) else "s")


def gerund_by_rule(verb: str) -> str:
    """Return the form of a verb in -ing by the suffix rules alone."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and len(verb) > 2:
        return verb[:-1] + "ing"
    return f"{_with_doubled_consonant(verb)}ing"


def regular_inflections(base: str, kind: str) -> frozenset[str]:
    """Return the regular forms of a verb ("V") or a noun ("N") from its base form, and other words unchanged."""
    if kind not in "VN":
        return frozenset({base})
    if re.search("[^aeiou]y$", base):
        plural, past = f"{base[:-1]}ies", f"{base[:-1]}ied"
    else:
        plural = f"{base}es" if re.search("(?:[sxzo]|ch|sh)$", base) else f"{base}s"
        past = f"{base}d" if base.endswith("e") else f"{_with_doubled_consonant(base)}ed"
    going = base[:-1] if re.search("[^eoy]e$", base) else base if base.endswith("e") else _with_doubled_consonant(base)
    return frozenset({base, plural} | ({past, f"{going}ing"} if kind == "V" else set()))


def _with_doubled_consonant(stem: str) -> str:
    """Return a stem of one syllable with the consonant doubled that English doubles before "ed": stop, stopped."""
    return stem + stem[-1] if re.fullmatch("[^aeiou]*[aeiou][^aeiouwxy]", stem) else stem


def indefinite_article(words: str) -> str:
    """Return "a" or "an", as `words` are pronounced."""
    lower, first = words.lower(), words.partition(" ")[0]
    if first.isupper() and len(first) > 1 and not any(letter in "AEIOU" for letter in first[1:3]):
        return "an" if first[0] in _LETTERS_WITH_VOWEL else "a"
    if lower.startswith(_VOWEL_SOUNDS):
        return "an"
    if lower.startswith(_CONSONANT_SOUNDS) and not lower.startswith(_NEGATIONS):
        return "a"
    return "an" if lower[:1] and lower[0] in _VOWELS else "a"


@cache
def _table_lines() -> dict[str, str]:
    text = Path(__file__).with_name("data").joinpath("nouns.tsv").read_text(encoding="utf-8")
    lines = (line.partition("\t") for line in text.splitlines())
    return {kind: words for kind, _, words in lines}


@cache
def words_of_kind(kind: str) -> frozenset[str]:
    """Return the words of a kind, counted in sentences by `scripts/build/build_wording.py`.

    Nouns: "plural", "article" (with "a") or "bare" by their usual form, alone or after another word ("heart_disease"); "unique"
    take "the" alone, "the" after a name, "event" before "of" and a name. Spelling: "capital", "upper", "beside" (capitalised next
    to a capitalised word), "pair". Verbs at the start of a name: "verb", "either" (nouns too), "action" (with an object).
    """
    return frozenset(_table_lines().get(kind, "").split()) | forms_of_kind(kind).keys()


@cache
def forms_of_kind(kind: str) -> dict[str, str]:
    """Return the irregular forms of the words of a kind: plurals, gerunds, spellings."""
    return dict(pair.split("=") for pair in _table_lines().get(f"{kind}=", "").split())


def plural_of(noun: str) -> str:
    """Return the plural of a noun."""
    return forms_of_kind("plural").get(noun) or plural_by_rule(noun)


def gerund_of(verb: str) -> str:
    """Return the form of a verb in -ing."""
    return forms_of_kind("verb").get(verb) or forms_of_kind("either").get(verb) or gerund_by_rule(verb)


def spell_word(word: str) -> str:
    """Return the spelling of a lower-case word inside a sentence: "HIV/AIDS", "African", "Stalin's"."""
    spelling = forms_of_kind("spelt").get(word) or ("/" in word and forms_of_kind("spelt").get(f"{word}s"))
    if spelling:
        return spelling
    if word in words_of_kind("upper"):
        return word.upper()
    if word in words_of_kind("capital"):
        return _capital(word)
    if "–" in word:  # "Born–Oppenheimer"
        return "–".join(map(spell_word, word.split("–")))
    return spell_word(word[:-2]) + word[-2:] if word.endswith(("'s", "’s")) else word


_LETTERED = frozenset("vitamin hepatitis influenza type group class grade".split())
"""What is told apart by letters: "hepatitis A"."""


def spell_words(words: Sequence[str]) -> list[str]:
    """Return the spellings of adjacent words: "Pearl Harbor", "New York City", "Battle of Hastings"."""
    spellings = [spell_word(word) if len(word) > 1 or word == "a" else word.upper() for word in words]
    spellings[:1] = map(spell_word, words[:1])
    for place in range(1, len(words)):
        if words[place] == "a" and words[place - 1] in _LETTERED:
            spellings[place] = "A"
    for place in range(len(words) - 1):
        if f"{words[place]}_{words[place + 1]}" in words_of_kind("pair"):
            spellings[place : place + 2] = [_capital(words[place]), _capital(words[place + 1])]
    for place, word in (*enumerate(words), *reversed(list(enumerate(words)))):
        near = [*spellings[max(0, place - 1) : place], *spellings[place + 1 : place + 2]]
        if spellings[place + 1 : place + 2] == ["of"] and word in words_of_kind("the"):
            near += spellings[place + 2 : place + 3]
        if word in words_of_kind("beside") and spellings[place] == word and any(neighbour[:1].isupper() for neighbour in near):
            spellings[place] = _capital(word)
    return spellings


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]

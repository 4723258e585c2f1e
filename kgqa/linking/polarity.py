"""Polarity: the direction words and opposites that no loose link may cross. "Lack of sleep" is not sleep, a rise is not a fall.

A phrase has signs: the directions of its words and prefixes. Two phrases can only mean the same, or one a kind of the other,
where their signs are equal and no word of one is the opposite of a word of the other. A different number counts as an
opposite: World War I is not World War II.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

from graph.text.normalise import singular, surface_name
from kgqa.linking.word_forms import is_related_form, lookup_table, word_set

MORE = "more"
LESS = "less"
_PREFIXES = {"hyper": MORE, "hypo": LESS, "anti": LESS, "non": LESS}
_LOCAL = frozenset("low lower high higher upper".split())
# What takes part in a name without saying how much: "high school", "withdrawal symptoms", "crop rotation end".
_NAMES = re.compile(
    r"\b(?:high school|high schools|high sea|high seas|high court|no one|fallout|free trade|free will|free market|free radical|"
    r"free radicals|free time|higher education|high altitude|high tide|low tide|no man|free speech|drop out|little finger|"
    r"little toe|few minutes|few days|end stage|open end|lost in|rise to|not only|rate increase|dead end)\b"
)
_CHANGING = re.compile(
    r"\btoo (much|many|little|few)\b|\bnot enough\b|\bnot (?:getting |having |eating |drinking |doing )?enough\b"
)
_ROMAN = {word: str(number) for number, word in enumerate("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi".split(), 1)}
_NEGATIONS = ("un", "in", "im", "ir", "il", "dis", "non", "anti", "de", "mis", "mal", "counter", "under", "over", "a", "an", "re")
_OPPOSITE_PREFIXES = tuple(
    pair.split("-")
    for pair in "hyper-hypo over-under in-out pre-post pre-pro macro-micro pro-anti im-ex in-de hypo-hyper under-over out-in "
    "post-pre pro-pre micro-macro anti-pro ex-im de-in".split()
)


@cache
def polarity_words() -> Mapping[str, tuple[str, str]]:
    """Return the words that by themselves say how much there is of a thing, each with its group of one sense and its sign."""
    rows = Path(__file__).with_name("data").joinpath("polarity.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return {word: (group, sign) for group, sign, words in (row.split("\t") for row in rows) for word in words.split()}


@lru_cache(maxsize=20_000)
def polarity_marks(phrase: str) -> tuple[tuple[str, str], ...]:
    """Return the directions in a phrase in order, each as its group and its sign: "lack of sleep" has ("lack", "less")."""
    text = surface_name(phrase).replace("-", " ").replace("‐", " ")
    text = _CHANGING.sub(lambda match: f"too-{match[1]}" if match[1] else "insufficient", text)
    words = [word.strip(".,;:!?\"'()") for word in _NAMES.sub(" ", text).split()]
    directions = []
    for word, after in zip(words, [*words[1:], ""], strict=False):
        if word in _LOCAL and after in word_set("placed"):
            continue
        if word in polarity_words():
            directions.append(polarity_words()[word])
        elif word not in word_set("not prefixed") and len(word) > 6:
            directions.extend((prefix, sign) for prefix, sign in _PREFIXES.items() if word.startswith(prefix))
    return tuple(directions)


@lru_cache(maxsize=20_000)
def polarity_signs(phrase: str) -> tuple[str, ...]:
    """Return the signs of a phrase, sorted: "more" for each word of rise and plenty, "less" for each of fall and want."""
    return tuple(sorted(sign for _, sign in polarity_marks(phrase)))


def polarity_group(word: str) -> str:
    """Return the group of a lower-case word that by itself says how much there is of a thing; empty for any other word."""
    return polarity_words().get(word, ("", ""))[0]


def changes_polarity(phrase: str, name: str) -> bool:
    """Return whether reading `phrase` as `name` would lose, gain or turn a direction, or take a word for its opposite."""
    return polarity_signs(phrase) != polarity_signs(name) or has_opposite_words(phrase, name)


def has_opposite_words(phrase: str, name: str) -> bool:
    """Return whether a word of the one is the opposite of a word of the other that the one itself does not have."""
    ours, theirs = (frozenset(surface_name(text).replace("-", " ").split()) for text in (phrase, name))
    return any(_are_opposites(word, name_word) for word in ours - theirs for name_word in theirs - ours)


@lru_cache(maxsize=20_000)
def _are_opposites(first: str, second: str) -> bool:
    """Return whether two words are antonyms, or one is the other with a prefix that turns it: "stability", "instability"."""
    if second in _antonyms(first) or first in _antonyms(second):
        return True
    if _numeral_of(first) and _numeral_of(second):
        return _numeral_of(first) != _numeral_of(second)
    shorter, longer = sorted((first, second), key=len)
    for prefix in _NEGATIONS:
        if len(shorter) >= 4 and longer.startswith(prefix) and is_related_form(longer[len(prefix) :], shorter):
            return True
    for word, opposite in ((first, second), (second, first)):
        stem = _without_ending(word, "less")
        if stem and stem in (opposite, _without_ending(opposite, "ful")):
            return True
    return any(
        first.startswith(prefix) and singular(second) == turned + singular(first[len(prefix) :])
        for prefix, turned in _OPPOSITE_PREFIXES
    )


@lru_cache(maxsize=20_000)
def _antonyms(word: str) -> frozenset[str]:
    return frozenset(filter(None, lookup_table("opposites").get(word).split("|")))


def _numeral_of(word: str) -> str:
    return word if word.isdecimal() else _ROMAN.get(word, "")


def _without_ending(word: str, ending: str) -> str:
    return word.removesuffix(ending) if len(word) > len(ending) + 2 and word.endswith(ending) else ""

"""The facts of passages that a script can edit: dates, numbers with what they count, and ranks, with where they stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from kgqa.intervention.passages.words import Word, sentences, words
from kgqa.quantities.model import Date, Period, Quantity, Sort
from kgqa.quantities.reading import read
from kgqa.reading.model import Passage

LONGEST = 20_000
"""At most so many characters of a passage are read: a passage has a hundred words, a page is cut into windows before."""
_SPAN_OF_YEARS = (Sort.YEAR, Sort.DECADE)


@dataclass(frozen=True, slots=True)
class Fact:
    """A value that stands at `start` to `end` of a passage, in the sentence `sentence` of it; `last` is the end of a range.

    `inherited` says that the year of a date stands elsewhere in the passage.
    """

    value: Quantity | Date
    passage: int
    sentence: int
    start: int
    end: int
    text: str
    last: bool = False
    inherited: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A passage as it was read: its words, its sentences (characters), the sentence of each word, and its facts in order."""

    number: int
    text: str
    words: tuple[Word, ...]
    sentences: tuple[tuple[int, int], ...]
    places: tuple[int, ...]
    facts: tuple[Fact, ...]

    def sentence_of(self, fact: Fact) -> str:
        """Return the sentence in which a fact stands."""
        start, end = self.sentences[fact.sentence]
        return self.text[start:end].strip()


def readings(passages: Sequence[Passage]) -> tuple[Reading, ...]:
    """Return what stands in each passage that has words; a passage that repeats an earlier one is left out."""
    seen: set[str] = set()
    found: list[Reading] = []
    for number, passage in enumerate(passages):
        text = passage.text[:LONGEST]
        key = " ".join(text.split())
        if key and key not in seen:
            seen.add(key)
            found.append(_reading(number, text))
    return tuple(found)


def rarity(passages: Iterable[Reading]) -> dict[str, float]:
    """Return how telling each stem of the passages is: 1 for one that stands there once, less for a frequent one."""
    counts = Counter(word.stem for one in passages for word in one.words)
    return {stem: 1 / sqrt(count) for stem, count in counts.items()}


def _reading(number: int, text: str) -> Reading:
    spans = sentences(text) or ((0, len(text)),)
    found = words(text)
    places: list[int] = []
    at = 0
    for word in found:
        while at + 1 < len(spans) and word.start >= spans[at + 1][0]:
            at += 1
        places.append(at)
    facts = tuple(_with_years(_facts(number, text, spans), text))
    return Reading(number, text, found, spans, tuple(places), facts)


def _facts(number: int, text: str, spans: Sequence[tuple[int, int]]) -> Iterable[Fact]:
    for value in read(text):
        sentence = next((place for place in range(len(spans) - 1, -1, -1) if value.start >= spans[place][0]), 0)
        for one, last in _ends(value):
            yield Fact(one, number, sentence, value.start, value.end, value.text or text[value.start : value.end], last)


def _ends(value: Quantity | Date | Period) -> Iterable[tuple[Quantity | Date, bool]]:
    """Yield the values that a measure tells: a period has two dates; years are dates."""
    if isinstance(value, Period):
        yield from ((value.first, False), (value.last, True))
    elif isinstance(value, Quantity) and value.sort in _SPAN_OF_YEARS:
        year = int(value.value)
        if year:
            yield _year(value, year, value.sort is Sort.DECADE), False
        if value.upper is not None and value.sort is Sort.YEAR and int(value.upper):
            yield _year(value, int(value.upper), False), True
    else:
        yield value, False


def _year(value: Quantity, year: int, decade: bool) -> Date:
    return Date(year, season="decade" if decade else "", text=value.text, start=value.start, end=value.end)


def _with_years(facts: Iterable[Fact], text: str) -> Iterable[Fact]:
    """Yield the facts, a day without a year with the year that was told last before it, or else first in the passage."""
    told = list(facts)
    years = [(fact.start, fact.value.year) for fact in told if isinstance(fact.value, Date) and fact.value.year]
    for fact in told:
        if isinstance(fact.value, Date) and not fact.value.year and years:
            before = [year for start, year in years if start < fact.start]
            year = before[-1] if before else years[0][1]
            yield replace(fact, value=replace(fact.value, year=year), inherited=True)
        else:
            yield fact


_NOUN_END = re.compile(r"[,.;:()]")


def counted_stems(fact: Fact, passage: Reading, words_after: int = 3) -> tuple[str, ...]:
    """Return the stems of what a number counts: the words behind it up to a stop."""
    after = [word for word in passage.words if word.start >= fact.end][: words_after + 1]
    stems: list[str] = []
    previous = fact.end
    for word in after[:words_after]:
        if _NOUN_END.search(passage.text, previous, word.start):
            break
        previous = word.end
        if word.telling:
            stems.append(word.stem)
        elif word.text.lower() not in ("of", "the", "new", "more", "other", "total", "different"):
            break
    return tuple(stems)

"""The facts of passages that a script can edit: dates, numbers with what they count, and ranks, with where they stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from kgqa.intervention.passages.words import PassageToken, passage_sentence_spans, passage_tokens
from kgqa.quantities.model import Date, Period, Quantity, Sort
from kgqa.quantities.reading import parse_quantities
from kgqa.reading.model import Passage

PASSAGE_CHARACTER_LIMIT = 20_000
"""At most so many characters of a passage are read: a passage has a hundred words, a page is cut into windows before."""
_SPAN_OF_YEARS = (Sort.YEAR, Sort.DECADE)


@dataclass(frozen=True, slots=True)
class PassageFact:
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
class ParsedPassage:
    """A passage as it was read: its words, its sentences (characters), the sentence of each word, and its facts in order."""

    number: int
    text: str
    words: tuple[PassageToken, ...]
    sentences: tuple[tuple[int, int], ...]
    places: tuple[int, ...]
    facts: tuple[PassageFact, ...]

    def sentence_of(self, fact: PassageFact) -> str:
        """Return the sentence in which a fact stands."""
        start, end = self.sentences[fact.sentence]
        return self.text[start:end].strip()


def parse_passages(passages: Sequence[Passage]) -> tuple[ParsedPassage, ...]:
    """Return what stands in each passage that has words; a passage that repeats an earlier one is left out."""
    seen: set[str] = set()
    parsed: list[ParsedPassage] = []
    for number, passage in enumerate(passages):
        text = passage.text[:PASSAGE_CHARACTER_LIMIT]
        key = " ".join(text.split())
        if key and key not in seen:
            seen.add(key)
            parsed.append(_parse_passage(number, text))
    return tuple(parsed)


def stem_rarity(passages: Iterable[ParsedPassage]) -> dict[str, float]:
    """Return how telling each stem of the passages is: 1 for one that stands there once, less for a frequent one."""
    counts = Counter(word.stem for passage in passages for word in passage.words)
    return {stem: 1 / sqrt(count) for stem, count in counts.items()}


def _parse_passage(number: int, text: str) -> ParsedPassage:
    spans = passage_sentence_spans(text) or ((0, len(text)),)
    tokens = passage_tokens(text)
    places: list[int] = []
    at = 0
    for word in tokens:
        while at + 1 < len(spans) and word.start >= spans[at + 1][0]:
            at += 1
        places.append(at)
    facts = tuple(_with_inherited_years(_passage_facts(number, text, spans), text))
    return ParsedPassage(number, text, tokens, spans, tuple(places), facts)


def _passage_facts(number: int, text: str, spans: Sequence[tuple[int, int]]) -> Iterable[PassageFact]:
    for value in parse_quantities(text):
        sentence = next((place for place in range(len(spans) - 1, -1, -1) if value.start >= spans[place][0]), 0)
        for fact_value, last in _values_of_measure(value):
            yield PassageFact(
                fact_value, number, sentence, value.start, value.end, value.text or text[value.start : value.end], last
            )


def _values_of_measure(value: Quantity | Date | Period) -> Iterable[tuple[Quantity | Date, bool]]:
    """Yield the values that a measure tells: a period has two dates; years are dates."""
    if isinstance(value, Period):
        yield from ((value.first, False), (value.last, True))
    elif isinstance(value, Quantity) and value.sort in _SPAN_OF_YEARS:
        year = int(value.value)
        if year:
            yield _year_as_date(value, year, value.sort is Sort.DECADE), False
        if value.upper is not None and value.sort is Sort.YEAR and int(value.upper):
            yield _year_as_date(value, int(value.upper), False), True
    else:
        yield value, False


def _year_as_date(value: Quantity, year: int, decade: bool) -> Date:
    return Date(year, season="decade" if decade else "", text=value.text, start=value.start, end=value.end)


def _with_inherited_years(facts: Iterable[PassageFact], text: str) -> Iterable[PassageFact]:
    """Yield the facts, a day without a year with the year that was told last before it, or else first in the passage."""
    listed_facts = list(facts)
    years = [(fact.start, fact.value.year) for fact in listed_facts if isinstance(fact.value, Date) and fact.value.year]
    for fact in listed_facts:
        if isinstance(fact.value, Date) and not fact.value.year and years:
            before = [year for start, year in years if start < fact.start]
            year = before[-1] if before else years[0][1]
            yield replace(fact, value=replace(fact.value, year=year), inherited=True)
        else:
            yield fact


_NOUN_END = re.compile(r"[,.;:()]")


def counted_noun_stems(fact: PassageFact, passage: ParsedPassage, words_after: int = 3) -> tuple[str, ...]:
    """Return the stems of what a number counts: the words behind it up to a stop."""
    after = [word for word in passage.words if word.start >= fact.end][: words_after + 1]
    stems: list[str] = []
    previous = fact.end
    for word in after[:words_after]:
        if _NOUN_END.search(passage.text, previous, word.start):
            break
        previous = word.end
        if word.is_content_word:
            stems.append(word.stem)
        elif word.text.lower() not in ("of", "the", "new", "more", "other", "total", "different"):
            break
    return tuple(stems)

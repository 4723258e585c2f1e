"""The facts of passages that a script can edit: dates, numbers with what they count, and ranks, with where they stand.

Who has which value: names of a passage with their heights, counts or prices, by what is measured.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt

from kgqa.edits.passage_tokens import (
    NameMention,
    PassageToken,
    content_word_stems,
    name_mentions,
    passage_sentence_spans,
    passage_tokens,
    stem_overlap,
)
from kgqa.quantities.quantity import Date, Period, Quantity, Sort
from kgqa.quantities.quantity_parser import parse_quantities
from kgqa.quantities.units import Unit, unit_of
from kgqa.readers.reader import Passage

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


_BETWEEN = re.compile(r";|,\s(?:and|while|whereas|but|followed by)\s|\bwhile\b|\bwhereas\b")
_BEFORE = re.compile(r"\b(?:in|at|on|of|from|by|for|near|to|than|across|through|over)\s(?:the\s|an?\s)?$", re.IGNORECASE)
_POINTS_BACK = re.compile(r"^[\"“(]*(?:It|Its|He|His|She|Her|They|Their|This|That|The)\b")
_ELIDED = re.compile(r"^\s*(?:[.,;:)]|and\b|or\b|while\b|$)")


@dataclass(frozen=True, slots=True, eq=False)
class EntityValue:
    """A name with a value in the first unit of its measure, where it stands, and how well its words fit what is asked."""

    name: NameMention
    value: Fraction
    fact: PassageFact
    passage: ParsedPassage
    fit: int = 0


@dataclass(frozen=True, slots=True)
class _MeasuredFact:
    """A value with its measure: "length", "money", or what is counted ("count gold medal"), and its unit, told or left out."""

    fact: PassageFact
    measure: str
    unit: Unit | None


def entity_values(passages: Sequence[ParsedPassage], question_stems: frozenset[str]) -> dict[str, list[EntityValue]]:
    """Return the names that have a value, by what is measured; of several values of a name the one that `said` fits best."""
    of: dict[str, list[EntityValue]] = {}
    for passage in passages:
        mentions = name_mentions(passage.text)
        listed_facts = list(_measured_facts(passage))
        for at, measured_fact in enumerate(listed_facts):
            earlier = [
                earlier_fact.fact.end
                for earlier_fact in listed_facts[:at]
                if earlier_fact.measure == measured_fact.measure and earlier_fact.fact.sentence == measured_fact.fact.sentence
            ]
            name, start = _entity_of_value(passage, measured_fact.fact, mentions, max(earlier, default=0))
            value = measured_fact.fact.value
            if name is None or not isinstance(value, Quantity):
                continue
            name = full_name(name, mentions)
            factor = measured_fact.unit.factor if measured_fact.unit is not None else Fraction(1)
            fit = len(question_stems & (content_word_stems(passage.text[start : measured_fact.fact.end + 25]) - name.stems))
            _add_entity_value(
                of.setdefault(measured_fact.measure, []),
                EntityValue(name, value.value * factor, measured_fact.fact, passage, fit),
            )
    return of


def _add_entity_value(there: list[EntityValue], made: EntityValue) -> None:
    """Add a value, or put it in the place of a worse one of the same name."""
    for at, entity_value in enumerate(there):
        if (
            stem_overlap(made.name.stems, entity_value.name.stems) > 0.5
            or stem_overlap(entity_value.name.stems, made.name.stems) > 0.5
        ):
            if made.fit > entity_value.fit:
                there[at] = made
            return
    there.append(made)


def _measured_facts(passage: ParsedPassage) -> Iterator[_MeasuredFact]:
    """Yield the values of a passage with their measures; one without unit or noun is of the measure of the one before it."""
    before: _MeasuredFact | None = None
    for fact in passage.facts:
        value = fact.value
        if not isinstance(value, Quantity) or value.sort in (Sort.ORDINAL, Sort.TIME, Sort.CENTURY):
            continue
        if value.spelt and value.value == 1:
            continue  # "one of 9.6 million"
        nouns = counted_noun_stems(fact, passage)
        unit = unit_of(value.unit) if value.unit and value.sort is not Sort.MONEY else None
        if value.sort in (Sort.MONEY, Sort.PERCENT):
            measure = value.sort.value
        elif unit is not None:
            measure = unit.measures
        elif (
            before is not None and before.fact.sentence == fact.sentence and _ELIDED.match(passage.text[fact.end : fact.end + 8])
        ):
            measure, unit = before.measure, before.unit
        elif nouns:
            measure = f"count {' '.join(nouns[:2])}"
        else:
            continue
        before = _MeasuredFact(fact, measure, unit)
        yield before


def _entity_of_value(
    passage: ParsedPassage, fact: PassageFact, mentions: Sequence[NameMention], earlier: int
) -> tuple[NameMention | None, int]:
    """Return the name that a value belongs to, and where the words begin that are on it.

    It is the last name before a bracket in which the value stands, else the first of its clause, rather one that follows no
    preposition; where there is none, and the sentence points back, the first of the sentence before; else the first behind it.
    """
    start, end = passage.sentences[fact.sentence]
    mentions = [without_trailing_value(name, fact) for name in mentions if name.stems and not fact.start <= name.start < fact.end]

    def behind_preposition(name: NameMention) -> bool:
        return _BEFORE.search(passage.text[start : name.start]) is not None

    bracket = passage.text.rfind("(", start, fact.start)
    if bracket > passage.text.rfind(")", start, fact.start):
        ahead = [name for name in mentions if max(start, earlier) <= name.start and name.end <= bracket]
        if ahead:
            name = max(ahead, key=lambda name: (not behind_preposition(name), name.start))
            return name, name.start
    text = passage.text[start : fact.start]
    cuts = [start + place.end() for place in _BETWEEN.finditer(text)]
    for low in (max([start, earlier, *cuts]), max(start, earlier)):
        inside = [name for name in mentions if low <= name.start and name.end <= fact.start]
        if inside:
            return min(inside, key=lambda name: (behind_preposition(name), name.start)), low
    if fact.sentence and not earlier and _POINTS_BACK.match(text):
        low, high = passage.sentences[fact.sentence - 1]
        return next((name for name in mentions if low <= name.start < high), None), start
    return next((name for name in mentions if fact.end <= name.start < end), None), fact.start


def full_name(name: NameMention, mentions: Sequence[NameMention]) -> NameMention:
    """Return the longer form of a name of one word, where the passage has one that ends with it ("Phelps")."""
    longer = (mention for mention in mentions if mention.text.endswith(f" {name.text}") and len(mention.text.split()) <= 3)
    return name if " " in name.text else next(longer, name)


def without_trailing_value(name: NameMention, fact: PassageFact) -> NameMention:
    """Return a name without the value that stands at its end ("China 26")."""
    if not name.start < fact.start < name.end:
        return name
    text = name.text[: fact.start - name.start].rstrip()
    return NameMention(text, name.start, name.start + len(text), content_word_stems(text))

"""The facts of passages as one table: subject, attribute, value, unit, and the sentence span of each.

`parse_passages` finds the values (dates, numbers, ranks). `fact_rows` adds whose value each is and what it measures.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from graph.text.segmentation import separated_spans
from kgqa.edits.cue_patterns import CUES
from kgqa.quantities.quantity import Date, Period, Quantity, Sort
from kgqa.quantities.quantity_parser import parse_quantities
from kgqa.quantities.units import Unit, unit_of
from kgqa.readers.numeric.passage_tokens import (
    NameMention,
    PassageToken,
    content_word_stems,
    name_mentions,
    passage_stem,
    passage_tokens,
    stem_overlap,
)
from kgqa.readers.reader import Passage

PASSAGE_CHARACTER_LIMIT = 20_000
"""At most so many characters of a passage are read: a passage has a hundred words, a page is cut into windows before."""
Amount = Fraction | tuple[int, int, int]
"""A number in the first unit of its measure, or a date as (year, month, day)."""


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

    @property
    def unit(self) -> Unit | None:
        """The unit of measure of a number; `None` for money and dates."""
        return unit_of(self.value.unit) if isinstance(self.value, Quantity) and self.value.sort is not Sort.MONEY else None


@dataclass(frozen=True, slots=True)
class ParsedPassage:
    """A passage as it was read: its words, its sentences (characters), and its facts in order."""

    number: int
    text: str
    words: tuple[PassageToken, ...]
    sentences: tuple[tuple[int, int], ...]
    facts: tuple[PassageFact, ...] = ()

    def sentence_at(self, place: int) -> int:
        """Return the number of the sentence that a character stands in, or behind."""
        return max(0, bisect_right(self.sentences, place, key=lambda span: span[0]) - 1)

    def sentence_text(self, place: int) -> str:
        """Return the sentence that a character stands in."""
        return self.text[slice(*self.sentences[self.sentence_at(place)])].strip()

    def words_around(self, fact: PassageFact) -> tuple[list[PassageToken], int]:
        """Return the words of the sentence of a fact, and the place of the first word of the fact among them."""
        low = self.sentences[fact.sentence][0] if fact.sentence else 0
        high = next((start for start, _ in self.sentences[fact.sentence + 1 :]), len(self.text))
        words = [word for word in self.words if low <= word.start < high]
        return words, next((at for at, word in enumerate(words) if word.start >= fact.start), len(words))


def parse_passages(passages: Sequence[Passage]) -> tuple[ParsedPassage, ...]:
    """Return what stands in each passage that has words; a passage that repeats an earlier one is left out."""
    parsed: dict[str, ParsedPassage] = {}
    for number, passage in enumerate(passages):
        text = passage.text[:PASSAGE_CHARACTER_LIMIT]
        key = " ".join(text.split())
        if key and key not in parsed:
            spans = tuple(separated_spans(text, "facts")) or ((0, len(text)),)
            unread = ParsedPassage(number, text, passage_tokens(text), spans)
            parsed[key] = replace(unread, facts=tuple(_with_inherited_years(list(_passage_facts(unread)))))
    return tuple(parsed.values())


def stem_rarity(passages: Iterable[ParsedPassage]) -> dict[str, float]:
    """Return how rare each stem of the passages is: 1 for one that stands there once, less for a frequent one."""
    counts = Counter(word.stem for passage in passages for word in passage.words)
    return {stem: 1 / sqrt(count) for stem, count in counts.items()}


def _passage_facts(passage: ParsedPassage) -> Iterator[PassageFact]:
    for quantity in parse_quantities(passage.text):
        start, end = quantity.start, quantity.end
        for value, last in _values_of(quantity):
            text = quantity.text or passage.text[start:end]
            yield PassageFact(value, passage.number, passage.sentence_at(start), start, end, text, last)


def _values_of(value: Quantity | Date | Period) -> Iterator[tuple[Quantity | Date, bool]]:
    """Yield the values of a quantity, and whether they end a range: a period has two dates; years are dates."""
    if isinstance(value, Period):
        yield from ((value.first, False), (value.last, True))
    elif isinstance(value, Quantity) and value.sort in (Sort.YEAR, Sort.DECADE):
        decade = value.sort is Sort.DECADE
        for number, last in ((value.value, False), (None if decade else value.upper, True)):
            if number is not None and int(number):
                season = "decade" if decade else ""
                yield Date(int(number), season=season, text=value.text, start=value.start, end=value.end), last
    else:
        yield value, False


def _with_inherited_years(facts: Sequence[PassageFact]) -> Iterator[PassageFact]:
    """Yield the facts, a day without a year with the year that stands last before it, or else first in the passage."""
    years = [(fact.start, fact.value.year) for fact in facts if isinstance(fact.value, Date) and fact.value.year]
    for fact in facts:
        if isinstance(fact.value, Date) and not fact.value.year and years:
            before = [year for start, year in years if start < fact.start]
            yield replace(fact, value=replace(fact.value, year=before[-1] if before else years[0][1]), inherited=True)
        else:
            yield fact


def counted_noun_stems(fact: PassageFact, passage: ParsedPassage, words_after: int = 3) -> tuple[str, ...]:
    """Return the stems of what a number counts: the words behind it up to a stop."""
    stems: list[str] = []
    previous = fact.end
    for word in [word for word in passage.words if word.start >= fact.end][:words_after]:
        if re.search(r"[,.;:()]", passage.text[previous : word.start]):
            break
        previous = word.end
        if word.is_content_word:
            stems.append(word.stem)
        elif word.text.lower() not in ("of", "the", "new", "more", "other", "total", "different"):
            break
    return tuple(stems)


DATE, RANK = "date", "rank"
"""The attributes of rows whose value is a date, and of those whose value is a place in an order."""
_CLAUSE_CUT = re.compile(r";|,\s(?:and|while|whereas|but|followed by)\s|\bwhile\b|\bwhereas\b")
_PREPOSED = re.compile(r"(?i)\b(?:in|at|on|of|from|by|for|near|to|than|across|through|over|with|after|before)\s(?:the\s|an?\s)?$")
_AGENT = re.compile(r"(?i)\b(?:by|(?:went|gone|awarded|given|presented|fell|passed) to)\s(?:the\s)?$")
_FRONTED = CUES["fronted"]
_JOINT = re.compile(r"[,;:]\s|\band\b")
_PRONOUN = re.compile(r"^[\"“(]*(?:It|He|She|They|His|Her|Their)\b")
_POINTS_BACK = re.compile(r"^[\"“(]*(?:It|Its|He|His|She|Her|They|Their|This|That|The)\b")
_NOUN_OF = re.compile(r"(?i)\b(?:an?|the|its|their)\s(?:\w+\s)?([a-z]+)\sof\s(?:[^.;,]*\s(?:is|was|were|are)\s)?(?:\w+\s)?$")
"""The noun that a bare number measures: "a population of 640,000", "the population of Zenda is 640,000"."""
_VALUE_ENDS = re.compile(r"^\s*(?:[.,;:)]|and\b|or\b|while\b|$)")
ELIDED_CLAUSE = re.compile(r"(?i)(?:\b(?:and|or|then|finally|again|later|in|on|by|the|to|followed|afterwards)\b|[\s,;:.()])*")
"""The words of a clause that leaves its verb to the clause before it: "and Spain in 2010"."""


@dataclass(frozen=True, slots=True, eq=False)
class FactRow:
    """One row of the table: whose value, of which attribute, and the fact that states it.

    `attribute` is "date", "rank", "money", "percent", the measure of the unit ("length"), or the counted noun ("count medal").
    `wording` holds the words around the value.
    """

    subject: NameMention
    attribute: str
    amount: Amount
    fact: PassageFact
    passage: ParsedPassage
    wording: str = ""

    @property
    def day(self) -> tuple[int, int, int]:
        """The year, month and day of a date; zeros for a number."""
        return self.amount if isinstance(self.amount, tuple) else (0, 0, 0)

    def fit(self, stems: Collection[str]) -> int:
        """Return how many of these stems stand in its wording, outside the name."""
        return len(frozenset(stems) & (content_word_stems(self.wording) - self.subject.stems))


def fact_rows(passages: Iterable[ParsedPassage], not_subjects: Collection[str] = ()) -> Iterator[FactRow]:
    """Yield the rows of the table, in the order in which they stand; facts without a subject are left out.

    `not_subjects` are stems of names that cannot be subjects: what the question names as the object ("the World Cup").
    """
    for passage in passages:
        names = [
            name
            for name in name_mentions(passage.text)
            if name.stems
            and passage_stem(name.text.split()[-1]) not in not_subjects
            and stem_overlap(name.stems, frozenset(not_subjects)) <= 0.5
        ]
        yield from _passage_rows(passage, names)


def _passage_rows(passage: ParsedPassage, names: Sequence[NameMention]) -> Iterator[FactRow]:
    text = passage.text
    subjects: dict[str, NameMention] = {}
    measured = list(measured_facts(passage))
    for attribute, factor, fact in measured:
        same = [row[2] for row in measured if row[0] == attribute and row[2].sentence == fact.sentence]
        place, dated = same.index(fact), attribute == DATE
        start, end = passage.sentences[fact.sentence]
        window = _Window(
            same[place - 1].end if place else start,
            same[place + 1].start if place + 1 < len(same) else end,
            text[same[-1].end : end],
            dated,
            dated and _FRONTED.match(text[start : same[0].start]) is not None,
            subjects.get(attribute) if place else None,
        )
        cut = [_without_trailing_value(name, fact) for name in names if not fact.start <= name.start < fact.end]
        subject, wording = _subject_of(text, fact, [name for name in cut if name.stems], window)
        if subject is None and not place and fact.sentence and _POINTS_BACK.match(text[start:end]):
            first, until = passage.sentences[fact.sentence - 1]
            subject = next((name for name in cut if first <= name.start < until), None)
        if subject is None:
            continue
        subjects[attribute] = subject
        value = fact.value
        amount = (value.year, value.month, value.day) if isinstance(value, Date) else value.value * factor
        if " " not in subject.text:  # "Phelps": the longer form of the name, where the passage has one
            longer = (name for name in names if name.text.endswith(f" {subject.text}") and len(name.text.split()) <= 3)
            subject = next(longer, subject)
        yield FactRow(subject, attribute, amount, fact, passage, wording)


def _without_trailing_value(name: NameMention, fact: PassageFact) -> NameMention:
    """Return a name without the value that stands at its end ("China 26")."""
    if not name.start < fact.start < name.end:
        return name
    text = name.text[: fact.start - name.start].rstrip()
    return NameMention(text, name.start, name.start + len(text), content_word_stems(text))


def stated_extremes(passages: Iterable[ParsedPassage], superlative: re.Pattern[str]) -> Iterator[FactRow]:
    """Yield the subjects to which a passage gives a superlative ("the lowest country is X"), as rows of rank 1."""
    for passage in passages:
        names = [name for name in name_mentions(passage.text) if name.stems]
        for match in superlative.finditer(passage.text):
            sentence = passage.sentence_at(match.start())
            start, end = passage.sentences[sentence]
            rank = Quantity(Fraction(1), Sort.ORDINAL)
            fact = PassageFact(rank, passage.number, sentence, match.start(), match.end(), match[0])
            subject, wording = _subject_of(passage.text, fact, names, _Window(start, end, passage.text[match.end() : end]))
            if subject is not None:
                yield FactRow(subject, RANK, Fraction(1), fact, passage, wording)


def measured_facts(passage: ParsedPassage) -> Iterator[tuple[str, Fraction, PassageFact]]:
    """Yield the attribute of each value with the factor of its unit; a bare number has the attribute of the value before it."""
    before: tuple[str, Fraction, PassageFact] | None = None
    for fact in passage.facts:
        value = fact.value
        if isinstance(value, Date):
            if not fact.last:
                yield DATE, Fraction(1), fact
            continue
        if value.sort is Sort.ORDINAL:
            yield RANK, Fraction(1), fact
            continue
        if value.sort in (Sort.TIME, Sort.CENTURY) or (value.spelt and value.value == 1):
            continue
        nouns = counted_noun_stems(fact, passage)
        if not nouns and (noun := _NOUN_OF.search(passage.text[passage.sentences[fact.sentence][0] : fact.start])):
            nouns = (passage_stem(noun[1]),)
        elided = before is not None and before[2].sentence == fact.sentence
        if value.sort in (Sort.MONEY, Sort.PERCENT):
            before = value.sort.value, Fraction(1), fact
        elif fact.unit is not None:
            before = fact.unit.measures, fact.unit.factor, fact
        elif before is not None and elided and _VALUE_ENDS.match(passage.text[fact.end : fact.end + 8]):
            before = before[0], before[1], fact
        elif nouns:
            before = f"count {' '.join(nouns[:2])}", Fraction(1), fact
        else:
            continue
        yield before


class _Window(NamedTuple):
    """The words on a value: from the value of its attribute before it to the next one, and what the sentence ends with.

    `fronted` says that the dates of the sentence stand before what they date; `last` is the subject of the value before.
    """

    low: int
    high: int
    tail: str
    dated: bool = False
    fronted: bool = False
    last: NameMention | None = None


def _subject_of(text: str, fact: PassageFact, names: Sequence[NameMention], window: _Window) -> tuple[NameMention | None, str]:
    """Return whose value a fact is, and the words that state it.

    The subject stands behind a date that begins its clause, in front of any other value; without a name there it is the subject
    of the value before in the sentence, the agent behind ("was won in 1991 by ..."), or the first name behind.
    """
    low, high, tail, dated, fronted, last = window
    behind = [name for name in names if fact.end <= name.start and name.end <= high]
    ahead = [name for name in names if low <= name.start and name.end <= fact.start]
    joints = [low + joint.end() for joint in _JOINT.finditer(text[low : fact.start])]
    if fronted and behind and _FRONTED.match(text[max([low, *joints]) : fact.start]):
        name = _acting_name(text, behind)
        return name, text[fact.end : max(name.end, _end_of_clause(text, fact.end, high))]
    bracket = text.rfind("(", low, fact.start)
    if ahead and bracket > text.rfind(")", low, fact.start):
        if dated and (not re.fullmatch(r"\s*(?:in\s)?", text[bracket + 1 : fact.start]) or text[fact.end : fact.end + 1] != ")"):
            return None, ""
        inside = [name for name in ahead if name.end <= bracket]
        if inside:
            name = max(inside, key=lambda name: (not _is_preposed(text, name), name.start))
            rest = text[low:bracket].replace(name.text, " ")
            return name, text[low : bracket + 1] + (tail if ELIDED_CLAUSE.fullmatch(rest) else "")
    if ahead:
        cut = max((low + place.end() for place in _CLAUSE_CUT.finditer(text[low : fact.start])), default=low)
        name = _acting_name(text, [name for name in ahead if name.start >= cut] or ahead)
        between = text[name.end : fact.start]
        comma = fact.end + between.startswith(",")
        until = _end_of_clause(text, comma, high, ",") if between.strip(" ,") in ("in", "on") else fact.end
        return name, text[low:until] if dated else text[min(name.start, max(low, cut)) : fact.end + 25]
    agent = next((name for name in behind if _AGENT.search(text[fact.end : name.start])), None)
    if agent is None and last is not None:
        return last, text[low : fact.end]
    first = agent or (None if _PRONOUN.match(text[low : fact.start].lstrip()) else next(iter(behind), None))
    until = fact.end if first is None else first.end
    if first is not None and agent is None and text[fact.end :].startswith(tail):
        until = _end_of_clause(text, first.end, high)  # no date of its own: "was first held in 1951, and Ricci won it"
    return first, text[low:until]


def _is_preposed(text: str, name: NameMention) -> bool:
    return _PREPOSED.search(text[max(0, name.start - 24) : name.start]) is not None


def _acting_name(text: str, names: Sequence[NameMention]) -> NameMention:
    """Return the name of what acts: an agent, else the first that follows no preposition, else the first."""

    def rank(name: NameMention) -> tuple[bool, bool, int]:
        before = text[max(0, name.start - 24) : name.start]
        return _AGENT.search(before) is None, _is_preposed(text, name), name.start

    return min(names, key=rank)


def _end_of_clause(text: str, start: int, high: int, also: str = "") -> int:
    """Return where the clause ends that goes on from `start`: at a stop, or at one of the marks in `also`."""
    stop = re.compile(rf"[;{also}.](?=\s|$)|\s(?:and|while|but)\s").search(text, start, high)
    return stop.start() if stop is not None else high

"""The amounts of a passage as a table: value, unit, what is counted, the words of the clause, and of which whole it is a part.

Some rows are derived from what a sentence says of another row: "the rest", "all but five", "half of them", "has lost 120,000
and now has 3.4 million". Each derived row has the step that leads to it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import sqrt

from graph.text.segmentation import adjoining_spans
from kgqa.quantities.numbers import number_from_words
from kgqa.quantities.quantity import Quantity, Sort
from kgqa.quantities.quantity_format import format_quantity
from kgqa.quantities.units import unit_of
from kgqa.readers.numeric.labelled_numbers import with_shared_units
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES
from kgqa.readers.numeric.operands import PassageNumbers
from kgqa.readers.numeric.passage_tokens import content_lemmas, passage_tokens, verb_lemma, years_in

_CLOCK, _REST, _PART_BEHIND = NUMERIC_CUES["clock"], NUMERIC_CUES["rest"], NUMERIC_CUES["part behind"]
_WHOLE_AHEAD, _RATE, _FLOW = NUMERIC_CUES["whole ahead"], NUMERIC_CUES["rate"], NUMERIC_CUES["flow"]
_ALL_BUT, _NUMBER_AND_PERCENT = NUMERIC_CUES["all but"], NUMERIC_CUES["change by percent"]
_RATE_AHEAD = NUMERIC_CUES["rate ahead"]
_FRACTION_OF = NUMERIC_CUES["fraction of"]
_MULTIPLIED = re.compile(r"\b(?P<times>doubled|tripled|trebled|quadrupled|halved) the (?P<thing>[a-z]+)", re.IGNORECASE)
_DIVIDED = re.compile(r"(?:Of|Among) (?:the|these|its|his|her|their) (?P<thing>[A-Za-z][^,.;\d]{2,40}),\s")
_ADDITIONAL = re.compile(r"\b(?:a further|another|an additional|and)\s$")
_FORMER = re.compile(r"\b(?:old|former|previous|original|earlier|usual)\b")
_FACTORS = {"doubl": Fraction(2), "tripl": Fraction(3), "trebl": Fraction(3), "quadr": Fraction(4), "halve": Fraction(1, 2)}
_OPENING = 5
"""How near the beginning of its sentence "the rest" is that of the sentence before."""
_PARTS = {"half": Fraction(1, 2), "third": Fraction(1, 3), "quarter": Fraction(1, 4), "fourth": Fraction(1, 4)}
_PARTS |= {"fifth": Fraction(1, 5), "tenth": Fraction(1, 10)}
_JOINTS = (
    re.compile(r"[;:]\s|\.\s(?=[A-Z])"),
    re.compile(r",\s(?:and|but|while|whereas|yet|so|with|by|compared with)\s|\s(?:while|whereas|compared with|against)\s"),
    re.compile(r",\s(?!\d{3}\b)|\s\(|\)\s"),
    re.compile(r"\s(?:and|but|or)\s(?!\d+\b(?:\s[A-Z]))"),
)
"""What parts the clauses of two numbers, the strongest first."""
_NOUN_END = re.compile(r"[.,;:()—–!?]|\s(?=\d)")
_NO_NOUN = frozenset(map(verb_lemma, "year month week day hour minute time late later early ago old".split()))
_PRICE = re.compile(
    r"\b(?:cost|costs|toll|price|paid|pays?|fee|fare|fine|rent|loan|grant|prize|for|thank you for the|the)\b", re.IGNORECASE
)
_DECIDED = frozenset(map(verb_lemma, "million billion thousand hundred".split()))


@dataclass(frozen=True, slots=True)
class AmountRow:
    """An amount with the words that say what it is: `nouns` what it counts, `clause` its own clause, `sentence` all around.

    `whole` is where the row begins of which this is a part; `rate` is for each of what it is; a `flow` is a change, not a state.
    `step` says from what the row is derived, empty for what the passage states.
    """

    quantity: Quantity
    nouns: frozenset[str]
    clause: frozenset[str]
    sentence: frozenset[str]
    at: int
    wording: str
    whole: int | None = None
    rate: str = ""
    flow: bool = False
    step: str = ""

    @property
    def start(self) -> int:
        """Where the amount stands in the passage."""
        return self.quantity.start

    @property
    def measure(self) -> str:
        """What the amount measures: "money", "percent", "time", "length"; empty for a plain count."""
        return measure_of(self.quantity)

    @property
    def years(self) -> frozenset[str]:
        """The years that the clause of the amount names."""
        return frozenset(years_in(self.wording))


@dataclass(frozen=True, slots=True)
class AmountTable:
    """The rows of a passage in their order, its sentences, and how rare each word is in it (0..1)."""

    text: str
    rows: tuple[AmountRow, ...]
    sentences: tuple[tuple[int, int], ...]
    rarity: dict[str, float]

    def parts_of(self, row: AmountRow) -> list[AmountRow]:
        """Return the stated parts of a whole."""
        return [part for part in self.rows if part.whole == row.start and not part.step and part.quantity.value >= 1]


def measure_of(quantity: Quantity) -> str:
    """Return what a quantity measures, empty for a plain count."""
    if quantity.sort in (Sort.MONEY, Sort.PERCENT):
        return quantity.sort.value
    unit = unit_of(quantity.unit) if quantity.unit else None
    return "clock" if quantity.sort is Sort.TIME else "" if unit is None else unit.dimension


@lru_cache(maxsize=32)
def amount_table(text: str) -> AmountTable:
    """Return the table of a passage."""
    spans = tuple(adjoining_spans(text, "names"))
    counts = Counter(verb_lemma(word.text) for word in passage_tokens(text) if word.is_content_word)
    rows: list[AmountRow] = []
    for at, (begin, end) in enumerate(spans):
        rows.extend(_with_pairs(text, list(_sentence_rows(text, begin, end, at, rows))))
    table = AmountTable(text, tuple(rows), spans, {lemma: 1 / sqrt(count) for lemma, count in counts.items()})
    return replace(table, rows=(*rows, *_derived_rows(table)))


def _with_pairs(text: str, rows: list[AmountRow]) -> list[AmountRow]:
    """Return the rows of a sentence, two that stand together with the nouns of both: "85 and 35 pairs", "two of its nine"."""
    for place, (part, whole) in enumerate(pairwise(rows)):
        if part.measure != whole.measure:
            continue
        if whole.nouns and text[part.quantity.end : whole.start] in (" and ", " or ", " to "):
            rows[place] = part = replace(part, nouns=whole.nouns)
        if _is_of(text, part, whole):
            own = text[part.quantity.end : part.quantity.end + 4].strip() not in ("of", "out")
            nouns = part.nouns if own and part.nouns else whole.nouns
            rows[place] = replace(part, whole=whole.start, nouns=nouns)
            rows[place + 1] = replace(whole, nouns=nouns, whole=None)
    return rows


def _clocks(text: str) -> Iterator[Quantity]:
    for match in _CLOCK.finditer(text):
        if match["named"]:
            value = 0 if match["named"].lower() == "midnight" else 720
        elif match["w"]:
            hour = int(number_from_words(match["w"].lower()) or 0)
            part = {"half": 30, "quarter": 15, "a quarter": 15}.get(match["part"].lower())
            minutes = part if part is not None else int(number_from_words(match["part"].lower()) or 0)
            value = hour * 60 + (minutes if match["way"].lower() == "past" else -minutes)
        else:
            bare = match["h"] or match["h2"] or match["w2"]
            hour = int(bare) if bare.isdigit() else int(number_from_words(bare.lower()) or 0)
            half = (match["half"] or match["half2"] or "").lower()
            hour = hour % 12 + 12 if half.startswith("p") else hour % 12 if half.startswith("a") else hour
            value = hour * 60 + int(match["m"] or 0)
        if value < 1440 and (not match["m"] or int(match["m"]) < 60):
            whole = match[0].strip(" ,;")
            yield Quantity(Fraction(value), Sort.TIME, "", text=whole, start=match.start(), end=match.start() + len(whole))


def _sentence_rows(text: str, begin: int, end: int, at: int, earlier: Sequence[AmountRow]) -> Iterator[AmountRow]:
    clocks = [replace(item, start=item.start + begin, end=item.end + begin) for item in _clocks(text[begin:end])]
    quantities = [item for item in _quantities(text) if begin <= item.start < end]
    items = [item for item in quantities if not any(clock.start < item.end and item.start < clock.end for clock in clocks)]
    items = sorted((*items, *clocks), key=lambda item: item.start)
    marks = sorted((*((item.start, item.end) for item in items), *(match.span() for match in _REST.finditer(text, begin, end))))
    sentence = frozenset(content_lemmas(text[begin:end]))
    before: list[AmountRow] = list(earlier)
    for item in items:
        low, high = _clause_of(text, begin, end, marks, (item.start, item.end))
        wording = text[low:high]
        nouns = _nouns_behind(text, item, end)
        clause = frozenset(content_lemmas(text[low : item.start] + " " + text[item.end : high]))
        rate = _RATE.match(text, item.end) or _RATE_AHEAD.search(text[low : item.start].lstrip())
        flow = _FLOW.search(text, begin, item.start) is not None and item.sort is not Sort.TIME
        row = AmountRow(
            item,
            nouns,
            clause,
            sentence,
            at,
            wording,
            None,
            verb_lemma(next((name for name in rate.groups() if name), "each")) if rate else "",
            flow,
        )
        row = _with_whole(row, text, begin, before)
        before.append(row)
        yield row


def _place_of(quantity: Quantity) -> int:
    return quantity.start


@lru_cache(maxsize=32)
def _quantities(text: str) -> tuple[Quantity, ...]:
    skipped = (Sort.YEAR, Sort.DECADE, Sort.CENTURY, Sort.ORDINAL)
    shared = with_shared_units(PassageNumbers(text))
    shared = _with_near_units(text, list(shared))
    for match in NUMERIC_CUES["hours and minutes"].finditer(text):
        hours, minutes = (1 if word == "an" else int(number_from_words(word) or word) for word in map(str.lower, match.groups()))
        made = Quantity(
            Fraction(60 * hours + minutes), Sort.DURATION, "minutes", text=match[0], start=match.start(), end=match.end()
        )
        shared = sorted([item for item in shared if not match.start() <= item.start < match.end()] + [made], key=_place_of)
    days = [match.span() for match in (*NUMERIC_CUES["day of month"].finditer(text), *NUMERIC_CUES["pronoun one"].finditer(text))]
    return tuple(
        replace(item, sort=Sort.MONEY) if item.unit in ("pound", "pounds") and _PRICE.search(text[: item.start][-40:]) else item
        for item in shared
        if item.sort not in skipped and item.upper is None and not any(low <= item.start < high for low, high in days)
    )


def _with_near_units(text: str, items: list[Quantity]) -> list[Quantity]:
    """Return numbers, a bare one with the unit of the one that it stands with: "9 kilos from one bed and 14 from the other"."""
    for place, (first, second) in enumerate(pairwise(items)):
        between = text[first.end : second.start]
        if (
            re.search(r"[.;]\s|\b(?:a further|another|other)\s$", between)
            or first.scale != second.scale
            or (first.sort is second.sort is Sort.CARDINAL and (bool(first.unit) is bool(second.unit)))
        ):
            continue
        if _is_lent(first, second, _is_bare(text[second.end :])):
            items[place + 1] = replace(second, unit=first.unit, sort=first.sort)
        elif _is_lent(second, first, between in (" to ", " and ", " or ")):
            items[place] = replace(first, unit=second.unit, sort=second.sort)
    return items


def _is_lent(lender: Quantity, borrower: Quantity, is_joined: bool) -> bool:
    bare = borrower.sort is Sort.CARDINAL and not borrower.unit and not borrower.spelt
    measured = lender.sort is Sort.MONEY or (lender.sort is Sort.CARDINAL and bool(lender.unit))
    return is_joined and bare and measured


def _clause_of(text: str, begin: int, end: int, marks: Sequence[tuple[int, int]], span: tuple[int, int]) -> tuple[int, int]:
    """Return the clause of a number: up to the nearest joint between two numbers on each side of it."""
    place = marks.index(span)
    gaps = [(first[1], second[0]) for first, second in pairwise(marks)]
    low = next((joint for gap in reversed(gaps[:place]) if (joint := _joint(text, *gap)) is not None), begin)
    high = next((joint for gap in gaps[place:] if (joint := _joint(text, *gap)) is not None), end)
    return low, high


def _joint(text: str, start: int, end: int) -> int | None:
    for pattern in _JOINTS:
        match = pattern.search(text, start, end)
        if match is not None:
            return match.start()
    return None


def _nouns_behind(text: str, item: Quantity, end: int) -> frozenset[str]:
    """Return the stems of the noun phrase behind a number: "plates" of "twelve plates from Delft"; none of "three of them"."""
    piece = _NOUN_END.split(text[item.end : min(end, item.end + 60)], maxsplit=1)[0]
    words: list[str] = []
    for word in passage_tokens(piece)[:4]:
        if not word.is_content_word:
            if words or word.text.lower() not in ("of", "the", "its", "his", "her", "their", "more", "new", "other"):
                break
            continue
        lemma = verb_lemma(word.text)
        if lemma not in _DECIDED:
            words.append(lemma)
    return frozenset(words) - _NO_NOUN


def _with_whole(row: AmountRow, text: str, begin: int, before: Sequence[AmountRow]) -> AmountRow:
    """Return a row with the whole that it is a part of, and the nouns of that; a bare number has those of the one before it."""
    near = [candidate for candidate in before if row.at - candidate.at <= 2 and candidate.measure == row.measure]
    larger = [
        candidate
        for candidate in near
        if candidate.quantity.value > row.quantity.value and not candidate.rate and not candidate.flow
    ]
    behind, ahead = text[row.quantity.end :], text[begin : row.start]
    following = _PART_BEHIND.match(behind)
    if following is not None or _WHOLE_AHEAD.search(ahead):
        whole = next((candidate for candidate in reversed(larger) if candidate.whole is None), larger[-1] if larger else None)
        if whole is not None:
            return replace(row, whole=whole.start, nouns=row.nouns if row.nouns and not following else whole.nouns | row.nouns)
    if row.measure or (row.nouns and not _is_bare(behind)):
        return row
    bare = next((candidate for candidate in reversed(near) if candidate.nouns and not candidate.measure), None)
    if bare is None:
        return row
    wholes = [candidate for candidate in larger if candidate.nouns & bare.nouns]
    whole = next((candidate for candidate in wholes if candidate.whole is None), None)
    if whole is not None and any(candidate.whole == whole.start for candidate in wholes):
        whole = None  # of the whole or of its part, nobody can tell
    return replace(row, nouns=row.nouns | bare.nouns, whole=whole.start if whole is not None else None)


def _is_bare(behind: str) -> bool:
    """Return whether no noun stands behind a number: "three were broken", "14 by Thomas Orne"."""
    return NUMERIC_CUES["bare number"].match(behind) is not None


def _derived_rows(table: AmountTable) -> Iterator[AmountRow]:
    yield from _clock_spans(table)
    yield from _rest_rows(table)
    yield from _fraction_rows(table)
    yield from _change_rows(table)
    yield from _multiple_rows(table)
    yield from _planned_rows(table)


_TAKEN_UP = re.compile(r"\s*(?:it|they|this|he|she)\b", re.IGNORECASE)
_JOURNEY = frozenset(map(verb_lemma, "journey trip ride take last whole".split()))


def minutes_between(first: AmountRow, last: AmountRow) -> Fraction:
    """Return the minutes from one time of the day to the next of another, which has a half of the day only in words."""
    value = last.quantity.value - first.quantity.value
    halves = last.quantity.value <= 720 and re.search(r"[a-z]", last.quantity.text)
    return value if value > 0 else value + (720 if halves else 1440)


def _clock_spans(table: AmountTable) -> Iterator[AmountRow]:
    """Yield the time between two times of the day of a sentence that tells a journey: "leaves at 8.40 and arrives at 11.25"."""
    clocks = [row for row in table.rows if row.measure == "clock"]
    for first, last in pairwise(clocks):
        value = minutes_between(first, last)
        if first.at == last.at and NUMERIC_CUES["from start to end"].search(table.text, *table.sentences[first.at]):
            made = Quantity(value, Sort.DURATION, "minutes", text=f"{value} minutes", start=first.start, end=last.quantity.end)
            step = f"{last.quantity.text} - {first.quantity.text} = {value} minutes"
            before = frozenset(content_lemmas(table.text[slice(*table.sentences[max(0, first.at - 1)])]))
            begun = before if _TAKEN_UP.match(table.text, table.sentences[first.at][0]) else frozenset[str]()
            yield replace(first, quantity=made, clause=first.clause | last.clause | begun | _JOURNEY, step=step)


def _rest_rows(table: AmountTable) -> Iterator[AmountRow]:
    """Yield what "the rest" and "all but five" stand for: the whole without its parts."""
    for match in _ALL_BUT.finditer(table.text):
        part = next((row for row in table.rows if match.end() - len(match["n"]) <= row.start + 1 <= match.end()), None)
        wholes = [] if part is None else [row for row in table.rows if row.start < part.start and part.at - row.at <= 1]
        wholes = [row for row in wholes if part and row.quantity.value > part.quantity.value and row.measure == part.measure]
        wholes = [row for row in wholes if row.whole is None] or wholes
        if part is not None and wholes:
            yield _made(table, part, wholes[-1], wholes[-1].quantity.value - part.quantity.value, f"{match[0]} of", match.start())
    for match in _REST.finditer(table.text):
        at = next(place for place, (begin, end) in enumerate(table.sentences) if begin <= match.start() < end)
        before = [
            row for row in table.rows if row.start < match.start() and at - row.at <= 1 and not row.measure and not row.rate
        ]
        derived = _rest_of_shares(table, match, at)
        if derived is not None:
            yield derived
            continue
        listed = [row for row in before if row.at == before[-1].at]
        opens = match.start() - table.sentences[at][0] < _OPENING
        readings = (_headed_whole(table, listed), _parts_of_rest(table, before, at, opens), _whole_of_noun(table, listed))
        whole, parts = next((pair for pair in readings if pair[0] is not None), (None, ()))
        if whole is None:
            continue
        value = whole.quantity.value - sum(_part_of(row, whole) for row in parts)
        if value <= 0:
            continue
        terms = " - ".join(row.quantity.text for row in (whole, *parts))
        yield _rest_row(table, match, at, whole, value, terms)


def _parts_of_rest(
    table: AmountTable, before: Sequence[AmountRow], at: int, opens: bool
) -> tuple[AmountRow | None, Sequence[AmountRow]]:
    """Return the whole and the parts that stand before "the rest" of a sentence, of the one before where it `opens` it."""
    parts: Sequence[AmountRow] = [row for row in before if row.whole is not None and row.at == at]
    if not parts and opens:
        parts = [row for row in before if row.whole is not None]
    pairs = [(part, whole) for part, whole in pairwise(before) if _is_of(table.text, part, whole)]
    wholes = [row for row in before if parts and row.start == parts[-1].whole]
    if pairs and (not parts or pairs[-1][0].start >= parts[-1].start):
        parts, wholes = [pairs[-1][0]], [pairs[-1][1]]
    if not wholes or before[-1] not in (*parts, *wholes):
        return None, ()
    return wholes[-1], [row for row in parts if row.whole in (wholes[-1].start, None) or row is parts[-1]]


def _part_of(part: AmountRow, whole: AmountRow) -> Fraction:
    """Return what a part of a whole comes to: itself, or so much of the whole as a fraction says."""
    return part.quantity.value * (whole.quantity.value if 0 < part.quantity.value < 1 else 1)


def _headed_whole(table: AmountTable, rows: Sequence[AmountRow]) -> tuple[AmountRow | None, Sequence[AmountRow]]:
    """Return the number stated earlier of what a sentence divides without it, and its parts: "Of the workers, 120 ...".

    "The others" are then the rest of them.
    """
    if not rows:
        return None, ()
    head = _DIVIDED.match(table.text, table.sentences[rows[0].at][0])
    if head is None or any(row.start < head.end() for row in rows):
        return None, ()
    return _earlier_whole(table, rows, frozenset(content_lemmas(head["thing"]))), rows


def _whole_of_noun(table: AmountTable, rows: Sequence[AmountRow]) -> tuple[AmountRow | None, Sequence[AmountRow]]:
    """Return the number stated earlier of what the first number of a sentence counts, "90 ewes", and its parts: "fifty ewes"."""
    words = rows[0].nouns & rows[0].clause if rows else frozenset[str]()
    parts = [row for row in rows if row.nouns & words or not row.nouns & row.clause]
    return (_earlier_whole(table, parts, words) if words else None), parts


def _earlier_whole(table: AmountTable, parts: Sequence[AmountRow], words: frozenset[str]) -> AmountRow | None:
    total = sum(row.quantity.value for row in parts)
    earlier = [
        row for row in table.rows if row.at < parts[0].at and not row.measure and not row.step and row.quantity.value > total
    ]
    return next((row for row in reversed(earlier) if words & (row.nouns | row.clause)), None)


def _rest_row(table: AmountTable, match: re.Match[str], at: int, whole: AmountRow, value: Fraction, terms: str) -> AmountRow:
    """Return the row of what "the rest" stands for, with the words of its clause."""
    begin, end = table.sentences[at]
    low = _last_joint(table.text, begin, match.start())
    wording = table.text[begin if low is None else low : _joint(table.text, match.end(), end) or end]
    made = replace(whole.quantity, value=value, start=match.start(), end=match.end())
    sentence = frozenset(content_lemmas(table.text[begin:end]))
    step = f"{match[0].strip()}: {terms} = {format_quantity(made, whole.quantity)}"
    return AmountRow(made, whole.nouns, frozenset(content_lemmas(wording)), sentence, at, wording, step=step)


def _rest_of_shares(table: AmountTable, match: re.Match[str], at: int) -> AmountRow | None:
    """Return what is left of an amount of which fractions, or percents, are given away: "half of it, a quarter, and the rest"."""
    begin = table.sentences[at][0]
    if at and match.start() - begin < _OPENING:
        begin = table.sentences[at - 1][0]
    percents = [row for row in table.rows if row.measure == "percent" and begin <= row.start < match.start()]
    shares = [(row.start, row.quantity.value / 100, row.quantity.text) for row in percents]
    for fraction in NUMERIC_CUES["fraction"].finditer(table.text, begin, match.start()):
        part = (fraction["part"] or fraction["half"]).lower()
        number = number_from_words((fraction["times"] or "one").lower()) or Fraction(1)
        shares.append((fraction.start(), number * _PARTS[part.rstrip("s")], fraction[0].strip()))
    wholes = [row for row in table.rows if shares and row.start < min(shares)[0] and at - row.at <= 1 and row.quantity.value >= 1]
    wholes = [row for row in wholes if row.measure not in ("percent", "time", "clock")]
    left = 1 - sum((share for _, share, _ in shares), Fraction(0))
    counted = [row for row in table.rows if shares and min(shares)[0] < row.start < match.start()]
    further = [
        row for row in counted if row.quantity.value >= 1 and _ADDITIONAL.search(table.text, begin, row.start) and not row.rate
    ]
    if not wholes or left <= 0 or any(row.measure != wholes[-1].measure for row in further):
        return None
    value = wholes[-1].quantity.value * left - sum(row.quantity.value for row in further)
    parts = sorted([*((start, text) for start, _, text in shares), *((row.start, row.quantity.text) for row in further)])
    terms = f"{wholes[-1].quantity.text} without {' and '.join(text for _, text in parts)}"
    return _rest_row(table, match, at, wholes[-1], value, terms) if value > 0 else None


def _is_of(text: str, part: AmountRow, whole: AmountRow) -> bool:
    between = text[part.quantity.end : whole.start]
    return (
        whole.quantity.value > part.quantity.value
        and re.fullmatch(r"\s(?:\w+\s)?(?:of|out of) (?:\w+\s){0,2}", between) is not None
    )


def _last_joint(text: str, begin: int, end: int) -> int | None:
    return max((match.start() for pattern in _JOINTS for match in pattern.finditer(text, begin, end)), default=None)


def _made(table: AmountTable, row: AmountRow, like: AmountRow, value: Fraction, why: str, start: int = -1) -> AmountRow:
    """Return the row of a value that follows from `like`, with the words of `row`."""
    quantity = replace(like.quantity, value=value, start=row.start if start < 0 else start)
    text = format_quantity(quantity, like.quantity)
    step = f"{why} {like.quantity.text}: {text}"
    return replace(row, quantity=quantity, nouns=row.nouns | like.nouns, step=step, whole=None, flow=False, rate="")


def _fraction_rows(table: AmountTable) -> Iterator[AmountRow]:
    """Yield the fractions of an amount: "half of them", "two thirds of sales of 930 million kronor", "a fifth of them women"."""
    for place, row in enumerate(table.rows):
        if not 0 < row.quantity.value < 1 or row.measure or not row.quantity.spelt:
            continue
        ahead, behind = table.text[max(0, row.start - 4) : row.start], table.text[row.quantity.end :]
        if ahead.endswith(("by ", " to ")) or not (match := _FRACTION_OF.match(behind)):
            continue
        following = table.rows[place + 1] if place + 1 < len(table.rows) else None
        stated = following is not None and following.at == row.at and match["of"] and following.start - row.quantity.end < 40
        before = [candidate for candidate in table.rows[:place] if row.at - candidate.at <= 1 and candidate.quantity.value >= 1]
        whole = following if stated and following else before[-1] if before else None
        if whole is None or whole.measure in ("percent", "time", "clock"):
            continue
        value = whole.quantity.value * row.quantity.value
        if whole.measure or value.denominator == 1:
            yield _made(table, row, whole, value, f"{row.quantity.text} of")


def _change_rows(table: AmountTable) -> Iterator[AmountRow]:
    """Yield what an amount was before a change: "lost 120,000 and now has 3.4 million", "fell by 6 per cent to €11.28"."""
    for match in _NUMBER_AND_PERCENT.finditer(table.text):
        inside = [row for row in table.rows if match.start() <= row.start < match.end() and not row.step]
        if len(inside) != 2 or " from " in match[0]:
            continue
        change, now = inside
        sign = -1 if NUMERIC_CUES["falling"].match(match[0]) else 1
        if change.measure == "percent" or change.quantity.value < 1:
            share = change.quantity.value / (100 if change.measure == "percent" else 1)
            if share == 1:
                continue
            value = now.quantity.value / (1 + sign * share)
        elif change.measure == now.measure:
            value = now.quantity.value - sign * change.quantity.value
        else:
            continue
        row = replace(now, clause=now.clause | change.clause | {verb_lemma("before")}, nouns=now.nouns | change.nouns)
        yield _made(table, row, now, value, f"before {match[0].split()[0]}: {change.quantity.text} and", now.start)


def _multiple_rows(table: AmountTable) -> Iterator[AmountRow]:
    """Yield an old level times what it was multiplied by: "tripled the tax", "its old level of four pennies"."""
    for match in _MULTIPLIED.finditer(table.text):
        thing = set(content_lemmas(match["thing"]))
        factor = _FACTORS[match["times"].lower()[:5]]
        at = next(place for place, (begin, end) in enumerate(table.sentences) if begin <= match.start() < end)
        words = frozenset(content_lemmas(table.text[slice(*table.sentences[at])]))
        for row in table.rows:
            if thing <= row.clause and _FORMER.search(row.wording):
                made = replace(row, clause=row.clause | words, sentence=row.sentence | words)
                yield _made(table, made, row, row.quantity.value * factor, f"{match[0]}:", row.start)


def _planned_rows(table: AmountTable) -> Iterator[AmountRow]:
    """Yield what was planned where a sentence says how much more or less it was: "for 21 days, a week longer than planned"."""
    for match in NUMERIC_CUES["than planned"].finditer(table.text):
        change = next((row.quantity for row in table.rows if match.start() <= row.start < match.end()), None)
        if change is None and match["unit"]:
            change = Quantity(Fraction(1), Sort.DURATION, match["unit"])
        base = next(
            (row for row in reversed(table.rows) if row.start < match.start() and row.quantity.end > match.start() - 30), None
        )
        if change is None or base is None:
            continue
        unit, base_unit = (unit_of(item.unit) if item.unit else None for item in (change, base.quantity))
        if change.unit != base.quantity.unit and (unit is None or base_unit is None or unit.measures != base_unit.measures):
            continue
        factor = unit.factor / base_unit.factor if unit is not None and base_unit is not None else Fraction(1)
        sign = 1 if NUMERIC_CUES["less words"].search(match[0]) else -1
        made = replace(base, clause=base.clause | frozenset(content_lemmas(match[0])))
        value = base.quantity.value + sign * change.value * factor
        yield _made(table, made, base, value, f"{match[0].strip(' ,')}, from", base.start)

"""Operations on a balance and along rates: each proposes derivations as those of `amount_operations` do.

What is left of a whole after all that the passage takes from it or adds to it, what a chain of rates comes to ("two hours a
week, at £14 an hour, for 39 weeks"), and how long a stock lasts at a rate, or when it began.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from kgqa.quantities.numbers import number_from_words
from kgqa.quantities.quantity import Quantity, Sort
from kgqa.quantities.units import unit_of
from kgqa.readers.numeric.amount_operations import Derivation, part_polarity
from kgqa.readers.numeric.amount_question import AmountKind, AmountQuestion, is_same_kind
from kgqa.readers.numeric.amount_table import AmountRow, AmountTable
from kgqa.readers.numeric.level_operations import course_totals
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES
from kgqa.readers.numeric.passage_tokens import content_lemmas, verb_lemma, years_in

_TAKEN, _ADDED, _KEPT = NUMERIC_CUES["taken away"], NUMERIC_CUES["added to"], NUMERIC_CUES["kept"]
_EVENT = re.compile(r"\b(?P<word>after|once|when|by the time|before|until)\b", re.IGNORECASE)
_BARE = re.compile(r"\s(?:had|have|more|others?|(?:[a-z]+ed|went|fell|left|sank|died|came|broke|turned|gave)\b)")
_WITH = re.compile(r"\b(?:with|of|had|has|numbered|counted|held|contained)\s$")
_BOUND = re.compile(r"\b(?:under|over|above|below|aged)\s$", re.IGNORECASE)
_REACH, _NEAR = 10, 2
"""How many sentences behind a whole its changes stand at most, and how far apart two rates of a chain."""
_LONGEST_CHAIN = 3
_VERBS = frozenset(map(verb_lemma, "fall die desert leave remain sink survive join go come move resign retire stay".split()))
_BALANCE_WORDS = frozenset(map(verb_lemma, "left remain still alive survive there have end now".split()))


@dataclass(frozen=True, slots=True)
class _Change:
    """A row that changes a level: `sign` is -1 for what it takes, 1 for what it adds, 0 for what it keeps.

    A `share` is a part of the level.
    """

    row: AmountRow
    sign: int
    share: bool
    year: int


def balances(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose what is left of a whole after every clause that takes from it or adds to it: "forty fell", "25 others left"."""
    if question.kind not in (AmountKind.COUNT, AmountKind.MONEY, AmountKind.MEASURE) or "total" in question.cues:
        return
    if not _asks_balance(question, table):
        return
    wholes = [row for row in table.rows if row.measure == question.measure and row.quantity.value > 1 and not row.step]
    wholes = [row for row in wholes if not row.rate and not row.flow and row.whole is None and _is_level(row, table)]
    parted = any(row.nouns & question.nouns and table.parts_of(row) for row in table.rows)
    like = [row for row in wholes if row.nouns and (question.nouns & row.nouns or is_same_kind(question.nouns, row.nouns))]
    like = like or (wholes[:1] if not parted else [])
    like = [row for place, row in enumerate(like) if not any(_holds(whole, row) for whole in like[:place])]
    for whole in like:
        changes = _within(question, list(_changes(question, whole, table)))
        if changes:
            yield _balance(whole, changes, table)
    yield from _left_of_course(question, like, table)


def _is_level(row: AmountRow, table: AmountTable) -> bool:
    """Return whether a row says how many there are, not how many are taken or added."""
    return _sign(row, table) in (None, 0) or bool(table.parts_of(row)) or _WITH.search(table.text, 0, row.start) is not None


def _holds(whole: AmountRow, row: AmountRow) -> bool:
    """Return whether a row is of a whole stated earlier, so that it is none itself: "22 men", and then "five men"."""
    return whole.quantity.value > row.quantity.value and not row.years - whole.years and not _KEPT.search(row.wording)


def _asks_balance(question: AmountQuestion, table: AmountTable) -> bool:
    """Return whether a question asks for what is left, for a level in a year, or for what "the survivors" of a passage did."""
    if "left" in question.cues or _KEPT.search(question.text):
        return True
    if _TAKEN.search(question.text) or _ADDED.search(question.text):
        return False
    derived = {row.start for row in table.rows if row.step}
    matches = (match for match in NUMERIC_CUES["the others"].finditer(table.text) if match.start() not in derived)
    others = (_lemmas_behind(table, match) for match in matches)
    in_year = bool(question.years) and question.kind is AmountKind.COUNT
    return in_year or any(behind & (set(question.lemmas) - question.nouns) for behind in others)


def _lemmas_behind(table: AmountTable, match: re.Match[str]) -> set[str]:
    end = next(end for begin, end in table.sentences if begin <= match.start() < end)
    return set(content_lemmas(table.text[match.end() : end].split(",")[0].split(";")[0]))


def _balance(whole: AmountRow, changes: Sequence[_Change], table: AmountTable) -> Derivation:
    level, step = whole.quantity.value, whole.quantity.text
    for change in changes:
        value = change.row.quantity.value / (100 if change.row.measure == "percent" else 1)
        amount = level * value if change.share else value
        text = change.row.quantity.text
        if change.sign:
            step += f" {'+' if change.sign > 0 else '-'} {f'{text} of it' if change.share else text}"
        else:
            step = f"{text} of {step}" if change.share else text
        level = level + change.sign * amount if change.sign else amount
    spanned = table.text[table.sentences[whole.at][0] : table.sentences[changes[-1].row.at][1]]
    words = frozenset(content_lemmas(spanned)) | _BALANCE_WORDS
    share = 1.0 if level > 0 and (whole.measure or level.denominator == 1) else 0.0
    operands = (whole, *(change.row for change in changes))
    return Derivation(replace(whole.quantity, value=level), operands, f"{step} = ", share, words, exhaustive=True)


def _changes(question: AmountQuestion, whole: AmountRow, table: AmountTable) -> Iterator[_Change]:
    """Yield what changes a whole, in the order of the passage, up to the year that the question names."""
    until = min(map(int, question.years), default=0)
    year = max(map(int, whole.years), default=0)
    nouns, carried = whole.nouns | question.nouns, frozenset[str]()
    for row in table.rows:
        if row.start <= whole.start or row.at - whole.at > _REACH or row.step or (row.rate and row.rate not in _FURTHER):
            continue
        if row.measure == "time" and row.quantity.unit.rstrip("s") == "year":
            year += int(row.quantity.value) if year and re.search(r"\b(?:next|following)\b", row.wording) else 0
            continue
        year = max(map(int, row.years), default=year)
        if until and year > until:
            return
        share = row.measure == "percent" or (not row.measure and 0 < row.quantity.value < 1)
        own = frozenset[str]() if _BARE.match(table.text, row.quantity.end) else row.nouns & row.clause - _VERBS
        carried = own if own and not row.measure else carried
        own = own or carried
        sign = None if _BOUND.search(table.text, 0, row.start) else _sign(row, table)
        if (
            sign is None
            or (row.measure != whole.measure and not share)
            or (own and not (own & nouns or is_same_kind(nouns, own)))
        ):
            continue
        if share or row.quantity.value < whole.quantity.value or sign > 0:
            yield _Change(row, sign, share, year)


_FURTHER = frozenset(map(verb_lemma, "further other more".split()))


def _sign(row: AmountRow, table: AmountTable) -> int | None:
    """Return whether the clause of a row takes it away (-1), adds it (1) or keeps it (0); `None` where nothing says so.

    Where the clause does not tell, what stands ahead of it in the sentence does: "Deaths were few: 6 in the cool tanks".
    """
    begin = table.sentences[row.at][0]
    for text in (row.wording, table.text[begin : row.start]):
        for sign, pattern in ((0, _KEPT), (-1, _TAKEN), (1, _ADDED)):
            if pattern.search(text):
                return sign
    return None


def _within(question: AmountQuestion, changes: Sequence[_Change]) -> Sequence[_Change]:
    """Return the changes up to the event that a question names ("after the sale"), or before it; all where none is it."""
    match = _EVENT.search(question.text)
    if match is None:
        return changes
    event = set(content_lemmas(question.text[match.end() :])) - question.nouns
    places = [place for place, change in enumerate(changes) if event & change.row.clause]
    if not places:
        return changes
    return changes[: places[0]] if match["word"].lower() in ("before", "until") else changes[: places[-1] + 1]


def _left_of_course(question: AmountQuestion, wholes: Sequence[AmountRow], table: AmountTable) -> Iterator[Derivation]:
    """Propose what a stock has left after a course of doses: a pack of 30, two a day for 14 days."""
    for course in course_totals(table):
        for whole in wholes:
            if whole.nouns & course.things and whole.quantity.value > course.value and "left" in question.cues:
                value = whole.quantity.value - course.value
                labels = frozenset(content_lemmas(table.text)) | _BALANCE_WORDS | _COURSE
                step = f"{whole.quantity.text} - ({course.step}) = "
                yield Derivation(replace(whole.quantity, value=value), (whole,), step, 1.0, labels)


_TIME = frozenset({verb_lemma("time")})
_SHORT = re.compile(r"\s[^,;.\d]{1,30}")
_COURSE = frozenset(map(verb_lemma, "full whole complete course over one single".split()))


def chained_rates(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose the product along rates of which each is for what the next counts: "£14 an hour", "two a week", "39 weeks"."""
    if question.kind not in (AmountKind.COUNT, AmountKind.MONEY, AmountKind.MEASURE, AmountKind.DURATION):
        return
    if any(item.value not in {row.quantity.value for row in table.rows} for item in question.counts):
        return
    single = {verb_lemma(match["thing"]) for match in NUMERIC_CUES["of each thing"].finditer(question.text)}
    rows = (*table.rows, *_often(table))
    for row in rows:
        if not row.rate or row.step or row.measure != question.measure or row.rate in single:
            continue
        if not row.measure and question.nouns and not question.nouns & (row.nouns | row.clause):
            continue
        chains = _counted_ahead(row, table) if row.rate == "each" else _chains(question, (row,), single, rows, table)
        for chain in chains:
            factors = [factor for factor, _ in chain]
            value = row.quantity.value
            for _, number in chain[1:]:
                value *= number
            by_name = row.rate in question.lemmas or NUMERIC_CUES["whole course"].search(question.text) or len(chain) > 2
            things = factors[-1].nouns if row.rate == "each" else (factors[-1].nouns | factors[-1].clause) - row.clause
            if by_name or things & set(question.lemmas):
                terms = " x ".join(text for text in _terms(chain))
                labels = frozenset(lemma for factor in factors for lemma in factor.sentence) | _BALANCE_WORDS
                yield Derivation(replace(row.quantity, value=value), tuple(factors), f"{terms} = ", 0.95, labels)


def _counted_ahead(row: AmountRow, table: AmountTable) -> Iterator[list[tuple[AmountRow, Fraction]]]:
    """Yield a price or content of each with how many there are: "340 tickets at £6 each"."""
    ahead = (item for item in table.rows if item.at == row.at and not item.measure and not item.step and item.quantity.value > 1)
    for count in ahead:
        if count.nouns and count.quantity.end < row.start and _SHORT.fullmatch(table.text, count.quantity.end, row.start):
            yield [(row, row.quantity.value), (count, count.quantity.value)]


def _often(table: AmountTable) -> Iterator[AmountRow]:
    """Yield how often something is done, "twice a week", and how many a day of a course has, as rates."""
    for at, (begin, end) in enumerate(table.sentences):
        words = frozenset(content_lemmas(table.text[begin:end]))
        for match in NUMERIC_CUES["how often"].finditer(table.text, begin, end):
            word = match["n"].lower().split()[0]
            number = {"once": 1, "twice": 2}.get(word) or int(number_from_words(word) or word)
            made = Quantity(Fraction(number), text=match["n"], start=match.start(), end=match.end())
            yield AmountRow(made, _TIME, words, words, at, match[0], rate=verb_lemma(match["per"]))


def _terms(chain: Sequence[tuple[AmountRow, Fraction]]) -> Iterator[str]:
    for factor, number in chain:
        own = number == factor.quantity.value
        yield factor.quantity.text if own else f"({factor.quantity.text} - {factor.quantity.value - number})"


def _chains(
    question: AmountQuestion, begun: tuple[AmountRow, ...], single: set[str], rows: Sequence[AmountRow], table: AmountTable
) -> Iterator[list[tuple[AmountRow, Fraction]]]:
    """Yield the ways to go on along rates until one is for nothing more, or for what the question itself is for."""
    last = begun[-1]
    if not last.rate or (last.rate in single and len(begun) > 1):
        yield [(row, row.quantity.value) for row in begun]
        return
    if len(begun) > _LONGEST_CHAIN:
        return
    for row in rows:
        unit = verb_lemma(row.quantity.unit) if row.quantity.unit else ""
        reach = _REACH if unit and unit == last.rate else _NEAR
        if row in begun or row.step or abs(row.at - begun[0].at) > reach or row.quantity.value <= 1 or row.rate == "each":
            continue
        is_named = (last.rate in row.nouns & row.clause or last.rate in row.nouns & _TIME) and row.whole is None
        counted = is_named or unit == last.rate or (bool(row.rate) and last.rate in row.clause and not row.measure)
        if not counted or row.measure in ("money", "percent", "clock") or row.rate == last.rate:
            continue
        parts = [part for part in table.parts_of(row) if part.measure == row.measure]
        for way in _chains(question, (*begun, row), single, rows, table):
            if row is way[-1][0] and parts:
                polarity = part_polarity(question, parts[0])
                left = row.quantity.value - sum(part.quantity.value for part in parts)
                number = row.quantity.value if polarity is None else parts[0].quantity.value if polarity else left
                yield [*way[:-1], (row, number)]
            else:
                yield way


def stretches(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose how long a stock lasts at its rate, "30 litres" at "2 litres an hour", and the year in which it began."""
    if question.kind not in (AmountKind.DURATION, AmountKind.YEAR):
        return
    for rate in table.rows:
        if rate.rate not in _PERIODS or rate.step or not rate.quantity.value:
            continue
        of_question = [_row_of_question(question, item) for item in question.counts if item.unit]
        stocks = [row for row in of_question or table.rows if row is not rate and not row.step and row.rate not in _PERIODS]
        measured = [(row, factor) for row in stocks if (factor := _common_measure(row, rate)) is not None]
        beside = [(row, factor) for row, factor in measured if row.at == rate.at]
        labels = frozenset(content_lemmas(table.text[slice(*table.sentences[rate.at])])) | _LASTING
        for stock, factor in beside or measured:
            count = stock.quantity.value * factor / rate.quantity.value
            step = f"{stock.quantity.text} / {rate.quantity.text} a {rate.rate} = "
            if question.kind is AmountKind.DURATION and _PERIODS[rate.rate].startswith((question.unit or "")[:3]):
                made = Quantity(count, Sort.DURATION, _PERIODS[rate.rate])
                yield Derivation(made, (rate,) if of_question else (stock, rate), step, 1.0, labels)
            elif question.kind is AmountKind.YEAR and rate.rate == verb_lemma("year"):
                for year in years_in(table.text[slice(*table.sentences[stock.at])])[-1:]:
                    years = round(count)
                    made = Quantity(Fraction(int(year) - years), Sort.YEAR)
                    yield Derivation(made, (stock, rate), f"{year} - {step}{year} - {years} = ", 0.9, labels)


def _row_of_question(question: AmountQuestion, item: Quantity) -> AmountRow:
    """Return a number that a question states as a row."""
    words = frozenset(question.lemmas)
    return AmountRow(item, frozenset(), words, words, 0, question.text)


_PERIODS = {verb_lemma(word): f"{word}s" for word in "hour day week month year minute".split()}
_LASTING = frozenset(
    map(verb_lemma, "last long take enough about date supply finish empty year form begin run go work use".split())
)


def _common_measure(stock: AmountRow, rate: AmountRow) -> Fraction | None:
    """Return how many units of a rate one unit of a stock is; `None` where both measure different things."""
    if stock.quantity.unit and rate.quantity.unit:
        first, second = unit_of(stock.quantity.unit), unit_of(rate.quantity.unit)
        same = first is not None and second is not None and first.measures == second.measures
        return first.factor / second.factor if same and first is not None and second is not None else None
    same = not stock.measure and not rate.measure and bool(stock.nouns & rate.nouns)
    return Fraction(1) if same and stock.quantity.value > rate.quantity.value else None


def quotients(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose what falls to each of a number of things: what a question wants "per" or "for each" of them."""
    if question.kind not in (AmountKind.MONEY, AmountKind.MEASURE, AmountKind.COUNT):
        return
    things = {verb_lemma(match["thing"]) for match in NUMERIC_CUES["of each thing"].finditer(question.text)} - set(_PERIODS)
    numbers = [row for row in table.rows if not row.measure and row.nouns & row.clause & things and not row.step and not row.rate]
    totals = [
        row for row in table.rows if row.measure == question.measure and not row.rate and not row.step and things - row.nouns
    ]
    for total in totals:
        for number in numbers:
            if number.quantity.value > 1 and number.start != total.start:
                value = total.quantity.value / number.quantity.value
                step = f"{total.quantity.text} / {number.quantity.text} = "
                if (value * 100).denominator == 1:
                    yield Derivation(replace(total.quantity, value=value), (total, number), step, 0.95)


BALANCE_OPERATIONS = (balances, chained_rates, stretches, quotients)
"""The operations of this module."""

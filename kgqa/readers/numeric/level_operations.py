"""Operations on levels, rates and schedules: each proposes derivations as those of `amount_operations` do.

Changes in percent, the way from one level to another, prices of groups, what a new rate adds over a number of things, doses by
the day, and how often something that recurs has been held.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from typing import NamedTuple

from kgqa.quantities.numbers import BELOW_HUNDRED, ORDINALS, number_from_words
from kgqa.quantities.quantity import Quantity, Sort
from kgqa.readers.numeric.amount_operations import Derivation, count_noun
from kgqa.readers.numeric.amount_question import AmountKind, AmountQuestion
from kgqa.readers.numeric.amount_table import AmountRow, AmountTable
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES
from kgqa.readers.numeric.passage_tokens import content_lemmas, verb_lemma

_RISES, _FALLS = NUMERIC_CUES["more words"], NUMERIC_CUES["fall words"]
_CHANGE_LINK, _FROM = NUMERIC_CUES["level link"], re.compile(r"\bfrom (?:about |some |only )?$", re.IGNORECASE)
_LEVEL = NUMERIC_CUES["asks level"]
_SCHEDULE = NUMERIC_CUES["schedule"]
_DOSE_OF_DAY, _COURSE_LENGTH = NUMERIC_CUES["dose of day"], NUMERIC_CUES["course length"]
_DAYS = {"d": 1, "n": 1, "w": 7, "f": 14, "m": 30}
_RECURS, _LEFT_OUT = NUMERIC_CUES["recurring event"], NUMERIC_CUES["left out"]
_UNTIL = NUMERIC_CUES["up to year"]
_YEAR = re.compile(r"\b1\d{3}\b|\b20\d{2}\b")
_BOUND = re.compile(r"\b(?:under|over|above|below|aged|than|least|most)\s$", re.IGNORECASE)
_WAY = frozenset(map(verb_lemma, "rise fall level point percentage must need reach above below".split()))
"""The words of a question that the way to a level accounts for by itself."""
_PAID = frozenset(map(verb_lemma, "pay cost spend owe together enter visit entry ticket under over".split()))
_HELD = frozenset(map(verb_lemma, "time often hold run stage take place celebrate there up include by until end".split()))
"""The same of a group's price, and of how often something was held."""
_APART = 3
"""How many sentences apart two levels of a change stand at most."""
_STATED_CHANGE = frozenset(
    map(verb_lemma, "rise fall grow drop decline increase decrease shrink climb cut change percentage previous company".split())
)
"""The words of a question that a change in percent accounts for by itself."""


def percent_changes(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose by how many percent a level changed: "from 420 to 252", "84 million, against 70 million", in two years."""
    if question.kind is not AmountKind.CHANGE:
        return
    rises, falls = bool(_RISES.search(question.text)), bool(_FALLS.search(question.text))
    rows = [row for row in table.rows if row.measure not in ("percent", "clock") and not row.step and not row.flow]
    for first, second in combinations(rows, 2):
        if first.measure != second.measure or second.at - first.at > _APART or 0 in (first.quantity.value, second.quantity.value):
            continue
        if first.measure == "money" and first.quantity.unit != second.quantity.unit:
            continue
        link = _CHANGE_LINK.fullmatch(table.text[first.quantity.end : second.start]) if first.at == second.at else None
        years = question.years
        by_year = len(years) == 2 and first.years & years != second.years & years and first.years & years and second.years & years
        if link is None and not by_year:
            continue
        backwards = link is not None and bool(link["back"])
        if link is not None and not backwards and not _FROM.search(table.text, 0, first.start):
            continue
        before, after = (second, first) if backwards else (first, second)
        if by_year and link is None and min(first.years & years) > min(second.years & years):
            before, after = after, before
        ratio = (after.quantity.value - before.quantity.value) / before.quantity.value
        if ratio == 0 or (rises and not falls and ratio < 0) or (falls and not rises and ratio > 0):
            continue
        step = f"({after.quantity.text} - {before.quantity.text}) / {before.quantity.text} = "
        yield Derivation(Quantity(round(abs(ratio) * 100, 1), Sort.PERCENT, "%"), (before, after), step, 1.0, _STATED_CHANGE)


def levels_to_reach(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose how far a level is from the one that has to be reached: "at 46 per cent", "once they are back at 60"."""
    match = _LEVEL.search(question.text)
    if match is None or question.kind not in (AmountKind.DIFFERENCE, AmountKind.MONEY, AmountKind.MEASURE, AmountKind.COUNT):
        return
    here, there = (set(content_lemmas(part)) for part in (question.text[: match.start("goal")], match["goal"]))
    falls = bool(_FALLS.search(question.text))
    rows = [row for row in table.rows if row.measure not in ("clock", "time") and not row.step and not row.flow]
    for present, goal in permutations(rows, 2):
        if present.measure != goal.measure or (present.measure == "" and not present.nouns & goal.nouns):
            continue
        if "points" in question.cues and present.measure != "percent":
            continue
        value = (present.quantity.value - goal.quantity.value) * (1 if falls else -1)
        is_present = here & (present.clause | present.nouns) or NUMERIC_CUES["present level"].search(present.wording)
        if value > 0 and is_present and there & (goal.clause | goal.sentence) - present.clause:
            step = f"{goal.quantity.text} - {present.quantity.text} = "
            result = replace(goal.quantity, value=value)
            if goal.measure == "percent":
                result = Quantity(value)
            yield Derivation(result, (goal, present), step, 0.95, _WAY)


def group_prices(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose what a group pays: each number of the question times the price of its noun, of one that has no label else."""
    counts = [item for item in question.counts if not _BOUND.search(question.text[: item.start])]
    single = [match for match in NUMERIC_CUES["group of one"].finditer(question.text) if counts]
    counts += [Quantity(Fraction(1), text="1", start=match.start("an"), end=match.end("an")) for match in single]
    nouns = [count_noun(question.text, item) for item in counts]
    if question.kind is not AmountKind.MONEY or len(counts) < 2 or not all(nouns):
        return
    for at in sorted({row.at for row in table.rows if row.measure == "money"}):
        prices = [row for row in table.rows if row.at == at and row.measure == "money" and not row.step]
        labels = [row.clause | {row.rate} | row.nouns for row in prices]
        chosen = [[row for row, label in zip(prices, labels, strict=True) if noun in label] for noun in nouns]
        free = [row for row in prices if not any(row in rows for rows in chosen)]
        if sum(not rows for rows in chosen) > 1:
            continue
        picked = [rows[0] if rows else free[0] if free else None for rows in chosen]
        operands = [row for row in picked if row is not None]
        if len(operands) < len(picked) or len({row.start for row in operands}) < len(operands):
            continue
        total = sum((row.quantity.value * item.value for row, item in zip(operands, counts, strict=True)), Fraction(0))
        terms = [f"{item.text.split()[0]} x {row.quantity.text}" for row, item in zip(operands, counts, strict=True)]
        yield Derivation(
            replace(operands[0].quantity, value=total),
            tuple(operands),
            f"{' + '.join(terms)} = ",
            1.0,
            _PAID | set(nouns),
        )


def raised_rates(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose what a new rate adds over a number of things: "the rent of a plot from £40 to £46", 60 plots."""
    if question.kind not in (AmountKind.DIFFERENCE, AmountKind.MONEY):
        return
    for before, after in pairwise(table.rows):
        if before.at != after.at or before.measure != after.measure or not before.measure:
            continue
        link = _CHANGE_LINK.fullmatch(table.text[before.quantity.end : after.start])
        if link is None or link["back"] or not _FROM.search(table.text, 0, before.start):
            continue
        sentence = table.text[slice(*table.sentences[before.at])]
        things = {verb_lemma(match["thing"]) for match in NUMERIC_CUES["of each thing"].finditer(sentence)}
        counted = [(item.value, item.text) for item in question.counts if count_noun(question.text, item) in things]
        counted += [(row.quantity.value, row.quantity.text) for row in table.rows if row.nouns & things and not row.measure]
        if counted:
            value = abs(after.quantity.value - before.quantity.value) * counted[0][0]
            step = f"({after.quantity.text} - {before.quantity.text}) x {counted[0][1].split()[0]} = "
            known = frozenset(content_lemmas(sentence)) | things | frozenset(map(verb_lemma, "year month increase rise".split()))
            yield Derivation(replace(after.quantity, value=value), (after, before), step, 1.0, known)


class Course(NamedTuple):
    """How many a schedule comes to, what of, the words of its sentence, the step, and whether it has several stretches."""

    value: Fraction
    things: frozenset[str]
    at: int
    step: str
    long: bool


def course_totals(table: AmountTable) -> Iterator[Course]:
    """Yield the schedules of a passage: "one in the morning and one at night for ten days", "four times a day for two weeks"."""
    for at, (begin, end) in enumerate(table.sentences):
        matches = list(_SCHEDULE.finditer(table.text, begin, end))
        first = next((match for match in matches if match["c"]), None)
        if first is not None:
            terms = [_scheduled(match, first["c"]) for match in matches]
            things = frozenset(verb_lemma(match["thing"]) for match in matches if match["thing"])
        else:
            length = _COURSE_LENGTH.search(table.text, begin, end)
            doses = list(_DOSE_OF_DAY.finditer(table.text, begin, end))
            if length is None or not doses:
                continue
            number = sum(_whole_number(match["c"] or doses[0]["c"] or "one") for match in doses)
            terms = [(number, 1, _whole_number(length["d"]) * _DAYS[length["u"][0].lower()])]
            things = frozenset(lemma for match in doses for lemma in content_lemmas(match["thing"] or ""))
        if all(map(all, terms)):
            value = Fraction(sum(each * times * days for each, times, days in terms))
            step = " + ".join(" x ".join(str(factor) for factor in term if factor > 1) for term in terms)
            yield Course(value, things, at, step, len(terms) > 1)


def schedules(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose how many a schedule comes to: "four times a day for two weeks and twice a day for the two weeks after that"."""
    if question.kind is not AmountKind.COUNT or not NUMERIC_CUES["whole course"].search(question.text):
        return
    for course in course_totals(table):
        rows = [row for row in table.rows if row.at == course.at]
        if (
            "left" in question.cues
            or not rows
            or (question.nouns and not question.nouns & (course.things | {verb_lemma("times")}))
        ):
            continue
        row = replace(rows[0], clause=frozenset(content_lemmas(table.text[slice(*table.sentences[course.at])])))
        known = frozenset(map(verb_lemma, "whole course patient put take use".split()))
        yield Derivation(Quantity(course.value), (row,), f"{course.step} = ", 1.0 if course.long else 0.95, known)


def _scheduled(match: re.Match[str], dose: str) -> tuple[int, int, int]:
    """Return how many are taken at once, how often a day, and for how many days; what a term does not say, the first says."""
    often = match["n"].lower().split()[0] if match["n"] else "once"
    times = {"once": 1, "twice": 2}.get(often) or _whole_number(often)
    days = _DAYS[match["u"][0].lower()]
    return _whole_number(match["c"] or dose), times, _whole_number(match["d"] or "one") * days


def _whole_number(word: str) -> int:
    word = word.lower()
    return int(word) if word.isdigit() else 1 if word in ("a", "an") else int(number_from_words(word) or 0)


def recurrences(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose how often something was held: from a first year on every second year, without the years that are left out."""
    if question.kind is not AmountKind.COUNT or not NUMERIC_CUES["asks how often"].search(question.text):
        return
    until = _UNTIL.search(question.text)
    for at, (begin, end) in enumerate(table.sentences):
        match = _RECURS.search(table.text, begin, end)
        if match is None:
            continue
        word = (match["n"] or match["n2"] or match["k"] or "one").lower()
        step = 2 if word == "other" else int(BELOW_HUNDRED.get(ORDINALS.get(word, word), 0) or _whole_number(word))
        last = int(until["year"]) if until else int(match["end"] or match["end2"] or 0)
        first = int(match["first"] or match["first2"])
        if step < 1 or last < first:
            continue
        held = range(first, last + 1 - bool(until and until["open"]), step)
        missed = _LEFT_OUT.search(table.text, match.end(), end)
        without = {int(year) for year in _YEAR.findall(missed[0])} & set(held) if missed else set()
        made = Quantity(Fraction(len(held) - len(without)), start=match.start(), end=match.end())
        words = frozenset(content_lemmas(table.text[begin:end]))
        if not words & set(question.lemmas) - _HELD - {str(last)}:
            continue
        row = AmountRow(made, question.nouns, words, words, at, table.text[begin:end], step=match[0])
        taken = f" - {len(without)}" if without else ""
        yield Derivation(made, (row,), f"{held[0]}, {held[0] + step} ... {held[-1]}: {len(held)}{taken} = ", 1.0, _HELD)


def changed_levels(question: AmountQuestion, table: AmountTable) -> Iterator[Derivation]:
    """Propose what a level will be: "cost £2,640 and will rise by £220 next year"."""
    if question.kind not in (AmountKind.MONEY, AmountKind.MEASURE, AmountKind.COUNT):
        return
    for level, change in pairwise(table.rows) if NUMERIC_CUES["asks later"].search(question.text) else ():
        match = NUMERIC_CUES["will change"].search(table.text, table.sentences[change.at][0], change.start)
        if match is None or level.measure != change.measure or change.at - level.at > 1 or level.step or change.step:
            continue
        value = level.quantity.value + change.quantity.value * (1 if match["up"] else -1)
        step = f"{level.quantity.text} {'+' if match['up'] else '-'} {change.quantity.text} = "
        yield Derivation(replace(level.quantity, value=value), (level, change), step, 1.0, _STATED_CHANGE | {verb_lemma("next")})


LEVEL_OPERATIONS = (percent_changes, levels_to_reach, group_prices, raised_rates, schedules, recurrences, changed_levels)
"""The operations of this module."""

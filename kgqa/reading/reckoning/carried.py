"""Carrying out what a question asks of the numbers of a passage: sums, differences, shares, choices."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from kgqa.errors import QuantityInvalid
from kgqa.quantities.arithmetic import add_quantities, compare_quantities, complement, subtract_quantities
from kgqa.quantities.model import Quantity, Sort
from kgqa.quantities.sanity import ExpectedQuantity, quantity_problem
from kgqa.quantities.units import unit_of
from kgqa.quantities.writing import format_digits, format_quantity
from kgqa.reading.reckoning.asked import NumericOperation, NumericQuestion
from kgqa.reading.reckoning.named import distinctive_names, in_one_sentence, quantities_by_name, reduce_to_names
from kgqa.reading.reckoning.operands import PassageNumbers, operand_stems
from kgqa.reading.reckoning.order import earlier_answer, elapsed_answer
from kgqa.reading.reckoning.result import NumericAnswer, answer_from_phrase
from kgqa.reading.reckoning.singled import choose_by_events, count_events, filter_by_bound, select_extreme

WEAK_FIT = 0.12
"""Below this mean fit, a number is not held to be meant by a phrase."""
SENTENCE_BONUS = 0.25
"""So much do numbers go before others that one sentence tells of both names in the same manner."""


def compute_numeric_answer(question: NumericQuestion, text: str) -> NumericAnswer | None:
    """Return what the operation gives on the numbers of a passage; `None` where they cannot be told or give what cannot be."""
    if question.operation in (NumericOperation.ELAPSED, NumericOperation.ORDER):
        dated_answer = (elapsed_answer if question.operation is NumericOperation.ELAPSED else earlier_answer)(question, text)
        return None if dated_answer is None else NumericAnswer(*dated_answer)
    numbers = PassageNumbers(text)
    if not numbers.quantities:
        return None
    try:
        return _COMPUTE[question.operation](question, numbers)
    except QuantityInvalid:
        return None


def compatible_quantities(question: NumericQuestion, numbers: PassageNumbers) -> Iterator[list[Quantity]]:
    """Yield the numbers that can be reckoned with one another, one class after the other: those of the unit that is asked for."""
    groups: dict[tuple[Sort, str], list[Quantity]] = {}
    for quantity in numbers.quantities:
        if quantity.sort in (Sort.CARDINAL, Sort.PERCENT, Sort.MONEY, Sort.DURATION):
            unit = unit_of(quantity.unit) if quantity.unit else None
            groups.setdefault((quantity.sort, unit.measures if unit else ""), []).append(quantity)
    wanted = unit_of(question.unit)
    money = question.unit in ("£", "$", "€", "dollars") and any(sort is Sort.MONEY for sort, _ in groups)
    for (sort, measures), members in groups.items():
        if money and sort is not Sort.MONEY:
            continue
        if question.unit == "percent" and (Sort.PERCENT, "") in groups and sort is not Sort.PERCENT:
            continue
        if wanted is not None and any(key[1] == wanted.measures for key in groups) and measures != wanted.measures:
            continue
        yield members


def _assign_numbers(
    question: NumericQuestion, numbers: PassageNumbers, phrases: Sequence[str], shared: str = ""
) -> tuple[tuple[Quantity, ...], float] | None:
    """Return the numbers of all phrases out of one class, that which fits best."""
    phrase_names = distinctive_names(phrases, numbers) if question.operation is NumericOperation.DIFFERENCE else None
    if phrase_names:
        phrases, shared = reduce_to_names(phrases, phrase_names, shared)
    candidates = []
    for members in compatible_quantities(question, numbers):
        *sentence_ways, anywhere = quantities_by_name(phrase_names, members, numbers) if phrase_names else [()]
        candidates += [
            (SENTENCE_BONUS, assignment)
            for way in sentence_ways
            if (assignment := numbers.assigned(phrases, members, shared, way)) is not None
        ]
        assignment = numbers.assigned(phrases, members, shared, anywhere)
        if assignment is not None:
            candidates.append(
                (SENTENCE_BONUS / 2 if phrase_names and in_one_sentence(assignment[0], numbers.text) else 0.0, assignment)
            )
    best = max(candidates, key=lambda ranked: ranked[0] + ranked[1][1], default=(0.0, None))[1]
    return best if best is not None and best[1] >= WEAK_FIT else None


def _compute_complement(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    phrases: tuple[str, ...] = question.first
    if len(phrases) == 2 and _is_one_group(numbers.text, phrases):
        phrases = (" ".join(phrases),)
    assignment = _assign_numbers(question, numbers, phrases)
    if assignment is None or any(quantity.sort is not Sort.PERCENT for quantity in assignment[0]):
        return None
    total = _total_quantity(assignment[0])
    rest = complement(total)
    step = f"100 - {_format_sum(assignment[0])} = {format_digits(rest.value)}"
    return _answer_if_plausible(
        rest, assignment[1], (_found_line(assignment[0]), step), ExpectedQuantity(share=True), assignment[0][0]
    )


def _is_one_group(text: str, phrases: Sequence[str]) -> bool:
    """Tell whether a passage gives two things one number: "Hispanic or Latino of any race were 25%"."""
    first, second = (re.escape(phrase.split()[0].lower()) for phrase in phrases)
    return re.search(rf"{first}[^,;%]{{0,40}}? or {second}", text.lower()) is not None


def _compute_difference(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    first_side, second_side, common = _split_common_words(question)
    phrases = [*first_side, *second_side]
    assignment = _assign_numbers(question, numbers, phrases, common)
    if assignment is None:
        return None
    cut = len(question.first)
    first, second = _total_quantity(assignment[0][:cut]), _total_quantity(assignment[0][cut:])
    gap = subtract_quantities(first, second)
    turned = (gap.value < 0) != question.least
    ordered_sides = (assignment[0][cut:], assignment[0][:cut]) if gap.value < 0 else (assignment[0][:cut], assignment[0][cut:])
    gap = replace(gap, value=abs(gap.value))
    if not gap.value:
        return None
    step = f"{_format_sum(ordered_sides[0])} - {_format_sum(ordered_sides[1])} = {_format_figure(gap.value, ordered_sides[0])}"
    fit = assignment[1] * (0.8 if turned and gap.value else 1.0)
    expected = ExpectedQuantity(unit=question.unit if unit_of(question.unit) else "")
    millions = {"million": 6, "millions": 6, "billion": 9}.get(question.unit, 0)
    if millions and gap.value >= 10**millions:
        gap = replace(gap, value=gap.value / 10**millions, scale=0)
    return _answer_if_plausible(gap, fit, (_found_line(assignment[0]), step), expected, ordered_sides[0][0])


def _split_common_words(question: NumericQuestion) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return the phrases of both sides without what they have in common, and that.

    A year that one side alone has is common: "walked in 2016 than cycled"; so are the words that name what is counted.
    """
    years = [
        [stem for stem in operand_stems(" ".join(side)) if len(stem) == 4 and stem.isdigit()]
        for side in (question.first, question.second)
    ]
    common = ""
    if bool(years[0]) != bool(years[1]) and len(set(operand_stems(" ".join(question.second)))) > len(years[1]):
        common = " ".join(years[0] or years[1])
    drop = set(common.split())
    sides = [
        tuple(" ".join(word for word in phrase.split() if word.strip(",.") not in drop) for phrase in side)
        for side in (question.first, question.second)
    ]
    return sides[0], sides[1], f"{common} {' '.join(question.first)}"


def _compute_sum(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    assignment = _assign_numbers(question, numbers, question.first)
    if assignment is None:
        return None
    total = _total_quantity(assignment[0])
    step = f"{_format_sum(assignment[0])} = {_format_figure(total.value, assignment[0])}"
    return _answer_if_plausible(
        total,
        assignment[1],
        (_found_line(assignment[0]), step),
        ExpectedQuantity(share=total.sort is Sort.PERCENT),
        assignment[0][0],
    )


def _compute_choice(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    of_events = choose_by_events(question, numbers)
    if of_events is not None:
        return of_events
    assignment = _assign_numbers(question, numbers, [*question.first, *question.second], question.noun)
    if assignment is None:
        return None
    (first, second), fit = assignment[0][:2], assignment[1]
    sign = compare_quantities(first, second)
    if not sign:
        return None
    chosen = question.first[0] if (sign > 0) != question.least else question.second[0]
    relation = "<" if sign < 0 else ">"
    step = f"{format_quantity(first)} {relation} {format_quantity(second)}: {chosen}"
    return answer_from_phrase(chosen, numbers.text, fit, (_found_line(assignment[0]), step))


_COMPUTE: dict[NumericOperation, Callable[[NumericQuestion, PassageNumbers], NumericAnswer | None]] = {
    NumericOperation.COMPLEMENT: _compute_complement,
    NumericOperation.DIFFERENCE: _compute_difference,
    NumericOperation.SUM: _compute_sum,
    NumericOperation.CHOICE: _compute_choice,
    NumericOperation.FILTER: filter_by_bound,
    NumericOperation.EXTREME: select_extreme,
    NumericOperation.COUNT: count_events,
}


def _total_quantity(quantities: Sequence[Quantity]) -> Quantity:
    total = quantities[0]
    for quantity in quantities[1:]:
        total = add_quantities(total, quantity)
    return total


def _answer_if_plausible(
    result: Quantity, fit: float, trace: tuple[str, ...], expected: ExpectedQuantity, pattern: Quantity
) -> NumericAnswer | None:
    """Return the result in the form of the passage, unless it cannot be."""
    if quantity_problem(result, expected):
        return None
    return NumericAnswer(_format_figure(result.value, (pattern,)), fit, trace, pattern.start, pattern.end)


def _format_figure(value: Fraction, patterns: Sequence[Quantity]) -> str:
    """Return a number in digits: with commas where the passage has them and it is whole."""
    return format_digits(value, commas=value.denominator == 1 and any("," in pattern.text for pattern in patterns))


def _format_sum(quantities: Sequence[Quantity]) -> str:
    terms = " + ".join(_format_figure(quantity.value, (quantity,)) for quantity in quantities)
    return f"({terms})" if len(quantities) > 1 else terms


def _found_line(quantities: Sequence[Quantity]) -> str:
    return f"found: {'; '.join(quantity.text for quantity in quantities)}"

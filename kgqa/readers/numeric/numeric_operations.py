"""The operations of the numeric reader: sums, differences, shares, comparisons and selections over the numbers of a passage.

Each gives an answer with its steps. A selection picks the thing whose number is largest, first or above a bound.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import NamedTuple

from kgqa.errors import QuantityInvalid
from kgqa.quantities.arithmetic import (
    ExpectedQuantity,
    add_quantities,
    compare_quantities,
    complement,
    quantity_problem,
    subtract_quantities,
)
from kgqa.quantities.quantity import Quantity, Sort
from kgqa.quantities.quantity_format import format_digits, format_quantity
from kgqa.quantities.quantity_parser import quantities_in
from kgqa.quantities.units import unit_of
from kgqa.readers.numeric.elapsed_time import earlier_answer, elapsed_answer
from kgqa.readers.numeric.event_table import event_table
from kgqa.readers.numeric.labelled_numbers import (
    age_groups,
    age_range,
    change_answer,
    compared_answer,
    labelled_lists,
    listed_total,
    longest_list,
    range_quantity,
    with_shared_units,
)
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES, NumericOperation, NumericQuestion
from kgqa.readers.numeric.operand_linking import link_operands
from kgqa.readers.numeric.operands import Assignment, NumericAnswer, PassageNumbers, answer_from_phrase, operand_stems
from kgqa.readers.numeric.part_whole import part_answer
from kgqa.readers.numeric.time_queries import TIME_OPERATIONS, answer_time, longest_span

AGE_FIT = 0.9
"""The fit of numbers of age groups."""
LEAST_FIT = 0.12
"""Below this mean fit, two numbers are not held to be those of two times."""
LEAST_PROBABILITY = 0.1
"""Below this probability, numbers are not held to be those that the phrases of a question mean."""
_ORDER_WORDS = ("first", "opening", "last", "final")
_MEASURES = {
    **dict.fromkeys("deeper shallower longer shorter taller wider narrower farther further".split(), "metres"),
    **dict.fromkeys("heavier lighter".split(), "kilograms"),
    **dict.fromkeys("older younger".split(), "years"),
    **dict.fromkeys("warmer colder hotter cooler".split(), "degrees"),
}
"""A unit of what a comparative compares."""
_SEVERAL = {"two": 2, "three": 3, "four": 4}
_COMBINED = re.compile(r"\b(?:combined|together|in total)\b")
_PEOPLE = re.compile(r"(?:percent of (?:the )?)?(?:people|residents|persons|inhabitants|citizens)\b")
_COUNTS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_GROUP_STEMS = {
    "group",
    "percent",
    "popul",
    "raci",
    "rac",
    "ancestry",
    "ancestri",
    "ethnic",
    *operand_stems("religion religious language ancestries ages age"),
}


def filter_by_bound(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    """Answer "which groups are larger than 20%" out of numbers that stand in a list, each with its label."""
    bound = PassageNumbers(question.bound).quantities
    if not bound or len(bound) != (2 if question.noun.endswith("between") else 1):
        return None
    group = longest_list(" ".join(question.first), numbers, bound[0].sort)
    if bound[0].sort is not Sort.PERCENT and not re.search(r"\bage[sd]?\b", question.first[0]):
        group = [entry for listed in labelled_lists(numbers, bound[0].sort) for entry in listed]
    if len(group) < 3:
        return None
    relation, sign = ("<", -1) if question.least else (">", 1)
    signs = (sign, 0) if question.noun.endswith(("at least", "at most", "between")) else (sign,)
    chosen = [entry for entry in group if entry.label and compare_quantities(entry.quantity, bound[0]) in signs]
    chosen = [entry for entry in chosen if compare_quantities(entry.quantity, bound[-1]) <= 0] if len(bound) > 1 else chosen
    if not chosen or len(chosen) == len(group):
        return None
    steps = tuple(f"{entry.quantity.text} {relation} {format_quantity(bound[0])}: {entry.label}" for entry in chosen)
    return NumericAnswer(", ".join(entry.label for entry in chosen), 0.5, steps, chosen[0].start, chosen[0].end)


def select_extreme(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    """Answer "which group is the largest" out of numbers that stand in a list, each with its label."""
    if question.noun.startswith("how") or question.bound in _ORDER_WORDS:
        return None
    phrase = " ".join(question.first)
    group = longest_list(f"{question.noun} {phrase}", numbers)
    if len(group) < 3 or not all(entry.label for entry in group):
        return None
    if _GROUP_STEMS.isdisjoint(operand_stems(f"{question.noun} {phrase}")):
        return None
    ordered = sorted(group, key=lambda entry: entry.quantity.value, reverse=not question.least)
    ranked = re.search(r"\b(two|three|four)\b", phrase)
    count = _SEVERAL[ranked[1]] if ranked is not None else 1
    chosen = ordered[question.rank - 1 : question.rank - 1 + count]
    if len(chosen) < count:
        return None
    listed = ", ".join(f"{entry.quantity.text} {entry.label}" for entry in group[:8])
    steps = (f"of {listed}: {', '.join(entry.quantity.text for entry in chosen)}",)
    places = (chosen[0].start, chosen[0].end) if count == 1 else (None, None)
    return NumericAnswer(", ".join(entry.label for entry in chosen), 0.5, steps, *places)


def compute_numeric_answer(question: NumericQuestion, text: str) -> NumericAnswer | None:
    """Return the result of the operation on the numbers of a passage; `None` without the numbers or a possible result."""
    if question.operation in TIME_OPERATIONS:
        answer = answer_time(question, event_table(text), text)
        if answer is not None or question.operation is not NumericOperation.ELAPSED:
            return answer
        return elapsed_answer(question, text) or (None if question.second else _compute_compared(question, PassageNumbers(text)))
    if question.operation is NumericOperation.ORDER:
        return earlier_answer(question, text)
    numbers = PassageNumbers(text)
    if not numbers.quantities:
        return None
    try:
        compute = _COMPUTE.get(question.operation)
        return compute(question, numbers) if compute is not None else None
    except QuantityInvalid:
        return None


def _compatible_quantities(question: NumericQuestion, numbers: PassageNumbers) -> Iterator[list[Quantity]]:
    """Yield the numbers of compatible units, one class after the other, those of the requested unit first."""
    groups: dict[tuple[Sort, str], list[Quantity]] = {}
    for quantity in with_shared_units(numbers):
        if quantity.sort in (Sort.CARDINAL, Sort.PERCENT, Sort.MONEY, Sort.DURATION):
            unit = unit_of(quantity.unit) if quantity.unit else None
            groups.setdefault((quantity.sort, unit.measures if unit else ""), []).append(quantity)
    wanted = unit_of(question.unit or _MEASURES.get(question.noun, ""))
    money = question.unit in ("£", "$", "€", "dollars") and any(sort is Sort.MONEY for sort, _ in groups)
    for (sort, measures), members in groups.items():
        if money and sort is not Sort.MONEY:
            continue
        if question.unit == "percent" and (Sort.PERCENT, "") in groups and sort is not Sort.PERCENT:
            continue
        if wanted is not None and any(key[1] == wanted.measures for key in groups) and measures != wanted.measures:
            continue
        yield members


def _described_quantities(adjective: str, members: list[Quantity], numbers: PassageNumbers) -> list[Quantity]:
    """Return the numbers that stand beside a form of an adjective ("96 metres deep"), where there are two of them."""
    if adjective not in _MEASURES:
        return members
    form = re.compile(rf"\b{adjective.removesuffix('er').removesuffix('r')}(?:e?r|e?st)?\b", re.IGNORECASE)
    beside = [
        quantity
        for quantity in members
        if form.search(numbers.text, quantity.end, quantity.end + 12)
        or form.search(numbers.text, max(0, quantity.start - 15), quantity.start)
    ]
    return beside if len(beside) > 1 else members


class OperandProblem(NamedTuple):
    """The phrases of a question that each mean a number, the groups of numbers that they can mean, and what is asked for."""

    phrases: tuple[str, ...]
    groups: tuple[Sequence[Quantity], ...]
    wants: str
    shared: str = ""


def operand_problem(question: NumericQuestion, numbers: PassageNumbers) -> OperandProblem | None:
    """Return which phrases of a question have to be given a number; `None` for an operation without phrases."""
    phrases, shared = (*question.first, *question.second), ""
    if question.operation is NumericOperation.COMPLEMENT:
        phrases = _complement_phrases(question, numbers)
    elif question.operation is NumericOperation.DIFFERENCE:
        own, shared = _split_common_words(question)
        phrases = tuple(own)
    elif question.operation is NumericOperation.CHOICE:
        shared = question.noun
    elif question.operation is not NumericOperation.SUM or question.bound:
        return None
    groups = tuple(_described_quantities(question.noun, group, numbers) for group in _compatible_quantities(question, numbers))
    return OperandProblem(phrases, groups, question.unit, shared)


def operand_result(question: NumericQuestion, quantities: Sequence[Quantity]) -> float | None:
    """Return the number that an operation on the numbers of its phrases comes to; `None` where they do not go together."""
    try:
        if question.operation is NumericOperation.COMPLEMENT:
            return float(complement(reduce(add_quantities, quantities)).value)
        if question.operation is NumericOperation.SUM:
            return float(reduce(add_quantities, quantities).value)
        cut = len(question.first)
        gap = subtract_quantities(reduce(add_quantities, quantities[:cut]), reduce(add_quantities, quantities[cut:]))
        return abs(float(gap.value))
    except QuantityInvalid:
        return None


def _age_numbers(question: NumericQuestion, numbers: PassageNumbers) -> tuple[Quantity, ...] | None:
    """Return the numbers of phrases that each name a range of ages, where the age groups of the passage give them."""
    ranges = [age_range(phrase) for phrase in (*question.first, *question.second)]
    if not ranges or None in ranges:
        return None
    groups = age_groups(numbers)
    for sort in (Sort.PERCENT, Sort.CARDINAL) if question.unit == "percent" else (Sort.CARDINAL, Sort.PERCENT):
        made = [range_quantity(*bounds, groups, sort) for bounds in ranges if bounds is not None]
        if all(made):
            return tuple(entry[0] for entry in made if entry is not None)
    return None


def ranked_numbers(phrase: str, numbers: PassageNumbers, sort: Sort) -> tuple[Quantity, ...]:
    """Return the numbers of a list that a phrase names by their rank: "the second largest group", "the two smallest groups"."""
    match = NUMERIC_CUES["rank of group"].search(phrase)
    if match is None:
        return ()
    quantities = [entry.quantity for entry in longest_list(phrase, numbers, sort)]
    if len(quantities) < 3:
        return ()
    is_least = match["word"].lower() in ("smallest", "lowest", "least", "fewest")
    ordered = sorted(quantities, key=lambda quantity: quantity.value, reverse=not is_least)
    rank = {"second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}.get((match["rank"] or "").lower(), 1)
    count = _SEVERAL.get((match["count"] or match["count2"] or "").lower(), 1)
    return tuple(ordered[rank - 1 : rank - 1 + count]) if len(ordered) >= rank - 1 + count else ()


def _assign_numbers(question: NumericQuestion, numbers: PassageNumbers) -> Assignment | None:
    """Return the likeliest numbers of all phrases, all of one group, with their probability."""
    of_ages = _age_numbers(question, numbers)
    if of_ages is not None:
        return of_ages, AGE_FIT
    sides = [
        ranked_numbers(phrase, numbers, sort)
        for phrase in (*question.first, *question.second)
        for sort in ((Sort.PERCENT if question.unit == "percent" else Sort.CARDINAL),)
    ]
    if sides and all(len(side) == 1 for side in sides):
        return tuple(side[0] for side in sides), AGE_FIT
    problem = operand_problem(question, numbers)
    linked = link_operands(*problem[:2], numbers, *problem[2:]) if problem is not None else None
    return (linked.quantities, linked.probability) if linked is not None and linked.probability >= LEAST_PROBABILITY else None


def _complement_phrases(question: NumericQuestion, numbers: PassageNumbers) -> tuple[str, ...]:
    """Return the phrases of a remainder: one where the passage gives two things one number ("Hispanic or Latino of any race")."""
    phrases: tuple[str, ...] = question.first
    if len(phrases) == 2:
        first, second = (re.escape(phrase.split()[0].lower()) for phrase in phrases)
        if re.search(rf"{first}[^,;%]{{0,40}}? or {second}", numbers.text.lower()):
            return (" ".join(phrases),)
    return phrases


def _compute_complement(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    assignment = _assign_numbers(question, numbers)
    if assignment is None or any(quantity.sort is not Sort.PERCENT for quantity in assignment[0]):
        return None
    rest = complement(reduce(add_quantities, assignment[0]))
    step = f"100 - {_format_sum(assignment[0])} = {format_digits(rest.value)}"
    return _answer_if_plausible(rest, assignment, step, ExpectedQuantity(share=True), assignment[0][0])


def _compute_difference(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    if not question.noun:  # "how many of them did not return": perhaps a part that the passage states
        of_whole = part_answer(f"{question.first[0]} did not {question.second[0]}", numbers)
        if of_whole is not None:
            return of_whole
    assignment = _assign_numbers(question, numbers)
    if assignment is None:
        return None
    cut = len(question.first)
    larger, smaller = assignment[0][:cut], assignment[0][cut:]
    gap = subtract_quantities(reduce(add_quantities, larger), reduce(add_quantities, smaller))
    if not gap.value:
        return None
    fit = assignment[1] * (0.8 if (gap.value < 0) != question.least else 1.0)
    if gap.value < 0:
        larger, smaller = smaller, larger
    gap = replace(gap, value=abs(gap.value))
    step = f"{_format_sum(larger)} - {_format_sum(smaller)} = {_format_figure(gap.value, larger)}"
    expected = ExpectedQuantity(unit=question.unit if unit_of(question.unit) else "")
    if not question.unit and question.noun in _MEASURES and larger[0].unit:
        return NumericAnswer(
            format_quantity(gap, larger[0]), fit, (_found_line(assignment[0]), step), larger[0].start, larger[0].end
        )
    exponent = {"million": 6, "millions": 6, "billion": 9}.get(question.unit, 0)
    if exponent and gap.value >= 10**exponent:
        gap = replace(gap, value=gap.value / 10**exponent, scale=0)
    return _answer_if_plausible(gap, (assignment[0], fit), step, expected, larger[0])


def _compute_change(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    """Return by how much a thing changed: between the numbers of two times, else as a sentence states it."""
    if question.first and question.second:
        times = (*question.first, *question.second)
        stated = all(map(numbers.holds, times))
        ways = (numbers.assigned(times, group, question.noun) for group in _compatible_quantities(question, numbers) if stated)
        assignment = max(filter(None, ways), key=lambda way: way[1], default=None)
        if assignment is not None and assignment[1] >= LEAST_FIT:
            first, second = assignment[0]
            gap = subtract_quantities(second, first)
            if gap.value:
                text = format_quantity(replace(gap, value=abs(gap.value)), first)
                trace = _found_line(assignment[0]), f"{second.text} and {first.text}: {text} between them"
                answer = NumericAnswer(text, assignment[1], trace, first.start, first.end)
                return _without_asked_unit(answer, question)
    return _without_asked_unit(change_answer(question.noun, numbers), question)


def _compute_compared(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    if question.operation is NumericOperation.COMPARED and _PEOPLE.match(question.first[0]):
        of_ages = _age_numbers(replace(question, unit=question.unit if question.unit == "percent" else ""), numbers)
        if of_ages is not None:
            text = _format_figure(of_ages[0].value, of_ages)
            return NumericAnswer(
                text, AGE_FIT, (_found_line(of_ages), f"of the age group: {text}"), of_ages[0].start, of_ages[0].end
            )
    phrase = f"{question.unit} {question.first[0]}" if question.operation is NumericOperation.ELAPSED else question.first[0]
    return _without_asked_unit(compared_answer(phrase, numbers) or part_answer(phrase, numbers), question)


def _without_asked_unit(answer: NumericAnswer | None, question: NumericQuestion) -> NumericAnswer | None:
    """Return an answer without its unit where the question names that: "how many metres" wants "138"."""
    if answer is None or not question.unit:
        return answer
    quantities = quantities_in(answer.text)
    return answer._replace(text=format_quantity(quantities[0], unit=False)) if quantities else answer


def _split_common_words(question: NumericQuestion) -> tuple[list[str], str]:
    """Return the phrases of both sides without what they have in common, and that.

    A year that one side alone has is common: "walked in 2016 than cycled"; so are the words that name what is counted.
    """
    first, second = (operand_stems(" ".join(side)) for side in (question.first, question.second))
    first_years, second_years = ([stem for stem in stems if len(stem) == 4 and stem.isdigit()] for stems in (first, second))
    common: list[str] = []
    if bool(first_years) != bool(second_years) and len(set(second)) > len(second_years):
        common = first_years or second_years
    phrases = (phrase.split() for phrase in (*question.first, *question.second))
    own = [" ".join(word for word in words if word.strip(",.") not in common) for words in phrases]
    measure = question.noun.removesuffix("er") if question.noun in _MEASURES else ""
    return own, f"{' '.join(common)} {' '.join(question.first)} {f'{question.noun} {measure} {measure}est' if measure else ''}"


def _compute_sum(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    if question.bound:
        return _without_asked_unit(listed_total(question.first[0], _COUNTS[question.bound], numbers), question)
    assignment = _assign_numbers(question, numbers)
    if assignment is None:
        return None
    total = reduce(add_quantities, assignment[0])
    step = f"{_format_sum(assignment[0])} = {_format_figure(total.value, assignment[0])}"
    expected = ExpectedQuantity(share=total.sort is Sort.PERCENT)
    return _answer_if_plausible(total, assignment, step, expected, assignment[0][0])


def _compute_extreme(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    """Return what is the most or the first: of periods with two dates each, else of numbers."""
    if question.noun.startswith("how") and _COMBINED.search(" ".join(question.first)):
        sort = Sort.PERCENT if question.unit == "percent" else Sort.CARDINAL
        added = ranked_numbers(" ".join(question.first), numbers, sort)
        if len(added) > 1:
            total = reduce(add_quantities, added)
            step = f"{_format_sum(added)} = {_format_figure(total.value, added)}"
            return NumericAnswer(
                _format_figure(total.value, added), AGE_FIT, (_found_line(added), step), added[0].start, added[0].end
            )
    of_periods = question.bound in ("longest", "shortest") and not question.noun.startswith("how")
    span = longest_span(question, event_table(numbers.text), numbers.text) if of_periods else None
    return span or select_extreme(question, numbers)


def _compute_choice(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    assignment = _assign_numbers(question, numbers)
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
    NumericOperation.EXTREME: _compute_extreme,
    NumericOperation.CHANGE: _compute_change,
    NumericOperation.COMPARED: _compute_compared,
}


def _answer_if_plausible(
    result: Quantity, assignment: Assignment, step: str, expected: ExpectedQuantity, pattern: Quantity
) -> NumericAnswer | None:
    """Return the result in the form of the passage, that of the number `pattern`, unless it cannot be."""
    if quantity_problem(result, expected):
        return None
    quantities, fit = assignment
    trace = _found_line(quantities), step
    return NumericAnswer(_format_figure(result.value, (pattern,)), fit, trace, pattern.start, pattern.end)


def _format_figure(value: Fraction, patterns: Sequence[Quantity]) -> str:
    """Return a number in digits: with commas where the passage has them and it is whole."""
    return format_digits(value, commas=value.denominator == 1 and any("," in pattern.text for pattern in patterns))


def _format_sum(quantities: Sequence[Quantity]) -> str:
    terms = " + ".join(_format_figure(quantity.value, (quantity,)) for quantity in quantities)
    return f"({terms})" if len(quantities) > 1 else terms


def _found_line(quantities: Sequence[Quantity]) -> str:
    return f"found: {'; '.join(quantity.text for quantity in quantities)}"

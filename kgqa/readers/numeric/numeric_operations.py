"""The operations of the numeric reader: sums, differences, shares, comparisons and selections over the numbers of a passage.

Each gives an answer with its steps. A selection picks the thing whose number is largest, first or above a bound.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce

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
from kgqa.readers.numeric.labelled_numbers import is_event_of, labelled_lists, measured_events, most_frequent_event
from kgqa.readers.numeric.name_alignment import distinctive_names, in_one_sentence, quantities_by_name, reduce_to_names
from kgqa.readers.numeric.numeric_question import NumericOperation, NumericQuestion
from kgqa.readers.numeric.operands import Assignment, NumericAnswer, PassageNumbers, answer_from_phrase, operand_stems
from kgqa.readers.numeric.part_whole import part_answer
from kgqa.readers.numeric.stated_comparisons import change_answer, compared_answer, listed_total, with_shared_units
from kgqa.readers.numeric.time_queries import TIME_OPERATIONS, answer_time, longest_span

WEAK_FIT = 0.12
"""Below this mean fit, a number is not held to be meant by a phrase."""
SENTENCE_BONUS = 0.25
"""The bonus of numbers that one sentence gives for both names in the same construction."""
_ORDER_WORDS = ("first", "opening", "last", "final")
_MEASURES = {
    **dict.fromkeys("deeper shallower longer shorter taller wider narrower farther further".split(), "metres"),
    **dict.fromkeys("heavier lighter".split(), "kilograms"),
    **dict.fromkeys("older younger".split(), "years"),
    **dict.fromkeys("warmer colder hotter cooler".split(), "degrees"),
}
"""A unit of what a comparative compares."""
_COUNTS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_GROUP_STEMS = {"group", "percent", "popul", "raci", "rac", "ancestry", "ancestri", "ethnic"}


def choose_by_events(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    """Answer "who kicked more field goals" and "who threw the longer pass" of two names."""
    candidates = measured_events(question.noun, numbers)
    sides = [[event for event in candidates if is_event_of(event, phrase)] for phrase in (question.first[0], question.second[0])]
    if not any(sides):
        return None
    if not {"more", "most", "fewer", "fewest", "less", "least"}.isdisjoint(question.noun.split()):
        first, second = (len(side) for side in sides)
    elif all(sides):
        pick = min if question.least else max
        first, second = (int(pick(event.quantity.value for event in side)) for side in sides)
    else:
        return None
    if first == second:
        return None
    chosen = question.first[0] if (first > second) != question.least else question.second[0]
    step = f"{question.first[0]} {first}, {question.second[0]} {second}: {chosen}"
    return answer_from_phrase(chosen, numbers.text, 0.5, (step,))


def filter_by_bound(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    """Answer "which groups are larger than 20%" out of numbers that stand in a list, each with its label."""
    bound = PassageNumbers(question.bound).quantities
    if not bound:
        return None
    listed = [group for group in labelled_lists(numbers) if group[0].quantity.sort is bound[0].sort]
    longest = max(listed, key=len, default=[])
    group = longest if bound[0].sort is Sort.PERCENT else [entry for group in listed for entry in group]
    if len(group) < 3:
        return None
    relation, sign = ("<", -1) if question.least else (">", 1)
    chosen = [entry for entry in group if entry.label and compare_quantities(entry.quantity, bound[0]) == sign]
    if not chosen or len(chosen) == len(group):
        return None
    steps = tuple(f"{entry.quantity.text} {relation} {format_quantity(bound[0])}: {entry.label}" for entry in chosen)
    return NumericAnswer(", ".join(entry.label for entry in chosen), 0.5, steps, chosen[0].start, chosen[0].end)


def select_extreme(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    """Answer which is the largest, the longest, the most or the first: a number, a label of a list, or a name."""
    asks_number = question.noun.startswith("how")
    phrase = " ".join(question.first)
    if not asks_number and question.bound not in _ORDER_WORDS:
        listed = _select_extreme_of_list(question, numbers, phrase)
        if listed is not None:
            return listed
    candidates = measured_events(phrase, numbers)
    by_name = question.noun in ("who", "which", "whose")
    if not candidates or (by_name and ("team" in phrase or " for the " in phrase)):
        return None
    if question.bound in ("most", "fewest", "least"):
        chief = most_frequent_event(candidates, least=question.least) if by_name and "point" not in phrase else None
        if chief is None or question.rank > 1:
            return None
        counted = f"counted: {', '.join(f'{event.quantity.text} {event.label}' for event in candidates)}"
        steps = (counted, f"{chief[1]} of {chief[0].label}")
        return NumericAnswer(chief[0].label, 0.5, steps, chief[0].start, chief[0].end)
    if not by_name and not asks_number and question.noun != "what":
        return None
    if question.bound in _ORDER_WORDS:
        ordered = candidates if question.bound in ("first", "opening") else candidates[::-1]
    else:
        ordered = sorted(candidates, key=lambda event: (event.quantity.value, -event.quantity.start), reverse=not question.least)
    if len(ordered) < question.rank:
        return None
    chosen = ordered[question.rank - 1]
    step = f"of {', '.join(event.quantity.text for event in candidates[:12])}: {chosen.quantity.text}"
    if asks_number or question.noun == "what":
        answer_text = chosen.quantity.text if question.noun != "how many yards" else format_quantity(chosen.quantity, unit=False)
        return NumericAnswer(answer_text, 0.5, (step,), chosen.quantity.start, chosen.quantity.end)
    if not chosen.label:
        return None
    return NumericAnswer(chosen.label, 0.4, (step, f"told of: {chosen.label}"), chosen.start, chosen.end)


def _select_extreme_of_list(question: NumericQuestion, numbers: PassageNumbers, phrase: str) -> NumericAnswer | None:
    """Answer "which group is the largest" out of numbers that stand in a list, each with its label."""
    groups = [group for group in labelled_lists(numbers) if len(group) >= 3 and all(entry.label for entry in group)]
    aged = "age" in phrase.split() or "age" in question.noun
    groups = [group for group in groups if not aged or any(character.isdigit() for character in group[0].label)]
    if not groups or _GROUP_STEMS.isdisjoint(operand_stems(f"{question.noun} {phrase}")):
        return None
    group = max(groups, key=len)
    ordered = sorted(group, key=lambda entry: entry.quantity.value, reverse=not question.least)
    if len(ordered) < question.rank:
        return None
    chosen = ordered[question.rank - 1]
    steps = (f"of {', '.join(f'{entry.quantity.text} {entry.label}' for entry in group[:8])}: {chosen.quantity.text}",)
    return NumericAnswer(chosen.label, 0.5, steps, chosen.start, chosen.end)


def count_events(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    """Answer how many things of one name the passage has with a measure."""
    phrase = f"{question.unit} {' '.join(question.first)}"
    chosen = [event for event in measured_events(phrase, numbers) if is_event_of(event, phrase)]
    if not chosen:
        return None
    steps = (f"counted: {', '.join(event.quantity.text for event in chosen)} = {len(chosen)}",)
    return NumericAnswer(str(len(chosen)), 0.3, steps, chosen[0].quantity.start, chosen[0].quantity.end)


def compute_numeric_answer(question: NumericQuestion, text: str) -> NumericAnswer | None:
    """Return the result of the operation on the numbers of a passage; `None` without the numbers or a possible result."""
    if question.operation in TIME_OPERATIONS:
        answer = answer_time(question, event_table(text))
        if answer is not None or question.operation is not NumericOperation.ELAPSED:
            return answer
        return elapsed_answer(question, text) or (None if question.second else _compute_compared(question, PassageNumbers(text)))
    if question.operation is NumericOperation.ORDER:
        return earlier_answer(question, text)
    numbers = PassageNumbers(text)
    if not numbers.quantities:
        return None
    try:
        return _COMPUTE[question.operation](question, numbers)
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


def _assign_numbers(
    question: NumericQuestion, numbers: PassageNumbers, phrases: Sequence[str], shared: str = ""
) -> Assignment | None:
    """Return the numbers of all phrases out of one class, that which fits best."""
    phrase_names = distinctive_names(phrases, numbers) if question.operation is NumericOperation.DIFFERENCE else None
    if phrase_names:
        phrases, shared = reduce_to_names(phrases, phrase_names, shared)
    candidates = []
    for members in _compatible_quantities(question, numbers):
        members = _described_quantities(question.noun, members, numbers)
        *sentence_ways, anywhere = quantities_by_name(phrase_names, members, numbers) if phrase_names else [()]
        assignments = (numbers.assigned(phrases, members, shared, way) for way in sentence_ways)
        candidates += [(SENTENCE_BONUS, assignment) for assignment in assignments if assignment]
        if assignment := numbers.assigned(phrases, members, shared, anywhere):
            together = phrase_names and in_one_sentence(assignment[0], numbers.text)
            candidates.append((SENTENCE_BONUS / 2 if together else 0.0, assignment))
    best = max(candidates, key=lambda ranked: ranked[0] + ranked[1][1], default=(0.0, None))[1]
    return best if best is not None and best[1] >= WEAK_FIT else None


def _compute_complement(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    phrases: tuple[str, ...] = question.first
    if len(phrases) == 2:
        # The passage may give two things one number: "Hispanic or Latino of any race were 25%".
        first, second = (re.escape(phrase.split()[0].lower()) for phrase in phrases)
        if re.search(rf"{first}[^,;%]{{0,40}}? or {second}", numbers.text.lower()):
            phrases = (" ".join(phrases),)
    assignment = _assign_numbers(question, numbers, phrases)
    if assignment is None or any(quantity.sort is not Sort.PERCENT for quantity in assignment[0]):
        return None
    rest = complement(reduce(add_quantities, assignment[0]))
    step = f"100 - {_format_sum(assignment[0])} = {format_digits(rest.value)}"
    return _answer_if_plausible(rest, assignment, step, ExpectedQuantity(share=True), assignment[0][0])


def _compute_difference(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    phrases, common = _split_common_words(question)
    assignment = _assign_numbers(question, numbers, phrases, common)
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
        assignment = _assign_numbers(question, numbers, times, question.noun) if all(map(numbers.holds, times)) else None
        if assignment is not None:
            first, second = assignment[0]
            gap = subtract_quantities(second, first)
            if gap.value:
                text = format_quantity(replace(gap, value=abs(gap.value)), first)
                trace = _found_line(assignment[0]), f"{second.text} and {first.text}: {text} between them"
                answer = NumericAnswer(text, assignment[1], trace, first.start, first.end)
                return _without_asked_unit(answer, question)
    return _without_asked_unit(change_answer(question.noun, numbers), question)


def _compute_compared(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
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
    assignment = _assign_numbers(question, numbers, question.first)
    if assignment is None:
        return None
    total = reduce(add_quantities, assignment[0])
    step = f"{_format_sum(assignment[0])} = {_format_figure(total.value, assignment[0])}"
    expected = ExpectedQuantity(share=total.sort is Sort.PERCENT)
    return _answer_if_plausible(total, assignment, step, expected, assignment[0][0])


def _compute_extreme(question: NumericQuestion, numbers: PassageNumbers) -> NumericAnswer | None:
    """Return what is the most or the first: of periods with two dates each, else of numbers."""
    of_periods = question.bound in ("longest", "shortest") and not question.noun.startswith("how")
    span = longest_span(question, event_table(numbers.text), numbers.text) if of_periods else None
    return span or select_extreme(question, numbers)


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
    NumericOperation.EXTREME: _compute_extreme,
    NumericOperation.COUNT: count_events,
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

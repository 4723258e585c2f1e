"""Numbers with what a passage states of them: labels in lists, age groups, changes and comparisons.

"28.3% under the age of 18, 11.3% from 18 to 24"; "fell from 31 million to 18 million"; "nine points more than Ferrante".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import NamedTuple

from graph.text.segmentation import sentence_end, sentence_spans
from kgqa.errors import QuantityInvalid
from kgqa.quantities.arithmetic import add_quantities, subtract_quantities
from kgqa.quantities.quantity import Quantity, Sort
from kgqa.quantities.quantity_format import format_quantity
from kgqa.quantities.quantity_parser import quantities_in
from kgqa.quantities.units import unit_of
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES
from kgqa.readers.numeric.operands import NumericAnswer, PassageNumbers, operand_stems

_NAME_BEFORE = re.compile(r"([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*) (?:with|had|has) $")
_LABEL_BEHIND = NUMERIC_CUES["label behind"]
_LABEL_BEFORE = re.compile(r"(?:^|[,;:.)]|\band\b|\bare\b|\bis\b|\bin\b)\s*(?:and |the )*([^,;:.()]+?)\s*$")
_LABEL_BEHIND_PARENTHESES = re.compile(r"\) (?:under|age|aged|from|between|over|were|who|of)\b")
"""For example "5,841 people (25.3%) under age 18"."""
_COMMON_LABEL_WORDS = re.compile(r" (?:people|years old|year olds?|residing|living)\b.*$")
"""The words that belong to all labels of a list: "Polish people", "45 to 64 years old"."""


class LabelledQuantity(NamedTuple):
    """A number with the label that it has in a list, and where that stands."""

    quantity: Quantity
    label: str
    start: int
    end: int


def longest_list(wording: str, numbers: PassageNumbers, sort: Sort | None = None) -> list[LabelledQuantity]:
    """Return the longest list of numbers with labels, of a sort or of any; that of the age groups where a wording is of ages."""
    if re.search(r"\bage[sd]?\b", wording):
        groups = age_groups(numbers)
        sorts = [sort] if sort is not None else [Sort.PERCENT, Sort.CARDINAL]
        by_age = ([group.labelled for group in groups if group.quantity.sort is any_sort] for any_sort in sorts)
        return max(by_age, key=len)
    listed = [group for group in labelled_lists(numbers, sort) if sort is None or group[0].quantity.sort is sort]
    return max(listed, key=len, default=[])


def labelled_lists(numbers: PassageNumbers, sort: Sort | None = None) -> list[list[LabelledQuantity]]:
    """Return the runs of numbers of one sort that stand in one sentence, each number with its label."""
    groups: list[list[LabelledQuantity]] = []
    last: Quantity | None = None
    members = [
        number
        for number in numbers.quantities
        if number.sort in (Sort.PERCENT, Sort.MONEY) or (number.sort is Sort.CARDINAL and not number.unit)
    ]
    percents = [number for number in members if number.sort is Sort.PERCENT]
    of_sort = [number for number in members if number.sort is sort]
    for quantity in of_sort if sort is not None else percents if len(percents) >= 3 else members:
        between = numbers.text[last.end : quantity.start] if last is not None else ""
        if last is None or last.sort is not quantity.sort or sentence_end("labels").search(between):
            groups.append([])
        groups[-1].append(_label_quantity(numbers.text, quantity))
        last = quantity
    return groups


def _label_quantity(text: str, quantity: Quantity) -> LabelledQuantity:
    """Return a number with its label: what stands behind it up to a comma, or before it where it stands in parentheses."""
    name_before = _NAME_BEFORE.search(text, max(0, quantity.start - 60), quantity.start)
    if name_before is not None:
        return LabelledQuantity(quantity, name_before[1], name_before.start(1), name_before.end(1))
    opened = text[max(0, quantity.start - 1) : quantity.start] == "("
    if opened and not _LABEL_BEHIND_PARENTHESES.match(text, quantity.end):
        offset, nowhere = max(0, quantity.start - 80), quantity.start
        match = _LABEL_BEFORE.search(text[offset : quantity.start - 1])
    else:
        offset, nowhere = 0, quantity.end
        match = _LABEL_BEHIND.match(text, quantity.end)
    if match is None:
        return LabelledQuantity(quantity, "", nowhere, nowhere)
    label, start = _COMMON_LABEL_WORDS.sub("", match[1]), offset + match.start(1)
    return LabelledQuantity(quantity, label, start, start + len(label))


_OLDEST = 200
_FROM = re.compile(r"^(?:(?:from|ages?|aged|the) )*", re.IGNORECASE)
_RANGES = NUMERIC_CUES["age range"]


class AgeGroup(NamedTuple):
    """The ages `low` to `high`, both included, with the number of those who are so old, and how the passage calls them."""

    low: int
    high: int
    labelled: LabelledQuantity

    @property
    def quantity(self) -> Quantity:
        """The number of those who are so old."""
        return self.labelled.quantity


def age_range(phrase: str) -> tuple[int, int] | None:
    """Return the range of ages that a phrase names, "between 18 and 24", "over 65"; `None` where it names none, or several."""
    ranges = list(_ranges(phrase))
    return ranges[0][:2] if len(ranges) == 1 else None


def _ranges(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield the ranges of ages of a text, each with its place."""
    for match in _RANGES.finditer(text):
        bounds = {name: int(value) for name, value in match.groupdict().items() if value}
        if "a" in bounds:
            low, high = bounds["a"], bounds["b"]
        elif "under" in bounds:
            low, high = 0, bounds["under"] - 1
        elif "upto" in bounds:
            low, high = 0, bounds["upto"]
        else:
            low, high = bounds.get("from", bounds.get("over", 0)), _OLDEST
        if low < high:
            yield low, high, match.start(), match.end()


def age_groups(numbers: PassageNumbers) -> list[AgeGroup]:
    """Return the groups of a passage in their order: each range of ages with the numbers that stand before it, else behind."""
    places = list(_ranges(numbers.text))
    groups: list[AgeGroup] = []
    last = 0
    for place, (low, high, start, end) in enumerate(places):
        inside = [item for item in numbers.quantities if last <= item.start and item.end <= start and _is_amount(item, places)]
        near = [item for item in inside if not re.search(r"[.;]\s", numbers.text[item.end : start])]
        if not near:
            until = places[place + 1][2] if place + 1 < len(places) else len(numbers.text)
            behind = [item for item in numbers.quantities if end <= item.start and item.end <= until]
            near = [item for item in behind[:1] if re.fullmatch(r"\s?\(?", numbers.text[end : item.start])]
        sorts = {item.sort: item for item in near}
        begin = end - len(_FROM.sub("", numbers.text[start:end], count=1))
        label = numbers.text[begin:end]
        groups += [AgeGroup(low, high, LabelledQuantity(item, label, begin, end)) for item in sorts.values()]
        last = end
    return groups


def _is_amount(item: Quantity, places: Sequence[tuple[int, int, int, int]]) -> bool:
    inside = any(start <= item.start < end for _, _, start, end in places)
    return not inside and item.sort in (Sort.PERCENT, Sort.CARDINAL) and item.unit not in ("years", "year")


def range_quantity(low: int, high: int, groups: Sequence[AgeGroup], sort: Sort) -> tuple[Quantity, str] | None:
    """Return the number of a range of ages with its step: that of one group, or the sum of those that adjoin and fill it."""
    alike = [group for group in groups if group.quantity.sort is sort]
    ends = {group.high for group in alike}
    high = next((end for end in (high, high + 1, high - 1) if end in ends), high) if high < _OLDEST else high
    chosen: list[AgeGroup] = []
    reached = low
    while reached <= high:
        following = [
            group for group in alike if group.low - reached in ((0, 1) if not chosen else (0,)) and group.high <= max(high, 1)
        ]
        following = following or [
            group for group in alike if group.low == reached - 1 == group.low and not chosen and group.high <= high
        ]
        if not following:
            return None
        group = max(following, key=lambda entry: entry.high)
        chosen.append(group)
        reached = group.high + 1
    if not chosen:
        return None
    total = reduce(add_quantities, [group.quantity for group in chosen])
    first = chosen[0].quantity
    made = replace(total, text=first.text if len(chosen) == 1 else "", start=first.start, end=first.end)
    return made, " + ".join(group.quantity.text for group in chosen)


_CHANGE_LINK = NUMERIC_CUES["change link"]
_MORE, _LESS, _MULTIPLE = NUMERIC_CUES["more than"], NUMERIC_CUES["less than"], NUMERIC_CUES["as much as"]
_CLAUSE_END = re.compile(r"[.;]|,? (?:and|but|while|which|who)\b")
_STATED_BEHIND = NUMERIC_CUES["stated behind"]
_NOT_COUNTED = frozenset("is was are were did does do has had would the of money".split())
_WHOLE_ENDS = (" out of ", " of the ", " of his ", " of her ", " of its ", " of their ")
"""What stands before the whole that an amount is a part of: "8.5 points out of 11"."""
_MOST_BETWEEN = 60
_TIMES = {"twice": Fraction(2), "half": Fraction(1, 2), "double": Fraction(2)}
_NO_UNITS = (Sort.PERCENT, Sort.ORDINAL, Sort.YEAR, Sort.TIME)


def with_shared_units(numbers: PassageNumbers) -> list[Quantity]:
    """Return the numbers of a passage, a bare one with the unit of the one before it in its sentence: "742 km, 388"."""
    shared: list[Quantity] = []
    for begin, end in sentence_spans(numbers.text):
        last: Quantity | None = None
        for quantity in _joined(numbers.text, [item for item in numbers.quantities if begin <= item.start < end]):
            bare = quantity.sort is Sort.CARDINAL and not quantity.unit and not quantity.spelt
            closed = re.match(r"\s*(?:[,.;)]|$|in |for |at |and |the )", numbers.text[quantity.end : quantity.end + 6])
            if bare and closed and last is not None and (last.scale == quantity.scale or last.sort is not Sort.MONEY):
                quantity = replace(quantity, unit=last.unit, sort=last.sort)
            elif quantity.unit and quantity.sort not in _NO_UNITS:
                measured = unit_of(quantity.unit)
                last = quantity if quantity.sort is Sort.MONEY or (measured and quantity.sort is Sort.CARDINAL) else last
            shared.append(quantity)
    return shared


def _joined(text: str, quantities: Sequence[Quantity]) -> Iterator[Quantity]:
    """Yield quantities, two that follow each other in units of one measure as one: "4 hours and 20 minutes" in minutes."""
    previous: Quantity | None = None
    for quantity in quantities:
        larger, smaller = (unit_of(item.unit) if item is not None and item.unit else None for item in (previous, quantity))
        adjoin = previous is not None and text[previous.end : quantity.start] in (" ", " and ", ", ")
        compound = larger and smaller and larger.measures == smaller.measures and larger.factor > smaller.factor
        if previous is not None and larger and smaller and adjoin and compound:
            value = previous.value * larger.factor / smaller.factor + quantity.value
            span = text[previous.start : quantity.end]
            previous = replace(quantity, value=value, text=span, start=previous.start)
            continue
        if previous is not None:
            yield previous
        previous = quantity
    if previous is not None:
        yield previous


def stated_changes(numbers: PassageNumbers) -> Iterator[tuple[Quantity, Quantity]]:
    """Yield the pairs of numbers that a sentence gives as before and after: "fell from 31 million to 18 million"."""
    quantities = with_shared_units(numbers)
    for place, first in enumerate(quantities):
        for second in quantities[place + 1 : place + 3]:
            between = numbers.text[first.end : second.start]
            if len(between) <= _MOST_BETWEEN and _CHANGE_LINK.search(between) and not re.search(r"[.;]\s", between):
                yield first, second
                break


def change_answer(phrase: str, numbers: PassageNumbers) -> NumericAnswer | None:
    """Return by how much what a phrase names changed, from a before and an after that a sentence gives of it."""
    best: tuple[float, Quantity, Quantity] | None = None
    for first, second in stated_changes(numbers):
        fit = max((match.fit for match in numbers.best(phrase, (first, second))), default=0.0)
        if first.sort is second.sort and (best is None or fit > best[0]):
            best = (fit, first, second)
    if best is None:
        return None
    fit, first, second = best
    try:
        gap = subtract_quantities(first, second)
    except QuantityInvalid:
        return None
    gap = replace(gap, value=abs(gap.value))
    step = f"{first.text} and {second.text}: {format_quantity(gap, first)} between them"
    return NumericAnswer(format_quantity(gap, first), fit, (step,), first.start, first.end) if gap.value else None


def compared_answer(phrase: str, numbers: PassageNumbers) -> NumericAnswer | None:
    """Return the amount of a thing that a passage gives by that of another: "with 112 points, nine more than Ferrante"."""
    wanted = set(operand_stems(phrase))
    quantities = with_shared_units(numbers)
    for begin, end in sentence_spans(numbers.text):
        here = [item for item in quantities if begin <= item.start < end]
        for sign, pattern in ((-1, _MORE), (1, _LESS), (0, _MULTIPLE)):
            for match in pattern.finditer(numbers.text, begin, end):
                behind = _CLAUSE_END.split(numbers.text[match.end() : end], maxsplit=1)[0][:_MOST_BETWEEN]
                thing = {stem for stem in operand_stems(behind) if stem[:1].isalpha()}
                before = set(operand_stems(numbers.text[begin : match.start()]))
                own = thing - before
                names = set(operand_stems(" ".join(re.findall(r"[A-Z][\w’'-]+", behind))))
                if 2 * len(own & wanted) >= len(own) > 0 or own & names & wanted:
                    answer = _amount_beside(match, sign, here)
                elif sign and 2 * len(before & wanted) >= len(wanted) and not own & wanted:
                    answer = _amount_behind(match, sign, here, numbers.text[match.end() : end])
                else:
                    continue
                if answer is not None and _fits_phrase(phrase, answer):
                    return answer
    return None


def _fits_phrase(phrase: str, answer: NumericAnswer) -> bool:
    """Return whether an amount can be one of what a phrase counts: "how many labourers" wants no metres."""
    made = quantities_in(answer.text)
    measure = unit_of(made[0].unit) if made and made[0].unit else None
    first = phrase.split()[0].lower() if phrase.split() else ""
    own = unit_of(first)
    if own is not None and measure is not None:
        return own.measures == measure.measures
    return first in _NOT_COUNTED or measure is None


def _amount_behind(match: re.Match[str], sign: int, here: Sequence[Quantity], behind: str) -> NumericAnswer | None:
    """Return the amount of what stands before a comparison: "twenty metres taller than the first, which measured 25 metres"."""
    amount = next((item for item in here if match.start() <= item.start < match.end()), None)
    base = next((item for item in here if item.start >= match.end() and item.sort not in _NO_UNITS), None)
    stated = _STATED_BEHIND.match(behind)
    if amount is None or base is None or stated is None or base.start != match.end() + stated.end():
        return None
    try:
        derived = add_quantities(base, replace(amount, value=-sign * amount.value))
    except QuantityInvalid:
        return None
    step = f"{base.text}, {' '.join(match[0].split())}: {format_quantity(derived, base)}"
    return NumericAnswer(format_quantity(derived, base), 0.6, (step,), base.start, base.end) if derived.value > 0 else None


def _amount_beside(match: re.Match[str], sign: int, here: Sequence[Quantity]) -> NumericAnswer | None:
    """Return the amount that a comparison gives: the number before it, less or more by the number within it."""
    amount = next((item for item in here if match.start() <= item.start < match.end()), None)
    before = (item for item in reversed(here) if item.end <= match.start() and item.sort not in _NO_UNITS)
    base = next((item for item in before if not match.string[: item.start].endswith(_WHOLE_ENDS)), None)
    if base is None:
        return None
    if sign:
        if amount is None:
            return None
        try:
            derived = add_quantities(base, replace(amount, value=sign * amount.value))
        except QuantityInvalid:
            return None
    else:
        times = _TIMES.get(match["times"].lower()) or (amount.value if amount else None)
        if not times:
            return None
        derived = replace(base, value=base.value / times)
    if derived.value <= 0:
        return None
    step = f"{base.text}, {' '.join(match[0].split())}: {format_quantity(derived, base)}"
    return NumericAnswer(format_quantity(derived, base), 0.6, (step,), base.start, base.end)


def listed_total(phrase: str, count: int, numbers: PassageNumbers) -> NumericAnswer | None:
    """Return the sum of the numbers that one sentence lists, as many as a phrase counts: "in the three countries together"."""
    best: tuple[float, list[Quantity]] | None = None
    quantities = with_shared_units(numbers)
    for begin, end in sentence_spans(numbers.text):
        here = [item for item in quantities if begin <= item.start < end and item.sort not in _NO_UNITS]
        alike = [item for item in here if item.sort is here[0].sort and item.unit == here[0].unit]
        if len(alike) != count:
            continue
        fit = sum(match.fit for match in numbers.best(phrase, alike)) / count
        if best is None or fit > best[0]:
            best = (fit, alike)
    if best is None:
        return None
    total = best[1][0]
    for item in best[1][1:]:
        total = add_quantities(total, item)
    step = f"{' + '.join(item.text for item in best[1])} = {format_quantity(total, best[1][0])}"
    return NumericAnswer(format_quantity(total, best[1][0]), best[0], (step,), best[1][0].start, best[1][0].end)

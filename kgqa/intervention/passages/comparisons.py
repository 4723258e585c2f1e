"""Who is first after an edit: values are compared in the edited world ("which mountain would be the highest?")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from kgqa.intervention.passages.asked import Sought
from kgqa.intervention.passages.changes import Change, How
from kgqa.intervention.passages.facts import Fact, Reading
from kgqa.intervention.passages.names import Name, alike, names, stems_of
from kgqa.intervention.passages.problem import Problem, Solution, solution
from kgqa.intervention.passages.script import Edit, Operation, Script
from kgqa.intervention.passages.world import amount_in, said_plain
from kgqa.quantities.model import Quantity, Sort
from kgqa.quantities.units import unit_of

_MOST = re.compile(
    r"\b(?:highest|tallest|longest|largest|biggest|greatest|most|heaviest|deepest|oldest|widest|"
    r"richest|farthest|furthest|top(?:ped)?|leading|first|"
    r"champion|winner|won|win)\b",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"\b(?:lowest|shortest|smallest|least|fewest|lightest|shallowest|youngest|narrowest|nearest|"
    r"closest|fastest|quickest|cheapest|last)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Holder:
    """A name with its value in the common unit, and where it stands."""

    name: Name
    value: Fraction
    fact: Fact
    passage: Reading


def compared(problem: Problem) -> Iterator[Solution]:
    """Yield the one that is first after an amount of one of them was changed, or after the first was taken away."""
    if problem.sought is not Sought.NAME:
        return
    most, least = _MOST.search(problem.asked.main), _LEAST.search(problem.asked.main)
    if (most is None) == (least is None):
        return
    change = next((one for one in problem.asked.changes if one.how in (How.MORE, How.TIMES)), None)
    if change is None and not problem.asked.negated:
        return
    subject = stems_of(problem.asked.clause[: change.start] if change else problem.asked.clause)
    for measure, holders in _measures(problem, change).items():
        touched = [one for one in holders if alike(one.name.stems, subject) >= 0.5]
        rest = [one for one in holders if alike(one.name.stems, subject) < 0.5]
        if not touched or not rest:
            continue
        one = touched[0]
        made = _changed(one, change) if change else None
        if change and made is None:
            continue
        values = [(holder.value, holder) for holder in rest] + ([] if made is None else [(made, one)])
        best = (max if most else min)(values, key=lambda pair: pair[0])
        agree = (max if most else min)(holders, key=lambda holder: holder.value) is one
        yield _solution(one, best, made, change, measure, 0.9 if agree else 0.5)
        return


def _measures(problem: Problem, change: Change | None) -> dict[str, list[Holder]]:
    """Return the names that have a value of one sort, by what is measured, each with its first value."""
    of: dict[str, list[Holder]] = {}
    for passage in problem.passages:
        found = names(passage.text)
        for fact in passage.facts:
            value = fact.value
            if not isinstance(value, Quantity) or value.sort is Sort.ORDINAL:
                continue
            unit = unit_of(value.unit) if value.unit else None
            measure = value.sort.value if value.sort in (Sort.MONEY, Sort.PERCENT) else unit.measures if unit else "count"
            if (
                change is not None
                and amount_in(value, Fraction(1), change.unit, "$" in change.text) is None
                and change.how is How.MORE
            ):
                continue
            name = _owner(passage, fact, found)
            holders = of.setdefault(measure, [])
            if name is None or any(
                alike(name.stems, one.name.stems) >= 0.5 or alike(one.name.stems, name.stems) >= 0.5 for one in holders
            ):
                continue
            factor = unit.factor if unit and value.sort is not Sort.MONEY else Fraction(1)
            holders.append(Holder(name, value.value * factor, fact, passage))
    return {measure: holders for measure, holders in of.items() if len(holders) > 1}


def _owner(passage: Reading, fact: Fact, found: tuple[Name, ...]) -> Name | None:
    """Return the name that a value belongs to: the last before it in its sentence and clause, else the first behind it."""
    start, end = passage.sentences[fact.sentence]
    before = [name for name in found if start <= name.start and name.end <= fact.start and name.stems]
    if before:
        cut = max(
            (
                place.end()
                for place in re.finditer(
                    r";|,\s(?:and|while|whereas|but|followed by)\s|\bwhile\b|\bwhereas\b", passage.text[start : fact.start]
                )
            ),
            default=0,
        )
        inside = [name for name in before if name.start >= start + cut]
        return (inside or before)[0] if inside else before[-1]
    return next((name for name in found if fact.end <= name.start < end and name.stems), None)


def _changed(one: Holder, change: Change | None) -> Fraction | None:
    if change is None:
        return None
    if change.how is How.TIMES:
        return one.value * change.amount
    value = one.fact.value
    assert isinstance(value, Quantity)
    step = amount_in(value, change.amount, change.unit, "$" in change.text)
    unit = unit_of(value.unit) if value.unit and value.sort is not Sort.MONEY else None
    return None if step is None else one.value + step * (unit.factor if unit else 1)


def _solution(
    one: Holder, best: tuple[Fraction, Holder], made: Fraction | None, change: Change | None, measure: str, trust: float
) -> Solution:
    value, holder = best
    former = one.fact.text
    if change is None or made is None:
        edit = Edit(Operation.REMOVE, one.name.text, "absent", former)
        consequence = f"of the others {holder.name.text} has {said_plain(value)}"
    else:
        edit = Edit(
            Operation.SCALE if change.how is How.TIMES else Operation.SHIFT,
            f"{measure} of {one.name.text}",
            change.text,
            former,
            change.amount,
            change.unit,
        )
        other = f", {holder.name.text} {said_plain(holder.value)}" if holder is not one else ""
        consequence = f"{one.name.text} {said_plain(one.value)} → {said_plain(made)}{other}"
    return solution(
        holder.name.text, holder.passage, holder.name.start, holder.name.end, Script((edit,)), "compare", (trust,), consequence
    )

"""Who is first after an edit: values are compared in the edited world ("which mountain would be the highest?")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
    r"richest|farthest|furthest|top(?:ped)?|leading)\b",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"\b(?:lowest|shortest|smallest|least|fewest|lightest|shallowest|youngest|narrowest|nearest|"
    r"closest|fastest|quickest|cheapest)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, eq=False)
class Holder:
    """A name with its value in the common unit, and where it stands."""

    name: Name
    value: Fraction
    fact: Fact
    passage: Reading


def compared(problem: Problem) -> Iterator[Solution]:
    """Yield the one that is first after amounts of some of them were changed, each by what the "if" says of it."""
    if problem.sought is not Sought.NAME:
        return
    most, least = _MOST.search(problem.asked.main), _LEAST.search(problem.asked.main)
    changes = [one for one in problem.asked.changes if one.how in (How.MORE, How.TIMES)]
    if not changes or (most is None) == (least is None):
        return
    for measure, holders in _measures(problem, changes).items():
        edited: dict[Holder, tuple[Change, Fraction]] = {}
        for change in changes:
            one = _touched(problem, change, holders)
            made = None if one is None else _changed(one, change)
            if one is not None and made is not None:
                edited[one] = change, made
        if not edited or len(holders) < 2:
            continue
        values = [(edited[holder][1] if holder in edited else holder.value, holder) for holder in holders]
        order = max if most else min
        best = order(values, key=lambda pair: pair[0])
        agree = order(holders, key=lambda holder: holder.value) in edited
        yield _solution(edited, best, measure, 0.9 if agree else 0.5)
        return


def _touched(problem: Problem, change: Change, holders: Sequence[Holder]) -> Holder | None:
    """Return the one whose amount a change is of: the one that is named between it and the change before it in the "if"."""
    before = [one.end for one in problem.asked.changes if one.end <= change.start]
    subject = stems_of(problem.asked.clause[max(before, default=0) : change.start])
    likeliest = max(holders, key=lambda one: alike(one.name.stems, subject), default=None)
    return likeliest if likeliest is not None and alike(likeliest.name.stems, subject) >= 0.5 else None


def _measures(problem: Problem, changes: Sequence[Change]) -> dict[str, list[Holder]]:
    """Return the names that have a value of one sort, by what is measured, each with its first value."""
    of: dict[str, list[Holder]] = {}
    for passage in problem.passages:
        found = names(passage.text)
        for fact in passage.facts:
            value = fact.value
            if not isinstance(value, Quantity) or value.sort is Sort.ORDINAL or not any(_bears(value, one) for one in changes):
                continue
            unit = unit_of(value.unit) if value.unit else None
            measure = value.sort.value if value.sort in (Sort.MONEY, Sort.PERCENT) else unit.measures if unit else "count"
            name = _owner(passage, fact, found)
            holders = of.setdefault(measure, [])
            if name is None or any(
                alike(name.stems, one.name.stems) > 0.5 or alike(one.name.stems, name.stems) > 0.5 for one in holders
            ):
                continue
            factor = unit.factor if unit and value.sort is not Sort.MONEY else Fraction(1)
            holders.append(Holder(name, value.value * factor, fact, passage))
    return of


def _bears(value: Quantity, change: Change) -> bool:
    """Tell whether a value can be changed so."""
    return change.how is How.TIMES or amount_in(value, Fraction(1), change.unit, "$" in change.text) is not None


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


def _changed(one: Holder, change: Change) -> Fraction | None:
    if change.how is How.TIMES:
        return one.value * change.amount
    value = one.fact.value
    assert isinstance(value, Quantity)
    step = amount_in(value, change.amount, change.unit, "$" in change.text)
    unit = unit_of(value.unit) if value.unit and value.sort is not Sort.MONEY else None
    return None if step is None else one.value + step * (unit.factor if unit else 1)


def _solution(
    edited: dict[Holder, tuple[Change, Fraction]], best: tuple[Fraction, Holder], measure: str, trust: float
) -> Solution:
    value, first = best
    edits = tuple(
        Edit(
            Operation.SCALE if change.how is How.TIMES else Operation.SHIFT,
            f"{measure} of {one.name.text}",
            change.text,
            one.fact.text,
            change.amount,
            change.unit,
        )
        for one, (change, _) in edited.items()
    )
    told = [f"{one.name.text} {said_plain(one.value)} → {said_plain(made)}" for one, (_, made) in edited.items()]
    if first not in edited:
        told.append(f"{first.name.text} {said_plain(value)}")
    where = first.name
    return solution(where.text, first.passage, where.start, where.end, Script(edits), "compare", (trust,), ", ".join(told))

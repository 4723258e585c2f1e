"""Who is first after an edit: all values of one kind are ranked in the edited world ("which mountain would be the highest?")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from kgqa.intervention.passages.asked import Sought
from kgqa.intervention.passages.changes import MONEY, Change
from kgqa.intervention.passages.forms import How
from kgqa.intervention.passages.holders import Holder, holders
from kgqa.intervention.passages.names import alike, stems_of
from kgqa.intervention.passages.orders import Order, order_of
from kgqa.intervention.passages.problem import Problem, Solution, solution
from kgqa.intervention.passages.script import Edit, Operation, Script
from kgqa.intervention.passages.words import words
from kgqa.intervention.passages.world import amount_in, said_plain
from kgqa.quantities.model import Quantity
from kgqa.quantities.reading import read
from kgqa.quantities.units import unit_of

_GONE = re.compile(
    r"\b(?:vanish\w*|disappear\w*|collaps\w*|destroy\w*|demolish\w*|vapori[sz]\w*|withdr[ae]w\w*|disqualif\w*|dropped out|"
    r"ceas\w*|removed|excluded|gone)\b",
    re.IGNORECASE,
)


class Edited(NamedTuple):
    """What became of the value of one, by which edit; `value` is `None` for one that is gone."""

    value: Fraction | None
    edit: Edit


def compared(problem: Problem) -> Iterator[Solution]:
    """Yield the one that takes the place that is asked for, after the values of some were changed, set, or taken away."""
    order = order_of(problem.asked.main) if problem.sought is Sought.NAME else None
    if order is None:
        return
    said = stems_of(problem.question) | order.stems
    wished = stems_of(problem.asked.main) | order.stems
    best: tuple[tuple[int, int], Solution] | None = None
    for measure, there in holders(problem.passages, said).items():
        if len(there) < 2 or not _asked(measure, order, said if problem.asked.changes else wished):
            continue
        edited = dict(_edits(problem, measure, there))
        made = _ranked(there, edited, order, measure) if edited else None
        key = (max(one.fit for one in edited), len(there)) if edited else (0, 0)
        if made is not None and (best is None or key > best[0]):
            best = key, made
    if best is not None:
        yield best[1]


def _asked(measure: str, order: Order, said: frozenset[str]) -> bool:
    """Tell whether the order is one of this measure; what is counted must be said in the question."""
    sort, _, nouns = "percent percentage share vote".partition(" ") if measure == "percent" else measure.partition(" ")
    if order.row.measures and sort not in order.row.measures:
        return False
    return not nouns or bool(set(nouns.split()) & said)


def _edits(problem: Problem, measure: str, there: Sequence[Holder]) -> Iterator[tuple[Holder, Edited]]:
    """Yield whose value the "if" changes, and to what."""
    asked = problem.asked
    changes = [one for one in asked.changes if one.how in (How.MORE, How.TIMES)]
    for change in changes:
        before = max((one.end for one in asked.changes if one.end <= change.start), default=0)
        one = _named(there, asked.clause[before : change.start])
        value = None if one is None else _changed(one, change, measure, asked.clause)
        if one is not None and value is not None:
            scaled = change.how is How.TIMES
            operation = Operation.SCALE if scaled else Operation.SHIFT
            edit = Edit(operation, f"{measure} of {one.name.text}", change.text, one.fact.text, change.amount, change.unit)
            yield one, Edited(value, edit)
    if asked.changes:
        return
    one = _named(there, asked.clause)
    if one is None:
        return
    if asked.negated or _GONE.search(asked.clause):
        yield one, Edited(None, Edit(Operation.REMOVE, f"{measure} of {one.name.text}", "", one.fact.text))
        return
    for told in read(asked.clause):
        value = _set(told, measure, asked.clause) if isinstance(told, Quantity) and told.text not in one.name.text else None
        if value is not None:
            yield one, Edited(value, Edit(Operation.REPLACE, f"{measure} of {one.name.text}", told.text, one.fact.text))


def _named(there: Sequence[Holder], clause: str) -> Holder | None:
    """Return the one that a clause names."""
    subject = stems_of(clause)
    likeliest = max(there, key=lambda one: (alike(one.name.stems, subject), len(one.name.stems & subject)))
    return likeliest if alike(likeliest.name.stems, subject) >= 0.5 else None


def _changed(one: Holder, change: Change, measure: str, clause: str) -> Fraction | None:
    """Return a value after a change; `None` where the two do not measure the same."""
    if change.how is How.TIMES:
        return one.value * change.amount
    value = one.fact.value
    assert isinstance(value, Quantity)
    if measure.startswith("count"):
        behind = {word.stem for word in words(clause[change.start : change.end + 40])}
        return one.value + change.amount if behind & set(measure.split()[1:]) else None
    unit = unit_of(change.unit) or unit_of(change.unit.split()[0]) if change.unit else None
    if measure not in ("money", "percent"):
        if unit is None or unit.measures != measure:
            return None
        slower = measure in ("time", "months") and re.search(r"\b(?:slower|faster)\b", change.text) is not None
        return one.value + (-1 if slower else 1) * change.amount * unit.factor
    step = amount_in(value, change.amount, "" if MONEY.search(clause) else change.unit, MONEY.search(clause) is not None)
    return None if step is None else one.value + step


def _set(told: Quantity, measure: str, clause: str) -> Fraction | None:
    """Return the value that an "if" gives, where it is of this measure."""
    if measure.startswith("count"):
        behind = {word.stem for word in words(clause[told.end : told.end + 40])}
        return told.value if not told.unit and behind & set(measure.split()[1:]) else None
    unit = unit_of(told.unit) if told.unit else None
    if unit is None:
        return told.value if told.sort.value == measure else None
    return told.value * unit.factor if unit.measures == measure else None


def _ranked(there: Sequence[Holder], edited: Mapping[Holder, Edited], order: Order, measure: str) -> Solution | None:
    """Return the one at the place that is asked for.

    `None` where there are too few, where another has the same value, or where one is taken away that was behind that place.
    """
    downwards = order.first_is_most(measure)
    before = sorted(there, key=lambda one: one.value, reverse=downwards)
    if any(made.value is None and before.index(one) >= order.place for one, made in edited.items()):
        return None
    values = [(edited[one].value if one in edited else one.value, one) for one in there]
    left = [(value, one) for value, one in values if value is not None]
    left.sort(key=lambda pair: pair[0], reverse=downwards)
    if len(left) < order.place or sum(value == left[order.place - 1][0] for value, _ in left) > 1:
        return None
    first = left[order.place - 1][1]
    told = [
        f"{one.name.text} {said_plain(one.value / _factor(one))} → {_said(made.value, _factor(one))}"
        for one, made in edited.items()
    ]
    told += [f"{one.name.text} {_said(value, _factor(one))}" for value, one in left[: order.place + 1] if one not in edited]
    sure = 0.9 if all(made.edit.operation is Operation.SHIFT for made in edited.values()) else 0.7
    script = Script(tuple(made.edit for made in edited.values()))
    return solution(first.name.text, first.passage, first.name.start, first.name.end, script, "compare", (sure,), ", ".join(told))


def _factor(one: Holder) -> Fraction:
    """Return how many of the first unit of its measure the unit is in which a value is told."""
    value = one.fact.value
    assert isinstance(value, Quantity)
    return one.value / value.value if value.value else Fraction(1)


def _said(value: Fraction | None, factor: Fraction) -> str:
    return "gone" if value is None else said_plain(value / factor)

"""How long something lasts whose beginning or end is moved: by an amount, or to another date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from kgqa.errors import QuantityInvalid
from kgqa.intervention.passages.asked import Sought
from kgqa.intervention.passages.choosing import Choice, chosen, considered, wanted
from kgqa.intervention.passages.facts import Fact
from kgqa.intervention.passages.forms import How
from kgqa.intervention.passages.plans import Family
from kgqa.intervention.passages.problem import Problem, Solution, solution
from kgqa.intervention.passages.script import Edit, Operation, Script
from kgqa.intervention.passages.weights import fitted
from kgqa.quantities.calendars import days_between, months_between, years_between
from kgqa.quantities.model import Date, Quantity, Sort
from kgqa.quantities.reading import dates

_LASTS = re.compile(
    r"\bhow\s+(?:long|many\s+(?P<unit>day|week|month|year|decade)s?)\b|\b(?:duration|length|period|term)\b", re.IGNORECASE
)
_INSTEAD = re.compile(r"\b(?:instead of|rather than|and not|, not)\b", re.IGNORECASE)
_BEGINS = re.compile(
    r"\b(?:start|began|begun|begin|commenc|open|found|establish|born|join|took office|debut|launch|enter|elect|appoint)\w*",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\b(?:end|conclud|clos|ceas|retir|finish|died|stop|remain|last|continu|stay|serv)\w*", re.IGNORECASE)
_COUNTERS = {"day": days_between, "month": months_between, "year": years_between}


def lasting(problem: Problem) -> Iterator[Solution]:
    """Yield how long it lasts when its beginning or its end moves: "D instead of E", "two years later", "three more years"."""
    lasts = _LASTS.search(problem.asked.main)
    if problem.sought not in (Sought.NUMBER, Sought.AGE) or lasts is None:
        return
    asked = (lasts["unit"] or "").lower()
    unit = asked or "year"
    if unit not in _COUNTERS:
        return
    longer, edit = _instead(problem, unit) or _by_amount(problem, unit) or (None, None)
    if longer is None or edit is None:
        return
    wish = wanted(problem.asked.clause, problem.asked.main, Sought.NUMBER, unit)
    told = [one for one in considered(problem.passages, wish) if _is_span(one.fact, unit)]
    for choice, spanned in (*_spans(told), *_periods(problem, unit)):
        if spanned + longer >= 0:
            count = f"{int(spanned + longer):,}"
            yield solution(
                count if asked else f"{count} {unit}{'' if count == '1' else 's'}",
                choice.passage,
                choice.fact.start,
                choice.fact.end,
                Script((replace(edit, former=edit.former or choice.fact.text),)),
                "lasting",
                (choice.probability,),
                f"{spanned} {unit}s and {longer:+d} {unit}s",
            )
            return


def _instead(problem: Problem, unit: str) -> tuple[int, Edit] | None:
    """Return by how much "D instead of E" makes it longer, and the edit."""
    clause = problem.asked.clause
    instead = _INSTEAD.search(clause)
    told = dates(clause)
    if instead is None:
        return None
    before, behind = [one for one in told if one.end <= instead.start()], [one for one in told if one.start >= instead.end()]
    if not before or not behind:
        return None
    moved, former = before[-1], behind[0]
    try:
        longer = _COUNTERS[unit](former if former.year or not moved.year else replace(former, year=moved.year), moved)
    except QuantityInvalid:
        return None
    begins = _begins(clause)
    which = "beginning" if begins else "end"
    target = f"{which} of: {clause[: instead.start()].strip()}"
    return -longer if begins else longer, Edit(Operation.REPLACE, target, moved.text, former.text)


def _by_amount(problem: Problem, unit: str) -> tuple[int, Edit] | None:
    """Return by how much a change by a span of time makes it longer, and the edit; only where that is of the unit asked for."""
    for change in problem.asked.changes:
        if change.how not in (How.LATER, How.MORE) or not change.unit or change.amount.denominator != 1:
            continue
        if change.unit.lower().split()[0].rstrip("s") != unit:
            continue
        begins = change.how is How.LATER and _begins(problem.asked.clause)
        longer = int(-change.amount if begins else change.amount)
        which = "beginning" if begins else "end"
        return longer, Edit(Operation.SHIFT, f"{which} of: {problem.asked.clause}", change.text, "", change.amount, unit)
    return None


def _begins(clause: str) -> bool:
    return _BEGINS.search(clause) is not None or (_ENDS.search(clause) is None and re.search(r"\bdelay", clause) is not None)


def _spans(told: list[Choice]) -> Iterator[tuple[Choice, int]]:
    """Yield the likeliest span of time that a passage tells, where one is as good as told for certain."""
    for choice in chosen(told, fitted().choice[Family.NUMBER])[:1]:
        value = choice.fact.value
        if isinstance(value, Quantity) and value.value.denominator == 1:
            yield choice, int(value.value)


def _periods(problem: Problem, unit: str) -> Iterator[tuple[Choice, int]]:
    """Yield how long the likeliest period lasts that a passage tells by its two ends: "from 1952 to 1956"."""
    wish = wanted(problem.asked.clause, problem.asked.main, Sought.DATE)
    ends = considered(problem.passages, wish)
    lasts: dict[int, int] = {}
    for place, (first, last) in enumerate(pairwise(ends)):
        one, other = first.fact.value, last.fact.value
        together = first.fact.start == last.fact.start or 0 < last.fact.start - first.fact.end < 40
        if together and isinstance(one, Date) and isinstance(other, Date) and one.year and other.year > one.year - 1:
            try:
                lasts[place] = _COUNTERS[unit](one, other)
            except QuantityInvalid:
                continue
    places = {id(ends[place]): length for place, length in lasts.items() if length > 0}
    able = [one for one in ends if id(one) in places]
    by_fact = {(one.fact, one.passage.number): places[id(one)] for one in able}
    for choice in chosen(able, fitted().choice[Family.DATE])[:1]:
        yield choice, by_fact[choice.fact, choice.passage.number]


def _is_span(fact: Fact, unit: str) -> bool:
    value = fact.value
    return isinstance(value, Quantity) and value.sort is Sort.DURATION and value.unit.lower().rstrip("s").endswith(unit)

"""How long something lasts whose beginning or end is moved to another date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kgqa.errors import QuantityInvalid
from kgqa.intervention.passages.asked import Sought
from kgqa.intervention.passages.choosing import chosen, considered, wanted
from kgqa.intervention.passages.facts import Fact
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
_COUNTERS = {"day": days_between, "month": months_between, "year": years_between}


def lasting(problem: Problem) -> Iterator[Solution]:
    """Yield how long it lasts when "D instead of E" moves its beginning or its end, from a span that the passage tells."""
    lasts = _LASTS.search(problem.asked.main)
    if problem.sought not in (Sought.NUMBER, Sought.AGE) or lasts is None:
        return
    clause = problem.asked.clause
    instead = _INSTEAD.search(clause)
    told = dates(clause)
    unit = (lasts["unit"] or "year").lower()
    if instead is None or unit not in _COUNTERS or len(told) < 2:
        return
    before, behind = [one for one in told if one.end <= instead.start()], [one for one in told if one.start >= instead.end()]
    if not before or not behind:
        return
    moved, former = before[-1], behind[0]
    try:
        longer = _COUNTERS[unit](_like(former, moved), moved)
    except QuantityInvalid:
        return
    begins = _BEGINS.search(clause[: instead.start()]) is not None
    longer = -longer if begins else longer
    wish = wanted(clause, problem.asked.main, Sought.NUMBER, unit)
    spans = [one for one in considered(problem.passages, wish) if _is_span(one.fact, unit)]
    for choice in chosen(spans, fitted().choice[Family.NUMBER])[:1]:
        value = choice.fact.value
        assert isinstance(value, Quantity)
        if value.value + longer >= 0:
            edit = Edit(
                Operation.REPLACE,
                f"{'beginning' if begins else 'end'} of: {clause[: instead.start()].strip()}",
                moved.text,
                former.text,
            )
            yield solution(
                f"{int(value.value + longer):,}",
                choice.passage,
                choice.fact.start,
                choice.fact.end,
                Script((edit,)),
                "lasting",
                (choice.probability,),
                f"{value.text} and {longer:+d} {unit}s",
            )
            return
    yield from _between(problem, moved, former, unit, begins)


def _between(problem: Problem, moved: Date, former: Date, unit: str, begins: bool) -> Iterator[Solution]:
    """Yield how long it lasts from the dates of its ends, the one that stays as the passage tells it."""
    wish = wanted(problem.asked.clause, problem.asked.main, Sought.DATE)
    ends = [
        one
        for one in considered(problem.passages, wish)
        if isinstance(one.fact.value, Date)
        and one.fact.value.year
        and (one.fact.value.year > former.year if begins else one.fact.value.year < former.year)
    ]
    for choice in chosen(ends, fitted().choice[Family.DATE])[:1]:
        other = choice.fact.value
        assert isinstance(other, Date)
        first, last = (moved, other) if begins else (other, moved)
        try:
            lasted = _COUNTERS[unit](first, last)
        except QuantityInvalid:
            return
        if lasted >= 0:
            edit = Edit(
                Operation.REPLACE, f"{'beginning' if begins else 'end'} of: {problem.asked.clause}", moved.text, former.text
            )
            yield solution(
                f"{lasted:,}",
                choice.passage,
                choice.fact.start,
                choice.fact.end,
                Script((edit,)),
                "lasting",
                (choice.probability / 2,),
                f"from {first.text} to {last.text}: {lasted} {unit}s",
            )


def _like(former: Date, moved: Date) -> Date:
    return former if former.year or not moved.year else replace(former, year=moved.year)


def _is_span(fact: Fact, unit: str) -> bool:
    value = fact.value
    return isinstance(value, Quantity) and value.sort is Sort.DURATION and value.unit.lower().rstrip("s").endswith(unit)

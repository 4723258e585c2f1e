"""How long something lasts whose beginning or end is moved: by an amount, or to another date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from kgqa.errors import QuantityInvalid
from kgqa.intervention.passages.asked import AnswerType
from kgqa.intervention.passages.choosing import FactCandidate, candidate_facts, fact_requirements, rank_facts
from kgqa.intervention.passages.facts import PassageFact
from kgqa.intervention.passages.forms import ChangeKind
from kgqa.intervention.passages.plans import EditFamily
from kgqa.intervention.passages.problem import EditProblem, EditSolution, build_solution
from kgqa.intervention.passages.script import EditOperation, EditScript, FactEdit
from kgqa.intervention.passages.weights import edit_weights
from kgqa.quantities.calendars import days_between, months_between, years_between
from kgqa.quantities.model import Date, Quantity, Sort
from kgqa.quantities.reading import dates_in

_LASTS = re.compile(
    r"\bhow\s+(?:long|many\s+(?P<unit>day|week|month|year|decade)s?)\b|\b(?:duration|length|period|term)\b", re.IGNORECASE
)
_INSTEAD = re.compile(r"\b(?:instead of|rather than|and not|, not)\b", re.IGNORECASE)
_BEGIN_VERBS = re.compile(
    r"\b(?:start|began|begun|begin|commenc|open|found|establish|born|join|took office|debut|launch|enter|elect|appoint)\w*",
    re.IGNORECASE,
)
_END_VERBS = re.compile(r"\b(?:end|conclud|clos|ceas|retir|finish|died|stop|remain|last|continu|stay|serv)\w*", re.IGNORECASE)
_COUNTERS = {"day": days_between, "month": months_between, "year": years_between}


def solve_duration(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield how long it lasts when its beginning or its end moves: "D instead of E", "two years later", "three more years"."""
    lasts = _LASTS.search(problem.conditional.main)
    if problem.answer_type not in (AnswerType.NUMBER, AnswerType.AGE) or lasts is None:
        return
    asked_unit = (lasts["unit"] or "").lower()
    unit = asked_unit or "year"
    if unit not in _COUNTERS:
        return
    longer, edit = _shift_by_replacement(problem, unit) or _shift_by_amount(problem, unit) or (None, None)
    if longer is None or edit is None:
        return
    wish = fact_requirements(problem.conditional.clause, problem.conditional.main, AnswerType.NUMBER, unit)
    stated_durations = [
        candidate for candidate in candidate_facts(problem.passages, wish) if _is_duration_in_unit(candidate.fact, unit)
    ]
    for choice, spanned in (*_stated_durations(stated_durations), *_periods_between_dates(problem, unit)):
        if spanned + longer >= 0:
            count = f"{int(spanned + longer):,}"
            yield build_solution(
                count if asked_unit else f"{count} {unit}{'' if count == '1' else 's'}",
                choice.passage,
                choice.fact.start,
                choice.fact.end,
                EditScript((replace(edit, former=edit.former or choice.fact.text),)),
                "lasting",
                (choice.probability,),
                f"{spanned} {unit}s and {longer:+d} {unit}s",
            )
            return


def _shift_by_replacement(problem: EditProblem, unit: str) -> tuple[int, FactEdit] | None:
    """Return by how much "D instead of E" makes it longer, and the edit."""
    clause = problem.conditional.clause
    instead = _INSTEAD.search(clause)
    stated_dates = dates_in(clause)
    if instead is None:
        return None
    before, behind = (
        [date for date in stated_dates if date.end <= instead.start()],
        [date for date in stated_dates if date.start >= instead.end()],
    )
    if not before or not behind:
        return None
    moved, former = before[-1], behind[0]
    try:
        longer = _COUNTERS[unit](former if former.year or not moved.year else replace(former, year=moved.year), moved)
    except QuantityInvalid:
        return None
    begins = _moves_beginning(clause)
    which = "beginning" if begins else "end"
    target = f"{which} of: {clause[: instead.start()].strip()}"
    return -longer if begins else longer, FactEdit(EditOperation.REPLACE, target, moved.text, former.text)


def _shift_by_amount(problem: EditProblem, unit: str) -> tuple[int, FactEdit] | None:
    """Return by how much a change by a span of time makes it longer, and the edit; only where that is of the unit asked for."""
    for change in problem.conditional.changes:
        if change.how not in (ChangeKind.LATER, ChangeKind.MORE) or not change.unit or change.amount.denominator != 1:
            continue
        if change.unit.lower().split()[0].rstrip("s") != unit:
            continue
        begins = change.how is ChangeKind.LATER and _moves_beginning(problem.conditional.clause)
        longer = int(-change.amount if begins else change.amount)
        which = "beginning" if begins else "end"
        return longer, FactEdit(
            EditOperation.SHIFT, f"{which} of: {problem.conditional.clause}", change.text, "", change.amount, unit
        )
    return None


def _moves_beginning(clause: str) -> bool:
    return _BEGIN_VERBS.search(clause) is not None or (
        _END_VERBS.search(clause) is None and re.search(r"\bdelay", clause) is not None
    )


def _stated_durations(candidates: list[FactCandidate]) -> Iterator[tuple[FactCandidate, int]]:
    """Yield the likeliest span of time that a passage tells, where one is as good as told for certain."""
    for choice in rank_facts(candidates, edit_weights().choice[EditFamily.NUMBER])[:1]:
        value = choice.fact.value
        if isinstance(value, Quantity) and value.value.denominator == 1:
            yield choice, int(value.value)


def _periods_between_dates(problem: EditProblem, unit: str) -> Iterator[tuple[FactCandidate, int]]:
    """Yield how long the likeliest period lasts that a passage tells by its two ends: "from 1952 to 1956"."""
    wish = fact_requirements(problem.conditional.clause, problem.conditional.main, AnswerType.DATE)
    ends = candidate_facts(problem.passages, wish)
    lasts: dict[int, int] = {}
    for place, (first, last) in enumerate(pairwise(ends)):
        beginning, ending = first.fact.value, last.fact.value
        together = first.fact.start == last.fact.start or 0 < last.fact.start - first.fact.end < 40
        if (
            together
            and isinstance(beginning, Date)
            and isinstance(ending, Date)
            and beginning.year
            and ending.year > beginning.year - 1
        ):
            try:
                lasts[place] = _COUNTERS[unit](beginning, ending)
            except QuantityInvalid:
                continue
    places = {id(ends[place]): length for place, length in lasts.items() if length > 0}
    able = [beginning for beginning in ends if id(beginning) in places]
    by_fact = {(beginning.fact, beginning.passage.number): places[id(beginning)] for beginning in able}
    for choice in rank_facts(able, edit_weights().choice[EditFamily.DATE])[:1]:
        yield choice, by_fact[choice.fact, choice.passage.number]


def _is_duration_in_unit(fact: PassageFact, unit: str) -> bool:
    value = fact.value
    return isinstance(value, Quantity) and value.sort is Sort.DURATION and value.unit.lower().rstrip("s").endswith(unit)

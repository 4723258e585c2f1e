"""Scripts on one date or number: it is found among the facts of the passages, edited, and the answer is reckoned from it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from kgqa.intervention.passages.asked import Sought
from kgqa.intervention.passages.choosing import Choice, chosen, considered, wanted
from kgqa.intervention.passages.names import stems_of
from kgqa.intervention.passages.plans import Family, Plan, as_planned, plans
from kgqa.intervention.passages.problem import Problem, Solution, solution
from kgqa.intervention.passages.script import Edit, Operation, Script
from kgqa.intervention.passages.steps import former as reverted
from kgqa.intervention.passages.weights import fitted
from kgqa.intervention.passages.words import words
from kgqa.intervention.passages.world import said_plain
from kgqa.quantities.model import Date, Quantity
from kgqa.quantities.units import unit_of

_SPANS = frozenset({"time", "months"})
"""Of these measures the number often stands alone ("aged 91")."""
_HINDERED = re.compile(
    r"\b(?:(?:was|were) to|originally|initially|planned|scheduled|intended|expected|meant|due|supposed|slated|hoped)\b"
    r"[^.;]{0,120}?\b(?:but|until|before|when|because|due to|however)\b(?P<why>.*)",
    re.IGNORECASE | re.DOTALL,
)
"""What was meant to be, and behind "but" what came between."""
BEST = 3
"""At most so many facts are tried."""


def measured(problem: Problem) -> Iterator[Solution]:
    """Yield the solutions by a plan on one fact: shift, scale, rank, remove one, revert to what was planned first."""
    for plan in tuple(plans(problem.asked, problem.sought)) or _unhindered(problem):
        found = ranked(problem, plan)
        if not found:
            yield from _of_one(problem, plan)
        for choice in found[:BEST]:
            answer = plan.result(choice.fact.value)
            if answer is None:
                continue
            yield _solution(problem, plan, choice, answer)


def _unhindered(problem: Problem) -> Iterator[Plan]:
    """Yield the plan to go back to what was meant, where a passage tells that what the "if" takes away came between."""
    plan = as_planned(problem.asked, problem.sought)
    if plan is None:
        return
    hindrance = {word.stem for word in words(problem.asked.clause) if word.telling}
    told = (_HINDERED.search(passage.text, start, end) for passage in problem.passages for start, end in passage.sentences)
    if any(one and 2 * len(hindrance & {word.stem for word in words(one["why"])}) >= len(hindrance) for one in told):
        yield plan


def ranked(problem: Problem, plan: Plan) -> tuple[Choice, ...]:
    """Return the facts that a plan can be carried out on, likeliest first."""
    asked = problem.asked
    wish = (
        wanted(plan.event, "", problem.sought, plan.unit, plan.precise)
        if plan.event
        else wanted(asked.clause, asked.main, problem.sought, plan.unit, plan.precise, plan.said)
    )
    able = [one for one in considered(problem.passages, wish, problem.candidates) if plan.result(one.fact.value) is not None]
    named = wish.units | ({unit} if plan.unit and (unit := unit_of(plan.unit.split()[0])) is not None else frozenset())
    return chosen(_of_measure(able, {one.measures for one in named} - _SPANS), fitted().choice[plan.family])


def _of_measure(able: Sequence[Choice], measures: Collection[str]) -> Sequence[Choice]:
    """Return the facts of a measure that the question names ("in acres", "1,000 feet longer"); all where it names none."""
    if not measures:
        return able
    units = [(one, unit_of(one.fact.value.unit)) for one in able if isinstance(one.fact.value, Quantity)]
    return [one for one, unit in units if unit is not None and unit.measures in measures]


def _solution(problem: Problem, plan: Plan, choice: Choice, answer: str) -> Solution:
    fact = choice.fact
    target = _target(problem, fact.value)
    shown = fact.value.text or fact.text
    edits, value, former = [], fact.value, shown
    for step in plan.steps:
        edits.append(reverted(answer).edit(target, "") if step.operation is Operation.REVERT else step.edit(target, former))
        value = step.apply(value) or value
        former = f"{value.year}" if isinstance(value, Date) else said_plain(value.value)
    edits += [_other(problem, kind, other) for kind, other in plan.others]
    consequence = f"{shown} → {answer}" if shown != answer else ""
    return solution(
        answer,
        choice.passage,
        fact.start,
        fact.end,
        Script(tuple(edits)),
        plan.rule,
        (choice.probability, *choice.features),
        consequence,
    )


def _other(problem: Problem, sought: Sought, plan: Plan) -> Edit:
    """Return the edit of a fact of which the answer does not speak, with the fact as it stood where one is told."""
    found = ranked(replace(problem, sought=sought), plan)
    former = found[0].fact.value.text or found[0].fact.text if found else ""
    return plan.steps[0].edit(f"“{plan.said}” in: {problem.asked.clause}", former)


def _of_one(problem: Problem, plan: Plan) -> Iterator[Solution]:
    """Yield what a plan makes of one thing, where no number is told and a sentence tells of such a thing: "one more time"."""
    if plan.family is not Family.NUMBER or not plan.unit or unit_of(plan.unit) or problem.sought is not Sought.NUMBER:
        return
    answer = plan.result(Quantity(Fraction(1)))
    said = stems_of(problem.question)
    places = [
        (len(said & stems_of(one.text[start:end])), start, end, one) for one in problem.passages for start, end in one.sentences
    ]
    near, start, end, passage = max(places, key=lambda place: place[0], default=(0, 0, 0, None))
    if answer is None or passage is None or near < 2:
        return
    edits = tuple(step.edit(_target(problem, None), "one, which is not counted") for step in plan.steps)
    yield solution(
        answer, passage, start, end, Script(edits), "number: one", (near / max(1, len(said)),), f"one is told of → {answer}"
    )


def _target(problem: Problem, value: object) -> str:
    """Return a few words for what is edited: the sort of fact, of what the "if" is about."""
    sort = "date" if isinstance(value, Date) else "place" if problem.sought is Sought.RANK else "number"
    words = problem.asked.clause.split()
    return f"{sort} of: {' '.join(words[:10])}{'…' if len(words) > 10 else ''}"

"""Scripts on one date or number: it is found among the facts of the passages, edited, and the answer is reckoned from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kgqa.intervention.passages.asked import Sought
from kgqa.intervention.passages.choosing import Choice, chosen, considered, wanted
from kgqa.intervention.passages.plans import Plan, plans
from kgqa.intervention.passages.problem import Problem, Solution, solution
from kgqa.intervention.passages.script import Script
from kgqa.intervention.passages.weights import fitted
from kgqa.quantities.model import Date

BEST = 3
"""At most so many facts are tried."""


def measured(problem: Problem) -> Iterator[Solution]:
    """Yield the solutions by a plan on one fact: shift, scale, rank, remove one, revert to what was planned first."""
    for plan in plans(problem.asked, problem.sought):
        for choice in ranked(problem, plan)[:BEST]:
            answer = plan.result(choice.fact.value)
            if answer is None:
                continue
            yield _solution(problem, plan, choice, answer)


def ranked(problem: Problem, plan: Plan) -> tuple[Choice, ...]:
    """Return the facts that a plan can be carried out on, likeliest first."""
    asked = problem.asked
    wish = (
        wanted(plan.event, "", problem.sought, plan.unit, plan.precise)
        if plan.event
        else wanted(asked.clause, asked.main, problem.sought, plan.unit, plan.precise, plan.said)
    )
    able = [one for one in considered(problem.passages, wish, problem.candidates) if plan.result(one.fact.value) is not None]
    return chosen(able, fitted().choice[plan.family])


def _solution(problem: Problem, plan: Plan, choice: Choice, answer: str) -> Solution:
    fact = choice.fact
    target = _target(problem, fact.value)
    edit = replace(plan.edit(fact.value, answer), target=target)
    shown = fact.value.text or fact.text
    consequence = f"{shown} → {answer}" if shown != answer else ""
    return solution(
        answer,
        choice.passage,
        fact.start,
        fact.end,
        Script((edit,)),
        f"{plan.family.value}: {plan.operation.value}",
        (choice.probability, *choice.features),
        consequence,
    )


def _target(problem: Problem, value: object) -> str:
    """Return a few words for what is edited: the sort of fact, of what the "if" is about."""
    sort = "date" if isinstance(value, Date) else "place" if problem.sought is Sought.RANK else "number"
    words = problem.asked.clause.split()
    return f"{sort} of: {' '.join(words[:10])}{'…' if len(words) > 10 else ''}"

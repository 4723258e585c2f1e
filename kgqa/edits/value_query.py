"""The query for one value: the likeliest fact of the passages is edited, and the answer is computed from it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from kgqa.edits.answer_type import DATE_TYPES, AnswerType
from kgqa.edits.edit_script import EditOperation, EditProblem, EditScript, EditSolution, FactEdit, build_solution
from kgqa.edits.edited_values import plain_number_text
from kgqa.edits.edited_values import revert_step as reverted
from kgqa.edits.fact_ranking import FactCandidate, candidate_facts, edit_weights, fact_requirements, rank_facts
from kgqa.edits.fact_table import ParsedPassage
from kgqa.edits.passage_tokens import content_word_stems
from kgqa.edits.quantity_edits import EditFamily, QuantityEdit, original_plan_edit, possible_edits
from kgqa.quantities.quantity import Date, Quantity
from kgqa.quantities.units import unit_of

_SPANS = frozenset({"time", "months"})
"""Of these measures the number often stands alone ("aged 91")."""
_PLANNED = re.compile(
    r"\b(?:(?:was|were) to|originally|initially|planned|scheduled|intended|expected|meant|due|supposed|slated|hoped)\b",
    re.IGNORECASE,
)
_HINDERED = re.compile(
    r"\b(?:but|until|before|when|because|due to|however|put off|postpon\w*|delay\w*|mov\w+|reschedul\w*|cancel\w*)\b",
    re.IGNORECASE,
)
"""What was meant to be, and what says that something came between."""
MAX_FACTS_TRIED = 3
"""At most so many facts are tried."""


def solve_value(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the solutions by an edit of one fact: shift, scale, rank, remove one, revert to the first plan."""
    for plan in tuple(possible_edits(problem.conditional, problem.answer_type)) or _unhindered_plan(problem):
        ranking = rank_facts_for_edit(problem, plan)
        if not ranking:
            yield from _solve_uncounted_one(problem, plan)
        for choice in ranking[:MAX_FACTS_TRIED]:
            answer = plan.result(choice.fact.value)
            if answer is None:
                continue
            yield replace(_value_solution(problem, plan, choice, answer), denied=_denied_dates(plan, choice, ranking))


def _denied_dates(
    plan: QuantityEdit, choice: FactCandidate, ranking: Sequence[FactCandidate]
) -> tuple[tuple[int, int, int], ...]:
    """Return the spans of the later dates that a reverted date replaces."""
    stated = choice.fact.value
    if not isinstance(stated, Date) or all(step.operation is not EditOperation.REVERT for step in plan.steps):
        return ()
    facts = [candidate.fact for candidate in ranking if isinstance(candidate.fact.value, Date) and candidate.fact.value > stated]
    return tuple((fact.passage, fact.start, fact.end) for fact in facts)


def _unhindered_plan(problem: EditProblem) -> Iterator[QuantityEdit]:
    """Yield the edit that reverts to a plan, where a passage states that what the "if" removes hindered the plan."""
    plan = original_plan_edit(problem.conditional, problem.answer_type)
    if plan is None:
        return
    hindrance = content_word_stems(problem.conditional.clause)
    following = 1 if problem.answer_type in DATE_TYPES else 0
    if any(_came_between(hindrance, passage, following) for passage in problem.passages):
        yield plan


def _came_between(hindrance: frozenset[str], passage: ParsedPassage, following: int) -> bool:
    """Return whether a passage states that something with these words came between a plan and what happened.

    It stands behind the plan, in its sentence or in the `following` ones, beside a word such as "but" or "postponed".
    """
    for at, (start, end) in enumerate(passage.sentences):
        plan = _PLANNED.search(passage.text, start, end)
        behind = [passage.text[plan.end() : end]] if plan is not None else []
        behind += [passage.text[low:high] for low, high in passage.sentences[at + 1 : at + 1 + following]] if behind else []
        for place, text in enumerate(behind):
            cue = _HINDERED.search(text)
            why = text[cue.end() :] if cue is not None and not place else text
            if cue is not None and 2 * len(hindrance & content_word_stems(why)) >= len(hindrance):
                return True
    return False


def rank_facts_for_edit(problem: EditProblem, plan: QuantityEdit) -> tuple[FactCandidate, ...]:
    """Return the facts that an edit applies to, likeliest first."""
    conditional = problem.conditional
    wish = (
        fact_requirements(plan.event, "", problem.answer_type, plan.unit, plan.precise)
        if plan.event
        else fact_requirements(
            conditional.clause, conditional.main, problem.answer_type, plan.unit, plan.precise, plan.change_text
        )
    )
    able = [
        entry
        for entry in candidate_facts(problem.passages, wish, problem.candidates)
        if plan.result(entry.fact.value) is not None
    ]
    named_units = wish.units | ({unit} if plan.unit and (unit := unit_of(plan.unit.split()[0])) is not None else frozenset())
    return rank_facts(
        _facts_of_measure(able, {entry.measures for entry in named_units} - _SPANS), edit_weights().choice[plan.family]
    )


def _facts_of_measure(able: Sequence[FactCandidate], measures: Collection[str]) -> Sequence[FactCandidate]:
    """Return the facts of a measure that the question names ("in acres", "1,000 feet longer"); all where it names none."""
    if not measures:
        return able
    units = [(candidate, unit_of(candidate.fact.value.unit)) for candidate in able if isinstance(candidate.fact.value, Quantity)]
    return [candidate for candidate, unit in units if unit is not None and unit.measures in measures]


def _value_solution(problem: EditProblem, plan: QuantityEdit, choice: FactCandidate, answer: str) -> EditSolution:
    fact = choice.fact
    target = _edit_target(problem, fact.value)
    fact_text = fact.value.text or fact.text
    edits, value, former = [], fact.value, fact_text
    for step in plan.steps:
        edits.append(reverted(answer).edit(target, "") if step.operation is EditOperation.REVERT else step.edit(target, former))
        value = step.apply(value) or value
        former = f"{value.year}" if isinstance(value, Date) else plain_number_text(value.value)
    edits += [_other_fact_edit(problem, kind, other_edit) for kind, other_edit in plan.other_edits]
    consequence = f"{fact_text} → {answer}" if fact_text != answer else ""
    return build_solution(
        answer,
        choice.passage,
        fact.start,
        fact.end,
        EditScript(tuple(edits)),
        plan.rule,
        (choice.probability, *choice.features),
        consequence,
    )


def _other_fact_edit(problem: EditProblem, answer_type: AnswerType, plan: QuantityEdit) -> FactEdit:
    """Return the edit of a fact of which the answer does not speak, with the fact as it stood where one is told."""
    ranking = rank_facts_for_edit(replace(problem, answer_type=answer_type), plan)
    former = ranking[0].fact.value.text or ranking[0].fact.text if ranking else ""
    return plan.steps[0].edit(f"“{plan.change_text}” in: {problem.conditional.clause}", former)


def _solve_uncounted_one(problem: EditProblem, plan: QuantityEdit) -> Iterator[EditSolution]:
    """Yield the result of an edit of one thing that a sentence states without a number: "one more time"."""
    if (
        plan.family is not EditFamily.NUMBER
        or not plan.unit
        or unit_of(plan.unit)
        or problem.answer_type is not AnswerType.NUMBER
    ):
        return
    answer = plan.result(Quantity(Fraction(1)))
    question_stems = content_word_stems(problem.question)
    places = [
        (len(question_stems & content_word_stems(candidate.text[start:end])), start, end, candidate)
        for candidate in problem.passages
        for start, end in candidate.sentences
    ]
    near, start, end, passage = max(places, key=lambda place: place[0], default=(0, 0, 0, None))
    if answer is None or passage is None or near < 2:
        return
    edits = tuple(step.edit(_edit_target(problem, None), "one, which is not counted") for step in plan.steps)
    yield build_solution(
        answer,
        passage,
        start,
        end,
        EditScript(edits),
        "number: one",
        (near / max(1, len(question_stems)),),
        f"one is told of → {answer}",
    )


def _edit_target(problem: EditProblem, value: object) -> str:
    """Return a few words for what is edited: the sort of fact, of what the "if" is about."""
    sort = "date" if isinstance(value, Date) else "place" if problem.answer_type is AnswerType.RANK else "number"
    words = problem.conditional.clause.split()
    return f"{sort} of: {' '.join(words[:10])}{'…' if len(words) > 10 else ''}"

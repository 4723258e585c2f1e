"""The query for one value: the likeliest fact of the passages is edited, and the answer is computed from it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from kgqa.edits.answer_type import DATE_TYPES, AnswerType
from kgqa.edits.edit_script import EditOperation, EditProblem, EditSolution, FactEdit, build_solution
from kgqa.edits.fact_ranking import FactCandidate, FactRequirements, candidate_facts, edit_weights, fact_requirements, rank_facts
from kgqa.edits.fact_table import ParsedPassage
from kgqa.edits.passage_tokens import content_word_stems
from kgqa.edits.value_arithmetic import plain_number_text
from kgqa.edits.value_edits import EditFamily, FactValue, ValueEdit, revert_edit, value_edit
from kgqa.quantities.quantity import Date, Quantity
from kgqa.quantities.units import unit_of
from kgqa.questions.conditional import ConditionalMood, TextSpan

_PLANNED = re.compile(
    r"(?i)\b(?:(?:was|were) to|originally|initially|planned|scheduled|intended|expected|meant|due|supposed|slated|hoped)\b"
)
_HINDERED = re.compile(
    r"(?i)\b(?:but|until|before|when|because|due to|however|put off|postpon\w*|delay\w*|mov\w+|reschedul\w*|cancel\w*)\b"
)
"""What was meant to be, and what says that something came between."""
MAX_FACTS_TRIED = 3
"""At most so many facts are tried."""


def solve_value(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the solutions by an edit of one fact: shift, scale, rank, remove one, revert to the first plan."""
    edit = value_edit(problem.conditional, problem.answer_type) or _unhindered_plan(problem)
    if edit is None:
        return
    ranking = _rank_facts_for_edit(problem, edit)
    if not ranking:
        yield from _solve_uncounted_one(problem, edit)
    for choice in ranking[:MAX_FACTS_TRIED]:
        answer = edit.result(choice.fact.value)
        if answer is None:
            continue
        fact, edits = choice.fact, _fact_edits(problem, edit, choice, answer)
        consequence = f"{_fact_text(choice)} → {answer}" if _fact_text(choice) != answer else ""
        signals = (choice.probability, *choice.features)
        solution = build_solution(edit.rule, signals, answer, choice.passage, fact, edits, consequence)
        denied = []
        if isinstance(fact.value, Date) and any(step.operation is EditOperation.REVERT for step in edit.steps):
            later = [entry.fact for entry in ranking if isinstance(entry.fact.value, Date) and entry.fact.value > fact.value]
            denied = [(entry.passage, entry.start, entry.end) for entry in later]
        yield replace(solution, denied=tuple(denied))


def _unhindered_plan(problem: EditProblem) -> ValueEdit | None:
    """Return the edit that reverts to a plan, where a passage states that what the "if" removes hindered the plan."""
    conditional = problem.conditional
    if conditional.changes or not conditional.negated or conditional.mood is ConditionalMood.OPEN:
        return None
    hindrance = content_word_stems(conditional.clause)
    following = 1 if problem.answer_type in DATE_TYPES else 0
    came_between = any(_came_between(hindrance, passage, following) for passage in problem.passages)
    return revert_edit(conditional, problem.answer_type) if came_between else None


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


def requirements_of_edit(problem: EditProblem, edit: ValueEdit) -> FactRequirements:
    """Return what the fact must fit that an edit applies to."""
    if edit.event:
        return fact_requirements(edit.event, "", problem.answer_type, edit.unit, edit.precise)
    clause, main = problem.conditional.clause, problem.conditional.main
    return fact_requirements(clause, main, problem.answer_type, edit.unit, edit.precise, edit.change_text)


def _rank_facts_for_edit(problem: EditProblem, edit: ValueEdit) -> tuple[FactCandidate, ...]:
    """Return the facts that an edit applies to, likeliest first: those of a measure that the question names, where it names one.

    Of spans of time the number often stands alone ("aged 91").
    """
    requirements = requirements_of_edit(problem, edit)
    candidates = candidate_facts(problem.passages, requirements, problem.candidates)
    able = [candidate for candidate in candidates if edit.result(candidate.fact.value) is not None]
    units = [*requirements.units, unit_of(edit.unit.split()[0]) if edit.unit else None]
    measures = {unit.measures for unit in units if unit is not None} - {"time", "months"}
    if measures:
        able = [candidate for candidate in able if _measure_of(candidate.fact.value) in measures]
    return rank_facts(able, edit_weights().choice[edit.family])


def _measure_of(value: FactValue) -> str:
    unit = unit_of(value.unit) if isinstance(value, Quantity) else None
    return "" if unit is None else unit.measures


def _fact_text(choice: FactCandidate) -> str:
    return choice.fact.value.text or choice.fact.text


def _fact_edits(problem: EditProblem, edit: ValueEdit, choice: FactCandidate, answer: str) -> list[FactEdit]:
    """Return the edits of the fact, one a step, and of the facts of which the answer does not speak."""
    target = _edit_target(problem, "date" if isinstance(choice.fact.value, Date) else "")
    edits, value, former = [], choice.fact.value, _fact_text(choice)
    for step in edit.steps:
        reverts = step.operation is EditOperation.REVERT
        edits.append(FactEdit(step.operation, target, answer if reverts else step.text, "" if reverts else former))
        value = step.apply(value) or value
        former = f"{value.year}" if isinstance(value, Date) else plain_number_text(value.value)
    for answer_type, other_edit in edit.other_edits:
        ranking = _rank_facts_for_edit(replace(problem, answer_type=answer_type), other_edit)
        target, step = f"“{other_edit.change_text}” in: {problem.conditional.clause}", other_edit.steps[0]
        edits.append(FactEdit(step.operation, target, step.text, _fact_text(ranking[0]) if ranking else ""))
    return edits


def _solve_uncounted_one(problem: EditProblem, edit: ValueEdit) -> Iterator[EditSolution]:
    """Yield the result of an edit of one thing that a sentence states without a number: "one more time"."""
    counts = edit.family is EditFamily.NUMBER and problem.answer_type is AnswerType.NUMBER
    answer = edit.result(Quantity(Fraction(1))) if counts and edit.unit and not unit_of(edit.unit) else None
    if answer is None:
        return
    stems = content_word_stems(problem.question)
    sentences = [(passage, TextSpan(*span)) for passage in problem.passages for span in passage.sentences]
    near = [len(stems & content_word_stems(span.of(passage.text))) for passage, span in sentences]
    if max(near) < 2:
        return
    passage, span = sentences[near.index(max(near))]
    edits = [FactEdit(step.operation, _edit_target(problem), step.text, "one, which is not counted") for step in edit.steps]
    signals = (max(near) / len(stems),)
    yield build_solution("number: one", signals, answer, passage, span, edits, f"one is told of → {answer}")


def _edit_target(problem: EditProblem, sort: str = "") -> str:
    """Return a few words for what is edited: the sort of fact, of what the "if" is about."""
    sort = sort or ("place" if problem.answer_type is AnswerType.RANK else "number")
    words = problem.conditional.clause.split()
    return f"{sort} of: {' '.join(words[:10])}{'…' if len(words) > 10 else ''}"

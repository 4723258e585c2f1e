"""Answers to an "if" question from the edited facts of passages, each with the fitted probability that it is right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from kgqa.calibration.linear_model import load_fitted_model, log_odds, logistic
from kgqa.edits.answer_type import answer_type_of
from kgqa.edits.consequence_queries import (
    solve_consequence,
    solve_kept_place,
    solve_ordinal_member,
    solve_runner_up,
    solve_total_of_each,
)
from kgqa.edits.contributions import solve_contribution
from kgqa.edits.cue_patterns import CUES
from kgqa.edits.edit_script import EditProblem, EditSolution
from kgqa.edits.fact_ranking import FACT_FEATURES
from kgqa.edits.fact_table import parse_passages
from kgqa.edits.order_queries import solve_event_order, solve_first_exposed, solve_order
from kgqa.edits.prior_states import solve_prior_state
from kgqa.edits.row_queries import solve_same_date, solve_shared_date, solve_swap
from kgqa.edits.series_queries import solve_duration, solve_member_count, solve_series_ends
from kgqa.edits.stated_outcomes import solve_alternative_row, solve_displaced_person, solve_stated_outcome
from kgqa.edits.timeline_queries import solve_timeline
from kgqa.edits.value_edits import solve_value
from kgqa.quantities.quantity_changes import ChangeKind
from kgqa.questions.conditional_parser import ConditionalQuestion, parse_conditional
from kgqa.readers.reader import Candidate, Passage

EDIT_CONFIDENCE = "edit_confidence"
"""The name of the fitted model, which scripts/fit/fit_edits.py fits.

It has a logistic model of each rule on one fact, and as parameters the `precision` of every other rule (smoothed); `slope` and
`shift`, by rule, correct the log-odds of both on held-out questions.
"""
CHOICE_CLIP = 0.001
"""The probability of a choice is clipped by this value before its log-odds are a feature."""
CALIBRATION_FEATURES = ("choice log-odds", *FACT_FEATURES)
EXACT_PROBABILITY = 0.5
"""The least calibrated probability with which an edit of one value is exact: the row is likelier right than wrong."""
COMPUTED_RULES = frozenset({"date: later", "number: later", "number: more", "number: times", "number: places"})
"""The rules that compute a value which the passage does not state. A reverted value is stated, and a reader may find it."""
_TIMELINE = "timeline"
"""The rule that knows dates which follow from others: a value that stands alone does not compete with it."""
DEFAULT_PRECISION = 0.3
"""The precision of a rule without labelled questions."""
WRITTEN_PRECISION = {
    _TIMELINE: 0.9,
    "consequence": 0.8,
    "kept place": 0.8,
    "runner-up": 0.8,
    "total of each": 0.9,
    "ordinal member": 0.9,
    "stated outcome": 0.9,
    "alternative row": 0.8,
    "displaced person": 0.8,
    "contribution": 0.8,
}
"""The precision of the rules of which IfQA has next to no questions, as estimated on passages that were written for them."""


def solution_probability(rule: str, signals: Sequence[float]) -> float:
    """Return the probability (0..1) that the answer of a rule with these signals is right.

    `signals` starts with the rule's own probability; rules on one fact go on with the features of that fact.
    """
    numbers = load_fitted_model(EDIT_CONFIDENCE).parameters
    shift = numbers["shift"].get(rule, numbers["shift"].get("", 0.0))
    return logistic(numbers["slope"] * solution_log_odds(rule, signals) + shift)


def solution_log_odds(rule: str, signals: Sequence[float]) -> float:
    """Return the log-odds of an answer before the correction on held-out questions."""
    confidence = load_fitted_model(EDIT_CONFIDENCE)
    if rule in confidence.weights and len(signals) > 1:
        features = dict(zip(CALIBRATION_FEATURES, calibration_features(signals), strict=True))
        return confidence.logistic(rule).log_odds(features)
    precision = confidence.parameters["precision"].get(rule, WRITTEN_PRECISION.get(rule, DEFAULT_PRECISION))
    return log_odds(precision * (0.5 + 0.5 * min(1.0, max(0.0, signals[0] if signals else 0.0))), 0.0)


def calibration_features(signals: Sequence[float]) -> tuple[float, ...]:
    """Return the features of a calibration: a quarter of the log-odds of the choice, and all features of the fact."""
    return (log_odds(signals[0], CHOICE_CLIP) / 4, *signals[1:])


EDIT_SOLVERS: tuple[Callable[[EditProblem], Iterable[EditSolution]], ...] = (
    solve_swap,
    solve_timeline,
    solve_same_date,
    solve_series_ends,
    solve_duration,
    solve_member_count,
    solve_order,
    solve_event_order,
    solve_shared_date,
    solve_first_exposed,
    solve_value,
    solve_prior_state,
    solve_consequence,
    solve_kept_place,
    solve_runner_up,
    solve_total_of_each,
    solve_ordinal_member,
    solve_stated_outcome,
    solve_alternative_row,
    solve_displaced_person,
    solve_contribution,
)
"""The readings of an "if", each an edit and a query; all are tried, and the likeliest answer comes first."""

_BOTH = re.compile(r"(?i)\bboth\s+([^,]+?)\s+and\s+([^,]+)")
_OPPOSITES = (
    "earlier/later before/after more/fewer more/less taller/shorter longer/shorter higher/lower heavier/lighter older/younger "
    "wider/narrower larger/smaller bigger/smaller faster/slower closer/further closer/farther doubled/halved "
    "increased/decreased increased/reduced won/lost alive/dead present/absent open/closed true/false on/off first/last "
    "postponed/advanced delayed/advanced"
)
_BY_ZERO = CUES["by zero"]
_JOINS = re.compile(r"(?i)\s*(?:and|yet|but)(?:\s+(?:also|at the same time))?\s*")
_NOTHING_LEFT = re.compile(r"(?i)\b(?:reduc|decreas|cut|lower|shrunk|shrink|shorten)\w*\b")


def conditional_contradiction(conditional: ConditionalQuestion) -> str:
    """Return why the supposition of a question cannot be made, or nothing where it can."""
    clause = conditional.clause
    if _BY_ZERO.search(clause):
        return "it divides by zero"
    both = _BOTH.search(clause)
    if both is not None:
        left, right = (set(re.findall(r"[\w’'\-]+", side.lower())) for side in both.groups())
        for first_word, _, second_word in (pair.partition("/") for pair in _OPPOSITES.split()):
            if (first_word in left and second_word in right) or (second_word in left and first_word in right):
                return f"it supposes both “{first_word}” and “{second_word}”"
    for first, second in pairwise(conditional.changes):
        between = clause[min(first.end, second.end) : max(first.start, second.start)]
        if first.how is not second.how or conditional.joined == "or" or not _JOINS.fullmatch(between):
            continue
        if first.how is ChangeKind.TIMES:
            opposed = (first.amount - 1) * (second.amount - 1) < 0
        else:
            opposed = first.amount * second.amount < 0 and first.unit == second.unit
        if opposed:
            return f"it supposes both “{first.text}” and “{second.text}”"
    for change in conditional.changes:
        if change.how is ChangeKind.TIMES and change.amount < 0:
            return f"nothing can be made smaller by more than all of it: “{change.text}”"
        if change.how is ChangeKind.TIMES and change.amount == 0 and not _NOTHING_LEFT.search(change.text):
            return f"“{change.text}” leaves nothing to reckon with"
    return ""


class EditOutcome(NamedTuple):
    """The solutions of a question, the surest first; where there are none, `why` says why no script fits."""

    solutions: tuple[EditSolution, ...] = ()
    why: str = ""


def solve_conditional(question: str, passages: Sequence[Passage], candidates: Sequence[Candidate] = ()) -> EditOutcome:
    """Return what `solve_edits` does for a question that is not parsed yet."""
    return solve_edits(parse_conditional(question), passages, candidates)


def solve_edits(
    conditional: ConditionalQuestion | None, passages: Sequence[Passage], candidates: Sequence[Candidate] = ()
) -> EditOutcome:
    """Return the solutions with their scripts, or why there are none; never raises for what a question or a passage says."""
    if conditional is None or not conditional.main:
        return EditOutcome(why="the question supposes nothing")
    wrong = conditional_contradiction(conditional)
    if wrong:
        return EditOutcome(why=f"the supposition cannot be made: {wrong}")
    read = parse_passages(passages)
    if not read:
        return EditOutcome(why="there is no passage to find the fact in")
    problem = EditProblem(conditional.text, conditional, answer_type_of(conditional.main), read, candidates)
    computes = not conditional.negated
    best: dict[str, EditSolution] = {}
    for solver in EDIT_SOLVERS:
        for solution in solver(problem):
            score = solution_probability(solution.rule, solution.signals)
            exact = solution.exact or (computes and solution.rule in COMPUTED_RULES and score >= EXACT_PROBABILITY)
            made = replace(solution, candidate=replace(solution.candidate, score=round(score, 4)), exact=exact)
            key = solution.candidate.text.lower()
            if key not in best or score > best[key].candidate.score:
                best[key] = made
    if any(solution.rule == _TIMELINE for solution in best.values()):
        best = {key: solution for key, solution in best.items() if solution.rule not in COMPUTED_RULES}
    if not best:
        return EditOutcome(why="no script fits what is supposed and what the passages tell")
    return EditOutcome(tuple(sorted(best.values(), key=lambda ranked_solution: -ranked_solution.candidate.score)))

"""Answers to "if" questions from edited facts of passages: every mechanism may write a script, the surest answer comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgqa.intervention.passages.alignments import solve_same_date
from kgqa.intervention.passages.asked import answer_type_of
from kgqa.intervention.passages.certainty import solution_probability
from kgqa.intervention.passages.comparisons import solve_argmax
from kgqa.intervention.passages.contradictions import conditional_contradiction
from kgqa.intervention.passages.durations import solve_duration
from kgqa.intervention.passages.extremes import solve_first_exposed
from kgqa.intervention.passages.facts import parse_passages
from kgqa.intervention.passages.fences import solve_row_ends
from kgqa.intervention.passages.former import solve_prior_state
from kgqa.intervention.passages.measured import solve_value
from kgqa.intervention.passages.memberships import solve_member_count
from kgqa.intervention.passages.occasions import solve_shared_date
from kgqa.intervention.passages.problem import EditProblem, EditSolution, EditSolver
from kgqa.intervention.passages.removals import solve_nth_after_removal
from kgqa.intervention.passages.supposition import parse_conditional_clauses
from kgqa.intervention.passages.swaps import solve_swap
from kgqa.reading.model import Candidate, Passage

EDIT_SOLVERS: tuple[EditSolver, ...] = (
    solve_swap,
    solve_same_date,
    solve_row_ends,
    solve_duration,
    solve_member_count,
    solve_argmax,
    solve_nth_after_removal,
    solve_shared_date,
    solve_first_exposed,
    solve_value,
    solve_prior_state,
)
"""The mechanisms; where one that comes first has a solution, `measured` and `reverted` are asked as well."""


@dataclass(frozen=True, slots=True)
class EditOutcome:
    """The solutions of a question, the surest first; where there are none, `why` says why no script fits."""

    solutions: tuple[EditSolution, ...] = ()
    why: str = ""


def solve_candidates(question: str, passages: Sequence[Passage], candidates: Sequence[Candidate] = ()) -> Sequence[Candidate]:
    """Return the answers that edit scripts give, the surest first, with their traces; none where no script fits.

    `candidates` are what neural readers found: a `Kind.NUMBER` points at the operand of a script, and the place of a span is
    where the fact may stand. The scores are probabilities of being right, of one answer each.
    """
    return tuple(solution.candidate for solution in solve_conditional(question, passages, candidates).solutions)


def solve_conditional(question: str, passages: Sequence[Passage], candidates: Sequence[Candidate] = ()) -> EditOutcome:
    """Return the solutions with their scripts, or why there are none; never raises for what a question or a passage says."""
    conditional = parse_conditional_clauses(question)
    if conditional is None:
        return EditOutcome(why="the question supposes nothing")
    wrong = conditional_contradiction(conditional)
    if wrong:
        return EditOutcome(why=f"the supposition cannot be made: {wrong}")
    read = parse_passages(passages)
    if not read:
        return EditOutcome(why="there is no passage to find the fact in")
    problem = EditProblem(question, conditional, answer_type_of(conditional.main), read, candidates)
    best: dict[str, EditSolution] = {}
    for solver in EDIT_SOLVERS:
        for solution in solver(problem):
            score = solution_probability(solution.rule, solution.signals)
            made = replace(solution, candidate=replace(solution.candidate, score=round(score, 4)))
            key = solution.candidate.text.lower()
            if key not in best or score > best[key].candidate.score:
                best[key] = made
    if not best:
        return EditOutcome(why="no script fits what is supposed and what the passages tell")
    return EditOutcome(tuple(sorted(best.values(), key=lambda ranked_solution: -ranked_solution.candidate.score)))

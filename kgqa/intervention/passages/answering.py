"""Answers to "if" questions from edited facts of passages: every mechanism may write a script, the surest answer comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgqa.intervention.passages.alignments import aligned
from kgqa.intervention.passages.asked import sought
from kgqa.intervention.passages.certainty import certainty
from kgqa.intervention.passages.comparisons import compared
from kgqa.intervention.passages.contradictions import wrong_with
from kgqa.intervention.passages.durations import lasting
from kgqa.intervention.passages.extremes import exposed
from kgqa.intervention.passages.facts import readings
from kgqa.intervention.passages.fences import fenced
from kgqa.intervention.passages.former import reverted
from kgqa.intervention.passages.measured import measured
from kgqa.intervention.passages.memberships import numbered
from kgqa.intervention.passages.occasions import meeting
from kgqa.intervention.passages.problem import Problem, Solution, Solver
from kgqa.intervention.passages.removals import removed
from kgqa.intervention.passages.supposition import supposed
from kgqa.intervention.passages.swaps import swapped
from kgqa.reading.model import Candidate, Passage

SOLVERS: tuple[Solver, ...] = (
    swapped,
    aligned,
    fenced,
    lasting,
    numbered,
    compared,
    removed,
    meeting,
    exposed,
    measured,
    reverted,
)
"""The mechanisms; where one that comes first has a solution, `measured` and `reverted` are asked as well."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The solutions of a question, the surest first; where there are none, `why` says why no script fits."""

    solutions: tuple[Solution, ...] = ()
    why: str = ""


def solve(question: str, passages: Sequence[Passage], candidates: Sequence[Candidate] = ()) -> Sequence[Candidate]:
    """Return the answers that edit scripts give, the surest first, with their traces; none where no script fits.

    `candidates` are what neural readers found: a `Kind.NUMBER` points at the operand of a script, and the place of a span is
    where the fact may stand. The scores are probabilities of being right, of one answer each.
    """
    return tuple(one.candidate for one in worked_out(question, passages, candidates).solutions)


def worked_out(question: str, passages: Sequence[Passage], candidates: Sequence[Candidate] = ()) -> Outcome:
    """Return the solutions with their scripts, or why there are none; never raises for what a question or a passage says."""
    asked = supposed(question)
    if asked is None:
        return Outcome(why="the question supposes nothing")
    wrong = wrong_with(asked)
    if wrong:
        return Outcome(why=f"the supposition cannot be made: {wrong}")
    read = readings(passages)
    if not read:
        return Outcome(why="there is no passage to find the fact in")
    problem = Problem(question, asked, sought(asked.main), read, candidates)
    best: dict[str, Solution] = {}
    for solver in SOLVERS:
        for found in solver(problem):
            score = certainty(found.rule, found.signals)
            made = replace(found, candidate=replace(found.candidate, score=round(score, 4)))
            key = found.candidate.text.lower()
            if key not in best or score > best[key].candidate.score:
                best[key] = made
    if not best:
        return Outcome(why="no script fits what is supposed and what the passages tell")
    return Outcome(tuple(sorted(best.values(), key=lambda one: -one.candidate.score)))

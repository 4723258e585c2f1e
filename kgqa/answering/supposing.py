"""An "if" over passages: what its edits come to and what a reader finds, in one list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from kgqa.model import AppliedIntervention
from kgqa.reading.model import AnswerKind, Candidate, Passage
from kgqa.reading.protocols import MeteredReader, Reader
from kgqa.reading.tidying import normalise_answer

if TYPE_CHECKING:
    from kgqa.intervention.passages.problem import EditSolution

_CANDIDATES_SHOWN = 4


class PassageCandidate(NamedTuple):
    """A candidate with the edits that lead to it; of a reader's there are none."""

    candidate: Candidate
    edits: tuple[AppliedIntervention, ...] = ()
    rule: str = ""


def answer_hypothetical(
    question: str, read: Sequence[Passage], candidates: Sequence[Candidate], reader: Reader | None, trace: list[str]
) -> list[PassageCandidate]:
    """Return what the edits of an "if" come to and what the reader finds, each with how likely it is beside the others."""
    from kgqa.answering.competing import are_edits_settled, rank_answers
    from kgqa.intervention.passages.answering import solve_conditional
    from kgqa.intervention.passages.supposition import parse_conditional_clauses

    outcome, supposition = solve_conditional(question, read, candidates), parse_conditional_clauses(question)
    if supposition is None:
        trace.append(f"no edit of the passage: {outcome.why}")
        return []
    if outcome.solutions:
        summary = list_candidates([item.candidate for item in outcome.solutions])
        trace.append(f"the edits come to {summary}; the first by {outcome.solutions[0].rule}")
    else:
        trace.append(f"no edit of the passage: {outcome.why}")
    if reader is None:
        return [PassageCandidate(item.candidate, _applied_edits(item), f"edit {item.rule}") for item in outcome.solutions]
    plain: Sequence[Candidate] = []
    if are_edits_settled(supposition, candidates, outcome.solutions):
        trace.append("not asked without its “if”: the edits are sure")
    elif not (outcome.solutions and isinstance(reader, MeteredReader)):
        plain = _read_without_if(question, read, reader, trace)
    there = {normalise_answer(item.text) for item in candidates}
    answer_candidates = [
        PassageCandidate(item, (), f"reader {reader.name}")
        for item in candidates
        if item.kind in (AnswerKind.NULL, AnswerKind.NUMBER)
    ]
    for item in rank_answers(supposition, candidates, plain, outcome.solutions):
        if item.solution is not None:
            answer_candidates.append(
                PassageCandidate(item.candidate, _applied_edits(item.solution), f"edit {item.solution.rule}")
            )
        else:
            without = "" if normalise_answer(item.candidate.text) in there else ", without the “if”"
            answer_candidates.append(PassageCandidate(item.candidate, (), f"reader {reader.name}{without}"))
    return answer_candidates


def _applied_edits(solution: EditSolution) -> tuple[AppliedIntervention, ...]:
    """Return the edits of a solution as an answer shows them."""
    return tuple(AppliedIntervention(edit.operation, edit.target, edit.value, edit.former) for edit in solution.script.edits)


def _read_without_if(question: str, read: Sequence[Passage], reader: Reader, trace: list[str]) -> Sequence[Candidate]:
    """Return what the reader finds for the question without its "if"."""
    from kgqa.intervention.passages.rewriting import rewrite_without_condition

    plain = rewrite_without_condition(question)
    if not plain or normalise_answer(plain) == normalise_answer(question):
        return []
    candidates = reader.read(plain, read)
    trace.append(f"asked without its “if”, “{plain}”, the reader finds {list_candidates(candidates) or 'no answer'}")
    return candidates


def list_candidates(candidates: Sequence[Candidate]) -> str:
    """Return the candidates of a reader in a line."""
    return ", ".join(
        f"{'no answer' if candidate.kind is AnswerKind.NULL else f'“{candidate.text}”'} ({candidate.score:.2f})"
        for candidate in candidates[:_CANDIDATES_SHOWN]
    )

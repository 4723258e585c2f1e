"""A question over passages as the scripts are given it, and what they give back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from kgqa.intervention.passages.asked import AnswerType
from kgqa.intervention.passages.facts import ParsedPassage
from kgqa.intervention.passages.script import EditScript, FactEdit
from kgqa.intervention.passages.supposition import ConditionalClauses
from kgqa.reading.model import AnswerKind, Candidate


@dataclass(frozen=True, slots=True)
class EditProblem:
    """What is supposed and sought, the passages as they were read, and what neural readers found in them."""

    question: str
    conditional: ConditionalClauses
    answer_type: AnswerType
    passages: tuple[ParsedPassage, ...]
    candidates: Sequence[Candidate] = ()


@dataclass(frozen=True, slots=True)
class EditSolution:
    """An answer read off an edited world, the script that edited it, and its features for `certainty`.

    `rule` names the mechanism that wrote the script.
    """

    candidate: Candidate
    script: EditScript
    rule: str
    signals: tuple[float, ...] = ()


EditSolver = Callable[[EditProblem], Iterable[EditSolution]]
"""Gives the solutions of a problem that one mechanism finds, the likeliest first."""


def build_solution(
    answer: str,
    passage: ParsedPassage,
    start: int,
    end: int,
    script: EditScript,
    rule: str,
    signals: tuple[float, ...],
    consequence: str = "",
) -> EditSolution:
    """Return a solution with its trace: the fact that was found, the edit, the consequence, and the answer."""
    sentence = next(
        (
            passage.text[sentence_start:sentence_end].strip()
            for sentence_start, sentence_end in passage.sentences
            if sentence_start <= start < sentence_end
        ),
        passage.text.strip(),
    )
    trace = (
        f"fact: “{passage.text[start:end]}” in “{_shorten(sentence)}”",
        *(f"edit: {_edit_text(edit)}" for edit in script.edits),
        *((f"consequence: {consequence}",) if consequence else ()),
        f"answer: {answer}",
    )
    candidate = Candidate(answer, 0.0, AnswerKind.SPAN, passage.number, start, end, trace)
    return EditSolution(candidate, script, rule, signals)


def _edit_text(edit: FactEdit) -> str:
    former = f" (was {edit.former})" if edit.former else ""
    value = f" {edit.value}" if edit.value else ""
    return f"{edit.operation.value}{value} · {edit.target}{former}"


def _shorten(sentence: str, most: int = 240) -> str:
    return sentence if len(sentence) <= most else f"{sentence[: most - 1].rstrip()}…"

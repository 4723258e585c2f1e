"""A question over passages as the scripts are given it, and what they give back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from kgqa.intervention.passages.asked import Sought
from kgqa.intervention.passages.facts import Reading
from kgqa.intervention.passages.script import Edit, Script
from kgqa.intervention.passages.supposition import Supposition
from kgqa.reading.model import Candidate, Kind


@dataclass(frozen=True, slots=True)
class Problem:
    """What is supposed and sought, the passages as they were read, and what neural readers found in them."""

    question: str
    asked: Supposition
    sought: Sought
    passages: tuple[Reading, ...]
    candidates: Sequence[Candidate] = ()


@dataclass(frozen=True, slots=True)
class Solution:
    """An answer read off an edited world, the script that edited it, and its features for `certainty`.

    `rule` names the mechanism that wrote the script.
    """

    candidate: Candidate
    script: Script
    rule: str
    signals: tuple[float, ...] = ()


Solver = Callable[[Problem], Iterable[Solution]]
"""Gives the solutions of a problem that one mechanism finds, the likeliest first."""


def solution(
    answer: str,
    passage: Reading,
    start: int,
    end: int,
    script: Script,
    rule: str,
    signals: tuple[float, ...],
    consequence: str = "",
) -> Solution:
    """Return a solution with its trace: the fact that was found, the edit, the consequence, and the answer."""
    sentence = next((passage.text[one:two].strip() for one, two in passage.sentences if one <= start < two), passage.text.strip())
    trace = (
        f"fact: “{passage.text[start:end]}” in “{_short(sentence)}”",
        *(f"edit: {_edit(edit)}" for edit in script.edits),
        *((f"consequence: {consequence}",) if consequence else ()),
        f"answer: {answer}",
    )
    candidate = Candidate(answer, 0.0, Kind.SPAN, passage.number, start, end, trace)
    return Solution(candidate, script, rule, signals)


def _edit(edit: Edit) -> str:
    former = f" (was {edit.former})" if edit.former else ""
    value = f" {edit.value}" if edit.value else ""
    return f"{edit.operation.value}{value} · {edit.target}{former}"


def _short(sentence: str, most: int = 240) -> str:
    return sentence if len(sentence) <= most else f"{sentence[: most - 1].rstrip()}…"

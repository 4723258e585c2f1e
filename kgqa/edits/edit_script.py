"""Edit scripts: the typed operations of an "if" on the facts of a passage, the problem they solve and the solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.fact_table import ParsedPassage
from kgqa.questions.conditional import ConditionalQuestion
from kgqa.readers.reader import AnswerKind, Candidate


class EditOperation(StrEnum):
    """What is done to a fact."""

    REMOVE = "remove"
    FORCE = "force"
    ADD = "add"
    REPLACE = "replace"
    SHIFT = "shift by"
    SCALE = "scale by"
    SWAP = "swap"
    RANK = "rank"
    REVERT = "revert"


@dataclass(frozen=True, slots=True)
class FactEdit:
    """One operation on one fact: `target` says which, `former` what stood there and `value` what is put there or by how much.

    `amount` is the number that a shift adds, a scale multiplies by or a rank moves by; `unit` is its unit ("year", "m", "").
    """

    operation: EditOperation
    target: str
    value: str = ""
    former: str = ""
    amount: Fraction = Fraction(0)
    unit: str = ""

    def intervention_record(self) -> dict[str, str]:
        """Return the edit as the field `interventions` of an answer has it."""
        return {"operation": self.operation.value, "target": self.target, "value": self.value, "from": self.former}


@dataclass(frozen=True, slots=True)
class EditScript:
    """The edits that an "if" asks for, in the order of application; never none."""

    edits: tuple[FactEdit, ...]

    def intervention_records(self) -> tuple[dict[str, str], ...]:
        """Return the edits as the field `interventions` of an answer has them."""
        return tuple(edit.intervention_record() for edit in self.edits)

    @property
    def kind(self) -> str:
        """The operations in a few words, to group scripts by: "shift by", "swap", "remove, revert"."""
        return ", ".join(dict.fromkeys(edit.operation.value for edit in self.edits))


@dataclass(frozen=True, slots=True)
class EditProblem:
    """The parsed "if", the answer type, the parsed passages, and the candidates of readers."""

    question: str
    conditional: ConditionalQuestion
    answer_type: AnswerType
    passages: tuple[ParsedPassage, ...]
    candidates: Sequence[Candidate] = ()


@dataclass(frozen=True, slots=True)
class EditSolution:
    """An answer from the edited table, the script that edited it, and its features for `solution_probability`.

    `rule` names the edit and the query. `exact` says that the "if" states the edit and that the passage states every row
    that the edit and the query need: no reader outvotes such an answer. `denied` holds the spans (passage, start, end) of
    states that the "if" takes away: no reader outvotes the answer with one of these.
    """

    candidate: Candidate
    script: EditScript
    rule: str
    signals: tuple[float, ...] = ()
    exact: bool = False
    denied: tuple[tuple[int, int, int], ...] = ()

    def denies(self, candidate: Candidate) -> bool:
        """Return whether a candidate of a reader stands where a denied state stands."""
        return any(
            candidate.passage == passage and (candidate.start or 0) < end and start < (candidate.end or 0)
            for passage, start, end in self.denied
        )


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
    exact: bool = False,
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
    return EditSolution(candidate, script, rule, signals, exact)


def _edit_text(edit: FactEdit) -> str:
    former = f" (was {edit.former})" if edit.former else ""
    value = f" {edit.value}" if edit.value else ""
    return f"{edit.operation.value}{value} · {edit.target}{former}"


def _shorten(sentence: str, most: int = 240) -> str:
    return sentence if len(sentence) <= most else f"{sentence[: most - 1].rstrip()}…"

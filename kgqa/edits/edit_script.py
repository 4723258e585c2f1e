"""Edit scripts: the typed operations of an "if" on the facts of a passage, the problem they solve and the solution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.fact_table import FactRow, ParsedPassage, PassageFact
from kgqa.questions.conditional_parser import ConditionalQuestion, TextSpan
from kgqa.readers.numeric.passage_tokens import NameMention
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
    """One operation on one fact: `target` says which, `former` what stood there and `value` what is put there or by how much."""

    operation: EditOperation
    target: str
    value: str = ""
    former: str = ""


@dataclass(frozen=True, slots=True)
class EditProblem:
    """The parsed "if", the answer type, the parsed passages, and the candidates of readers."""

    question: str
    conditional: ConditionalQuestion
    answer_type: AnswerType
    passages: tuple[ParsedPassage, ...]
    candidates: Sequence[Candidate] = ()

    def facts(self) -> Iterator[tuple[ParsedPassage, PassageFact]]:
        """Yield the facts of all passages."""
        yield from ((passage, fact) for passage in self.passages for fact in passage.facts)


@dataclass(frozen=True, slots=True)
class EditSolution:
    """An answer from the edited table, the edits in the order of application, and its features for `solution_probability`.

    `rule` names the edit and the query. `exact` says that the "if" states the edit and that the passage states every row
    that the edit and the query need: no reader outvotes such an answer. `denied` holds the spans (passage, start, end) of
    states that the "if" takes away: no reader outvotes the answer with one of these.
    """

    candidate: Candidate
    edits: tuple[FactEdit, ...]
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


def build_solution(
    rule: str,
    signals: Sequence[float],
    answer: str,
    passage: ParsedPassage,
    place: PassageFact | NameMention | TextSpan,
    edits: Sequence[FactEdit],
    consequence: str = "",
    exact: bool = False,
) -> EditSolution:
    """Return a solution with its trace: the fact at `place`, the edits, the consequence, and the answer."""
    sentence = passage.sentence_text(place.start)
    if len(sentence) > 240:
        sentence = f"{sentence[:239].rstrip()}…"
    trace = [f"fact: “{passage.text[place.start : place.end]}” in “{sentence}”"]
    for edit in edits:
        value, former = f" {edit.value}" if edit.value else "", f" (was {edit.former})" if edit.former else ""
        trace.append(f"edit: {edit.operation.value}{value} · {edit.target}{former}")
    if consequence:
        trace.append(f"consequence: {consequence}")
    trace.append(f"answer: {answer}")
    candidate = Candidate(answer, 0.0, AnswerKind.SPAN, passage.number, place.start, place.end, tuple(trace))
    return EditSolution(candidate, tuple(edits), rule, tuple(signals), exact)


def name_solution(
    rule: str, probability: float, row: FactRow, edits: Sequence[FactEdit], consequence: str, exact: bool = True
) -> EditSolution:
    """Return the solution that names the subject of a row."""
    return build_solution(rule, (probability,), row.subject.text, row.passage, row.subject, edits, consequence, exact)

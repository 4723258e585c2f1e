"""Yes or no: the extractive reader's network, asked only which of the two a passage says.

A question that by its form cannot be answered with yes or no gets no such answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgqa.model import Verdict
from kgqa.reading import extractive
from kgqa.reading.extractive import ExtractiveReader
from kgqa.reading.form import QuestionForm, question_form_of
from kgqa.reading.model import AnswerKind, Candidate, Passage

BOOLEAN = "boolean"
_VERDICTS = {AnswerKind.YES: Verdict.YES, AnswerKind.NO: Verdict.NO}


@dataclass(frozen=True, slots=True)
class BooleanReader:
    """Answers yes, no, or that it is not told; the trace tells how sure the network is of each."""

    of: ExtractiveReader

    @property
    def name(self) -> str:
        """The name that `--reader` gives it."""
        return BOOLEAN

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` of "yes", "no" and `Kind.NULL`, likeliest first; never empty. Raises `ReaderInvalid`."""
        if question_form_of(question) is QuestionForm.OPEN:
            return (Candidate("", 1.0, AnswerKind.NULL, trace=(f"{BOOLEAN}: the question does not ask whether",)),)
        candidates = self.of.read_as(QuestionForm.WHETHER, question, passages, len(AnswerKind))
        summary = ", ".join(f"{candidate.text or 'not told'} {candidate.score:.2f}" for candidate in candidates)
        return tuple(
            replace(candidate, trace=(*candidate.trace, f"{BOOLEAN}: {summary}")) for candidate in candidates[: max(1, best)]
        )


def verdict_of_candidates(candidates: Sequence[Candidate]) -> Verdict:
    """Return what the likeliest of a reader's candidates says of a question that asks whether."""
    return _VERDICTS.get(candidates[0].kind, Verdict.UNKNOWN) if candidates else Verdict.UNKNOWN


def make_boolean_reader(model: str | None = None) -> BooleanReader:
    """Return the reader with the model folder named, else that of `KGQA_READER`, else the shipped one; raises `ReaderInvalid`."""
    return BooleanReader(extractive.make_extractive_reader(model))

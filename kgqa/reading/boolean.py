"""Yes or no: the extractive reader's network, asked only which of the two a passage says.

A question that by its form cannot be answered with yes or no gets no such answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgqa.model import Verdict
from kgqa.reading import extractive
from kgqa.reading.extractive import ExtractiveReader
from kgqa.reading.form import Form, form_of
from kgqa.reading.model import Candidate, Kind, Passage

NAME = "boolean"
_VERDICTS = {Kind.YES: Verdict.YES, Kind.NO: Verdict.NO}


@dataclass(frozen=True, slots=True)
class BooleanReader:
    """Answers yes, no, or that it is not told; the trace tells how sure the network is of each."""

    of: ExtractiveReader

    @property
    def name(self) -> str:
        """The name that `--reader` gives it."""
        return NAME

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` of "yes", "no" and `Kind.NULL`, likeliest first; never empty. Raises `ReaderInvalid`."""
        if form_of(question) is Form.OPEN:
            return (Candidate("", 1.0, Kind.NULL, trace=(f"{NAME}: the question does not ask whether",)),)
        found = self.of.read_as(Form.WHETHER, question, passages, len(Kind))
        shown = ", ".join(f"{one.text or 'not told'} {one.score:.2f}" for one in found)
        return tuple(replace(one, trace=(*one.trace, f"{NAME}: {shown}")) for one in found[: max(1, best)])


def verdict(candidates: Sequence[Candidate]) -> Verdict:
    """Return what the likeliest of a reader's candidates says of a question that asks whether."""
    return _VERDICTS.get(candidates[0].kind, Verdict.UNKNOWN) if candidates else Verdict.UNKNOWN


def make(model: str | None = None) -> BooleanReader:
    """Return the reader with the model folder named, else that of `KGQA_READER`, else the shipped one; raises `ReaderInvalid`."""
    return BooleanReader(extractive.make(model))

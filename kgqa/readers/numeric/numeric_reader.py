"""The numeric reader: answers that are computed from the numbers and dates of a passage, with their confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgqa.calibration.fitted_model import load_fitted_model
from kgqa.readers.numeric.numeric_question import NumericOperation
from kgqa.readers.reader import AnswerKind, Candidate, Passage
from kgqa.settings import Settings

if TYPE_CHECKING:
    from kgqa.readers.numeric.numeric_operations import NumericAnswer
    from kgqa.readers.numeric.numeric_question import NumericOperation
    from kgqa.readers.reader import Reader


NUMERIC_CONFIDENCE = "numeric_confidence"
"""The name of the fitted model, which scripts/fit/fit_numeric.py fits."""


def numeric_confidence(operation: NumericOperation, fit: float) -> float:
    """Return the probability (0..1) that an answer of an operation is right; `fit` (0..1) is how well its numbers fit."""
    return load_fitted_model(NUMERIC_CONFIDENCE).logistic().probability({"fit": fit, operation.value: 1.0})


LONGEST_PASSAGE = 20_000
"""The most characters of a passage whose numbers are used."""
_LEAST_CANDIDATES = 5
"""How many candidates of the base reader compete at least: how many are shown does not change which is first."""
_AGREEMENT_SHARE = 0.15
"""The part of the remaining probability that agreement of the base reader adds."""


@dataclass(frozen=True, slots=True)
class NumericReader:
    """Computes answers: differences, sums, shares, time between, which is more or first; `base` reads what needs no computation.

    A number that `base` selects as an operand supports the answers that use it. Without a `base`, a question without an operation
    has the answer NULL.
    """

    base: Reader | None = None
    name: str = "numeric"

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, likeliest first; NULL where there is no answer."""
        from kgqa.readers.numeric.numeric_operations import compute_numeric_answer
        from kgqa.readers.numeric.numeric_question import parse_numeric_question

        spans = list(self.base.read(question, passages, max(best, _LEAST_CANDIDATES))) if self.base is not None else []
        wanted = parse_numeric_question(question)
        computed: list[Candidate] = []
        if wanted is not None:
            for place, passage in enumerate(passages):
                answer = compute_numeric_answer(wanted, passage.text[:LONGEST_PASSAGE])
                if answer is not None:
                    computed.append(_numeric_candidate(answer, wanted.operation, place, passage.text, spans))
        joined = _merge_readings(computed, spans)[: max(best, 1)]
        return joined or [Candidate("", 0.5, AnswerKind.NULL)]


def operation_of(question: str) -> NumericOperation | None:
    """Return the operation of a numeric question, `None` for any other question."""
    from kgqa.readers.numeric.numeric_question import parse_numeric_question

    numeric_question = parse_numeric_question(question)
    return None if numeric_question is None else numeric_question.operation


def make_numeric_reader(model: str | None = None, settings: Settings | None = None) -> NumericReader:
    """Return the numeric reader on top of the extractive one of a model folder, the shipped one for `None`."""
    from kgqa.readers.extractive.extractive_reader import make_extractive_reader as extractive

    return NumericReader(extractive(model, settings))


def _numeric_candidate(
    answer: NumericAnswer, operation: NumericOperation, place: int, text: str, spans: Sequence[Candidate]
) -> Candidate:
    """Return a computed answer as a candidate; its score is higher where the base reader selects the same number."""
    score = numeric_confidence(operation, answer.fit)
    if any(_points_at(span, answer, place) for span in spans):
        score += (1 - score) * _AGREEMENT_SHARE
    stands = answer.start is not None and text[answer.start : answer.end] == answer.text
    if not stands:
        return Candidate(answer.text, score, trace=answer.trace)
    return Candidate(answer.text, score, AnswerKind.SPAN, place, answer.start, answer.end, answer.trace)


def _points_at(span: Candidate, answer: NumericAnswer, place: int) -> bool:
    """Return whether a candidate of the base reader selects an operand of a computed answer."""
    if span.kind is not AnswerKind.NUMBER or span.passage != place:
        return False
    if span.start is None or span.end is None or answer.start is None or answer.end is None:
        return False
    return span.start < answer.end and answer.start < span.end


def _merge_readings(computed: list[Candidate], spans: list[Candidate]) -> list[Candidate]:
    """Return computed and read candidates, likeliest first, with scores that add up to at most 1.

    An operand alone is no answer. A candidate of both gets a higher score than either gives.
    """
    merged: dict[str, Candidate] = {}
    for candidate in (*computed, *(span for span in spans if span.kind is not AnswerKind.NUMBER)):
        key = (
            f"{candidate.kind}:{candidate.text.casefold()}"
            if candidate.kind is not AnswerKind.SPAN
            else candidate.text.casefold()
        )
        previous = merged.get(key)
        if previous is not None:
            score = 1 - (1 - candidate.score) * (1 - previous.score)
            candidate = Candidate(
                previous.text,
                score,
                previous.kind,
                previous.passage,
                previous.start,
                previous.end,
                previous.trace or candidate.trace,
            )
        merged[key] = candidate
    ordered = sorted(merged.values(), key=lambda candidate: -candidate.score)
    total = sum(candidate.score for candidate in ordered)
    if total <= 1:
        return ordered
    return [
        Candidate(
            candidate.text,
            candidate.score / total,
            candidate.kind,
            candidate.passage,
            candidate.start,
            candidate.end,
            candidate.trace,
        )
        for candidate in ordered
    ]

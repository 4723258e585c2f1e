"""The numeric reader: answers that are computed from the numbers and dates of a passage, with their confidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kgqa.calibration.linear_model import load_fitted_model
from kgqa.readers.reader import AnswerKind, Candidate, Passage
from kgqa.settings import Settings

if TYPE_CHECKING:
    from kgqa.readers.numeric.amount_question import AmountQuestion
    from kgqa.readers.numeric.operands import NumericAnswer
    from kgqa.readers.reader import Reader

NUMERIC_CONFIDENCE = "numeric_confidence"
"""The name of the fitted model, which scripts/fit/fit_numeric.py fits."""
LONGEST_PASSAGE = 20_000
"""The most characters of a passage whose numbers are used."""
_LEAST_CANDIDATES = 5
"""How many candidates of the base reader compete at least: how many are shown does not change which is first."""
_DERIVED_FROM, _DERIVED_BY_FIT = 0.35, 0.57
"""The probability of a derivation by its agreement with the question: it is right in 9 of 10 of the rows written for it."""
_LEAST_FIT = 0.15
"""The least probability of the numbers of a sum or a difference: below .4 and above it, 8 of 19 were right on DROP."""
_LIST_CONFIDENCE = 0.4
"""The probability of a number of items that is counted."""
_HOW_MANY = re.compile(r"^how many (?:of (?:the|his|her|its|their) )?(?:different |other |total )*(?=[a-z])", re.IGNORECASE)
_FIGURE = re.compile(r"\d")
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
        from kgqa.readers.numeric.amount_question import parse_amount_question
        from kgqa.readers.numeric.amount_table import amount_table
        from kgqa.readers.numeric.derivations import derive_amount, is_proposed
        from kgqa.readers.numeric.numeric_operations import compute_numeric_answer
        from kgqa.readers.numeric.numeric_question import NumericOperation, parse_numeric_question
        from kgqa.readers.numeric.scoring_plays import answer_plays

        spans = list(self.base.read(question, passages, max(best, _LEAST_CANDIDATES))) if self.base is not None else []
        wanted, amount = parse_numeric_question(question), parse_amount_question(question)
        computed: list[Candidate] = []
        for place, passage in enumerate(passages):
            derived = derive_amount(amount, amount_table(passage.text[:LONGEST_PASSAGE])) if amount is not None else None
            plays = answer_plays(question, passage.text[:LONGEST_PASSAGE])
            if plays is not None:
                score = load_fitted_model(NUMERIC_CONFIDENCE).logistic().probability({"fit": plays.fit, "play": 1.0})
                computed.append(_numeric_candidate(plays, score, place, passage.text, spans))
            elif derived is not None:
                score = _DERIVED_FROM + _DERIVED_BY_FIT * derived.fit
                computed.append(_numeric_candidate(derived, score, place, passage.text, spans))
            elif wanted and (answer := compute_numeric_answer(wanted, passage.text[:LONGEST_PASSAGE])):
                denied = wanted.operation is NumericOperation.ELAPSED and amount is not None and "negation" in amount.cues
                weak = (
                    wanted.operation in (NumericOperation.DIFFERENCE, NumericOperation.SUM)
                    and answer.fit < _LEAST_FIT
                    and not wanted.bound
                )
                if denied or (
                    weak
                    and not (
                        amount is not None and is_proposed(amount, amount_table(passage.text[:LONGEST_PASSAGE]), answer.text)
                    )
                ):
                    continue
                model = load_fitted_model(NUMERIC_CONFIDENCE).logistic()
                score = model.probability({"fit": answer.fit, wanted.operation.value: 1.0})
                computed.append(_numeric_candidate(answer, score, place, passage.text, spans))
        if not computed and self.base is not None and (counted := _count_list(self.base, question, passages, spans)) is not None:
            computed.append(counted)
        if amount is not None:
            spans = [_as_operand(span, amount, passages) for span in spans]
        return _merge_readings(computed, spans)[: max(best, 1)] or [Candidate("", 0.5, AnswerKind.NULL)]


def make_numeric_reader(model: str | None = None, settings: Settings | None = None) -> NumericReader:
    """Return the numeric reader on top of the extractive one of a model folder, the shipped one for `None`."""
    from kgqa.readers.extractive.extractive_reader import make_extractive_reader

    return NumericReader(make_extractive_reader(model, settings))


def _count_list(reader: Reader, question: str, passages: Sequence[Passage], spans: Sequence[Candidate]) -> Candidate | None:
    """Return how many items the list has that answers "which ..." in place of "how many ...", where no number is read.

    A number that stands in the passage is the answer where the reader is surer of it than of none.
    """
    from kgqa.readers.extractive.answer_lists import list_items

    which = _HOW_MANY.sub("Which ", question)
    if which == question or spans[0].kind is AnswerKind.SPAN:
        return None
    answers = (item for item in reader.read(which, passages, _LEAST_CANDIDATES) if item.kind is AnswerKind.SPAN)
    best = next(answers, None)
    if best is None or best.passage is None or best.start is None or best.end is None or _FIGURE.search(best.text):
        return None
    text = passages[best.passage].text
    items = list_items(text, best.start, best.end)
    if len(items) < 2:
        return None
    step = f"counted: {', '.join(text[start:end] for start, end in items)} = {len(items)}"
    return Candidate(str(len(items)), _LIST_CONFIDENCE, trace=(step,))


def _as_operand(span: Candidate, amount: AmountQuestion, passages: Sequence[Passage]) -> Candidate:
    """Return a number of the base reader that is not what is asked for as an operand, which is no answer."""
    from kgqa.readers.numeric.amount_table import amount_table
    from kgqa.readers.numeric.derivations import is_unsupported

    if span.kind is not AnswerKind.SPAN or span.passage is None or span.start is None or span.end is None:
        return span
    table = amount_table(passages[span.passage].text[:LONGEST_PASSAGE])
    return replace(span, kind=AnswerKind.NUMBER) if is_unsupported(amount, table, span.start, span.end) else span


def _numeric_candidate(answer: NumericAnswer, score: float, place: int, text: str, spans: Sequence[Candidate]) -> Candidate:
    """Return a computed answer as a candidate; its score is higher where the base reader selects one of its operands."""
    start, end = answer.start, answer.end
    if start is None or end is None:
        return Candidate(answer.text, score, trace=answer.trace)
    numbers = (span for span in spans if span.kind is AnswerKind.NUMBER and span.passage == place)
    if any(span.start is not None and span.end is not None and span.start < end and start < span.end for span in numbers):
        score += (1 - score) * _AGREEMENT_SHARE
    if text[start:end] != answer.text:
        return Candidate(answer.text, score, trace=answer.trace)
    return Candidate(answer.text, score, AnswerKind.SPAN, place, start, end, answer.trace)


def _merge_readings(computed: list[Candidate], spans: list[Candidate]) -> list[Candidate]:
    """Return computed and read candidates, likeliest first, with scores that add up to at most 1.

    What is read shares the probability that nothing computed is right. An operand alone is no answer where something is computed.
    """
    left = max(0.0, 1.0 - sum(candidate.score for candidate in computed))
    read = [span for span in spans if not (computed and span.kind is AnswerKind.NUMBER)]
    merged: dict[tuple[AnswerKind, str], Candidate] = {}
    for candidate in (*computed, *(replace(span, score=span.score * left) for span in read)):
        key = candidate.kind, candidate.text.casefold()
        if previous := merged.get(key):
            candidate = replace(previous, score=candidate.score + previous.score, trace=previous.trace or candidate.trace)
        merged[key] = candidate
    ordered = sorted(merged.values(), key=lambda candidate: -candidate.score)
    total = max(1.0, sum(candidate.score for candidate in ordered))
    return [replace(candidate, score=candidate.score / total) for candidate in ordered]

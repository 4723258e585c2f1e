"""Windows of one or many passages compete for the answer.

Each window has odds of holding the answer: what the network says against "not told", times a prior. At most one of them does, so
that its share is its odds over one plus those of all: for a single window what the network says, for many a softmax over all
passages with "not told" beside them, as in multi-passage reading (Clark and Gardner 2018). The score of an answer is the sum over
windows of share x P(kind) x P(span), like answers of several windows being one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log

from kgqa.reading.calibration import LogitCalibration
from kgqa.reading.form import QuestionForm
from kgqa.reading.model import AnswerKind, Candidate, Passage
from kgqa.reading.tidying import normalise_answer, trim_span

ALLOWED_KINDS: Mapping[QuestionForm, frozenset[AnswerKind]] = {
    QuestionForm.WHETHER: frozenset({AnswerKind.YES, AnswerKind.NO}),
    QuestionForm.OPEN: frozenset({AnswerKind.SPAN, AnswerKind.NUMBER}),
    QuestionForm.UNCLEAR: frozenset(set(AnswerKind) - {AnswerKind.NULL}),
}
"""The kinds of answer that a question can have by its form: "yes" is none to "who", and a name none to "did he"."""
_NUMBER = re.compile(
    r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|"
    r"eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|half|twice|once|double|first|second|third|fourth|fifth|"
    r"\w+th|couple|pair|single|decades?|centur(?:y|ies))\b",
    re.IGNORECASE,
)
_TINY = 1e-6


@dataclass(frozen=True, slots=True)
class WindowScores:
    """What the network said of a window: the probabilities of the kinds, and the likeliest spans, in its characters."""

    passage: int
    kinds: Mapping[AnswerKind, float]
    spans: Sequence[tuple[int, int, float]]


def window_shares(
    windows: Sequence[WindowScores], passages: Sequence[Passage], calibration: LogitCalibration
) -> tuple[list[float], float]:
    """Return the probability that each window holds the answer, and that none does."""
    odds = []
    priors = _retrieval_priors(passages, calibration.retrieval)
    crowd = calibration.crowd * log(max(1, len(windows)))
    for item in windows:
        null = min(max(item.kinds[AnswerKind.NULL], _TINY), 1.0 - _TINY)
        odds.append(exp(log(1.0 - null) - log(null) + priors[item.passage] - crowd))
    total = 1.0 + sum(odds)
    return [item / total for item in odds], 1.0 / total


def rank_candidates(
    windows: Sequence[WindowScores], passages: Sequence[Passage], calibration: LogitCalibration, form: QuestionForm, best: int
) -> list[Candidate]:
    """Return at most `best` candidates, likeliest first, "not told" among them; never empty."""
    holding, none = window_shares(windows, passages, calibration)
    candidates = merge_candidates(
        candidate
        for item, share in zip(windows, holding, strict=True)
        for candidate in _window_candidates(item, share, passages, ALLOWED_KINDS[form])
    )
    sure = [replace(item, score=calibration.probability_right(item.score)) for item in candidates]
    sure.append(Candidate("", none, AnswerKind.NULL))
    total = max(1.0, sum(item.score for item in sure))
    scaled = [replace(item, score=item.score / total) for item in sure]
    scaled.sort(
        key=lambda item: (-item.score, item.passage if item.passage is not None else len(passages), item.start or 0, item.text)
    )
    return scaled[: max(1, best)]


def merge_candidates(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates with those that say the same as one, where the best of them stands; the scores are added up."""
    same: dict[tuple[AnswerKind, str], list[Candidate]] = {}
    for candidate in candidates:
        same.setdefault((candidate.kind, normalise_answer(candidate.text)), []).append(candidate)
    return [
        replace(max(group, key=lambda candidate: candidate.score), score=sum(candidate.score for candidate in group))
        for group in same.values()
    ]


def _window_candidates(
    window: WindowScores, share: float, passages: Sequence[Passage], allowed: frozenset[AnswerKind]
) -> Iterator[Candidate]:
    """Yield what a window answers; what cannot be an answer to the question leaves its part to what can."""
    possible = sum(window.kinds[kind] for kind in allowed)
    for kind in sorted(allowed):
        score = share * window.kinds[kind] / possible if possible > 0.0 else 0.0
        if kind in (AnswerKind.YES, AnswerKind.NO):
            yield Candidate(kind.value, score, kind, window.passage)
        else:
            yield from _span_candidates(window, kind, score, passages[window.passage].text)


def _span_candidates(window: WindowScores, kind: AnswerKind, score: float, text: str) -> Iterator[Candidate]:
    """Yield the spans of a window as answers of a kind; for a number, only those that hold one."""
    trimmed_spans = [(*trim_span(text, start, end), share) for start, end, share in window.spans]
    spans = [(start, end, share) for start, end, share in trimmed_spans if start < end]
    if kind is AnswerKind.NUMBER:
        spans = [(start, end, share) for start, end, share in spans if _NUMBER.search(text, start, end)]
        whole = sum(share for _, _, share in spans)
        spans = [(start, end, share / whole) for start, end, share in spans]
    for start, end, share in spans:
        yield Candidate(text[start:end], score * share, kind, window.passage, start, end)


def _retrieval_priors(passages: Sequence[Passage], weight: float) -> list[float]:
    """Return the logarithm of what a retriever's score adds to each passage's odds: the weight times the standardised score."""
    scores = [item.score for item in passages]
    mean = sum(scores) / max(1, len(scores))
    spread = (sum((item - mean) ** 2 for item in scores) / max(1, len(scores))) ** 0.5
    return [weight * (item - mean) / spread if spread > 0.0 else 0.0 for item in scores]

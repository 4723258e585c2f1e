"""From logits to probabilities of being right: calibration, the likeliest spans of a window, and the competition of windows.

scripts/fit/calibrate_reader.py fits the calibration. Each window has odds of holding the answer: those of the network against
"not told", times a prior. At most one window holds it, so its share is its odds divided by one plus the odds of all: for many
windows a softmax over all passages and "not told", as in multi-passage reading (Clark and Gardner 2018). The score of an answer
is the sum over windows of share x P(kind) x P(span); equal answers of several windows are one answer.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp, isfinite, log
from typing import TYPE_CHECKING, Any, NamedTuple

from kgqa.calibration.linear_model import log_odds, softmax_array
from kgqa.questions.question_form import QuestionForm
from kgqa.readers.answer_normalisation import normalise_answer, trim_span
from kgqa.readers.reader import AnswerKind, Candidate, Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LogitCalibration:
    """The calibration of the network's logits (temperatures: Guo et al. 2017).

    `kind` and `span` are the temperatures of the two heads. `null` is added to the logit of "not told": all of it for questions
    with "if", on which it is fitted, a part of it for others. The prior of each of n windows is n ** -crowd, times
    exp(retrieval x standardised retrieval score). `right` are the knots of a rising piecewise linear function from the score of a
    candidate to its probability of being right (isotonic regression: Zadrozny and Elkan 2002); empty for the identity.
    """

    kind: float = 1.0
    span: float = 1.0
    null: float = 0.0
    crowd: float = 0.5
    retrieval: float = 0.0
    right: tuple[tuple[float, float], ...] = ()

    def probability_right(self, score: float) -> float:
        """Return the probability that a candidate with this score is right."""
        if not self.right:
            return score
        place = bisect_right(self.right, (score, 1.0))
        if place == 0 or place == len(self.right):
            return self.right[max(0, place - 1)][1]
        (low, under), (high, over) = self.right[place - 1 : place + 1]
        return under + (over - under) * (score - low) / (high - low)


def parse_calibration(table: Mapping[str, Any]) -> LogitCalibration:
    """Return the calibration of a JSON object; raises `ValueError` for an impossible number."""
    names = ("kind", "span", "null", "crowd", "retrieval")
    values = {name: _finite_number(table[name], name) for name in names if name in table}
    if min(values.get("kind", 1.0), values.get("span", 1.0)) <= 0.0:
        raise ValueError("a temperature is not above 0")
    knots = tuple((_finite_number(low, "right"), _finite_number(high, "right")) for low, high in table.get("right", ()))
    if any(low >= high or under > over for (low, under), (high, over) in pairwise(knots)):
        raise ValueError("the knots of 'right' do not rise")
    if any(not 0.0 <= coordinate <= 1.0 for knot in knots for coordinate in knot):
        raise ValueError("the knots of 'right' do not lie in 0..1")
    return LogitCalibration(**values, right=knots)


def _finite_number(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise ValueError(f"'{name}' is not a number")
    return float(value)


class TokenSpan(NamedTuple):
    """The tokens `first` to `last` of a window's passage, with the probability that they are the answer if one stands there."""

    first: int
    last: int
    probability: float


def likeliest_spans(
    start: Floats, end: Floats, begins: Sequence[bool], ends: Sequence[bool], longest: int, temperature: float, best: int
) -> list[TokenSpan]:
    """Return the `best` likeliest spans, likeliest first.

    `start` and `end` are the logits of a window's tokens of the passage. A span has at most `longest` tokens, and starts and ends
    where a word does; the probabilities are over all such spans, not only over those that are returned.
    """
    import numpy as np

    if len(start) == 0:
        return []
    reach = min(longest, len(start))
    starts = np.where(np.asarray(begins), start, -np.inf)
    stops = np.concatenate([np.where(np.asarray(ends), end, -np.inf), np.full(reach - 1, -np.inf)])
    together = starts[:, None] + np.lib.stride_tricks.sliding_window_view(stops, reach)
    shares = softmax_array(together.ravel() / temperature)
    least = np.partition(shares, -best)[-best] if best < shares.size else 0.0
    places = np.flatnonzero((shares >= least) & (shares > 0.0))
    order = places[np.argsort(-shares[places], kind="stable")][:best].tolist()
    return [TokenSpan(place // reach, place // reach + place % reach, float(shares[place])) for place in order]


ALLOWED_KINDS: Mapping[QuestionForm, frozenset[AnswerKind]] = {
    QuestionForm.WHETHER: frozenset({AnswerKind.YES, AnswerKind.NO}),
    QuestionForm.OPEN: frozenset({AnswerKind.SPAN, AnswerKind.NUMBER}),
    QuestionForm.UNCLEAR: frozenset(set(AnswerKind) - {AnswerKind.NULL}),
}
"""The kinds of answer that the form of a question allows: "yes" does not answer "who", a name does not answer "did he"."""
_NUMBER = re.compile(
    r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|"
    r"eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|half|twice|once|double|first|second|third|fourth|fifth|"
    r"\w+th|couple|pair|single|decades?|centur(?:y|ies))\b",
    re.IGNORECASE,
)
NULL_CLIP = 1e-6
"""The probability of "not told" is clipped by this value before its odds are taken."""


@dataclass(frozen=True, slots=True)
class WindowScores:
    """The probabilities of a window: of each kind of answer, and of the likeliest spans (first and last character)."""

    passage: int
    kinds: Mapping[AnswerKind, float]
    spans: Sequence[tuple[int, int, float]]


def window_shares(
    windows: Sequence[WindowScores], passages: Sequence[Passage], calibration: LogitCalibration
) -> tuple[list[float], float]:
    """Return the probability that each window holds the answer, and that none does."""
    # A retriever's score adds to the logarithm of a passage's odds the weight times the standardised score.
    mean = sum(item.score for item in passages) / max(1, len(passages))
    spread = (sum((item.score - mean) ** 2 for item in passages) / max(1, len(passages))) ** 0.5
    priors = [calibration.retrieval * (item.score - mean) / spread if spread > 0.0 else 0.0 for item in passages]
    crowd = calibration.crowd * log(max(1, len(windows)))
    odds = [exp(priors[item.passage] - crowd - log_odds(item.kinds[AnswerKind.NULL], NULL_CLIP)) for item in windows]
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

    def rank(item: Candidate) -> tuple[float, int, int, str]:
        return -item.score, item.passage if item.passage is not None else len(passages), item.start or 0, item.text

    return sorted((replace(item, score=item.score / total) for item in sure), key=rank)[: max(1, best)]


def merge_candidates(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates with equal ones merged: the best of them with the sum of their scores."""
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
    """Yield the candidates of a window; the probability of kinds that are not allowed is shared out among the allowed ones."""
    text = passages[window.passage].text
    possible = sum(window.kinds[kind] for kind in allowed)
    for kind in sorted(allowed):
        score = share * window.kinds[kind] / possible if possible > 0.0 else 0.0
        if kind in (AnswerKind.YES, AnswerKind.NO):
            yield Candidate(kind.value, score, kind, window.passage)
            continue
        spans = [(*trim_span(text, start, end), probability) for start, end, probability in window.spans]
        spans = [span for span in spans if span[0] < span[1]]
        whole = 1.0
        if kind is AnswerKind.NUMBER:
            spans = [span for span in spans if _NUMBER.search(text, span[0], span[1])]
            whole = sum(probability for _, _, probability in spans)
        for start, end, probability in spans:
            yield Candidate(text[start:end], score * (probability / whole), kind, window.passage, start, end)

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

from kgqa.reading.calibration import Calibration
from kgqa.reading.form import Form
from kgqa.reading.model import Candidate, Kind, Passage
from kgqa.reading.tidying import compared, tidied

ALLOWED: Mapping[Form, frozenset[Kind]] = {
    Form.WHETHER: frozenset({Kind.YES, Kind.NO}),
    Form.OPEN: frozenset({Kind.SPAN, Kind.NUMBER}),
    Form.UNCLEAR: frozenset(set(Kind) - {Kind.NULL}),
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
class Heard:
    """What the network said of a window: the probabilities of the kinds, and the likeliest spans, in its characters."""

    passage: int
    kinds: Mapping[Kind, float]
    spans: Sequence[tuple[int, int, float]]


def shares(heard: Sequence[Heard], passages: Sequence[Passage], fitted: Calibration) -> tuple[list[float], float]:
    """Return the probability that each window holds the answer, and that none does."""
    odds = []
    priors = _priors(passages, fitted.retrieval)
    crowd = fitted.crowd * log(max(1, len(heard)))
    for one in heard:
        null = min(max(one.kinds[Kind.NULL], _TINY), 1.0 - _TINY)
        odds.append(exp(log(1.0 - null) - log(null) + priors[one.passage] - crowd))
    total = 1.0 + sum(odds)
    return [one / total for one in odds], 1.0 / total


def answers(heard: Sequence[Heard], passages: Sequence[Passage], fitted: Calibration, form: Form, best: int) -> list[Candidate]:
    """Return at most `best` candidates, likeliest first, "not told" among them; never empty."""
    holding, none = shares(heard, passages, fitted)
    found = merged(
        candidate
        for one, share in zip(heard, holding, strict=True)
        for candidate in _of_window(one, share, passages, ALLOWED[form])
    )
    sure = [replace(one, score=fitted.sure(one.score)) for one in found]
    sure.append(Candidate("", none, Kind.NULL))
    total = max(1.0, sum(one.score for one in sure))
    scaled = [replace(one, score=one.score / total) for one in sure]
    scaled.sort(key=lambda one: (-one.score, one.passage if one.passage is not None else len(passages), one.start or 0, one.text))
    return scaled[: max(1, best)]


def merged(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates with those that say the same as one, where the best of them stands; the scores are added up."""
    same: dict[tuple[Kind, str], list[Candidate]] = {}
    for one in candidates:
        same.setdefault((one.kind, compared(one.text)), []).append(one)
    return [replace(max(group, key=lambda one: one.score), score=sum(one.score for one in group)) for group in same.values()]


def _of_window(one: Heard, share: float, passages: Sequence[Passage], allowed: frozenset[Kind]) -> Iterator[Candidate]:
    """Yield what a window answers; what cannot be an answer to the question leaves its part to what can."""
    possible = sum(one.kinds[kind] for kind in allowed)
    for kind in sorted(allowed):
        score = share * one.kinds[kind] / possible if possible > 0.0 else 0.0
        if kind in (Kind.YES, Kind.NO):
            yield Candidate(kind.value, score, kind, one.passage)
        else:
            yield from _spans(one, kind, score, passages[one.passage].text)


def _spans(one: Heard, kind: Kind, score: float, text: str) -> Iterator[Candidate]:
    """Yield the spans of a window as answers of a kind; for a number, only those that hold one."""
    found = [(*tidied(text, start, end), share) for start, end, share in one.spans]
    kept = [(start, end, share) for start, end, share in found if start < end]
    if kind is Kind.NUMBER:
        kept = [(start, end, share) for start, end, share in kept if _NUMBER.search(text, start, end)]
        whole = sum(share for _, _, share in kept)
        kept = [(start, end, share / whole) for start, end, share in kept]
    for start, end, share in kept:
        yield Candidate(text[start:end], score * share, kind, one.passage, start, end)


def _priors(passages: Sequence[Passage], weight: float) -> list[float]:
    """Return the logarithm of what a retriever's score adds to each passage's odds: the weight times the standardised score."""
    scores = [one.score for one in passages]
    mean = sum(scores) / max(1, len(scores))
    spread = (sum((one - mean) ** 2 for one in scores) / max(1, len(scores))) ** 0.5
    return [weight * (one - mean) / spread if spread > 0.0 else 0.0 for one in scores]

"""How likely the best answer of a reader is right, and so whether a passage tells what is asked at all, by a fitted model.

The reader spreads its probability over cuts of one clause, and says "not told" of much that is told in other words: what all cuts
that overlap the best have together, the words of the question near it, and a reason that is stated there say more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graph.text.segmentation import sentence_spans
from kgqa.calibration.linear_model import PROBABILITY_CLIP, load_fitted_model, log_odds
from kgqa.passages.stated_reasons import StatedReason
from kgqa.passages.statement_words import LONGEST_TEXT, read_words, telling_words, word_keys
from kgqa.readers.reader import AnswerKind, Candidate, Passage

ANSWER_CHANCE = "answer_chance"
"""The name of the fitted model, which scripts/fit/fit_answer_chance.py fits."""
LEAST_CHANCE = 0.5
"""Below this chance of being right nothing is said."""


def answer_chance(signals: Mapping[str, float]) -> float:
    """Return how likely an answer with these signals is right (0..1)."""
    return load_fitted_model(ANSWER_CHANCE).logistic().probability(signals)


def chance_signals(
    question: str,
    asks: str,
    passages: Sequence[Passage],
    read: Sequence[Candidate],
    ranked: Sequence[Candidate],
    stated: Sequence[StatedReason],
) -> dict[str, float]:
    """Return the signals of the best answer: of the candidates as `read`, as `ranked` by what is `stated`, and of the words.

    `asks` is "reason", "effect" or empty.
    """
    spans = [item for item in read if item.kind is AnswerKind.SPAN and item.start is not None and item.end is not None]
    best = max((item for item in ranked if item.kind is AnswerKind.SPAN), key=lambda item: item.score, default=None)
    first = max(spans, key=lambda item: item.score, default=None)
    null = next((item.score for item in read if item.kind is AnswerKind.NULL), 0.0)
    signals = {
        "null": log_odds(null, PROBABILITY_CLIP),
        "first": log_odds(first.score if first is not None else 0.0, PROBABILITY_CLIP),
        "overlap": log_odds(sum(item.score for item in spans if first is not None and _overlap(item, first)), PROBABILITY_CLIP),
        "ranked": log_odds(best.score if best is not None else 0.0, PROBABILITY_CLIP),
        f"asks {asks}": 1.0,
    }
    if best is not None and best.passage is not None and best.start is not None:
        signals["agreed"] = float(first is not None and _overlap(best, first))
        signals["stated"] = max((reason.holds(best) for reason in stated), default=0.0)
        signals["denied"] = min((reason.holds(best) for reason in stated), default=0.0)
        signals |= _word_signals(question, passages[best.passage].text[:LONGEST_TEXT], best.start)
        signals["long"] = min(1.0, len(best.text.split()) / 20)
    return signals


def _overlap(first: Candidate, second: Candidate) -> bool:
    if None in (first.start, first.end, second.start, second.end) or first.passage != second.passage:
        return False
    return (first.start or 0) < (second.end or 0) and (second.start or 0) < (first.end or 0)


def _word_signals(question: str, text: str, start: int) -> dict[str, float]:
    """Return how much of what a question names stands in the sentence of an answer, beside it, and nowhere in the text."""
    terms = [word for word in telling_words(question) if len(word.text) > 2]
    spans = list(sentence_spans(text))
    place = next((at for at, (begin, end) in enumerate(spans) if begin <= start < end), None)
    if not terms or place is None:
        return {}
    keys = [word_keys(read_words(text[begin:end])) for begin, end in spans[max(0, place - 1) : place + 2]]
    own = keys[min(1, place)]
    near, everything = frozenset[str]().union(*keys), word_keys(read_words(text))

    def share(held: frozenset[str]) -> float:
        return sum(not term.keys.isdisjoint(held) for term in terms) / len(terms)

    return {"here": share(own), "beside": share(near) - share(own), "nowhere": 1.0 - share(everything)}

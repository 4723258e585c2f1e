"""Exact match and the F1 of words, against the best of several answers (M1, M2, M11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from kgqa.errors import MetricInvalid
from kgqa.evaluation.metrics.normalisation import normalise_text, normalised_words


@dataclass(frozen=True, slots=True)
class PrecisionRecall:
    """Precision, recall and their harmonic mean, each in 0..1."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, common: int, predicted: int, gold: int, nothing: float = 1.0) -> PrecisionRecall:
        """Return the scores of `common` items among so many predicted and so many gold ones; 0 where one of them has no item.

        Where nothing is predicted and nothing was to be found, all three are `nothing`.
        """
        if predicted == gold == 0:
            return cls(nothing, nothing, nothing)
        return cls(common / predicted if predicted else 0.0, common / gold if gold else 0.0, 2 * common / (predicted + gold))


def bag_overlap(predicted: Sequence[Hashable], gold: Sequence[Hashable]) -> PrecisionRecall:
    """Return how far two bags of words agree; a word counts as often as both have it (SQuAD, Rajpurkar et al. 2016)."""
    common = sum((Counter(predicted) & Counter(gold)).values())
    return PrecisionRecall.of(common, len(predicted), len(gold))


def exact_match(prediction: str, answers: Sequence[str]) -> float:
    """Return 1 if the prediction is one of the answers after normalisation, else 0 (M1; M11: all words, in order).

    Raises `MetricInvalid` without answers. Source: IfQA, section 4.3; CausalQA, section 5.
    """
    return float(normalise_text(prediction) in {normalise_text(answer) for answer in require_references(answers)})


def token_f1(prediction: str, answers: Sequence[str]) -> float:
    """Return the best F1 of words over the answers, 0..1, in no order (M2, M11).

    Two texts that have no word left are alike, F1 1, so that an exact match never has less (SQuAD 2.0; SQuAD 1.1 gives 0).
    Raises `MetricInvalid` without answers. Source: IfQA, section 4.3; CausalQA, section 5.
    """
    predicted = normalised_words(prediction)
    return max(bag_overlap(predicted, normalised_words(answer)).f1 for answer in require_references(answers))


def require_references(answers: Sequence[str]) -> Sequence[str]:
    """Return the answers; raise `MetricInvalid` where there are none, or one text stands for a list of them."""
    if isinstance(answers, str) or not answers:
        raise MetricInvalid("a prediction is scored against a list of one or more answers")
    return answers

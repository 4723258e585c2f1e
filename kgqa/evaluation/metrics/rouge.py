"""ROUGE-L, the longest common subsequence of words, against several references (M10)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from graph.errors import PackageMissing
from kgqa.evaluation.metrics.averages import mean
from kgqa.evaluation.metrics.exact import PrecisionRecall, require_references
from kgqa.evaluation.metrics.forms import MetricForm, is_released_form
from kgqa.evaluation.metrics.intervals import resampled_means
from kgqa.evaluation.metrics.normalisation import normalise_text

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer


def rouge_l(prediction: str, references: Sequence[str], form: MetricForm = "strict") -> PrecisionRecall:
    """Return precision, recall and F1 of the longest common subsequence, each in 0..1; both texts are normalised as in M1.

    Strict: each measure is the best over the references, so they may be of different ones; two texts without a word are alike.
    Released: all three are of the reference with the best F1 (`score_multi`); words in other scripts than Latin's ASCII letters
    are lost. Raises `MetricInvalid` without references, `PackageMissing` without rouge-score.
    Source: CausalQA (Bondarenko et al. 2022), section 5, and the released evaluation; Lin 2004.
    """
    released = is_released_form(form)
    scorer, text = _scorer(released=released), normalise_text(prediction)
    reference_scores = []
    for reference in map(normalise_text, require_references(references)):
        score = scorer.score(reference, text)["rougeL"]
        alike = not released and text == reference == ""
        reference_scores.append(
            PrecisionRecall(1.0, 1.0, 1.0) if alike else PrecisionRecall(score.precision, score.recall, score.fmeasure)
        )
    if released:
        return max(reference_scores, key=lambda scores: scores.f1)
    return PrecisionRecall(
        *(max(getattr(scores, measure) for scores in reference_scores) for measure in ("precision", "recall", "f1"))
    )


def rouge_averages(
    scores: Sequence[PrecisionRecall], form: MetricForm = "strict", rounds: int = 1_000, seed: int = 0
) -> PrecisionRecall:
    """Return the averages over questions: the means, or in the released form the medians of the means of a bootstrap ("mid")."""
    columns = [[getattr(item_scores, measure) for item_scores in scores] for measure in ("precision", "recall", "f1")]
    if not is_released_form(form):
        return PrecisionRecall(*(mean(column) for column in columns))
    middles = []
    for column in columns:
        drawn = sorted(resampled_means(column, rounds, seed))
        middles.append((drawn[(rounds - 1) // 2] + drawn[rounds // 2]) / 2)
    return PrecisionRecall(*middles)


class _SpaceTokenizer:
    """Splits a normalised text at its spaces, whatever script it is in."""

    def tokenize(self, text: str) -> list[str]:
        return text.split()


@cache
def _scorer(*, released: bool) -> RougeScorer:
    """Return the scorer of a form."""
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError:
        raise PackageMissing("ROUGE", "rouge-score", "evaluate") from None
    return RougeScorer(["rougeL"], tokenizer=None if released else _SpaceTokenizer())

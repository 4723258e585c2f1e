"""Scores of texts: exact match, F1 of words (M1, M2, M6, M11), ROUGE-L (M10), BLEU (M5) and sentence vectors (M7)."""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

from graph.errors import PackageMissing
from kgqa.errors import EncoderMissing, MetricInvalid
from kgqa.evaluation.metrics.metric_conventions import MetricForm, check_aligned, is_released_form, mean
from kgqa.evaluation.metrics.score_intervals import resampled_means

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer


PUNCTUATION = str.maketrans("", "", string.punctuation)
ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normalise_text(text: str) -> str:
    """Return the text in lower case, without ASCII punctuation, then without articles, with single spaces.

    The order matters: "a.m." loses its dots and is "am", no article. Source: Izacard and Grave 2021 (FiD), which IfQA (Yu et al.
    2023, section 4.3) names; the same in KILT and in CausalQA.
    """
    return " ".join(ARTICLES.sub(" ", text.lower().translate(PUNCTUATION)).split())


def normalised_words(text: str) -> list[str]:
    """Return the words of a normalised text, in order."""
    return normalise_text(text).split()


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


def unigram_f1(prediction: str, references: Sequence[str], form: MetricForm = "strict") -> float:
    """Return the best F1 of words over the references, 0..1.

    The released code ends with 0 at the first reference that shares no word with the prediction, wherever it stands: "cats sleep"
    against "cats sleep" and "dogs bark" has 1 (strict) and 0 (released). Raises `MetricInvalid` without references.
    Source: CREPE (Yu et al. 2022), section 5.1 and the released evaluation.
    """
    if is_released_form(form):
        every = [
            bag_overlap(normalised_words(prediction), normalised_words(reference)).f1 if normalised_words(reference) else 0.0
            for reference in require_references(references)
        ]
        return max(every) if min(every) > 0 else 0.0
    return token_f1(prediction, references)


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
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError:
        raise PackageMissing("ROUGE", "rouge-score", "evaluate") from None
    return RougeScorer(["rougeL"], tokenizer=None if released else _SpaceTokenizer())


def bleu(predictions: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Return corpus BLEU, 0..1, with sacrebleu's settings (13a, exponential smoothing); the papers print it times 100.

    Items may have different numbers of references: the first is repeated until all have as many, as the released code does, which
    changes neither the clipped counts nor the nearest length, so that strict and released are one. Raises `MetricInvalid` where
    the lists do not fit, `PackageMissing` without sacrebleu. Source: CREPE, section 5.1; Papineni et al. 2002; Post 2018.
    """
    check_aligned(predictions, references, "predictions and references")
    try:
        import sacrebleu
    except ImportError:
        raise PackageMissing("BLEU", "sacrebleu", "evaluate") from None
    most = max(len(require_references(texts)) for texts in references)
    columns = [[texts[place] if place < len(texts) else texts[0] for texts in references] for place in range(most)]
    return min(1.0, float(sacrebleu.corpus_bleu(list(predictions), columns).score) / 100)


Vector = Sequence[float]


class TextEncoder(Protocol):
    """A model that turns texts into vectors of one length; `name` says which, for reports."""

    @property
    def name(self) -> str:
        """The model's name, as others would look it up."""

    def encode(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return one vector a text, in order."""


def cosine(first: Vector, second: Vector) -> float:
    """Return the cosine of two vectors, -1..1; 0 where one of them has no length."""
    if len(first) != len(second):
        raise MetricInvalid(f"vectors of {len(first)} and {len(second)} numbers cannot be compared")
    lengths = math.hypot(*first) * math.hypot(*second)
    product = math.fsum(float(first_value) * float(second_value) for first_value, second_value in zip(first, second, strict=True))
    return max(-1.0, min(1.0, product / lengths)) if lengths else 0.0


def embedding_similarity(
    predictions: Sequence[str], references: Sequence[Sequence[str]], encoder: TextEncoder | None
) -> list[float]:
    """Return for each prediction the highest cosine with a reference, 0..1 (below 0 counts as 0).

    A copy of the question has 73 of 100 in the paper: never report it alone. Raises `EncoderMissing` without an encoder,
    `MetricInvalid` where the lists do not fit or it gives another number of vectors. Source: CREPE, section 5.1 and table 6;
    Reimers and Gurevych 2019. The paper does not name its model, so its numbers cannot be met but by chance.
    """
    if encoder is None:
        raise EncoderMissing
    check_aligned(predictions, references, "predictions and references")
    texts = list(dict.fromkeys([*predictions, *(text for group in references for text in require_references(group))]))
    vectors = encoder.encode(texts)
    if len(vectors) != len(texts):
        raise MetricInvalid(f"the encoder {encoder.name} gave {len(vectors)} vectors for {len(texts)} texts")
    of = dict(zip(texts, vectors, strict=True))
    pairs = zip(predictions, references, strict=True)
    return [max(0.0, *(cosine(of[prediction], of[text]) for text in group)) for prediction, group in pairs]

"""The similarity of sentences as vectors (M7): the encoder is the caller's, and its name belongs to every number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from kgqa.errors import EncoderMissing, MetricInvalid
from kgqa.evaluation.metrics.exact import require_references
from kgqa.evaluation.metrics.given import check_aligned

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

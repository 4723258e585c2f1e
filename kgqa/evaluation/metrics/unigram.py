"""The unigram F1 of presuppositions and corrections (M6)."""

from __future__ import annotations

from collections.abc import Sequence

from kgqa.evaluation.metrics.exact import bag_overlap, require_references, token_f1
from kgqa.evaluation.metrics.forms import MetricForm, is_released_form
from kgqa.evaluation.metrics.normalisation import normalised_words


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

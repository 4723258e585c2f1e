"""BLEU of a whole set of texts (M5)."""

from __future__ import annotations

from collections.abc import Sequence

from graph.errors import PackageMissing
from kgqa.evaluation.metrics.exact import require_references
from kgqa.evaluation.metrics.given import check_aligned


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

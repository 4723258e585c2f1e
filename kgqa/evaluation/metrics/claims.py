"""Whether the causal claims of an answer stand on evidence (M19)."""

from __future__ import annotations

from collections.abc import Iterable

from kgqa.errors import MetricInvalid


def claim_support(evidence_counts: Iterable[int]) -> float | None:
    """Return the share of claims with at least one evidence record, 0..1; `None` where the answer makes no claim.

    `evidence_counts` has a number for each causal claim that the answer makes. A refusal makes no claim, and must not count as
    supported. Raises `MetricInvalid` where a number is below 0. Source: ours, after CausalQA, section 6: all causal claims
    must be supported by evidence.
    """
    counts = list(evidence_counts)
    if min(counts, default=0) < 0:
        raise MetricInvalid("a claim cannot have fewer than 0 evidence records")
    return sum(count > 0 for count in counts) / len(counts) if counts else None

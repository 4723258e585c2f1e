"""How well rules find causal questions, one by one and together (M18)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kgqa.evaluation.metrics.exact import PrecisionRecall
from kgqa.evaluation.metrics.given import check_aligned


@dataclass(frozen=True, slots=True)
class RuleScores:
    """A rule's scores, and how many questions it matches; precision is 0 where it matches none."""

    scores: PrecisionRecall
    matches: int


def rule_scores(matched: Sequence[Collection[str]], causal: Sequence[bool]) -> dict[str, RuleScores]:
    """Return the scores of each rule by its name, in alphabetical order, and of all together as "any".

    `matched` are the rules that each question matches, a set since a question may match several; `causal` says which questions
    are. Raises `MetricInvalid` where the lists do not fit. Source: CausalQA, section 4.1 and table 3 (1,000 labelled questions,
    86 of them causal; that sample is not published).
    """
    check_aligned(matched, causal, "the rules of questions and their labels")
    positive = sum(causal)
    hits: dict[str, list[bool]] = {name: [] for name in [*sorted(set().union(*matched)), "any"]}
    for names, right in zip(matched, causal, strict=True):
        for name in [*set(names), *["any"] * bool(names)]:
            hits[name].append(right)
    return {
        name: RuleScores(PrecisionRecall.of(sum(rights), len(rights), positive, 0.0), len(rights))
        for name, rights in hits.items()
    }

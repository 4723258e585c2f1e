"""Whether the right passages and links were found (M3, M16), and scores by stage, answer type and number of links (M17)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from kgqa.errors import MetricInvalid
from kgqa.evaluation.metrics.metric_conventions import mean
from kgqa.evaluation.metrics.text_scores import PrecisionRecall

GroupKey = TypeVar("GroupKey", bound=Hashable)


def recall_at(ranked: Sequence[Hashable], gold: Collection[Hashable], k: int, need: Literal["any", "all"] = "any") -> float:
    """Return 1 if the first `k` passages hold a gold passage (or, where `need` is "all", every one of them), else 0 (M3).

    Passages are told by their identity, not by whether they contain the answer. A passage that is ranked twice takes two places.
    Raises `MetricInvalid` where `k` is below 1, there is no gold passage, or `need` is something else.
    Source: IfQA, section 4.3; that one of several gold passages is enough is the natural reading.
    """
    if k < 1:
        raise MetricInvalid(f"recall at {k}: at least one passage must be looked at")
    if need not in ("any", "all"):
        raise MetricInvalid(f"recall needs any or all of the gold passages, not '{need}'")
    wanted = set(gold)
    if not wanted:
        raise MetricInvalid("recall needs one or more gold passages")
    hits = wanted & set(ranked[:k])
    return float(hits == wanted if need == "all" else bool(hits))


def set_scores(predicted: Iterable[Hashable], gold: Iterable[Hashable]) -> PrecisionRecall:
    """Return precision, recall and F1 of the links of one question, as sets (M16); all 1 where both are empty.

    Source: IIRC (Ferguson et al. 2020), section 4.3. The paper averages over questions.
    """
    first, second = set(predicted), set(gold)
    return PrecisionRecall.of(len(first & second), len(first), len(second))


@dataclass(frozen=True, slots=True)
class GroupMean:
    """The mean score of the items of one group, and how many they are."""

    score: float
    count: int


def means_by_group(pairs: Iterable[tuple[GroupKey, float]]) -> dict[GroupKey, GroupMean]:
    """Return mean and number of the items of each group, in the order in which the groups come up first (M17).

    A group may be anything that can be a key: an answer type, a number of links, a pair of stage and type.
    Source: IIRC, tables 4 and 5; for answers that are no spans, exact match and F1 are the same there.
    """
    scores: defaultdict[GroupKey, list[float]] = defaultdict(list)
    for group, score in pairs:
        scores[group].append(score)
    return {group: GroupMean(mean(some), len(some)) for group, some in scores.items()}


def links_group(count: int) -> str:
    """Return the group of a question that needs so many links: "0" to "3", or "4+" (M17)."""
    if count < 0:
        raise MetricInvalid(f"a question cannot need {count} links")
    return str(count) if count < 4 else "4+"

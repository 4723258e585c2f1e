"""Scores of labels: accuracy, balanced accuracy, MCC, F1 by class (M4, M15), rules (M18) and claims with evidence (M19)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from kgqa.errors import MetricInvalid
from kgqa.evaluation.metrics.metric_conventions import MetricForm, check_aligned, is_released_form, mean
from kgqa.evaluation.metrics.text_scores import PrecisionRecall

Label = TypeVar("Label", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Confusion(Generic[Label]):
    """How often each label is predicted where each is right: `counts` by pairs of gold and predicted label.

    All scores lie in 0..1 but Matthews' correlation, -1..1.
    """

    labels: tuple[Label, ...]
    counts: Mapping[tuple[Label, Label], int]

    @property
    def total(self) -> int:
        """How many items there are."""
        return sum(self.counts.values())

    def gold(self, label: Label) -> int:
        """Return how many items have the label."""
        return sum(self.counts.get((label, predicted_label), 0) for predicted_label in self.labels)

    def predicted(self, label: Label) -> int:
        """Return for how many items the label is predicted."""
        return sum(self.counts.get((gold_label, label), 0) for gold_label in self.labels)

    def right(self, label: Label) -> int:
        """Return how many items that have the label it is predicted for."""
        return self.counts.get((label, label), 0)

    def scores(self, label: Label) -> PrecisionRecall:
        """Return precision, recall and F1 of a label; 0 where one is undefined."""
        return PrecisionRecall.of(self.right(label), self.predicted(label), self.gold(label), 0.0)

    @property
    def accuracy(self) -> float:
        """The share of items whose label is right."""
        return sum(map(self.right, self.labels)) / self.total if self.total else 0.0

    @property
    def balanced_accuracy(self) -> float:
        """The mean recall of the labels that items have: 1 / labels for whoever always says the same."""
        recalls = [self.scores(label).recall for label in self.labels if self.gold(label)]
        return mean(recalls) if recalls else 0.0

    @property
    def macro_f1(self) -> float:
        """The mean F1 of the labels that items have or that are predicted."""
        f1_scores = [self.scores(label).f1 for label in self.labels if self.gold(label) or self.predicted(label)]
        return mean(f1_scores) if f1_scores else 0.0

    @property
    def mcc(self) -> float:
        """Matthews' correlation for any number of labels (Gorodkin 2004), -1..1; 0 where it is undefined."""
        total, right = self.total, sum(map(self.right, self.labels))
        pairs = [(self.gold(label), self.predicted(label)) for label in self.labels]
        spread = math.sqrt(
            (total**2 - sum(gold**2 for gold, _ in pairs)) * (total**2 - sum(predicted_count**2 for _, predicted_count in pairs))
        )
        correlation = (right * total - sum(gold * predicted_count for gold, predicted_count in pairs)) / spread if spread else 0.0
        return max(-1.0, min(1.0, correlation))


def confusion(gold: Sequence[Label], predicted: Sequence[Label], labels: Sequence[Label] | None = None) -> Confusion[Label]:
    """Return how often each label is predicted where each is right; without `labels`, those that occur, in that order.

    Raises `MetricInvalid` where the lists do not fit each other, or hold a label that is not among `labels`.
    """
    check_aligned(gold, predicted, "gold labels and predictions")
    known_labels = tuple(dict.fromkeys([*gold, *predicted] if labels is None else labels))
    strange = set(gold) | set(predicted)
    strange -= set(known_labels)
    if strange:
        raise MetricInvalid(f"no such label: {', '.join(sorted(map(repr, strange)))}")
    return Confusion(known_labels, Counter(zip(gold, predicted, strict=True)))


def presupposition_f1(gold: Sequence[bool], predicted: Sequence[bool], form: MetricForm = "strict") -> float:
    """Return the macro-F1 of detecting false presuppositions (true) among normal questions (M4), 0..1.

    Strict: the mean F1 of the two labels (of the one label, where nothing has or is given the other). Released: as the
    code of the authors computes it, which counts F1(normal) as 0 if no false presupposition is missed, so that a perfect system
    has .50. That code divides by zero where some are missed and no normal question is recognised; F1(normal) is 0 there, which it
    is. Raises `MetricInvalid` where the lists do not fit. Source: CREPE, section 4.1 and the released evaluation.
    """
    table = confusion(gold, predicted, (True, False))
    if not is_released_form(form):
        return table.macro_f1
    missed = table.counts.get((True, False), 0)
    return (table.scores(True).f1 + (table.scores(False).f1 if missed else 0.0)) / 2


def null_scores(gold: Sequence[bool], predicted: Sequence[bool]) -> PrecisionRecall:
    """Return precision, recall and F1 of saying that there is no answer (true), 0 where undefined (M15; IIRC, section 4.2)."""
    return null_table_scores(confusion(gold, predicted, (True, False)))


def null_table_scores(table: Confusion[bool]) -> PrecisionRecall:
    """Return the scores of `null_scores` from counts, of which intervals can be drawn."""
    return table.scores(True)


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

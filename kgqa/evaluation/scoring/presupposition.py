"""Is something falsely taken for granted? Macro F1 of the two labels (M4), as defined and as released."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.item import FALSE_PRESUPPOSITION, Item
from kgqa.evaluation.metrics.classification import presupposition_f1
from kgqa.evaluation.metrics.forms import FORMS, Form
from kgqa.evaluation.metrics.intervals import bootstrap
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.outcome import BINARY, Outcome, binary_scores
from kgqa.evaluation.tables import Cell, Table

_ROUNDS = 200


def score(dataset: Dataset, items: Sequence[Item], predictions: Sequence[Prediction]) -> Outcome:
    """Return the scores of telling questions with a false presupposition from normal ones, beside both constant answers."""
    gold = [item.label == FALSE_PRESUPPOSITION for item in items]
    said = [one.said == FALSE_PRESUPPOSITION for one in predictions]
    systems = {
        "kgqa": said,
        "always normal": [False] * len(gold),
        "always a false presupposition": [True] * len(gold),
    }
    rows = tuple((name, _cells(gold, labels)) for name, labels in systems.items())
    note = (
        "A question counts as having a false presupposition where the answer comes by the route of presuppositions. No part of "
        "kgqa looks for them so far: it says normal to every question."
        if not any(said)
        else "A question counts as having a false presupposition where the answer comes by the route of presuppositions."
    )
    columns = (*(f"macro F1 (M4), {form}" for form in FORMS), *BINARY)
    right = [one == other for one, other in zip(gold, said, strict=True)]
    scores = {"accuracy": [float(one) for one in right]}
    return Outcome((Table("False presuppositions", columns, rows, note),), scores)


def _cells(gold: Sequence[bool], said: Sequence[bool]) -> tuple[Cell, ...]:
    """Return M4 in both forms, and the scores of any two labels."""
    pairs = list(zip(gold, said, strict=True))
    return (*(bootstrap(pairs, _m4(form), rounds=_ROUNDS) for form in FORMS), *binary_scores(gold, said))


def _m4(form: Form) -> Callable[[Sequence[tuple[bool, bool]]], float]:
    """Return M4 as a statistic of pairs of gold and predicted labels."""
    return lambda drawn: presupposition_f1([gold for gold, _ in drawn], [said for _, said in drawn], form)

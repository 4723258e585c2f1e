"""Questions that have an answer, by themselves: what is said to them, and what would be said if "no answer" were not allowed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgqa.evaluation.baselines.trivial import READING
from kgqa.evaluation.item import Item
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.outcome import averaged, share
from kgqa.evaluation.scoring.reading import Scores, by_source, scores_of
from kgqa.evaluation.tables import Cell, Table

MADE_TO = "kgqa, made to answer"
_NOTE = "Made to answer, kgqa says what it finds likeliest, however unlikely that is, unless it found nothing to point at."


def forced(name: str, items: Sequence[Item], predictions: Sequence[Prediction]) -> Iterator[Table]:
    """Yield the scores on the items that have an answer, by source where they have some, for a run that read texts."""
    kept = [(item, one) for item, one in zip(items, predictions, strict=True) if item.gold]
    if not kept or not any(one.guess is not None for _, one in kept):
        return
    answerable = [item for item, _ in kept]
    systems: dict[str, list[str | None]] = {"kgqa": [one.said for _, one in kept], MADE_TO: [one.guess for _, one in kept]}
    for other in dict.fromkeys(other for one in predictions for other in one.baselines):
        systems[other] = [one.baselines.get(other) for _, one in kept]
    systems |= {other: [say(item) for item in answerable] for other, say in READING.items()}
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    columns: tuple[str, ...] = ()
    made: Scores = {}
    for system, said in systems.items():
        scores = scores_of(name, answerable, said)
        columns = tuple(scores)
        if system == MADE_TO:
            made = scores
        cells: tuple[Cell, ...] = tuple(averaged(values) for values in scores.values())
        rows.append((system, (len(kept), share([one is not None for one in said]), *cells)))
    yield Table("Questions that have an answer", ("items", "coverage", *columns), tuple(rows), _NOTE)
    if any(item.source for item in answerable):
        yield Table("Made to answer, by source", *by_source(answerable, {MADE_TO: made}, MADE_TO))

"""Questions that have an answer, by themselves: what is said to them, and what would be said if "no answer" were not allowed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgqa.evaluation.baselines.trivial import TRIVIAL_ANSWERS
from kgqa.evaluation.item import DatasetItem
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.outcome import bootstrap_share, mean_with_interval
from kgqa.evaluation.scoring.reading import MetricScores, item_scores, source_rows
from kgqa.evaluation.tables import ScoreCell, ScoreTable

FORCED_NAME = "kgqa, made to answer"
_FORCED_NOTE = "Made to answer, kgqa says what it finds likeliest, however unlikely that is, unless it found nothing to point at."


def forced_answer_tables(name: str, items: Sequence[DatasetItem], predictions: Sequence[Prediction]) -> Iterator[ScoreTable]:
    """Yield the scores on the items that have an answer, by source where they have some, for a run that read texts."""
    answerable_pairs = [(item, prediction) for item, prediction in zip(items, predictions, strict=True) if item.gold]
    if not answerable_pairs or not any(prediction.guess is not None for _, prediction in answerable_pairs):
        return
    answerable = [item for item, _ in answerable_pairs]
    systems: dict[str, list[str | None]] = {
        "kgqa": [prediction.response for _, prediction in answerable_pairs],
        FORCED_NAME: [prediction.guess for _, prediction in answerable_pairs],
    }
    for system_name in dict.fromkeys(system_name for prediction in predictions for system_name in prediction.baselines):
        systems[system_name] = [prediction.baselines.get(system_name) for _, prediction in answerable_pairs]
    systems |= {system_name: [say(item) for item in answerable] for system_name, say in TRIVIAL_ANSWERS.items()}
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = []
    columns: tuple[str, ...] = ()
    made: MetricScores = {}
    for system, responses in systems.items():
        scores = item_scores(name, answerable, responses)
        columns = tuple(scores)
        if system == FORCED_NAME:
            made = scores
        cells: tuple[ScoreCell, ...] = tuple(mean_with_interval(values) for values in scores.values())
        rows.append(
            (system, (len(answerable_pairs), bootstrap_share([prediction is not None for prediction in responses]), *cells))
        )
    yield ScoreTable("Questions that have an answer", ("items", "coverage", *columns), tuple(rows), _FORCED_NOTE)
    if any(item.source for item in answerable):
        yield ScoreTable("Made to answer, by source", *source_rows(answerable, {FORCED_NAME: made}, FORCED_NAME))

"""Scores of answers in words: EM, F1, ROUGE-L and DROP in both forms, by source, and with "no answer" not allowed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from kgqa.evaluation.baselines import TRIVIAL_ANSWERS, majority_answer
from kgqa.evaluation.dataset_item import DatasetItem
from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.metrics.drop_scores import NULL, AnnotatedAnswer, drop_scores
from kgqa.evaluation.metrics.label_scores import Confusion, confusion, null_table_scores
from kgqa.evaluation.metrics.metric_conventions import METRIC_FORMS, macro_average, mean, micro_average
from kgqa.evaluation.metrics.score_intervals import Interval, resampled_means
from kgqa.evaluation.metrics.text_scores import exact_match, rouge_l, token_f1
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.score_table import (
    ScoreCell,
    ScoreTable,
    ScoringOutcome,
    auroc_interval,
    bootstrap_share,
    confusion_interval,
    difference_table,
    mean_with_interval,
)
from kgqa.evaluation.scoring import ROUGE_FOR

EXACT, F1 = "EM", "F1"
_NUMERIC = ("number", "value")
_DROP_SETS = ("drop", "iirc")

MetricScores = dict[str, list[float]]
"""By metric, the score of each item."""


def score_readings(dataset: Dataset, items: Sequence[DatasetItem], predictions: Sequence[Prediction]) -> ScoringOutcome:
    """Return the scores of answers in words; no answer is right where there is none, and wrong elsewhere."""
    ours = [prediction.response for prediction in predictions]
    systems: dict[str, Sequence[str | None]] = {"kgqa": ours}
    for name in dict.fromkeys(name for prediction in predictions for name in prediction.baselines):
        systems[name] = [prediction.baselines.get(name) for prediction in predictions]
    systems |= {name: [say(item) for item in items] for name, say in TRIVIAL_ANSWERS.items()}
    most = majority_answer(items)
    if most is not None:
        systems[f"always '{most}', the majority"] = [most] * len(items)
    scores = {name: item_scores(dataset.name, items, responses) for name, responses in systems.items()}
    tables = [_main_table(scores, systems), _answered_table(scores["kgqa"], ours)]
    plain = {name: {F1: system_scores[F1]} for name, system_scores in scores.items()}
    tables.append(difference_table("Differences in F1", plain.pop("kgqa"), plain))
    if any(not item.gold for item in items):
        tables.append(_refusal_table(items, predictions, systems))
    if any(item.source for item in items):
        note = "The rows with bare names of sources are kgqa's."
        tables.append(ScoreTable("By source (M11, M12)", *source_rows(items, scores, "kgqa"), note))
    right = [value == 1 for value in scores["kgqa"][EXACT]]
    return ScoringOutcome(tuple(tables), scores["kgqa"], right)


def item_scores(name: str, items: Sequence[DatasetItem], responses: Sequence[str | None]) -> MetricScores:
    """Return the scores of each item by metric, those that belong to the data set of that name."""
    metric_scores: MetricScores = {EXACT: [], F1: []}
    scorers = [_exact_and_f1]
    scorers += [_rouge_scores] if name == ROUGE_FOR else [_drop_scores] if name in _DROP_SETS else []
    for item, answer in zip(items, responses, strict=True):
        for scorer in scorers:
            for metric, value in scorer(item, answer).items():
                metric_scores.setdefault(metric, []).append(value)
    return metric_scores


def _exact_and_f1(item: DatasetItem, response: str | None) -> dict[str, float]:
    """Return M1 and M2 (M11): against the best answer; the spans of one answer stand in one text."""
    answers = [", ".join(spans) for spans in item.answers] if item.gold else []
    if response is None or not answers:
        both = float(response is None and not answers)
        return {EXACT: both, F1: both}
    return {EXACT: exact_match(response, answers), F1: token_f1(response, answers)}


def _rouge_scores(item: DatasetItem, response: str | None) -> dict[str, float]:
    """Return M10 in both forms."""
    form_scores: dict[str, float] = {}
    for form in METRIC_FORMS:
        scores = rouge_l(response or "", item.gold, form)
        form_scores |= {f"ROUGE-L {measure}, {form}": getattr(scores, key) for measure, key in _MEASURES.items()}
    return form_scores


_MEASURES = {"P": "precision", "R": "recall", "F1": "f1"}


def _drop_scores(item: DatasetItem, response: str | None) -> dict[str, float]:
    """Return M13 and M14 in both forms."""
    golds = [AnnotatedAnswer(spans, item.type in _NUMERIC) for spans in item.answers] if item.gold else [AnnotatedAnswer((NULL,))]
    form_scores: dict[str, float] = {}
    for form in METRIC_FORMS:
        scores = drop_scores([] if response is None else [response], golds, form)
        form_scores |= {f"DROP EM, {form}": scores.exact, f"DROP F1, {form}": scores.f1}
    return form_scores


def _main_table(scores: Mapping[str, MetricScores], systems: Mapping[str, Sequence[str | None]]) -> ScoreTable:
    columns = tuple(scores["kgqa"])
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = []
    for name, system_scores in scores.items():
        coverage = bootstrap_share([response is not None for response in systems[name]])
        rows.append((name, (coverage, *(mean_with_interval(system_scores[column]) for column in columns))))
    note = "Of all items. The rows below BM25 need no understanding at all."
    return ScoreTable("Scores", ("coverage", *columns), tuple(rows), note)


def _answered_table(scores: MetricScores, responses: Sequence[str | None]) -> ScoreTable:
    places = [place for place, response in enumerate(responses) if response is not None]
    cells: tuple[ScoreCell, ...] = tuple(mean_with_interval([values[place] for place in places]) for values in scores.values())
    return ScoreTable("Of what kgqa answers", ("items", *scores), (("kgqa", (len(places), *cells)),))


def _refusal_table(
    items: Sequence[DatasetItem], predictions: Sequence[Prediction], systems: Mapping[str, Sequence[str | None]]
) -> ScoreTable:
    """Return M15, how well "no answer" is told, and the AUROC of a low confidence for questions without an answer."""
    gold = [not item.gold for item in items]
    # A question without an answer is to have the lower confidence, which is 0 where kgqa says nothing.
    doubts = [-prediction.confidence if prediction.answered else 0.0 for prediction in predictions]
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = []
    for name, responses in systems.items():
        table = confusion(gold, [response is None for response in responses], (True, False))
        cells = [confusion_interval(table, partial(_null_score, measure)) for measure in _MEASURES.values()]
        rows.append((name, (*cells, auroc_interval(doubts, gold) if name == "kgqa" else None)))
    note = "The interval of the AUROC is that of 200 rounds."
    return ScoreTable("No answer (M15)", ("precision", "recall", "F1", "AUROC of refusal"), tuple(rows), note)


def _null_score(measure: str, table: Confusion[bool]) -> float:
    return float(getattr(null_table_scores(table), measure))


def source_rows(
    items: Sequence[DatasetItem], scores: Mapping[str, MetricScores], detailed: str
) -> tuple[tuple[str, ...], tuple[tuple[str, tuple[ScoreCell, ...]], ...]]:
    """Return M11 and M12 as columns and rows: the plain mean of the sources, and that weighted by the number of questions.

    For the system that is `detailed` each source has a row, too, and the means have intervals.
    """
    columns = tuple(scores[detailed])
    sources = sorted({item.source for item in items})
    counts = {source: sum(item.source == source for item in items) for source in sources}
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = []
    for name, system_scores in scores.items():
        grouped_scores = {
            column: {
                source: [value for value, item in zip(system_scores[column], items, strict=True) if item.source == source]
                for source in sources
            }
            for column in columns
        }
        for source in sources if name == detailed else ():
            cells = (mean_with_interval(grouped_scores[column][source]) for column in columns)
            rows.append((source, (counts[source], *cells)))
        means = {column: {source: mean(values) for source, values in grouped_scores[column].items()} for column in columns}
        plain = tuple(
            _macro_interval(grouped_scores[column]) if name == detailed else macro_average(means[column]) for column in columns
        )
        rows.append((f"{name}: macro", (len(items), *plain)))
        rows.append((f"{name}: micro", (len(items), *(micro_average(means[column], counts) for column in columns))))
    return ("items", *columns), tuple(rows)


def _macro_interval(by_source: Mapping[str, Sequence[float]]) -> Interval:
    """Return the plain mean over the sources with its bootstrap interval, items drawn within each source."""
    drawn = [resampled_means(values, 1_000, seed) for seed, values in enumerate(by_source.values())]
    rounds = sorted(map(mean, zip(*drawn, strict=True)))
    value = macro_average({source: mean(values) for source, values in by_source.items()})
    return Interval(value, min(value, rounds[25]), max(value, rounds[-26]))


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
        coverage = bootstrap_share([response is not None for response in responses])
        rows.append((system, (len(answerable_pairs), coverage, *map(mean_with_interval, scores.values()))))
    yield ScoreTable("Questions that have an answer", ("items", "coverage", *columns), tuple(rows), _FORCED_NOTE)
    if any(item.source for item in answerable):
        yield ScoreTable("Made to answer, by source", *source_rows(answerable, {FORCED_NAME: made}, FORCED_NAME))

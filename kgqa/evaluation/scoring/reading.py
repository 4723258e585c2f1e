"""Answers in words: exact match, F1, ROUGE-L and the scores of DROP, in the forms of the papers and of their code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kgqa.evaluation.baselines.trivial import READING, majority
from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.item import Item
from kgqa.evaluation.metrics.averages import macro, mean, micro
from kgqa.evaluation.metrics.classification import Confusion, confusion
from kgqa.evaluation.metrics.drop import NULL, Gold, drop_scores
from kgqa.evaluation.metrics.exact import exact_match, token_f1
from kgqa.evaluation.metrics.forms import FORMS
from kgqa.evaluation.metrics.intervals import Interval, bootstrap, bootstrap_counts, resampled_means
from kgqa.evaluation.metrics.rouge import rouge_l
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring import ROUGE_FOR
from kgqa.evaluation.scoring.outcome import Outcome, area_of, averaged, differences, share
from kgqa.evaluation.tables import Cell, Table

EXACT, F1 = "EM", "F1"
_NUMERIC = ("number", "value")

Scores = dict[str, list[float]]
"""By metric, the score of each item."""


def score(dataset: Dataset, items: Sequence[Item], predictions: Sequence[Prediction]) -> Outcome:
    """Return the scores of answers in words; no answer is right where there is none, and wrong elsewhere."""
    ours = [one.said for one in predictions]
    systems: dict[str, Sequence[str | None]] = {"kgqa": ours}
    for name in dict.fromkeys(name for one in predictions for name in one.baselines):
        systems[name] = [one.baselines.get(name) for one in predictions]
    systems |= {name: [say(item) for item in items] for name, say in READING.items()}
    most = majority(items)
    if most is not None:
        systems[f"always '{most}', the majority"] = [most] * len(items)
    scores = {name: scores_of(dataset.name, items, said) for name, said in systems.items()}
    tables = [_main(scores, systems), _answered(scores["kgqa"], ours)]
    plain = {name: {F1: found[F1]} for name, found in scores.items()}
    tables.append(differences("Differences in F1", plain.pop("kgqa"), plain))
    if any(not item.gold for item in items):
        tables.append(_refusals(items, predictions, systems))
    if any(item.source for item in items):
        note = "The rows with bare names of sources are kgqa's."
        tables.append(Table("By source (M11, M12)", *by_source(items, scores, "kgqa"), note))
    right = [value == 1 for value in scores["kgqa"][EXACT]]
    return Outcome(tuple(tables), scores["kgqa"], right)


def scores_of(name: str, items: Sequence[Item], said: Sequence[str | None]) -> Scores:
    """Return the scores of each item by metric, those that belong to the data set of that name."""
    found: Scores = {EXACT: [], F1: []}
    for item, answer in zip(items, said, strict=True):
        for metric, value in _plain(item, answer).items():
            found[metric].append(value)
        extra = _rouge(item, answer) if name == ROUGE_FOR else _drop(item, answer) if name in ("drop", "iirc") else {}
        for metric, value in extra.items():
            found.setdefault(metric, []).append(value)
    return found


def _plain(item: Item, said: str | None) -> dict[str, float]:
    """Return M1 and M2 (M11): against the best answer; the spans of one answer stand in one text."""
    answers = [", ".join(spans) for spans in item.answers] if item.gold else []
    if said is None or not answers:
        both = float(said is None and not answers)
        return {EXACT: both, F1: both}
    return {EXACT: exact_match(said, answers), F1: token_f1(said, answers)}


def _rouge(item: Item, said: str | None) -> dict[str, float]:
    """Return M10 in both forms."""
    found: dict[str, float] = {}
    for form in FORMS:
        scores = rouge_l(said or "", item.gold, form)
        found |= {f"ROUGE-L {measure}, {form}": getattr(scores, key) for measure, key in _MEASURES.items()}
    return found


_MEASURES = {"P": "precision", "R": "recall", "F1": "f1"}


def _drop(item: Item, said: str | None) -> dict[str, float]:
    """Return M13 and M14 in both forms."""
    golds = [Gold(spans, item.type in _NUMERIC) for spans in item.answers] if item.gold else [Gold((NULL,))]
    found: dict[str, float] = {}
    for form in FORMS:
        scores = drop_scores([] if said is None else [said], golds, form)
        found |= {f"DROP EM, {form}": scores.exact, f"DROP F1, {form}": scores.f1}
    return found


def _main(scores: Mapping[str, Scores], systems: Mapping[str, Sequence[str | None]]) -> Table:
    columns = tuple(scores["kgqa"])
    rows = tuple(
        (name, (share([one is not None for one in systems[name]]), *(averaged(found[column]) for column in columns)))
        for name, found in scores.items()
    )
    return Table("Scores", ("coverage", *columns), rows, "Of all items. The rows below BM25 need no understanding at all.")


def _answered(scores: Scores, said: Sequence[str | None]) -> Table:
    """Return the scores of what kgqa answers."""
    kept = [place for place, one in enumerate(said) if one is not None]
    cells: tuple[Cell, ...] = tuple(averaged([values[place] for place in kept]) for values in scores.values())
    return Table("Of what kgqa answers", ("items", *scores), (("kgqa", (len(kept), *cells)),))


def _refusals(items: Sequence[Item], predictions: Sequence[Prediction], systems: Mapping[str, Sequence[str | None]]) -> Table:
    """Return M15, how well "no answer" is told, and the AUROC of a low confidence for questions without an answer."""
    gold = [not item.gold for item in items]
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for name, said in systems.items():
        counts = confusion(gold, [one is None for one in said], (True, False)).counts
        cells = [bootstrap_counts(counts, _null(measure)) for measure in _MEASURES.values()]
        rows.append((name, (*cells, _area(predictions, gold) if name == "kgqa" else None)))
    note = "The interval of the AUROC is that of 200 rounds."
    return Table("No answer (M15)", ("precision", "recall", "F1", "AUROC of refusal"), tuple(rows), note)


def _null(measure: str) -> Callable[[Mapping[tuple[bool, bool], int]], float]:
    """Return precision, recall or F1 of saying that there is no answer, as a statistic of counts."""
    return lambda counts: float(getattr(Confusion((True, False), counts).scores(True), measure))


def _area(predictions: Sequence[Prediction], gold: Sequence[bool]) -> Cell:
    """Return how often a question without an answer has the lower confidence, which is 0 where kgqa says nothing."""
    if len(set(gold)) < 2:
        return None
    doubts = [-one.confidence if one.answered else 0.0 for one in predictions]
    return bootstrap(list(zip(doubts, gold, strict=True)), area_of, rounds=200)


def by_source(
    items: Sequence[Item], scores: Mapping[str, Scores], detailed: str
) -> tuple[tuple[str, ...], tuple[tuple[str, tuple[Cell, ...]], ...]]:
    """Return M11 and M12 as columns and rows: the plain mean of the sources, and that weighted by the number of questions.

    For the system that is `detailed` each source has a row, too, and the means have intervals.
    """
    columns = tuple(scores[detailed])
    sources = sorted({item.source for item in items})
    counts = {source: sum(item.source == source for item in items) for source in sources}
    rows: list[tuple[str, tuple[Cell, ...]]] = []
    for name, found in scores.items():
        by_source = {
            column: {
                source: [value for value, item in zip(found[column], items, strict=True) if item.source == source]
                for source in sources
            }
            for column in columns
        }
        if name == detailed:
            rows += [(one, (counts[one], *(averaged(by_source[column][one]) for column in columns))) for one in sources]
        means = {column: {source: mean(values) for source, values in by_source[column].items()} for column in columns}
        plain = tuple(_macro(by_source[column]) if name == detailed else macro(means[column]) for column in columns)
        rows.append((f"{name}: macro", (len(items), *plain)))
        rows.append((f"{name}: micro", (len(items), *(micro(means[column], counts) for column in columns))))
    return ("items", *columns), tuple(rows)


def _macro(by_source: Mapping[str, Sequence[float]]) -> Interval:
    """Return the plain mean over the sources with its bootstrap interval, items drawn within each source."""
    drawn = [resampled_means(values, 1_000, seed) for seed, values in enumerate(by_source.values())]
    rounds = sorted(map(mean, zip(*drawn, strict=True)))
    value = macro({source: mean(values) for source, values in by_source.items()})
    return Interval(value, min(value, rounds[25]), max(value, rounds[-26]))

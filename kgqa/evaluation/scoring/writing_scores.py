"""Written presuppositions and corrections: unigram F1 (M6), BLEU (M5), similarity (M7), their means (M8), ratings (M9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from graph.errors import PackageMissing
from kgqa.encoders.text_encoders import PhraseEncoder, phrase_encoder_folder
from kgqa.errors import EncoderUnknown
from kgqa.evaluation.dataset_item import DatasetItem
from kgqa.evaluation.datasets import Dataset
from kgqa.evaluation.metrics.human_ratings import RUBRIC, blind_sheet, read_ratings
from kgqa.evaluation.metrics.metric_conventions import METRIC_FORMS, mean, mean_of_both_parts
from kgqa.evaluation.metrics.text_scores import TextEncoder, bleu, embedding_similarity, unigram_f1
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.rating.rating_form import rating_forms
from kgqa.evaluation.rating.rating_report import human_rating_table
from kgqa.evaluation.rating.rating_sheet import sheet_table
from kgqa.evaluation.score_table import ScoreCell, ScoreTable, ScoringOutcome, mean_with_interval

SHEET = "rating-sheet.csv"
_COLUMNS = ("presupposition", "correction", "both (M8)")
_NOTE = (
    "Unigram F1 has intervals over items; BLEU is one number of all texts. The copy repeats the question and the comment; in the "
    "paper it has a similarity of .73."
)


class Writing(NamedTuple):
    """What a system writes of each item: presuppositions and corrections, empty where it writes nothing."""

    presuppositions: Sequence[str]
    corrections: Sequence[str]


class _SimilarityEncoder:
    """The encoder of phrases that is installed, as the metric asks for it."""

    def __init__(self) -> None:
        folder = phrase_encoder_folder()
        self.name = folder.name
        self._encoder = PhraseEncoder(folder)

    def encode(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector a text, in order."""
        vectors: Sequence[Sequence[float]] = self._encoder(texts).tolist()
        return vectors


def installed_encoder() -> TextEncoder | None:
    """Return the encoder of phrases, `None` where none is installed."""
    try:
        return _SimilarityEncoder()
    except (EncoderUnknown, PackageMissing):
        return None


def score_writings(dataset: Dataset, items: Sequence[DatasetItem], predictions: Sequence[Prediction]) -> ScoringOutcome:
    """Return the scores of presuppositions and corrections beside those of a copy of question and comment."""
    ours = Writing([entry.response or "" for entry in predictions], [entry.correction or "" for entry in predictions])
    copied = Writing([item.question for item in items], [item.comment or item.question for item in items])
    encoder = installed_encoder()
    rows: list[tuple[str, tuple[ScoreCell, ...]]] = []
    for name, writing in (("kgqa", ours), ("copy of question and comment", copied)):
        rows += ((f"{name}: {measure}", cells) for measure, cells in _writing_rows(items, writing, encoder))
    similar = f" Similarity by {encoder.name}." if encoder else " Without an encoder of phrases there is no similarity (M7)."
    first, second = (_f1_of_items(golds, texts) for golds, texts in _parts(items, ours))
    both = list(map(mean_of_both_parts, first, second))
    scores = dict(zip((f"unigram F1, {column}" for column in _COLUMNS), (first, second, both), strict=True))
    return ScoringOutcome((ScoreTable("Presuppositions and corrections", _COLUMNS, tuple(rows), f"{_NOTE}{similar}"),), scores)


def _parts(items: Sequence[DatasetItem], writing: Writing) -> list[tuple[list[tuple[str, ...]], Sequence[str]]]:
    """Return references and texts of the presuppositions, then those of the corrections."""
    golds = [item.gold for item in items], [item.corrections for item in items]
    return list(zip(golds, writing, strict=True))


def _writing_rows(
    items: Sequence[DatasetItem], writing: Writing, encoder: TextEncoder | None
) -> Iterator[tuple[str, tuple[ScoreCell, ...]]]:
    parts = _parts(items, writing)
    for form in METRIC_FORMS:
        first, second = (
            [unigram_f1(text, gold, form) for text, gold in zip(texts, golds, strict=True)] for golds, texts in parts
        )
        both = list(map(mean_of_both_parts, first, second))
        yield f"unigram F1 (M6), {form}", tuple(map(mean_with_interval, (first, second, both)))
    yield "BLEU (M5)", _with_mean(*(bleu(texts, golds) for golds, texts in parts))
    if encoder is not None:
        yield "similarity (M7)", _with_mean(*(mean(embedding_similarity(texts, golds, encoder)) for golds, texts in parts))


def _with_mean(presupposition: float, correction: float) -> tuple[ScoreCell, ...]:
    return presupposition, correction, mean_of_both_parts(presupposition, correction)


def _f1_of_items(golds: Sequence[Sequence[str]], texts: Sequence[str]) -> list[float]:
    return [unigram_f1(text, gold) for text, gold in zip(texts, golds, strict=True)]


def _outputs(items: Sequence[DatasetItem], predictions: Sequence[Prediction]) -> dict[str, dict[str, str]]:
    """Return for each item what is to be rated: what the system wrote, and the reference."""
    return {
        item.id: {
            "kgqa": f"{entry.response or '(nothing)'} / {entry.correction or '(nothing)'}",
            "reference": f"{item.gold[0]} / {item.corrections[0]}",
        }
        for item, entry in zip(items, predictions, strict=True)
    }


def rating_sheet(items: Sequence[DatasetItem], predictions: Sequence[Prediction]) -> str:
    """Return the sheet for raters as CSV: a row for each output, the system's and the reference in an order by chance."""
    rows, _ = blind_sheet(_outputs(items, predictions))
    questions = {item.id: item.question for item in items}
    return sheet_table(((item, letter, questions[item], "", text) for item, letter, text in rows), tuple(RUBRIC))


def rating_table(path: Path, items: Sequence[DatasetItem], predictions: Sequence[Prediction]) -> ScoreTable:
    """Return M9 of a sheet that raters filled in: the mean of each aspect, 0..3, and how far the raters agree."""
    _, key = blind_sheet(_outputs(items, predictions))
    return human_rating_table(read_ratings(path, key), rating_forms()["corrections"], "Human ratings (M9)")

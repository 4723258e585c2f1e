"""Every metric of the papers is called by some set: which function is M1 to M19, and the run over a tiny file that calls it."""

from __future__ import annotations

import csv
import inspect
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

import pytest
from tiny_encoder import meaning, write_encoder

from kgqa.encoders.text_encoders import ENCODER_VARIABLE
from kgqa.evaluation.datasets import DATASETS, read_set
from kgqa.evaluation.evaluation_report import DataSource, PredictionSystem, RunTimes, report_run
from kgqa.evaluation.evaluation_run import EvaluationRun, RunSettings
from kgqa.evaluation.metrics import drop_scores, human_ratings, label_scores, metric_conventions, retrieval_scores, text_scores
from kgqa.evaluation.prediction_file import read_predictions
from kgqa.evaluation.scoring.writing_scores import SHEET

METRICS: Mapping[str, tuple[Callable[..., object], str]] = {
    "M1": (text_scores.exact_match, "ifqa"),
    "M2": (text_scores.token_f1, "ifqa"),
    "M3": (retrieval_scores.recall_at, "ifqa"),
    "M4": (label_scores.presupposition_f1, "crepe"),
    "M5": (text_scores.bleu, "crepe-writing"),
    "M6": (text_scores.unigram_f1, "crepe-writing"),
    "M7": (text_scores.embedding_similarity, "crepe-writing"),
    "M8": (metric_conventions.mean_of_both_parts, "crepe-writing"),
    "M9": (human_ratings.rubric_means, "crepe-writing"),
    "M10": (text_scores.rouge_l, "causalqa"),
    "M11": (text_scores.token_f1, "causalqa"),
    "M12": (metric_conventions.macro_average, "causalqa"),
    "M13": (drop_scores.drop_scores, "iirc"),
    "M14": (drop_scores.drop_scores, "drop"),
    "M15": (label_scores.null_table_scores, "squad2"),
    "M16": (retrieval_scores.set_scores, "iirc"),
    "M17": (retrieval_scores.means_by_group, "iirc"),
    "M18": (label_scores.rule_scores, "refusal"),
    "M19": (label_scores.claim_support, "msmarco-causal"),
}
CREPE = {
    "id": "c",
    "question": "Why is steam in saunas not 100 degrees?",
    "comment": "Water need not be so hot.",
    "labels": ["false presupposition"],
    "presuppositions": ["Water has to be 100 degrees."],
    "corrections": ["Water need not be 100 degrees."],
}
IIRC = {
    "pid": 1,
    "text": "Ann was born in Rome.",
    "links": [{"target": "Rome"}],
    "questions": [
        {
            "qid": "i",
            "question": "In which country was Ann born?",
            "context": [{"passage": "main"}, {"passage": "Rome"}],
            "answer": {"type": "span", "answer_spans": [{"text": "Italy"}]},
        }
    ],
}
CASES: Mapping[str, tuple[object, Mapping[str, object]]] = {
    "ifqa": (
        [{"idx": 1, "question": "If it had rained, when would it end?", "answers": ["2001"], "context": ["It ended in 2001."]}],
        {"id": "1", "answer": "2001", "rank": 2},
    ),
    "crepe": (CREPE, {"id": "c", "answer": "normal"}),
    "crepe-writing": (CREPE, {"id": "c", "presupposition": "Water has to be hot.", "correction": "It need not be hot."}),
    "causalqa": (
        {"id": "q", "question": "Why does it rain?", "answer": "clouds", "passage": "It rains."},
        {"id": "q", "answer": "the clouds", "confidence": 0.5},
    ),
    "iirc": ([IIRC], {"id": "i", "answer": "Italy", "links": ["Rome"]}),
    "drop": ("How many?\\nThey were 3 in all.\t3\n", {"id": "1", "answer": 3}),
    "squad2": (
        {
            "data": [
                {
                    "title": "t",
                    "paragraphs": [
                        {
                            "context": "It rained.",
                            "qas": [{"id": "s", "question": "Why?", "answers": [], "is_impossible": True}],
                        }
                    ],
                }
            ]
        },
        {"id": "s", "answer": None},
    ),
    "refusal": (
        [
            {"id": "a", "question": "Why does it rain?", "answerable": True, "kind": "claim in the graph"},
            {"id": "b", "question": "Who is it?", "answerable": False, "kind": "not causal"},
        ],
        {"id": "a", "answer": "clouds"},
    ),
    "msmarco-causal": (
        [{"question": "can smoking cause cancer", "answer:Extracted": ["Yes"]}],
        {"id": "1", "verdict": "yes", "claims": [2, 0]},
    ),
}


@contextmanager
def called_code() -> Iterator[set[CodeType]]:
    """Collect the code of every function that is called meanwhile."""
    called: set[CodeType] = set()

    def remember(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            called.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(remember)
    try:
        yield called
    finally:
        sys.setprofile(before)


def score(name: str, folder: Path, ratings: Path | None = None) -> None:
    """Score the tiny predictions of a set as `kgqa evaluate NAME --predictions` does."""
    held, answer = CASES[name]
    data, given = folder / "data", folder / "given.jsonl"
    data.write_text(held if isinstance(held, str) else json.dumps(held), encoding="utf-8")
    items = read_set(DATASETS[name], (str(data),), lambda file: lambda skipped: None)
    lines = [{**answer, "id": item.id} for item in items]
    given.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    read = read_predictions(str(given), DATASETS[name], items, frozenset(item.id for item in items))
    run = EvaluationRun(folder / "out", RunSettings(name, "", "", "", 0, None, "", ""), restart=True)
    source, clock = DataSource(("data",), len(items), {}, "none"), RunTimes((), 0.0, timed=False)
    report_run(run, DATASETS[name], items, read.predictions, [], source, clock, PredictionSystem("mine", True), ratings)


@pytest.mark.parametrize("name", sorted({name for _, name in METRICS.values()}))
def test_each_set_calls_the_metrics_that_the_table_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = None
    if name == "crepe-writing":
        monkeypatch.setenv(ENCODER_VARIABLE, str(write_encoder(tmp_path / "encoder", *meaning({"water": ["water"]}))))
        score(name, tmp_path)
        rows = list(csv.DictReader((tmp_path / "out" / SHEET).read_text(encoding="utf-8").splitlines()))
        assert {row["output"] for row in rows} == {"A", "B"}
        ratings = tmp_path / "rated.csv"
        ratings.write_text("item,output,rater,fluency\n" + "".join(f"c,{row['output']},ann,3\n" for row in rows))
    with called_code() as called:
        score(name, tmp_path, ratings)
    missing = [
        metric for metric, (function, of) in METRICS.items() if of == name and inspect.unwrap(function).__code__ not in called
    ]
    assert missing == []


def test_every_metric_has_its_set() -> None:
    assert list(METRICS) == [f"M{number}" for number in range(1, 20)]
    assert {name for _, name in METRICS.values()} <= set(DATASETS)


def test_written_presuppositions_stand_beside_a_copy_of_the_question(tmp_path: Path) -> None:
    score("crepe-writing", tmp_path)
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "| mine: unigram F1 (M6), strict |" in report
    assert "| copy of question and comment: BLEU (M5) |" in report


def test_links_are_scored_by_question_and_means_by_number_of_links(tmp_path: Path) -> None:
    score("iirc", tmp_path)
    scores = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))["scores"]
    assert scores["Links (M16)"]["mine"]["F1"]["value"] == 1
    assert scores["By answer type and number of links (M17)"]["span, 1 links"]["items"] == 1

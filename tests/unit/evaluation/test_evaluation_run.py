"""The folder of a run: what a stopped run leaves, and what another run may not go on with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.evaluation.answer_systems import GraphSystem
from kgqa.evaluation.dataset_item import DatasetItem
from kgqa.evaluation.datasets import DATASETS
from kgqa.evaluation.evaluation_run import (
    PREDICTIONS,
    EvaluationRun,
    PredictionsDamaged,
    RunDiffers,
    RunSettings,
    sample_items,
)
from kgqa.evaluation.prediction import Prediction, Predictor, read_prediction

SETTINGS = RunSettings("msmarco-causal", "d", "g", "graph", 0, None, "1", "p")
ITEMS = [DatasetItem(str(number), f"does a{number} cause b", ("yes",), pair=(f"a{number}", "b")) for number in range(5)]


@pytest.fixture
def asker() -> Iterator[Predictor]:
    with open_store("memory:", write=True) as store:
        who = GraphSystem(store, pairs=True)
        with Predictor(DATASETS["msmarco-causal"], ITEMS, store, who) as made:
            yield made


def asked(run: EvaluationRun, asker: Predictor, items: list[DatasetItem]) -> list[Prediction]:
    return [prediction for prediction, _ in run.ask(items, asker, verdict=True)]


def test_a_run_goes_on_after_the_last_whole_line(tmp_path: Path, asker: Predictor) -> None:
    first = asked(EvaluationRun(tmp_path, SETTINGS), asker, ITEMS[:2])
    path = tmp_path / PREDICTIONS
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"id": "2", "quest')
    run = EvaluationRun(tmp_path, SETTINGS)
    assert run.done(ITEMS) == first
    assert path.read_bytes() == whole
    asked(run, asker, ITEMS[2:])
    assert [prediction.id for prediction in run.done(ITEMS)] == ["0", "1", "2", "3", "4"]


def test_half_a_first_line_is_nothing(tmp_path: Path) -> None:
    run = EvaluationRun(tmp_path, SETTINGS)
    (tmp_path / PREDICTIONS).write_bytes(b'{"id"')
    assert run.done(ITEMS) == []
    assert (tmp_path / PREDICTIONS).read_bytes() == b""


@pytest.mark.parametrize(
    ("field", "other"),
    [("data", "e"), ("graph", "h"), ("reader", "x"), ("seed", 1), ("limit", 3), ("version", "2"), ("program", "q")],
)
def test_the_predictions_of_another_run_are_not_gone_on_with(tmp_path: Path, asker: Predictor, field: str, other: object) -> None:
    asked(EvaluationRun(tmp_path, SETTINGS), asker, ITEMS[:1])
    different = RunSettings(**{**{name: getattr(SETTINGS, name) for name in SETTINGS.__slots__}, field: other})
    with pytest.raises(RunDiffers, match=f"another {field}"):
        EvaluationRun(tmp_path, different)
    assert EvaluationRun(tmp_path, different, restart=True).done(ITEMS) == []


def test_predictions_without_settings_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / PREDICTIONS).write_text("mine\n")
    with pytest.raises(RunDiffers, match="no settings"):
        EvaluationRun(tmp_path, SETTINGS)
    assert (tmp_path / PREDICTIONS).read_text() == "mine\n"


@pytest.mark.parametrize("line", ["{}", "[1]", "oops", json.dumps({"id": "1"})])
def test_a_damaged_line_is_named(tmp_path: Path, asker: Predictor, line: str) -> None:
    run = EvaluationRun(tmp_path, SETTINGS)
    asked(run, asker, ITEMS[:1])
    with (tmp_path / PREDICTIONS).open("a") as file:
        file.write(line + "\n")
    with pytest.raises(PredictionsDamaged, match="line 2 of"):
        run.done(ITEMS)


def test_predictions_must_be_about_the_items_in_order(tmp_path: Path, asker: Predictor) -> None:
    run = EvaluationRun(tmp_path, SETTINGS)
    asked(run, asker, ITEMS[1:3])
    with pytest.raises(PredictionsDamaged, match="about '1', not '0'"):
        run.done(ITEMS)
    with pytest.raises(PredictionsDamaged, match="there are 1 items"):
        run.done(ITEMS[1:2])


def test_a_prediction_survives_its_record(asker: Predictor) -> None:
    prediction, seconds = asker.ask(ITEMS[0])
    record = json.loads(json.dumps(prediction.record(verdict=True)))
    assert read_prediction(record) == prediction
    assert seconds > 0
    assert {"id", "question", "verdict", "confidence", "route", "gold"} <= set(record)
    assert "prediction" in prediction.record(verdict=False)


def test_the_links_and_the_correction_of_a_prediction_survive_its_record(asker: Predictor) -> None:
    prediction = replace(asker.ask(ITEMS[0])[0], links=("helsinki",), correction="They do not.")
    assert read_prediction(json.loads(json.dumps(prediction.record(verdict=True)))) == prediction


def test_a_sample_depends_on_the_seed_and_keeps_the_order() -> None:
    values = list(range(100))
    assert sample_items(values, 10, 1) == sample_items(values, 10, 1) == sorted(sample_items(values, 10, 1))
    assert sample_items(values, 10, 1) != sample_items(values, 10, 2)
    assert sample_items(values, None, 1) == sample_items(values, 100, 1) == values


def test_a_passage_is_asked_and_not_the_graph(tmp_path: Path) -> None:
    item = DatasetItem("1", "What causes floods?", ("heavy rain",), "Heavy rain causes floods. It rained.")
    with open_store("memory:", write=True) as store, Predictor(DATASETS["squad2"], [item], store, GraphSystem(store)) as made:
        prediction, _ = made.ask(item)
    assert prediction.response == "heavy rain"
    assert prediction.baselines == {"BM25, first sentence": "Heavy rain causes floods."}


def test_an_invalid_question_is_no_crash(store_of_nothing: GraphStore) -> None:
    items = [DatasetItem("1", "???", ("yes",)), DatasetItem("2", "x" * 5_000, ("yes",))]
    with Predictor(DATASETS["boolq"], items, store_of_nothing, GraphSystem(store_of_nothing)) as made:
        assert [made.ask(item)[0].response for item in items] == ["unknown", "unknown"]


@pytest.fixture
def store_of_nothing() -> Iterator[GraphStore]:
    with open_store("memory:", write=True) as store:
        yield store

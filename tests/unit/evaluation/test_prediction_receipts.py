"""Receipts of the answers behind predictions: written by a run, replayed by the same system, and what they name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_reader import write_reader

from graph.model import Claim, Evidence, Source, Stance, Statement
from graph.stores import open_store
from kgqa.cli import run
from kgqa.evaluation.answer_systems import GRAPH, SystemSettings, build_system
from kgqa.evaluation.dataset_item import DatasetItem
from kgqa.evaluation.prediction_receipts import PredictionReplayer, ReceiptedSystem, receipt_name
from kgqa.passages.passage_answer import PassageMethod
from kgqa.receipt import Replay, read_receipt
from kgqa.record_schema import ReceiptRecord, check_record
from kgqa.settings import Settings

TEXT = "The dam broke because the pressure was too high."
DAM = DatasetItem("dam/1", "What broke the dam?", ("pressure",), TEXT)
ITEMS = (
    DatasetItem("1", "What causes lung cancer?", ("smoking",)),
    DatasetItem("2", "Does smoking cause lung cancer?", ("yes",), pair=("smoking", "lung cancer")),
    DatasetItem("3", "", ()),
    DAM,
)


def statements(*causes: str) -> Iterator[Statement]:
    for cause in causes:
        yield Statement(Claim(cause, "lung cancer"), Evidence(Source("text", title=cause), Stance.ASSERTED, text=f"{cause}."))


@pytest.fixture
def graph(tmp_path: Path) -> str:
    url = str(tmp_path / "graph.kgqa")
    with open_store(url, create=True) as store:
        store.add(statements("smoking", "radon"))
    return url


def receipts_of(graph: str, folder: Path, setting: SystemSettings, *, pairs: bool = False) -> list[ReceiptRecord]:
    with open_store(graph) as store:
        system = ReceiptedSystem(build_system(setting, store, pairs=pairs), setting, store, Settings(), folder, pairs=pairs)
        answers = [system.answer(item).answer.answer for item in ITEMS]
        system.close()
    receipts = [read_receipt(str(folder / receipt_name(item.id))) for item in ITEMS]
    assert [receipt["record"]["answer"] for receipt in receipts] == answers
    return receipts


def replays(receipts: list[ReceiptRecord]) -> list[Replay]:
    with PredictionReplayer(settings=Settings()) as replayer:
        return [replayer.replay(receipt) for receipt in receipts]


@pytest.mark.parametrize(
    ("setting", "pairs"),
    [
        (SystemSettings(GRAPH), False),
        (SystemSettings(GRAPH), True),
        (SystemSettings(GRAPH, closed=True), False),
        (SystemSettings("extractive", PassageMethod.EDITS), False),
        (SystemSettings("extractive", PassageMethod.EDITS, joined=True), False),
    ],
)
def test_each_answer_of_a_system_replays(graph: str, tmp_path: Path, setting: SystemSettings, pairs: bool) -> None:
    receipts = receipts_of(graph, tmp_path / "receipts", setting, pairs=pairs)
    for receipt in receipts:
        check_record(ReceiptRecord, receipt)
    assert replays(receipts) == [(True, ())] * len(ITEMS)
    assert [receipt["system"]["pair"] for receipt in receipts[:2]] == [None, ["smoking", "lung cancer"] if pairs else None]
    assert (receipts[3]["passage"] is None) == setting.closed


def test_what_an_answer_was_not_made_of_is_not_named(graph: str, tmp_path: Path) -> None:
    receipts = receipts_of(graph, tmp_path / "receipts", SystemSettings(GRAPH))
    with open_store(graph, write=True) as store:
        store.add(statements("asbestos"))
    changed = [[str(change.ingredient) for change in result.changes] for result in replays(receipts)]
    assert changed == [["graph", "claim asbestos -[causes]-> lung cancer"], ["graph"], ["graph"], []]


def test_a_reader_that_has_changed_is_named(graph: str, tmp_path: Path) -> None:
    folder = write_reader(tmp_path / "reader", {"pressure": {"start": 9, "end": 9}})
    receipts = receipts_of(graph, tmp_path / "receipts", SystemSettings(f"extractive:{folder}"))
    assert replays(receipts) == [(True, ())] * len(ITEMS)
    write_reader(folder, {"pressure": {"start": 9, "end": 9}}, changed=True)
    assert f"model {folder}" in [str(change.ingredient) for change in replays(receipts)[3].changes]


@pytest.mark.parametrize("identifier", ["../../etc/passwd", "a" * 500, "ä:*?\0", "", "CON"])
def test_the_name_of_a_receipt_is_that_of_a_file(identifier: str, tmp_path: Path) -> None:
    name = receipt_name(identifier)
    assert Path(name).name == name
    assert name.isascii()
    (tmp_path / name).write_text("{}")
    assert name != receipt_name(f"{identifier} ")


def test_a_run_writes_receipts_that_a_command_replays(graph: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, out, receipts = tmp_path / "pairs.csv", tmp_path / "out", tmp_path / "receipts"
    data.write_text("cause,effect,causal\nsmoking,lung cancer,causal\nradon,lung cancer,causal\ntea,rain,non_causal\n")
    command = ["evaluate", "semeval-pairs", "--data", str(data), "--out", str(out), "--receipts", str(receipts), "-g", graph]
    assert run(command) == 0
    assert len(list(receipts.glob("*.json"))) == len((out / "predictions.jsonl").read_text().splitlines()) == 3
    capsys.readouterr()
    assert run(["replay", str(receipts)]) == 0
    assert capsys.readouterr().out == "3 of 3 receipts replay to the same bytes, and nothing has changed\n"
    with open_store(graph, write=True) as store:
        store.add(statements("asbestos"))
    assert run(["replay", str(receipts)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "0 of 3 receipts replay to the same bytes, and nothing has changed"
    assert sum(line.startswith("graph: is ") for line in lines) == 3
    assert run(["replay", str(receipts), "--json"]) == 1
    records = list(map(json.loads, capsys.readouterr().out.splitlines()))
    assert [record["receipt"] for record in records] == sorted(path.name for path in receipts.glob("*.json"))
    assert {item["kind"] for record in records for item in record["changed"]} == {"graph"}


@pytest.mark.parametrize(
    ("arguments", "fact"),
    [
        (("falseqa", "--data", "x", "--out", "y"), "whose predictions are not answers alone"),
        (("extraction-semeval", "--data", "x", "--out", "y"), "whose predictions are not answers alone"),
        (("iirc", "--data", "x", "--out", "y"), "does not go with links that are followed"),
        (("ifqa", "--data", "x", "--out", "y", "--predictions", "z"), "does not go with --predictions"),
    ],
)
def test_what_has_no_receipts_is_said(arguments: tuple[str, ...], fact: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", *arguments, "--receipts", "receipts"]) == 2
    assert fact in " ".join(capsys.readouterr().err.split())


def test_a_folder_that_cannot_be_made_is_an_error(graph: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, taken = tmp_path / "pairs.csv", tmp_path / "taken"
    data.write_text("cause,effect,causal\nsmoking,lung cancer,causal\n")
    taken.write_text("")
    out = str(tmp_path / "out")
    assert run(["evaluate", "semeval-pairs", "--data", str(data), "--out", out, "--receipts", str(taken), "-g", graph]) == 1
    assert "a file is in the place of a folder" in " ".join(capsys.readouterr().err.split())


def test_a_folder_without_receipts_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(tmp_path)]) == 1
    assert "the folder has no receipt" in " ".join(capsys.readouterr().err.split())

"""`kgqa evaluate` in processes of its own: its files, going on, refusing, and that the same seed gives the same files."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from running import KGQA, Ended, clean_environment, kgqa

PAIRS = (
    *(("smoking", "lung cancer", "causal"), ("asbestos", "lung cancer", "causal"), ("lung cancer", "smoking", "non_causal")),
    *(("coffee", "heart disease", "non_causal"), ("vaccine", "autism", "non_causal"), ("smoking", "death", "causal")),
    *(("teapot", "war", "non_causal"), ("smoking", "emphysema", "causal")),
)
FILES = {"predictions.jsonl", "metrics.json", "report.md", "settings.json"}


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text("cause,effect,causal\n" + "".join(f"{','.join(pair)}\n" for pair in PAIRS), encoding="utf-8")
    return path


def evaluate(name: str, data: Path, out: Path, graph: Path, *options: str) -> Ended:
    return kgqa("evaluate", name, "--data", data, "--out", out, "-g", graph, *options)


def steady(folder: Path) -> dict[str, object]:
    """What must be the same in every run: everything but the clock."""
    metrics = json.loads((folder / "metrics.json").read_text())
    metrics.pop("seconds")
    return {
        "predictions": (folder / "predictions.jsonl").read_bytes(),
        "settings": (folder / "settings.json").read_bytes(),
        "metrics": metrics,
        "report": (folder / "report.md").read_text().partition("## Cost and latency")[0],
        "curve": (folder / "risk-coverage.svg").read_bytes() if (folder / "risk-coverage.svg").exists() else b"",
    }


def test_a_run_writes_what_the_contract_says(small: Path, pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "made" / "out"
    ended = evaluate("semeval-pairs", pairs, out, small)
    assert ended.code == 0, ended.err
    assert "kgqa: items" in ended.out
    assert ended.err == ""
    assert {path.name for path in out.iterdir()} >= FILES
    lines = [json.loads(line) for line in (out / "predictions.jsonl").read_text().splitlines()]
    assert [line["question"] for line in lines][:2] == ["Can smoking cause lung cancer?", "Can asbestos cause lung cancer?"]
    assert all({"id", "question", "verdict", "confidence", "route", "gold"} <= set(line) for line in lines)
    assert (lines[0]["verdict"], lines[0]["route"]) == ("yes", "graph")
    assert (lines[6]["verdict"] in ("yes", "no"), lines[6]["route"]) == (True, "plausibility")
    assert (lines[6]["baselines"]["kgqa, claims alone"], lines[0]["baselines"]["kgqa, claims alone"]) == (None, "yes")
    assert all(0.5 <= line["confidence"] <= 1.0 for line in lines if line["route"] == "plausibility")
    metrics = json.loads((out / "metrics.json").read_text())
    accuracy = metrics["scores"]["Of what is answered"]["kgqa"]["accuracy"]
    assert accuracy["low"] <= accuracy["value"] <= accuracy["high"]
    assert metrics["counts"]["items"] == len(PAIRS)
    assert metrics["seconds"]["asked_in_this_run"] == len(PAIRS)
    assert {"always yes", "breadth-first, 2 hops, with the arrows", "breadth-first, 3 hops, either way"} <= set(
        metrics["scores"]["Of all questions, unknown counts as no"]
    )
    report = (out / "report.md").read_text()
    for part in (
        "always yes",
        "BM25",
        "MCC",
        "Where questions are lost",
        "By semantic class",
        "By route",
        "Reliability",
        "ECE",
        "AURC",
    ):
        assert part in report
    assert "](risk-coverage.svg)" in report
    assert (out / "risk-coverage.svg").read_text().startswith("<svg")


def test_the_same_seed_gives_the_same_files(small: Path, pairs: Path, tmp_path: Path) -> None:
    for name, seed in (("a", "3"), ("b", "3"), ("c", "4")):
        ended = evaluate("semeval-pairs", pairs, tmp_path / name, small, "--limit", "4", "--seed", seed)
        assert ended.code == 0, ended.err
    assert steady(tmp_path / "a") == steady(tmp_path / "b")
    assert steady(tmp_path / "a") != steady(tmp_path / "c")


def test_a_run_that_was_cut_goes_on_to_the_same_end(small: Path, pairs: Path, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    for out in (whole, cut):
        assert evaluate("semeval-pairs", pairs, out, small).code == 0
    lines = (cut / "predictions.jsonl").read_bytes().splitlines(keepends=True)
    (cut / "predictions.jsonl").write_bytes(b"".join(lines[:3]) + lines[3][:20])
    ended = evaluate("semeval-pairs", pairs, cut, small)
    assert ended.code == 0
    assert ended.err == f"kgqa: going on after 3 answers in '{cut}' (--restart begins anew)\n"
    assert steady(whole) == steady(cut)
    assert json.loads((cut / "metrics.json").read_text())["seconds"]["asked_in_this_run"] == len(PAIRS) - 3


def test_another_run_is_refused_until_restarted(small: Path, pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert evaluate("semeval-pairs", pairs, out, small).code == 0
    ended = evaluate("semeval-pairs", pairs, out, small, "--seed", "1")
    assert (ended.code, ended.out) == (1, "")
    assert "of a run with another seed" in ended.err
    assert "--restart" in ended.err
    assert evaluate("semeval-pairs", pairs, out, small, "--seed", "1", "--restart").code == 0


def test_an_interrupted_run_keeps_its_answers(tmp_path: Path) -> None:
    rows = [
        {"question": f"is it true {number}", "passage": f"Smoke number {number} causes cancer. " * 40, "label": True}
        for number in range(3_000)
    ]
    data, out = tmp_path / "b.jsonl", tmp_path / "out"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    handler = (
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); os.execv(sys.argv[1], sys.argv[1:])"
    )
    command = [KGQA, "evaluate", "boolq", "--data", str(data), "--out", str(out), "-g", "memory:"]
    with subprocess.Popen(
        [sys.executable, "-c", handler, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_environment(),
    ) as run:
        deadline = time.monotonic() + 40
        predictions = out / "predictions.jsonl"
        while not (predictions.exists() and predictions.stat().st_size) and time.monotonic() < deadline:
            time.sleep(0.02)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=20)
    assert run.returncode == 130, err
    assert "of 3,000 are kept; the same command goes on from there" in err
    assert "Traceback" not in err
    kept = predictions.read_bytes()
    assert kept
    assert not (out / "report.md").exists()
    assert [json.loads(line)["id"] for line in kept.decode().splitlines()][:1] == ["1"]


def test_wrong_use_is_one_line_and_what_there_is(small: Path, pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ended = evaluate("semeval", pairs, out, small)
    assert ended.code == 2
    assert "no data set 'semeval'; there are: ifqa, causalqa, msmarco-causal" in ended.err
    ended = evaluate("semeval-pairs", pairs, out, small, "--reader", "oracle")
    assert ended.code == 2
    assert "no reader 'oracle'; there are: graph" in ended.err
    assert evaluate("semeval-pairs", pairs, out, small, "--limit", "0").code == 2
    assert kgqa("evaluate", "semeval-pairs", "--out", out).code == 2
    assert not out.exists()


def test_what_mines_sentences_takes_no_graph(small: Path, pairs: Path, tmp_path: Path) -> None:
    ended = evaluate("extraction-semeval", pairs, tmp_path / "out", small)
    assert ended.code == 2
    assert "--graph does not go with extraction-semeval" in ended.err
    ended = kgqa("evaluate", "extraction-semeval", "--data", pairs, "--out", tmp_path / "out", "--reader", "graph")
    assert ended.code == 2
    assert "--reader does not go with extraction-semeval" in ended.err


def test_another_shape_is_one_line(small: Path, pairs: Path, tmp_path: Path) -> None:
    ended = evaluate("boolq", pairs, tmp_path / "out", small)
    assert (ended.code, ended.out) == (1, "")
    assert f"'{pairs}' is not BoolQ" in ended.err.splitlines()[-1]
    ended = evaluate("boolq", tmp_path / "none", tmp_path / "out", small)
    assert (ended.code, ended.err) == (1, f"kgqa: no such file: '{tmp_path / 'none'}'\n")
    ended = evaluate("semeval-pairs", pairs, pairs, small)
    assert (ended.code, ended.err) == (1, f"kgqa: cannot write '{pairs}': a file is in the place of a folder\n")
    assert not (tmp_path / "out").exists()


def test_broken_rows_are_told_and_counted(small: Path, pairs: Path, tmp_path: Path) -> None:
    with pairs.open("a") as file:
        file.write("a,b,perhaps\n")
    ended = evaluate("semeval-pairs", pairs, tmp_path / "out", small)
    assert ended.code == 0
    assert "line 10: 'causal' is neither causal nor non_causal; skipped" in ended.err
    assert json.loads((tmp_path / "out" / "metrics.json").read_text())["counts"]["skipped"] == {
        "'causal' is neither causal nor non_causal": 1
    }


def test_data_may_come_from_stdin(small: Path, pairs: Path, tmp_path: Path) -> None:
    assert evaluate("semeval-pairs", pairs, tmp_path / "file", small).code == 0
    ended = kgqa("evaluate", "semeval-pairs", "--data", "-", "--out", tmp_path / "stdin", "-g", small, stdin=pairs.read_text())
    assert ended.code == 0, ended.err
    assert (tmp_path / "stdin" / "predictions.jsonl").read_bytes() == (tmp_path / "file" / "predictions.jsonl").read_bytes()


def test_leakage_is_told_where_a_training_file_is_given(small: Path, tmp_path: Path) -> None:
    rows = [
        {"idx": number, "question": f"If it rained {number}, who?", "answers": ["Ann"], "context": [f"Ann {number}."]}
        for number in range(3)
    ]
    dev, train = tmp_path / "dev.json", tmp_path / "train.json"
    dev.write_text(json.dumps(rows))
    train.write_text(json.dumps(rows[:1]))
    assert evaluate("ifqa", dev, tmp_path / "out", small, "--train", str(train)).code == 0
    table = json.loads((tmp_path / "out" / "metrics.json").read_text())["scores"]["Leakage"]
    assert table["neither question nor passage in training"]["items"] == 2


def test_sentences_are_mined_and_scored(tmp_path: Path) -> None:
    data = tmp_path / "train.txt"
    data.write_text(
        '1\t"The <e1>storm</e1> caused severe <e2>flooding</e2>."\nCause-Effect(e1,e2)\nComment:\n\n'
        '2\t"The <e1>cup</e1> is on the <e2>table</e2>."\nOther\nComment:\n\n'
    )
    ended = kgqa("evaluate", "extraction-semeval", "--data", data, "--out", tmp_path / "out")
    assert ended.code == 0, ended.err
    lines = [json.loads(line) for line in (tmp_path / "out" / "predictions.jsonl").read_text().splitlines()]
    assert [(line["prediction"], line["gold"]) for line in lines] == [(["e1->e2"], ["e1->e2"]), ([], [])]
    metrics = json.loads((tmp_path / "out" / "metrics.json").read_text())
    scores = metrics["scores"]["Directed Cause-Effect"]
    assert scores["kgqa extract"]["F1"]["value"] == 1.0
    assert scores["always second to first"]["F1"]["value"] == 0.0
    assert metrics["seconds"]["asked_in_this_run"] == 2
    assert (metrics["seconds"]["median"], metrics["seconds"]["p95"]) == (None, None)

"""`kgqa evaluate NAME --predictions FILE` and `kgqa evaluate compare`, through the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from running import Ended, kgqa

PAIRS = (
    *(("smoking", "cancer", "causal"), ("asbestos", "cancer", "causal"), ("cancer", "smoking", "non_causal")),
    *(("coffee", "war", "non_causal"), ("rain", "flood", "causal"), ("teapot", "war", "non_causal")),
)
IDS = [str(number) for number in range(2, 8)]
GOLD = ["yes", "yes", "no", "no", "yes", "no"]


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text("cause,effect,causal\n" + "".join(f"{','.join(pair)}\n" for pair in PAIRS), encoding="utf-8")
    return path


def answers(path: Path, said: Sequence[object], ids: Sequence[str] = IDS, **fields: object) -> Path:
    lines = [{"id": name, "answer": answer, **fields} for name, answer in zip(ids, said, strict=True)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def score(data: Path, given: Path, out: Path, *options: str, name: str = "semeval-pairs") -> Ended:
    return kgqa("evaluate", name, "--data", data, "--predictions", given, "--out", out, *options)


def rows_of(ended: Ended) -> str:
    """Return the printed differences without the line ends, and without the names of the runs."""
    return " ".join(ended.out.split()).partition("is better.")[2]


def test_anyones_answers_get_the_tables_of_kgqa(pairs: Path, tmp_path: Path) -> None:
    given = answers(tmp_path / "mine.jsonl", ["yes", "yes", "no", "yes", None, "No"], confidence=0.7)
    ended = score(pairs, given, tmp_path / "out")
    assert (ended.code, ended.err) == (0, "")
    assert "mine: items 5" in ended.out
    metrics = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    answered = metrics["scores"]["Of what is answered"]
    assert answered["mine"]["accuracy"]["value"] == 0.8
    assert {"always yes", "always yes, where mine answers"} <= set(answered)
    assert {"Confidence", "By semantic class", "Verdicts of mine", "Differences in accuracy"} <= set(metrics["scores"])
    assert "Where questions are lost" not in metrics["scores"]
    assert metrics["settings"]["reader"] == "predictions of mine"
    assert "kgqa" not in "".join(metrics["scores"])


def test_answers_without_confidence_have_no_table_of_it(pairs: Path, tmp_path: Path) -> None:
    assert score(pairs, answers(tmp_path / "mine.jsonl", GOLD), tmp_path / "out").code == 0
    metrics = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    assert "Confidence" not in metrics["scores"]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ('{"id": "2"\n', "line 1 of '{}' is no prediction"),
        ("smoking yes\n", "line 1 of '{}' is no prediction"),
        ('{"answer": "yes"}\n', "line 1 of '{}' has no \"id\""),
        ('{"id": "2", "answer": "yes"}\n{"id": "99", "answer": "yes"}\n', "answers '99', and no item has that id"),
        ('{"id": "2", "answer": "yes"}\n{"id": "2", "answer": "no"}\n', "line 2 of '{}' answers '2' again, as line 1 does"),
        ('{"id": "2", "answer": "yes"}\n', "'{}' has no line for 5 of 6 items, first '3'"),
        ('{"id": "x", "answer": "yes"}\n', "'{}' answers no item of the semeval-pairs data that was given"),
        ("", "is empty"),
    ],
)
def test_a_file_that_cannot_be_scored_is_named_in_one_line(pairs: Path, tmp_path: Path, text: str, fact: str) -> None:
    given = tmp_path / "mine.jsonl"
    given.write_text(text, encoding="utf-8")
    ended = score(pairs, given, tmp_path / "out")
    assert ended.code == 1
    assert ended.out == ""
    facts = [line for line in ended.err.splitlines() if not line.startswith("      try:")]
    assert len(facts) == 1
    assert fact.format(given) in facts[0]


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ({"answer": "maybe"}, "\"answer\" is 'maybe', it must be one of yes, no, contested, unknown"),
        ({"answer": True}, '"answer" is neither text nor null'),
        ({"answer": "yes", "confidence": 70}, '"confidence" is no number from 0 to 1'),
        ({"reply": "yes"}, "no field prediction or answer or verdict"),
    ],
)
def test_a_line_that_is_no_prediction_says_why(pairs: Path, tmp_path: Path, line: dict[str, object], fact: str) -> None:
    given = answers(tmp_path / "mine.jsonl", GOLD)
    lines = given.read_text(encoding="utf-8").splitlines()
    given.write_text("\n".join([json.dumps({"id": "2", **line}), *lines[1:]]), encoding="utf-8")
    ended = score(pairs, given, tmp_path / "out")
    assert (ended.code, ended.err) == (1, f"kgqa: line 1 of '{given}' is no prediction: {fact}\n")


def test_what_only_asking_needs_is_wrong_use(pairs: Path, tmp_path: Path) -> None:
    given = answers(tmp_path / "mine.jsonl", GOLD)
    ended = score(pairs, given, tmp_path / "out", "--reader", "graph")
    assert (ended.code, "--reader does not go with --predictions" in ended.err) == (2, True)
    ended = score(pairs, given, tmp_path / "out", name="extraction-semeval")
    assert (ended.code, "--predictions does not go with extraction-semeval" in ended.err) == (2, True)


def test_two_runs_are_compared_item_by_item(pairs: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert score(pairs, answers(tmp_path / "a.jsonl", ["yes", "no", "no", "yes", None, "no"]), first).code == 0
    better = answers(tmp_path / "b.jsonl", ["no", "yes", "no", "no", "yes", "no"])
    assert score(pairs, better, second).code == 0
    ended = kgqa("evaluate", "compare", first, second, "--out", tmp_path / "difference")
    assert (ended.code, ended.err) == (0, "")
    assert "right, of all (6): 0.500 and 0.833, difference 0.333 [" in rows_of(ended)
    assert "3 better, 1 worse, 2 alike" in rows_of(ended)
    row = json.loads((tmp_path / "difference" / "comparison.json").read_text(encoding="utf-8"))["macro F1"]
    assert row["second minus first"]["low"] <= row["second minus first"]["value"] == pytest.approx(row["second"] - row["first"])
    of_files = kgqa("evaluate", "compare", first, better, "--data", pairs)
    assert rows_of(of_files) == rows_of(ended)
    two_files = kgqa(
        "evaluate", "compare", tmp_path / "a.jsonl", better, "--set", "semeval-pairs", "--data", pairs, COLUMNS="200"
    )
    assert rows_of(two_files) == rows_of(ended)


def test_runs_that_cannot_be_compared_say_why(pairs: Path, tmp_path: Path) -> None:
    given = answers(tmp_path / "a.jsonl", GOLD)
    all_of_them, some = tmp_path / "all", tmp_path / "some"
    assert score(pairs, given, all_of_them).code == score(pairs, given, some, "--limit", "4").code == 0
    for arguments, code, fact in (
        ((all_of_them, some), 1, "2 of 6 items of"),
        ((all_of_them, tmp_path), 1, "is no folder of a finished run"),
        ((all_of_them,), 2, "compare takes two runs, not 1"),
        ((all_of_them, given), 2, "a file of predictions needs --data"),
        ((given, given), 2, "a file of predictions needs --set NAME and --data"),
    ):
        ended = kgqa("evaluate", "compare", *arguments)
        assert ended.code == code
        assert fact in ended.err.splitlines()[0]
    settings = json.loads((some / "settings.json").read_text(encoding="utf-8"))
    (some / "settings.json").write_text(json.dumps({**settings, "name": "boolq"}), encoding="utf-8")
    assert "of semeval-pairs and" in kgqa("evaluate", "compare", all_of_them, some).err

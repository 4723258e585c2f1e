"""`kgqa ask --receipt` and `kgqa replay` in processes of their own."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from real_neo4j import Server, url_of
from running import CLAIMS, clean_environment, kgqa

from kgqa.api import AnswerSession
from kgqa.json_text import json_text
from kgqa.receipt import answer_with_receipt
from kgqa.settings import Settings, starter_graph

QUESTIONS = Path(__file__).parents[2] / "docs" / "judgements" / "lay-questions.tsv"
MOST_ASKED = 50
QUESTION = "What causes lung cancer?"
REPLAY_ALL = """
import sys
from kgqa.receipt import read_receipt, replay_receipt
for path in sys.argv[1:]:
    result = replay_receipt(read_receipt(path))
    if not result.is_same or result.changes:
        print(path, result)
"""


@pytest.mark.parametrize(
    "options", [(), ("--do", "smoking=absent"), ("--risk", "0.2"), ("--limit", "1", "--cypher"), ("--explain",), ("--json",)]
)
def test_a_receipt_replays_and_the_answer_is_printed_as_without_it(small: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    receipt = tmp_path / "receipt.json"
    plain, kept = (kgqa("ask", QUESTION, "-g", small, *options, *more) for more in ((), ("--receipt", receipt)))
    if "--json" in options:
        plain_record, record = json.loads(plain.out), json.loads(kept.out)
        assert record.pop("elapsed_ms") > 0
        assert record == {name: value for name, value in plain_record.items() if name != "elapsed_ms"}
    else:
        assert kept.out == plain.out
    assert kgqa("replay", receipt).out == "the same bytes\n"


def test_a_changed_graph_is_named_with_its_claims(tmp_path: Path) -> None:
    table, graph, receipt = tmp_path / "claims.csv", tmp_path / "own.kgqa", tmp_path / "receipt.json"
    table.write_text(CLAIMS)
    kgqa("load", "csv", table, "-g", graph)
    kgqa("ask", QUESTION, "-g", graph, "--receipt", receipt)
    table.write_text(f"{CLAIMS}asbestos,lung cancer,causes,negated,Doubt,9,,Asbestos does not cause lung cancer.\n")
    kgqa("load", "csv", table, "-g", graph)
    ended = kgqa("replay", receipt, "--json")
    changed = json.loads(ended.out)
    assert (ended.code, changed["same"]) == (1, False)
    assert [item["kind"] for item in changed["changed"]] == ["graph", "claim"]
    assert changed["changed"][1]["name"] == "asbestos -[causes]-> lung cancer"
    printed = kgqa("replay", receipt)
    assert printed.code == 1
    assert printed.out.endswith("\nother bytes\n")


def test_a_text_on_stdin_is_in_its_receipt(tmp_path: Path) -> None:
    receipt = tmp_path / "receipt.json"
    asked = kgqa("ask", "What causes fatigue?", "--passage", "-", "--receipt", receipt, stdin="Anaemia causes fatigue.")
    assert asked.code == 0, asked.err
    assert json.loads(receipt.read_text())["passage"]["text"] == "Anaemia causes fatigue."
    assert kgqa("replay", receipt) == kgqa("replay", "-", stdin=receipt.read_text())
    changed = kgqa("replay", receipt, KGQA_BEAMS="3")
    assert (changed.code, changed.out) == (1, "option KGQA_BEAMS: is 3, was not used\nthe same bytes\n")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("smoke", "kgqa: no receipt in 'receipt.json': it is not JSON"),
        ('{"question": "?"}', "kgqa: no receipt in 'receipt.json': it is no object with 'kgqa_receipt'"),
    ],
)
def test_a_foreign_file_is_refused_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, line: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("receipt.json").write_text(text)
    ended = kgqa("replay", "receipt.json")
    assert (ended.code, ended.out, ended.err.splitlines()[0]) == (1, "", line)


@pytest.mark.parametrize(
    ("options", "code"),
    [(("--receipt", "-"), 2), (("--receipt", "nowhere/at.all"), 1), (("--receipt", ""), 2)],
)
def test_a_receipt_goes_into_a_file_that_can_be_written(small: Path, options: tuple[str, ...], code: int) -> None:
    ended = kgqa("ask", QUESTION, "-g", small, *options)
    assert (ended.code, ended.out) == (code, "")
    assert ended.err.startswith("kgqa: ")


def test_a_batch_has_no_receipt(small: Path) -> None:
    assert kgqa("ask", "--batch", "-", "--receipt", "receipt.json", "-g", small, stdin="").code == 2


@pytest.mark.slow
def test_lay_questions_replay_in_a_new_process_to_the_same_bytes(tmp_path: Path) -> None:
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        questions = [row["question"] for row in csv.DictReader(file, delimiter="\t")]
    paths = []
    with AnswerSession(starter_graph(), settings=Settings()) as session:
        for number, question in enumerate(questions[:: len(questions) // MOST_ASKED][:MOST_ASKED]):
            paths.append(tmp_path / f"{number}.json")
            paths[-1].write_text(json_text(answer_with_receipt(session, question).receipt), encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-c", REPLAY_ALL, *paths],
        capture_output=True,
        text=True,
        env=clean_environment(),
        check=True,
        timeout=600,
    )
    assert (len(paths), ended.stdout) == (MOST_ASKED, "")


def test_a_receipt_replays_over_neo4j(small: Path, tmp_path: Path, neo4j_server: Server) -> None:
    receipt = tmp_path / "receipt.json"
    kgqa("ask", QUESTION, "-g", small, "--receipt", receipt)
    copied = kgqa("copy", small, url_of(neo4j_server))
    assert copied.code == 0, copied.err
    assert kgqa("replay", receipt, "-g", url_of(neo4j_server)).out == "the same bytes\n"

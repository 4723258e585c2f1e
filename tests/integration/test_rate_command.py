"""`kgqa rate`: from the outputs of two systems to a sheet, the page of a rater in a process of its own, and the scores."""

from __future__ import annotations

import json
import signal
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from running import Run, serving

from kgqa.evaluation.rating.rating_form import rating_forms
from kgqa.evaluation.rating.rating_sheet import read_key, read_sheet


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    paths = []
    for name, answers in (("ours", ["rain", "no"]), ("theirs", ["sun", None])):
        path = tmp_path / f"{name}.jsonl"
        rows = ({"id": place, "question": "Why?", "prediction": text, "gold": ["rain"]} for place, text in enumerate(answers, 1))
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        paths.append(path)
    return paths


def post(address: str, path: str, fields: dict[str, str]) -> int:
    with closing(HTTPConnection(urlsplit(address).netloc, timeout=60)) as connection:
        connection.request("POST", path, urlencode(fields), {"Content-Type": "application/x-www-form-urlencoded"})
        return connection.getresponse().status


def test_two_systems_are_rated_on_a_page_and_scored(here: Run, runs: list[Path], tmp_path: Path) -> None:
    folder, key = tmp_path / "sheet", tmp_path / "sheet.key.json"
    drawn = here("rate", "sheet", *runs, "-o", folder, "--seed", "3", "--json")
    assert json.loads(drawn.out) == {"sheet": str(folder), "key": str(key), "items": 2, "outputs": 6}
    whose, form = read_key(key), rating_forms()["answers"]

    with serving("rate", "serve", folder, "--rater", "Ada B.") as (process, address):
        for item in read_sheet(folder).items:
            best = {letter: "3" if whose.systems[item.item, letter] == "ours" else "0" for letter in item.outputs}
            fields = {f"{letter}.{aspect}": best[letter] for letter in best for aspect in form.aspects}
            assert post(address, f"/item/{item.item}", fields) == 303
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0

    scored = here("rate", "score", key, folder / "ratings-Ada-B-.csv", "--json")
    scores = json.loads(scored.out)["scores"]
    assert [scores[name]["correctness"]["value"] for name in ("ours", "theirs", "reference")] == [3.0, 0.0, 0.0]
    assert "| theirs | 0.000 [0.000, 0.000] |" in here("rate", "score", key, folder / "ratings-Ada-B-.csv").out


def test_rated_claims_become_marks_of_the_graph(here: Run, small: Path, tmp_path: Path) -> None:
    folder, key, own, marks = tmp_path / "claims", tmp_path / "key.json", tmp_path / "own.kgqa", tmp_path / "marks.jsonl"
    assert here("copy", small, own).code == 0
    assert here("rate", "sheet", f"mine={own}", "--form", "claims", "-o", folder, "--key", key).code == 0
    items = {f"{item.heading} {item.outputs['A']}": item.item for item in read_sheet(folder).items}
    emphysema = next(item for text, item in items.items() if "emphysema" in text)
    (folder / "filled.csv").write_text(f"item,output,rater,claim,remark\n{emphysema},A,Ada,0,misread\n")
    assert here("rate", "score", key, folder / "filled.csv", "--curations", marks).code == 0
    assert json.loads(marks.read_text())["reason"] == "rated 0 of 3: misread"
    assert here("curate", "--import", marks, "-g", own).code == 0
    assert "marked wrong by Ada: rated 0 of 3: misread" in " ".join(
        here("ask", "Does smoking cause emphysema?", "-g", own).out.split()
    )


def test_the_key_does_not_go_into_the_folder_of_the_sheet(here: Run, runs: list[Path], tmp_path: Path) -> None:
    ended = here("rate", "sheet", *runs, "-o", tmp_path / "sheet", "--key", tmp_path / "sheet" / "key.json")
    assert (ended.code, "kept apart" in ended.err) == (2, True)
    assert not (tmp_path / "sheet").exists()


def test_chains_are_drawn_from_a_graph(here: Run, small: Path, tmp_path: Path) -> None:
    drawn = here("rate", "sheet", f"mine={small}", "--form", "paths", "-o", tmp_path / "paths", "--json")
    assert json.loads(drawn.out)["items"] > 0
    assert any("lung cancer, which" in text for item in read_sheet(tmp_path / "paths").items for text in item.outputs.values())


@pytest.mark.parametrize("arguments", [("score", "none.json", "none.csv"), ("serve", "none"), ("sheet", "none.jsonl", "-o", "x")])
def test_what_is_not_there_is_an_error_with_its_name(here: Run, arguments: tuple[str, ...]) -> None:
    ended = here("rate", *arguments)
    assert ended.code == 1
    assert "none" in ended.err

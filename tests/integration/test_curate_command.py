"""`kgqa curate`: marks set, listed, taken back, exported and imported, and what answers, pages and formats make of them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from running import Run

from graph.belief.curation import CURATION
from graph.model import Claim, Polarity
from graph.stores import open_store
from kgqa.api import answer
from kgqa.curations import CuratedClaim, marks_of
from kgqa.settings import starter_graph

QUESTION = "Does smoking cause emphysema?"
WHY = "it only says that some smokers have it"


@pytest.fixture
def graph(small: Path, tmp_path: Path) -> str:
    return str(shutil.copy(small, tmp_path / "own.kgqa"))


def mark(here: Run, graph: str, claim: str, *held: str) -> None:
    ended = here("curate", claim, *held, "--by", "Ada Byron", "-g", graph)
    assert (ended.code, ended.err) == (0, "")


def marks(graph: str | Path) -> list[CuratedClaim]:
    with open_store(graph) as store:
        return marks_of(store)


def test_what_is_marked_wrong_supports_no_answer_which_says_so_with_the_reason(here: Run, graph: str) -> None:
    assert here("ask", QUESTION, "-g", graph).out.splitlines()[2].startswith("  Yes")
    mark(here, graph, "smoking -> emphysema", "wrong", "--why", WHY)

    ended = here("ask", QUESTION, "-g", graph)
    assert f"Unknown: that smoking causes emphysema was marked wrong by Ada Byron: {WHY}." in " ".join(ended.out.split())
    why = here("ask", "Why does smoking cause emphysema?", "-g", graph)
    assert f"marked wrong by Ada Byron: {WHY}" in " ".join(why.out.split())
    assert "None of the sources" not in ended.out
    record = json.loads(here("ask", QUESTION, "-g", graph, "--json").out)
    assert (record["verdict"], record["evidence"]) == ("unknown", [])
    assert [(item["text"], item["source"]["kind"]) for item in record["against"]] == [(WHY, CURATION)]
    assert "emphysema" not in here("ask", "What does smoking cause?", "-g", graph).out
    assert here("path", "smoking", "emphysema", "-g", graph).out.startswith("no chain of")
    assert "marked wrong by Ada Byron" in here("show", "smoking", "-g", graph).out


def test_another_claim_of_the_two_answers_beside_a_mark(here: Run, graph: str, tmp_path: Path) -> None:
    table = tmp_path / "more.csv"
    table.write_text("cause,effect,relation,polarity,title,page_id,text\n")
    with table.open("a") as lines:
        lines.write("smoking,emphysema,causes,increases,Lungs,9,Smoking increases emphysema.\n")
    assert here("load", "csv", table, "-g", graph).code == 0
    ended = here("curate", "smoking -> emphysema", "wrong", "--why", WHY, "-g", graph)
    assert ended.code == 1
    assert "2 claims of the two: " in ended.err
    mark(here, graph, Claim("smoking", "emphysema").hash, "wrong", "--why", WHY)
    mark(here, graph, "smoking -[causes, increases]-> emphysema", "right", "--why", "read it")
    assert [item.claim.polarity for item in marks(graph)] == [Polarity.NONE, Polarity.INCREASES]
    out = " ".join(here("ask", QUESTION, "-g", graph).out.split())
    assert "Yes" in out
    assert f"That smoking causes emphysema was marked wrong by Ada Byron: {WHY}" in out


def test_a_mark_right_is_a_source_and_open_takes_a_mark_back(here: Run, graph: str) -> None:
    before = answer(QUESTION, graph)
    mark(here, graph, "smoking -> emphysema", "right", "--why", "read it")
    after = answer(QUESTION, graph)
    assert after.confidence > before.confidence
    assert "marked right by Ada Byron" in here("ask", QUESTION, "-g", graph).out
    mark(here, graph, "smoking -> emphysema", "open", "--why", "not sure any more")
    assert answer(QUESTION, graph).confidence == before.confidence
    assert [item.curation.mark for item in marks(graph)] == ["right", "open"]


def test_marks_are_listed_and_go_as_lines_into_another_graph(here: Run, graph: str, small: Path, tmp_path: Path) -> None:
    assert here("curate", "-g", graph).out.startswith("no claim of")
    mark(here, graph, "smoking → emphysema", "wrong", "--why", WHY)
    assert f"wrong, Ada Byron, {marks(graph)[0].curation.time[:10]}: {WHY}" in " ".join(here("curate", "-g", graph).out.split())
    lines, other = tmp_path / "marks.jsonl", str(shutil.copy(small, tmp_path / "other.kgqa"))
    unknown = {"cause": "rain", "effect": "flood", "mark": "right", "reason": "so", "curator": "Ada", "time": "2026-11-29"}
    lines.write_text(f"{here('curate', '-g', graph, '--json').out}{json.dumps(unknown)}\nno line\n{{}}\n")

    ended = here("curate", "--import", lines, "-g", other, "--json")
    assert json.loads(ended.out) == {"graph": other, "new": 1, "unknown": 1, "skipped": 2}
    assert "no such claim: rain -[causes]-> flood" in ended.err
    assert marks(other) == marks(graph)
    with open_store(graph) as first, open_store(other) as second:
        assert first.digest() == second.digest()
    assert json.loads(here("curate", "--import", lines, "-g", other, "--json").out)["new"] == 0


def test_copies_and_exports_keep_marks(here: Run, graph: str, tmp_path: Path) -> None:
    mark(here, graph, "smoking -> emphysema", "wrong", "--why", WHY)
    copy, triples = tmp_path / "copy.kgqa", tmp_path / "graph.nt"
    assert here("copy", graph, copy).code == 0
    assert marks(copy) == marks(graph)
    assert here("check", "-g", copy).code == 0
    assert here("export", "rdf", triples, "-g", graph).code == 0
    assert WHY in triples.read_text()


def test_the_starter_graph_is_not_written(here: Run) -> None:
    before = Path(starter_graph()).read_bytes()
    ended = here("curate", "smoking -> lung cancer", "wrong", "--why", "x", "-g", starter_graph())
    assert (ended.code, "the starter graph is only read" in ended.err, "kgqa copy" in ended.err) == (2, True, True)
    assert Path(starter_graph()).read_bytes() == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("smoking -> emphysema",),
        ("smoking -> emphysema", "wrong"),
        ("smoking -> emphysema", "maybe", "--why", "x"),
        ("smoking -> emphysema", "wrong", "--why", "x", "--import", "-"),
    ],
)
def test_half_a_mark_is_wrong_use(here: Run, graph: str, arguments: tuple[str, ...]) -> None:
    assert here("curate", *arguments, "-g", graph).code == 2


@pytest.mark.parametrize(
    ("claim", "fact"),
    [
        ("0" * 32, "no claim with the hash"),
        ("smoking", "is neither the hash of a claim nor CAUSE -> EFFECT"),
        ("emphysema -> smoking", "no claim emphysema -> smoking"),
        ("smokng -> emphysema", "no concept 'smokng'"),
    ],
)
def test_a_claim_that_is_not_there_is_not_marked(here: Run, graph: str, claim: str, fact: str) -> None:
    ended = here("curate", claim, "wrong", "--why", "x", "-g", graph)
    assert ended.code == 1
    assert fact in ended.err
    assert marks(graph) == []

"""The scripts around `kgqa evaluate`: the refusal set is what it says, and a page is filled with what was found."""

from __future__ import annotations

import itertools
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.model import Claim, Evidence, Source, Statement
from graph.stores import open_store
from kgqa.evaluation.dataset_item import DatasetItem

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts" / "build"))

import fill_evaluation_page
from build_refusal_set import Maker
from fill_evaluation_page import PlaceWrong, filled, short

PAIRS = (("rain", "flood"), ("storm", "flood"), ("dam failure", "flood"), ("flood", "famine"), ("stress", "insomnia"))
PAGES = ("one", "two", "three")


@pytest.fixture
def maker() -> Iterator[Maker]:
    asked = [
        DatasetItem("1", "can rain cause floods", ("yes",), pair=("rain", "floods")),
        DatasetItem("2", "does stress cause insomnia", ("yes",), pair=("stress", "insomnia")),
        DatasetItem("3", "does plaquenil cause bleeding", ("no",), pair=("plaquenil", "bleeding")),
        DatasetItem("4", "does it", ("no",)),
    ]
    with open_store("memory:", write=True) as store:
        store.add(
            Statement(Claim(*pair), Evidence(Source("text", page), text=f"{page}: {pair[0]} causes {pair[1]}."))
            for pair in PAIRS
            for page in PAGES
        )
        yield Maker(store, asked, ["who won", "why is it so", "what causes rain"])


def made(questions: Iterator[str], most: int = 20) -> set[str]:
    return set(itertools.islice(questions, most))


def test_answerable_questions_are_about_what_the_graph_has(maker: Maker) -> None:
    chance = random.Random(0)
    assert made(maker.claims(chance)) == {"can rain cause floods", "does stress cause insomnia"}
    assert made(maker.causes_of(chance)) == {"What causes flood?"}
    assert made(maker.effects_of(chance)) == set()


def test_unanswerable_questions_are_about_what_it_has_not(maker: Maker) -> None:
    chance = random.Random(0)
    assert made(maker.unknown_concepts(chance)) == {"does plaquenil cause bleeding"}
    assert made(maker.unknown_claims(chance)) <= {"Does rain cause insomnia?", "Does stress cause floods?"}
    assert made(maker.swapped(chance)) == {f"Does {effect} cause {cause}?" for cause, effect in PAIRS}
    assert made(maker.not_causal(chance)) == {"who won"}
    assert len(made(maker.made_up(chance))) > 10


def test_the_same_seed_makes_the_same_questions(maker: Maker) -> None:
    one, other = (list(itertools.islice(maker.made_up(random.Random(5)), 5)) for _ in range(2))
    assert one == other


@pytest.fixture
def results(tmp_path: Path) -> Path:
    score = {"value": 0.5, "low": 0.25, "high": 1.0}
    runs = {"run": {"kgqa": {"EM": score, "items": 1_200}, "other": {"EM": 0.1, "items": None}}, "two": {"kgqa": {"EM": 1.0}}}
    for run, table in runs.items():
        (tmp_path / run).mkdir()
        (tmp_path / run / "metrics.json").write_text(json.dumps({"scores": {"Scores": table}}))
    return tmp_path


def test_a_page_is_filled_and_what_has_no_results_is_left(results: Path) -> None:
    page = "Text.\n\n<!-- run | Scores | EM; items -->\n| old | row |\n\n<!-- lost | Scores | EM -->\n| kept |\n\nEnd.\n"
    expected = (
        "Text.\n\n<!-- run | Scores | EM; items -->\n| | EM | items |\n|---|---|---|\n| kgqa | .500 [.250, 1.000] | 1,200 |\n"
        "| other | .100 | – |\n\n<!-- lost | Scores | EM -->\n| kept |\n\nEnd.\n"
    )
    text, lost = filled(page, results)
    assert (text, lost) == (expected, ["<!-- lost | Scores | EM -->"])
    assert filled(text, results)[0] == expected
    assert filled("<!-- run | Scores | EM | kgqa -->\n", results)[0].count("|---") == 2


def test_several_runs_stand_in_one_table_under_their_names(results: Path) -> None:
    page = "<!-- run = the first; two = the second | Scores | EM | kgqa -->\n"
    text, lost = filled(page, results)
    assert text == page + "| | EM |\n|---|---|\n| the first | .500 [.250, 1.000] |\n| the second | 1.000 |\n"
    page = page.replace("two", "three")
    assert (lost, *filled(page, results)) == ([], page, [page.strip()])


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("run | Scores", "three or four parts"),
        ("run; two | Scores | EM | kgqa", "a name for each"),
        ("run = a; two = b | Scores | EM", "a name for each"),
        ("run | Score | EM", "asks for 'Score'"),
        ("run | Scores | F1", "asks for 'F1'"),
    ],
)
def test_a_place_that_asks_for_what_no_run_has_is_one_line_and_nothing_is_written(
    results: Path, place: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = results / "page.md"
    page.write_text(f"<!-- run | Scores | EM -->\n\n<!-- {place} -->\n")
    before = page.read_text()
    with pytest.raises(PlaceWrong, match=why):
        filled(before, results)
    monkeypatch.setattr(sys, "argv", ["fill", str(page), str(results)])
    with pytest.raises(SystemExit) as end:
        fill_evaluation_page.main()
    assert why in str(end.value)
    assert len(str(end.value).splitlines()) == 1
    assert page.read_text() == before


@pytest.mark.parametrize(("number", "text"), [(0.5, ".500"), (-0.25, "-.250"), (1.0, "1.000"), (-1.0, "-1.000")])
def test_numbers_are_short(number: float, text: str) -> None:
    assert short(number) == text

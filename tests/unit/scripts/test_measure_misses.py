from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.pipeline import Pipeline

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts" / "judge"))

from measure_misses import blamed, halves, spans


def row(question: str, cause: tuple[int, int], effect: tuple[int, int]) -> dict[str, object]:
    """A row of the file, whose words stand one after the other."""
    return {
        "question": question,
        "question:POS": [[word, "NN", "0"] for word in question.split()],
        "query": [[*cause], [*effect]],
    }


@pytest.fixture
def store() -> Iterator[GraphStore]:
    store = open_store("memory:", write=True)
    record = Evidence(Source("wikipedia", "Page a", "a"), start=0, end=9)
    store.add([Statement(Claim("frost", "rust"), record), Statement(Claim("rain", "mud"), record)])
    yield store
    store.close()


def test_the_spans_of_a_row_are_its_words() -> None:
    assert spans(row("does heavy rain cause mud", (1, 2), (4, 4))) == ("heavy rain", "mud")


def test_the_halves_are_a_division() -> None:
    dev, rest = halves(11, "dev"), halves(11, "rest")
    assert (len(dev), len(rest)) == (6, 5)
    assert sorted([*dev, *rest]) == list(halves(11, "all")) == list(range(11))


@pytest.mark.parametrize(
    ("question", "cause", "effect", "gold", "expected"),
    [
        ("does frost cause mud", (1, 1), (3, 3), "yes", "claim not in the graph"),
        ("does lava cause mud", (1, 1), (3, 3), "yes", "concept not in the graph"),
        ("does frost cause rust", (1, 1), (3, 3), "no", "verdict wrong"),
        ("does mud cause rain", (3, 3), (1, 1), "yes", "slot wrong"),
    ],
)
def test_each_miss_has_its_part_to_blame(
    store: GraphStore, question: str, cause: tuple[int, int], effect: tuple[int, int], gold: str, expected: str
) -> None:
    answer = Pipeline(store).answer(question)
    assert blamed(row(question, cause, effect), answer, store, gold) == expected

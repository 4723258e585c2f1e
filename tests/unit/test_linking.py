from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from graph.model import Alias, Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.linking.linker import readings

NAMES = [
    "flood",
    "flooding",
    "flash flood",
    "ozone layer depletion",
    "lung cancer",
    "cancer",
    "smoking",
    "smoke",
    "myocardial infarction",
]


@pytest.fixture(scope="module")
def store() -> Iterator[GraphStore]:
    store = open_store("memory:", write=True)
    store.add(Statement(Claim(name, "trouble"), Evidence(Source("text", page_id=name), start=0, end=1)) for name in NAMES)
    store.add([], [Alias("heart attack", "myocardial infarction")])
    yield store
    store.close()


@pytest.mark.parametrize(
    ("phrase", "concepts", "how"),
    [
        ("floods", ("flood",), "exact"),
        ("The Smoking", ("smoking",), "exact"),
        ("heart attacks", ("myocardial infarction",), "exact"),
        ("lung-cancer", ("lung cancer",), "exact"),
        ("the ozone layer is depleted", ("ozone layer depletion",), "same stems"),
        ("pediatric lung cancer", ("lung cancer",), "broader"),
        ("smokng", ("smoking",), "spelling"),
    ],
)
def test_the_surest_reading_comes_first(store: GraphStore, phrase: str, concepts: tuple[str, ...], how: str) -> None:
    reading = next(readings(phrase, store))
    assert (reading.concepts, reading.how) == (concepts, how)


def test_scores_fall_from_reading_to_reading_and_no_concept_comes_twice(store: GraphStore) -> None:
    found = list(readings("floods", store))
    assert [reading.how for reading in found[:3]] == ["exact", "same stems", "narrower"]
    names = [name for reading in found for name in reading.concepts]
    assert len(set(names)) == len(names)
    assert all(one.score >= other.score for one, other in pairwise(found))


@pytest.mark.parametrize("phrase", ["", "  ", "?!", "\0", "qqqqqqqqqq", "🙂" * 50, "a" * 5000])
def test_a_phrase_that_means_nothing_here_has_no_reading(store: GraphStore, phrase: str) -> None:
    assert list(readings(phrase, store)) == []

"""The plain baselines: walks, BM25 and answers that need no understanding."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.evaluation.baselines import (
    BREADTH_FIRST_SEARCHES,
    TRIVIAL_ANSWERS,
    GraphSentences,
    PassageSentences,
    cut_sentences,
    first_capitalised_span,
    is_connected,
    majority_answer,
    query_words,
    search_verdicts,
    sentence_verdict,
)
from kgqa.evaluation.dataset_item import DatasetItem

CHAIN = (("rain", "flood"), ("flood", "famine"), ("famine", "migration"), ("war", "famine"))


@pytest.fixture
def store() -> Iterator[GraphStore]:
    with open_store("memory:", write=True) as made:
        source = Source("text", "t")
        made.add(
            Statement(Claim(cause, effect), Evidence(source, text=f"The {cause} brought {effect}.")) for cause, effect in CHAIN
        )
        yield made


def said(store: GraphStore, cause: str, effect: str) -> list[str]:
    """The searches that connect two phrases."""
    return [name for name, verdict in search_verdicts(store, (cause, effect)).items() if verdict == "yes"]


def test_a_walk_is_as_long_as_it_says_and_keeps_to_the_arrows(store: GraphStore) -> None:
    every = list(BREADTH_FIRST_SEARCHES)
    assert said(store, "rain", "flood") == every
    assert said(store, "rain", "famine") == every
    assert said(store, "rain", "migration") == [name for name in every if "3 hops" in name]
    assert said(store, "flood", "rain") == [name for name in every if "either way" in name]
    assert said(store, "flood", "war") == [name for name in every if "either way" in name]
    assert said(store, "rain", "war") == ["breadth-first, 3 hops, either way"]


def test_a_walk_links_by_exact_name_only(store: GraphStore) -> None:
    assert said(store, "heavy rain", "flood") == []
    assert said(store, "rain", "rain") == []
    assert said(store, "The Rain", "floods") == list(BREADTH_FIRST_SEARCHES)


def test_both_ends_are_widened(store: GraphStore) -> None:
    topology = store.topology()
    numbers = {name: topology.number(name) for pair in CHAIN for name in pair}
    rain, migration = numbers["rain"], numbers["migration"]
    assert rain is not None
    assert migration is not None
    assert [is_connected(topology, rain, migration, hops, directed=True) for hops in (1, 2, 3)] == [False, False, True]


def test_sentences_are_cut_at_full_stops_before_capitals() -> None:
    assert cut_sentences('It rained 2.5 mm. "Wow," he said. Then it stopped!\n\nNext') == [
        "It rained 2.5 mm.",
        '"Wow," he said.',
        "Then it stopped!",
        "Next",
    ]


def test_question_words_are_no_content() -> None:
    assert query_words("What causes heavy rain in India?") == ["heavy", "rain", "india"]
    assert query_words("Why?") == ["why"]


def test_bm25_finds_the_sentence_with_the_rare_word() -> None:
    index = PassageSentences(["Cats sleep. Cats purr when happy.", "Dogs bark at cats. Cats sleep."])
    assert index.first("Why do dogs bark?") == "Dogs bark at cats."
    assert index.first("sleeping") == "Cats sleep."
    assert index.first("volcano") is None
    assert index.first('"*(') is None
    index.close()


def test_bm25_over_a_graph_wants_both_ends(store: GraphStore) -> None:
    sentences = GraphSentences(store)
    assert sentences.with_both(("the rain", "floods")) == "The rain brought flood."
    assert sentences.with_both(("rain", "migration")) is None
    assert sentences.first("Who brought rain?") == "The rain brought flood."


def test_a_negation_makes_a_no() -> None:
    assert [sentence_verdict(text) for text in ("It does not.", "It doesn't.", "It does.", None)] == ["no", "no", "yes", None]


def test_the_first_capitalised_span_is_that_of_the_passage() -> None:
    item = DatasetItem("1", "Who was it?", ("x",), "yesterday the Duke of York met Ann-Marie.")
    assert first_capitalised_span(item) == "Duke of York"
    assert first_capitalised_span(DatasetItem("1", "If Soros had not shorted", ())) == "Soros"
    assert first_capitalised_span(DatasetItem("1", "what is it", ())) is None
    assert TRIVIAL_ANSWERS["first sentence of the passage"](item) == item.passage
    assert TRIVIAL_ANSWERS["copy of the question"](item) == "Who was it?"


def test_the_majority_may_be_no_answer() -> None:
    assert (
        majority_answer([DatasetItem("1", "q", ("a",)), DatasetItem("2", "q", ("b",)), DatasetItem("3", "q", ("a", "b"))]) == "a"
    )
    assert majority_answer([DatasetItem("1", "q", ()), DatasetItem("2", "q", ()), DatasetItem("3", "q", ("a",))]) is None
    assert majority_answer([]) is None

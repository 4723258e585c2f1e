"""Properties of the readings of phrases: nothing is crossed, nothing comes twice, the surest comes first, nothing breaks them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.linking.concept_links import ConceptLink, pair_links
from kgqa.linking.lexical_relations import group_alike_names, polarity_signs, polarity_words
from kgqa.linking.linker import link_pairs, link_phrase

NAMES = ["sleep", "blood pressure", "price", "lung cancer", "cancer", "smoking", "exercise", "stress", "lack of sleep", "flood"]
DIRECTIONS = sorted({word.replace("-", " ") for word in polarity_words()})
WORDS = st.sampled_from([*NAMES, "of", "in", "the", "my", "severe", "floods", "flooding", "smokng", *DIRECTIONS])


@pytest.fixture(scope="module")
def store() -> Iterator[GraphStore]:
    store = open_store("memory:", write=True)
    store.add(Statement(Claim(name, "trouble"), Evidence(Source("text", page_id=name), start=0, end=1)) for name in NAMES)
    yield store
    store.close()


@settings(deadline=None)
@given(st.sampled_from(DIRECTIONS), st.sampled_from(NAMES), st.sampled_from(["{} {}", "{} of {}", "{} in {}"]))
def test_a_phrase_with_a_direction_is_never_read_as_the_bare_concept(store: GraphStore, word: str, name: str, form: str) -> None:
    phrase = form.format(word, name)
    assert name not in {concept for reading in link_phrase(phrase, store) for concept in reading.concepts}


@settings(deadline=None)
@given(st.lists(WORDS, max_size=8).map(" ".join))
def test_readings_keep_the_signs_fall_in_score_and_name_no_concept_twice(store: GraphStore, phrase: str) -> None:
    found = list(link_phrase(phrase, store))
    names = [name for reading in found for name in reading.concepts]
    assert len(set(names)) == len(names)
    assert all(one.score >= other.score for one, other in pairwise(found))
    assert all(polarity_signs(name) == polarity_signs(phrase) for name in names)


@given(st.text(max_size=400))
@settings(max_examples=200, deadline=None)
def test_no_text_breaks_the_linking(store: GraphStore, phrase: str) -> None:
    assert all(reading.concepts and 0 < reading.score <= 1 for reading in link_phrase(phrase, store))
    assert sum(map(len, group_alike_names([phrase, phrase.upper(), "flood"]))) == len({phrase, phrase.upper(), "flood"})


SCORES = st.lists(st.sampled_from([1.0, 0.95, 0.85, 0.6, 0.5, 0.4, 0.2]), max_size=6).map(
    lambda scores: sorted(scores, reverse=True)
)


@given(SCORES, SCORES)
def test_pairs_come_in_the_order_of_sorting_all_of_them(causes: list[float], effects: list[float]) -> None:
    ours = [ConceptLink("x", (f"c{place % 4}",), score, "exact") for place, score in enumerate(causes)]
    theirs = [ConceptLink("y", (f"c{place}",), score, "exact") for place, score in enumerate(effects)]
    ranked = sorted(product(ours, theirs), key=lambda pair: -(pair[0].score * pair[1].score))
    wanted = [(one, other) for one, other in ranked if one.concepts != other.concepts]
    assert list(pair_links(iter(ours), iter(theirs))) == wanted


def test_only_what_is_asked_for_is_looked_up(store: GraphStore) -> None:
    asked: list[str] = []

    def link(phrase: str, view: object) -> Iterator[ConceptLink]:
        for number, score in enumerate((1.0, 0.5, 0.2)):
            asked.append(f"{phrase} {number}")
            yield ConceptLink(phrase, (f"{phrase} {number}",), score, "exact")

    pairs = link_pairs("a", "b", store, link)
    assert asked == []
    assert next(pairs)[0].concepts == ("a 0",)
    assert asked == ["a 0", "b 0"]

"""Which readings of a phrase a list is given for, what the list is said to be about, and in which order it stands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.model import Claim, Evidence, Source, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Answer
from kgqa.answering.lists.listing import ListConclusion, asks_about_clause, is_of_pronoun
from kgqa.linking.lexical_relations import changes_polarity
from kgqa.linking.linker import link_phrase
from kgqa.pipeline import Pipeline
from kgqa.questions.classifier import classify
from kgqa.wording.claim_clauses import concept_noun

CLAIMS = [
    ("law", "curb piracy"),
    ("guards", "stem piracy"),
    ("cheap disks", "rampant piracy"),
    ("curb piracy", "anger"),
    ("arson", "fire"),
    ("cost cutting", "start"),
    ("passing trade", "resident"),
    ("nematodes", "tomato plant"),
    ("disease", "heart"),
    ("heart", "pressure wave"),
    ("debate", "importance"),
    ("importance", "debate"),
    ("rivalry", "world war i"),
    ("ambition", "world war"),
    ("invasion", "world war ii"),
    ("partition", "pakistan"),
    ("pollen", "asthma"),
    ("stormy water", "rain"),
    ("cloud", "rain"),
    ("rain", "wet street"),
]


@pytest.fixture(scope="module")
def store() -> Iterator[GraphStore]:
    store = open_store("memory:", write=True)
    for number, (cause, effect) in enumerate(CLAIMS):
        store.add([Statement(Claim(cause, effect), Evidence(Source("text", page_id=str(number)), start=0, end=1))])
    yield store
    store.close()


def asked(store: GraphStore, question: str, limit: int = 10) -> Answer:
    """Return the answer to a question over the graph."""
    return Pipeline(store, limit).answer(question)


def names(answer: Answer) -> list[str]:
    """Return what an answer lists."""
    return [finding.text for finding in answer.findings]


def test_what_is_done_against_a_thing_is_no_kind_of_it(store: GraphStore) -> None:
    kinds = [name for reading in link_phrase("piracy", store) if reading.how == "narrower" for name in reading.concepts]
    assert kinds == ["rampant piracy"]


def test_a_list_of_kinds_names_those_that_its_claims_are_about(store: GraphStore) -> None:
    answer = asked(store, "What causes piracy?")
    assert names(answer) == ["cheap disk"]
    assert "of rampant piracy" in answer.sentence


def test_other_kinds_than_the_first_are_named_where_the_claims_are_about_them() -> None:
    with open_store("memory:", write=True) as store:
        for number, (cause, effect) in enumerate([("fog", "sea piracy"), ("debt", "river piracy"), ("sea piracy", "fear")]):
            store.add([Statement(Claim(cause, effect), Evidence(Source("text", page_id=str(number)), start=0, end=1))])
        assert "The graph knows little of the effects of sea piracy" in asked(store, "What does piracy lead to?").sentence
        both = asked(store, "What causes piracy?").sentence
        assert "sea piracy" in both
        assert "river piracy" in both


@pytest.mark.parametrize(
    ("question", "never"),
    [
        ("How did the residents of devils island navigate the waves?", "passing trade"),
        ("What causes tomato plants to mold?", "nematode"),
        ("Why is it important?", "debate"),
        ("What caused the conflict between India and Pakistan?", "partition"),
    ],
)
def test_a_clause_is_not_read_as_one_noun_in_it(store: GraphStore, question: str, never: str) -> None:
    answer = asked(store, question)
    assert (answer.answer, answer.findings) == (None, ())
    assert never not in answer.sentence


def test_what_starts_is_what_is_asked_for(store: GraphStore) -> None:
    assert names(asked(store, "How can fire start?")) == ["arson"]


def test_why_a_thing_exists_does_not_ask_what_happens_to_it(store: GraphStore) -> None:
    answer = asked(store, "Why does the heart exist?")
    assert "disease" not in names(answer)
    assert "no purpose of this is known" in answer.sentence


def test_a_pronoun_names_nothing_but_the_weather() -> None:
    assert is_of_pronoun("important", "Why is it important")
    assert not is_of_pronoun("raining", "Why is it raining")
    assert not is_of_pronoun("important", "Why is sleep important")


def test_to_begins_a_clause_behind_who_acts_and_no_noun() -> None:
    assert asks_about_clause("tomato plants to mold", "what causes tomato plants to mold")
    assert asks_about_clause("telecommunications to be suspended", "What caused telecommunications to be suspended?")
    for phrase in ("severe damage to Germany", "damage to skin", "damage to crops", "resistance to the drug"):
        assert not asks_about_clause(phrase, f"What caused {phrase}?")


def test_another_number_is_another_thing(store: GraphStore) -> None:
    assert names(asked(store, "What caused World War I?")) == ["rivalry"]
    assert changes_polarity("world war i", "world war ii")
    assert changes_polarity("type 1 diabetes", "type 2 diabetes")
    assert not changes_polarity("world war 2", "world war ii")


@pytest.mark.parametrize("phrase", ["the conflict between India and Pakistan", "a mixture of bleach and ammonia"])
def test_what_lies_between_two_is_one_phrase(phrase: str) -> None:
    slots = classify(f"What caused {phrase}?").slots
    assert (slots.effect, slots.options) == (phrase, None)


def test_half_a_pair_is_no_answer_at_the_confidence_of_the_whole(store: GraphStore) -> None:
    whole, half = asked(store, "What causes asthma?"), asked(store, "What causes asthma and xyzzyplugh?")
    assert "called 'xyzzyplugh'" in half.sentence
    assert half.confidence < 0.75 * whole.confidence


def test_the_first_names_are_the_same_however_many_are_shown() -> None:
    with open_store("memory:", write=True) as store:
        for number in range(40):
            title = "Flood" if number % 7 == 3 else f"Page {number}"
            for copy in range(1 + (number % 3)):
                source = Source("wikipedia", title, page_id=f"{number}-{copy}")
                store.add(
                    [
                        Statement(
                            Claim(f"cause {'abcdefghijklmnopqrstuvwxyzäöüß'[number % 30] * 3}{number}x", "flood"),
                            Evidence(source, start=0, end=1),
                        )
                    ]
                )
        long = names(asked(store, "What causes floods?", limit=40))
        for limit in (1, 3, 5, 12, 20):
            assert names(asked(store, "What causes floods?", limit=limit)) == long[:limit]


def test_the_name_of_an_illness_that_looks_like_a_verb_is_written_in_capitals() -> None:
    assert concept_noun("aids").text == "AIDS"


def test_what_only_narrows_another_entry_comes_last_and_is_not_named_with_it() -> None:
    causes = ("impressment", "trade restriction", "impressment of american sailors", "severe trade restriction", "air pollution")
    store = open_store("memory:", write=True)
    for number, cause in enumerate((*causes, "pollution")):
        store.add([Statement(Claim(cause, "war"), Evidence(Source("text", page_id=str(number)), start=0, end=1))])
    answer = asked(store, "What causes war?")
    store.close()
    assert {*names(answer)[-2:]} == {"impressment of american sailors", "severe trade restriction"}
    conclusion = answer.conclusion
    assert isinstance(conclusion, ListConclusion)
    assert conclusion.name_count == len(causes) - 1

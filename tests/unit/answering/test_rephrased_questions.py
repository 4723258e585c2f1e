"""Questions asked the other way round: whether it is not so, which of two is likelier, which is the rarest."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.model import Claim, Evidence, Source, Stance, Statement, Strength
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Answer, Verdict
from kgqa.answering.lists.listing import asks_rarest
from kgqa.answering.verdicts.verification_query import parse_proposition
from kgqa.pipeline import Pipeline
from kgqa.questions.classifier import classify


@pytest.fixture(scope="module")
def store() -> Iterator[GraphStore]:
    store = open_store("memory:", write=True)
    for cause, effect, stance, number in (
        ("frost", "rust", Stance.ASSERTED, 4),
        ("salt", "rust", Stance.ASSERTED, 2),
        ("drought", "fever", Stance.NEGATED, 3),
    ):
        store.add(Statement(Claim(cause, effect), _record(f"{cause} {page}", stance)) for page in range(number))
    yield store
    store.close()


def _record(page: str, stance: Stance) -> Evidence:
    source = Source("wikipedia", title=page, page_id=page)
    return Evidence(source, stance, Strength.CAUSES, "test", f"what the page {page} says", start=0, end=9)


def ask(store: GraphStore, question: str) -> Answer:
    return Pipeline(store, 5).answer(question)


@pytest.mark.parametrize(
    ("question", "denied"),
    [
        ("Is it true that frost causes rust?", False),
        ("Is it true that frost does not cause rust?", True),
        ("Is it true that frost never causes rust?", True),
        ("Is it true that rust isn't caused by frost?", True),
        ("is it true frost cannot cause rust", True),
        ("Is it true that frost causes rust or not?", False),
        ("Is it not true that frost causes rust?", False),
        ("Isn't it true that frost doesn't cause rust?", True),
        ("It is not true that frost causes rust, is it?", True),
        ("Is it false that frost causes rust?", True),
        ("Is it wrong that frost causes rust?", True),
        ("Is it false that frost does not cause rust?", False),
        ("Is it a myth that frost causes rust?", True),
        ("True or false: frost causes rust", False),
        ("True or false: frost does not cause rust", True),
        ("Frost doesn't cause rust, does it?", False),
        ("Frost causes rust, doesn't it?", False),
        ("Frost causes rust, right?", False),
        ("frost does cause rust?", False),
        ("Doesn't frost cause rust?", False),
    ],
)
def test_a_negation_is_no_part_of_a_slot_and_turns_what_is_asked_only_inside_what_is_called_true(
    question: str, denied: bool
) -> None:
    slots = classify(question).slots

    assert ((slots.cause or "").lower(), slots.effect) == ("frost", "rust")
    assert parse_proposition(question, slots).denied is denied


@pytest.mark.parametrize(
    ("question", "verdict", "supporting", "against"),
    [
        ("Is it true that frost does not cause rust?", Verdict.NO, 0, 3),
        ("Is it false that frost causes rust?", Verdict.NO, 0, 3),
        ("Is it true that drought does not cause fever?", Verdict.YES, 3, 0),
        ("Is it not true that frost causes rust?", Verdict.YES, 3, 0),
    ],
)
def test_the_verdict_is_on_what_is_asked_and_so_are_its_sides(
    store: GraphStore, question: str, verdict: Verdict, supporting: int, against: int
) -> None:
    answer = ask(store, question)

    assert answer.verdict is verdict
    assert (len(answer.evidence), len(answer.against)) == (supporting, against)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Is frost or salt more likely to cause rust?", "frost"),
        ("Is frost or salt less likely to cause rust?", "salt"),
        ("Which is more likely to cause rust, salt or frost?", "frost"),
        ("Is salt more likely to cause rust than frost?", "no"),
        ("Does salt cause more rust than frost?", "no"),
        ("Does salt cause less rust than frost?", "yes"),
        ("Is frost or salt better for rust?", None),
    ],
)
def test_of_two_the_better_supported_is_told_and_nothing_of_what_is_better(
    store: GraphStore, question: str, said: str | None
) -> None:
    answer = ask(store, question)

    assert answer.answer == said
    assert "no measure of" in answer.sentence


def test_options_behind_a_second_preposition_are_each_looked_up(store: GraphStore) -> None:
    assert ask(store, "Is rust caused by frost or by salt?").answer == "frost and salt"


def test_the_rarest_is_not_told(store: GraphStore) -> None:
    answer = ask(store, "What is the least common cause of rust?")

    assert answer.answer is None
    assert "cannot be told from a graph" in answer.sentence
    assert "frost" in answer.sentence
    assert ask(store, "What is the most common cause of rust?").answer == "frost"


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("What is the rarest cause of death?", True),
        ("what is the least likely cause of a headache", True),
        ("What are at least three causes of death?", False),
        ("What causes the decline of the least weasel?", False),
    ],
)
def test_whether_the_rarest_is_asked_for(question: str, asks: bool) -> None:
    assert asks_rarest(question) is asks


def test_a_question_cut_in_the_wrong_place_is_said_not_to_be_made_out(store: GraphStore) -> None:
    answer = ask(store, "Should rust be banned because it causes fever?")

    assert answer.answer is None
    assert "could not be made out" in answer.sentence


@pytest.mark.parametrize(
    "question",
    [
        "I heard that frost gives you rust. Is that right?",
        "My mum says frost makes rust, is she right?",
        "Frost causes rust, right?",
        "Isn't it true that frost makes rust?",
        "Is it right that rust is caused by frost?",
        "People say that frost makes rust: true or false?",
        "Is there any truth to the claim that frost makes rust?",
    ],
)
def test_a_statement_that_somebody_asks_about_has_the_verdict_of_the_plain_question(store: GraphStore, question: str) -> None:
    plain = ask(store, "Does frost cause rust?")
    assert ask(store, question).sentence == plain.sentence


def test_a_yes_to_whether_something_is_a_myth_is_as_sure_as_the_no_to_the_claim(store: GraphStore) -> None:
    myth, plain = ask(store, "Is it a myth that drought causes fever?"), ask(store, "Does drought cause fever?")
    assert (myth.verdict, plain.verdict) == (Verdict.YES, Verdict.NO)
    assert myth.confidence == pytest.approx(plain.confidence, abs=0.05)

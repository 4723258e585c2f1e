"""Questions that take a claim for granted: what the graph supports adds nothing, what it contradicts is corrected first."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Answer, PresuppositionStatus, Route, Verdict
from kgqa.pipeline import Pipeline
from kgqa.presuppositions.graph_check import ONLY_DENIED
from kgqa.record import answer_record

PREVENTS = {"relation": Relation.PREVENTS, "polarity": Polarity.DECREASES}


def statements(cause: str, effect: str, pages: str, stance: Stance = Stance.ASSERTED, **claim: object) -> Iterator[Statement]:
    for page in pages:
        source = Source("wikipedia", title=f"Page {page}", page_id=f"{cause} {effect} {page}")
        yield Statement(
            Claim(cause, effect, **claim),  # type: ignore[arg-type]
            Evidence(source, stance, rule="test", text=f"page {page} on {cause} and {effect}", start=0, end=9),
        )


@pytest.fixture
def store() -> Iterator[GraphStore]:
    store = open_store("memory:", write=True)
    store.add(statements("smoking", "lung cancer", "abc"))
    store.add(statements("smoking", "stroke", "a"))
    store.add(statements("radon", "lung cancer", "ab"))
    store.add(statements("vaccine", "autism", "ab", Stance.NEGATED))
    store.add(statements("mutation", "autism", "ab"))
    store.add(statements("vitamin c", "scurvy", "ab", **PREVENTS))
    store.add(statements("coffee", "gout", "a"))
    store.add(statements("coffee", "gout", "b", Stance.NEGATED))
    yield store
    store.close()


def ask(store: GraphStore, question: str) -> Answer:
    return Pipeline(store, 5).answer(question)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How do vaccines cause autism?", "Vaccines do not cause autism: 2 sources deny it."),
        ("Why does lung cancer cause smoking?", "Lung cancer does not cause smoking; smoking causes lung cancer."),
        ("Why does smoking prevent lung cancer?", "Smoking does not prevent lung cancer; smoking causes lung cancer."),
        ("How does vitamin C cause scurvy?", "Vitamin C does not cause scurvy; vitamin C prevents scurvy."),
        ("Why doesn't smoking cause lung cancer?", "Smoking causes lung cancer."),
        ("Why are sharks mammals?", "Sharks are not mammals; WordNet has them as fish."),
    ],
)
def test_what_is_contradicted_is_corrected_with_the_reason(store: GraphStore, question: str, sentence: str) -> None:
    answer = ask(store, question)
    assert answer.route is Route.PRESUPPOSITION
    assert answer.sentence.startswith(sentence)
    assert answer.presuppositions[0].status is PresuppositionStatus.CONTRADICTED
    assert answer.presuppositions[0].correction_sentence == sentence


def test_the_corrected_question_is_answered_behind_the_correction(store: GraphStore) -> None:
    assert "Causes of autism: mutations" in ask(store, "How do vaccines cause autism?").sentence
    assert "Effects of smoking: lung cancer" in ask(store, "Why does lung cancer cause smoking?").sentence


def test_a_correction_cites_what_decides_it(store: GraphStore) -> None:
    answer = ask(store, "How do vaccines cause autism?")
    assert {cited.evidence.stance for cited in answer.presuppositions[0].evidence} == {Stance.NEGATED}
    assert set(answer.presuppositions[0].evidence) <= set(answer.evidence)


@pytest.mark.parametrize(
    "question",
    [
        "Given that vaccines cause autism, what causes lung cancer?",
        "If vaccines cause autism, what causes lung cancer?",
        "What causes lung cancer, since vaccines cause autism?",
        "Vaccines cause autism, so what causes lung cancer?",
    ],
)
def test_the_rest_of_the_question_is_answered_without_the_clause(store: GraphStore, question: str) -> None:
    answer = ask(store, question)
    assert answer.route is Route.PRESUPPOSITION
    assert answer.sentence.startswith("Vaccines do not cause autism: 2 sources deny it. Causes of lung cancer: ")
    assert answer.question == question
    assert {finding.text for finding in answer.findings} == {"smoking", "radon"}


def test_a_premise_that_sources_state_adds_nothing(store: GraphStore) -> None:
    answer = ask(store, "Given that smoking causes stroke, what causes lung cancer?")
    assert answer.sentence == ask(store, "What causes lung cancer?").sentence
    assert answer.presuppositions[0].status is PresuppositionStatus.SUPPORTED
    assert answer.route is Route.GRAPH


def test_a_plain_question_takes_nothing_for_granted(store: GraphStore) -> None:
    assert ask(store, "What causes lung cancer?").presuppositions == ()
    assert ask(store, "Does lung cancer cause smoking?").verdict is Verdict.NO


def test_what_is_only_supposed_is_applied_and_not_checked(store: GraphStore) -> None:
    answer = ask(store, "If smoking had prevented lung cancer, would there be lung cancer?")
    assert answer.presuppositions == ()
    assert answer.route is not Route.PRESUPPOSITION


def test_what_of_the_question_has_no_answer_is_said(store: GraphStore) -> None:
    answer = ask(store, "Given that lung cancer causes smoking, why do people like tea?")
    assert answer.sentence.startswith("Lung cancer does not cause smoking; smoking causes lung cancer. Effects of smoking: ")
    assert answer.notes[0] == "The rest of the question has no answer here: why do people like tea?"


def test_a_contested_premise_is_said_to_be_contested(store: GraphStore) -> None:
    answer = ask(store, "How does coffee cause gout?")
    assert answer.verdict is Verdict.CONTESTED
    assert answer.presuppositions[0].status is PresuppositionStatus.CONTESTED


def test_a_contested_clause_is_remarked_upon(store: GraphStore) -> None:
    answer = ask(store, "Given that coffee causes gout, what causes lung cancer?")
    assert answer.route is Route.GRAPH
    assert answer.notes[0] == "What the question takes for granted is contested: Coffee causes gout."


def test_an_unknown_premise_is_no_false_alarm(store: GraphStore) -> None:
    answer = ask(store, "Given that radon causes gout, what causes lung cancer?")
    assert answer.route is Route.GRAPH
    assert answer.presuppositions[0].status is PresuppositionStatus.UNKNOWN
    assert answer.missing[-1].what == "whether it is so, as the question takes for granted: Radon causes gout."


def test_the_record_holds_the_premise_with_its_place(store: GraphStore) -> None:
    question = "Given that vaccines cause autism, what causes lung cancer?"
    (record,) = answer_record(ask(store, question))["presuppositions"]
    assert question[record["start"] : record["end"]] == "vaccines cause autism"
    assert record["trigger"] == "given"
    assert record["correction"] == "Vaccines do not cause autism: 2 sources deny it."
    assert [item["stance"] for item in record["evidence"]] == ["negated", "negated"]


def test_the_trace_tells_how_a_premise_was_found_and_checked(store: GraphStore) -> None:
    line = ask(store, "How do vaccines cause autism?").trace[0]
    assert line.startswith(
        "taken for granted by “how”: Vaccines cause autism: contradicted, false with probability 0.88; checked: no"
    )


def test_a_claim_that_is_denied_too_weakly_for_a_verdict_is_suspect(store: GraphStore) -> None:
    source = Source("wikipedia", title="Ada Lovelace", page_id="ada")
    evidence = Evidence(source, Stance.NEGATED, rule="test", text="her tea did not cause her gout")
    store.add([Statement(Claim("tea", "gout"), evidence)])
    result = ask(store, "Given that tea causes gout, what causes lung cancer?")
    (premise,) = result.presuppositions
    assert result.route is not Route.PRESUPPOSITION
    assert (premise.status, premise.probability) == (PresuppositionStatus.SUSPECT, ONLY_DENIED)

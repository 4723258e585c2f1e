"""The semantic and pragmatic classes: the paper's examples, scores, what is decided by the model, and why."""

from __future__ import annotations

import json
import os
import re
import statistics
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from graph.model import Relation
from kgqa.calibration.linear_model import fitted_model_path
from kgqa.cli.type import type_question
from kgqa.question import Attribute, Intent, Pragmatic, Semantic
from kgqa.questions.classifier import LinearClassifier, classify, explain_classification, linear_classifier
from kgqa.questions.lexicon import read_question_data, topics_of, verb_topics

DATA = Path(os.environ.get("KGQA_DATA") or Path(__file__).parents[4] / "shared" / "data")
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="no data folder; name one with KGQA_DATA")

SEMANTIC = [
    ("Why does a mosquito bite itch?", Semantic.CAUSE),
    ("Why did Jean Valjean take care of Cosette?", Semantic.GOAL),
    ("Why do gaming chairs have a race car design?", Semantic.PURPOSE),
    ("How can FIFA be so blatantly corrupt?", Semantic.ENABLEMENT),
    ("What does increasing water vapor lead to?", Semantic.RESULT),
    ("Would hydrophobic coating affect swimming?", Semantic.VERIFICATION),
]
PRAGMATIC = [
    ("Why can't I log in into Facebook?", Pragmatic.PROBLEM_PRACTICAL),
    ("Can broccoli cause constipation?", Pragmatic.PROBLEM_MEDICAL),
    ("What to do to prevent cancer?", Pragmatic.PREVENTION_MEDICAL),
    ("What to do to prevent global warming?", Pragmatic.PREVENTION_SOCIETAL),
    ("Why do you think about the people who are gone?", Pragmatic.COPING_MENTAL),
    ("Why doesn't a director fire a stupid employee?", Pragmatic.COPING_ANGER),
    ("Why do chemical reactions depend on pH?", Pragmatic.PHYSICAL_WORLD),
    ("How did World War II start?", Pragmatic.POLITICS_HISTORY),
    ('Why is a notebook called "notebook"?', Pragmatic.LANGUAGE),
    ("What happens if you scan a mirror?", Pragmatic.TRIVIA),
    ("Why do men cheat on their wives?", Pragmatic.SOCIAL_ISSUES),
    ("Why is Messi not playing on the team?", Pragmatic.ENTERTAINMENT),
    ("What will happen if Trump wins another election?", Pragmatic.RATIONAL_FUTURE),
    ("What will happen if one dreams of pregnancy?", Pragmatic.IRRATIONAL_FUTURE),
]


@pytest.mark.parametrize(("question", "semantic"), SEMANTIC)
def test_the_papers_six_semantic_examples_get_their_class(question: str, semantic: Semantic) -> None:
    assert classify(question).semantic is semantic


@pytest.mark.parametrize(("question", "pragmatic"), PRAGMATIC)
def test_the_papers_fourteen_pragmatic_examples_get_their_subtype(question: str, pragmatic: Pragmatic) -> None:
    kind = classify(question)

    assert kind.pragmatic is pragmatic
    assert kind.intent is pragmatic.intent


def test_a_director_who_fires_nobody_is_an_expectation_that_failed_and_anger() -> None:
    kind = classify("Why doesn't a director fire a stupid employee?")

    assert kind.semantic is Semantic.CAUSE
    assert Attribute.EXPECTATIONAL in kind.attributes
    assert kind.pragmatic is Pragmatic.COPING_ANGER


def test_broccoli_is_a_medical_verification() -> None:
    kind = classify("Can broccoli cause constipation?")

    assert (kind.semantic, kind.pragmatic) == (Semantic.VERIFICATION, Pragmatic.PROBLEM_MEDICAL)


def test_a_dream_is_a_result_in_the_irrational_future() -> None:
    kind = classify("What will happen if one dreams of pregnancy?")

    assert kind.semantic is Semantic.RESULT
    assert (kind.intent, kind.pragmatic) == (Intent.OPINION, Pragmatic.IRRATIONAL_FUTURE)


@pytest.mark.parametrize("question", ["What is your name?", "how to tie a tie", "who sang this?"])
def test_what_is_not_causal_has_no_pragmatic_class_either(question: str) -> None:
    kind = classify(question)

    assert (kind.semantic, kind.intent, kind.pragmatic) == (None, None, None)


def test_why_there_is_anything_is_causal() -> None:
    assert classify("Why is there something rather than nothing?").semantic is not None


@pytest.mark.parametrize(
    ("question", "semantic", "relation", "cause"),
    [
        ("why did kathryn sue her employer", Semantic.GOAL, Relation.MOTIVATES, False),
        ("how did the vikings cross the ocean", Semantic.ENABLEMENT, Relation.ENABLES, False),
        ("why are safety valves important", Semantic.PURPOSE, Relation.IS_FOR, True),
        ("why did the empire collapse", Semantic.CAUSE, Relation.CAUSES, False),
        ("how did the emperor die", Semantic.CAUSE, Relation.CAUSES, False),
    ],
)
def test_the_relation_asked_for_follows_the_class_that_was_decided(
    question: str, semantic: Semantic, relation: Relation, cause: bool
) -> None:
    kind = classify(question)

    assert (kind.semantic, kind.slots.relation) == (semantic, relation)
    assert bool(kind.slots.cause) == cause
    assert bool(kind.slots.effect) != cause


@pytest.mark.parametrize("question", [question for question, _ in SEMANTIC + PRAGMATIC] + ["What is your name?", "purple"])
def test_scores_are_probabilities_with_the_likeliest_first(question: str) -> None:
    kind = classify(question)

    for scores in (kind.scores, kind.pragmatic_scores):
        values = [value for _, value in scores]
        assert values == sorted(values, reverse=True)
        assert not values or sum(values) == pytest.approx(1)
    assert {name for name, _ in kind.scores} <= {*map(str, Semantic), "not causal"}
    assert {name for name, _ in kind.pragmatic_scores} <= set(map(str, Pragmatic))


def test_a_subtype_that_is_not_sure_is_not_told() -> None:
    unsure = [kind for kind in (classify(f"why {word} it so") for word in ("is", "was", "does", "would")) if kind.semantic]

    assert all(kind.pragmatic is None or kind.pragmatic_confidence >= 0.35 for kind in unsure)


def test_the_reasons_name_the_rule_and_the_features_that_weighed_most() -> None:
    first, second, *_ = explain_classification("Why did Japan invade Singapore?")

    assert first == "the rule why.agent-acts says goal"
    assert re.match(r"goal rather than cause: .+ \(\+\d\.\d\d\)", second)


def test_a_question_that_no_rule_reads_says_so() -> None:
    assert next(explain_classification("purple elephants")).startswith("no rule takes a sentence of this form")


def test_the_command_shows_classes_slots_and_reasons() -> None:
    shown = CliRunner().invoke(type_question, ["Does tea or coffee raise blood pressure in pregnant women?"])
    record = json.loads(CliRunner().invoke(type_question, ["Why did Japan invade Singapore?", "--json"]).output)

    assert shown.exit_code == 0
    for line in ("semantic:   verification", "population: pregnant women", "options:    cause: tea or coffee", "why:  "):
        assert line in shown.output
    assert record["semantic"] == "goal"
    assert record["scores"]["goal"] > 0.5
    assert record["why"]


def test_a_model_adds_the_weights_of_the_features_that_it_has() -> None:
    model = LinearClassifier({"a": {"word x": 100, "word y": -50}, "b": {"word y": 50}}, {"a": 0, "b": 0}, 100)

    assert model.probabilities({"word z"}) == {"a": 0.5, "b": 0.5}
    assert model.probabilities({"word x"})["a"] == pytest.approx(0.731, abs=1e-3)
    assert model.contributions({"word x", "word y"}, "b", "a") == [("word y", 1.0)]


@pytest.mark.parametrize("name", ["semantic", "pragmatic"])
def test_the_models_are_small_and_know_all_classes(name: str) -> None:
    model = linear_classifier(name)

    assert set(model.weights) == ({*map(str, Semantic), "not causal"} if name == "semantic" else set(map(str, Pragmatic)))
    assert fitted_model_path(f"question_{name}").stat().st_size < 150_000


def test_every_line_of_the_topics_is_found_and_nothing_else_is() -> None:
    lines = read_question_data("topics.tsv").splitlines()[1:]

    assert lines == sorted(lines, key=lambda line: line.split("\t")[0])
    assert all(topics_of(line.split("\t")[0]) for line in lines[::97])
    assert topics_of("constipation") == topics_of("constipations") == ("illness",)
    assert verb_topics("invade", base=True)
    assert not verb_topics("invaded", base=True)
    assert not topics_of("zzzz")
    assert not topics_of("")


@needs_data
def test_a_question_takes_less_than_five_milliseconds_of_processor_time() -> None:
    lines = (DATA / "reading" / "nq_open_1800.jsonl").read_text(encoding="utf-8").splitlines()[:400]
    classify("What causes gout?")
    times = []
    for line in lines:
        start = time.process_time()
        classify(json.loads(line)["question"])
        times.append(time.process_time() - start)

    assert statistics.median(times) < 0.005


@pytest.mark.parametrize(
    ("question", "medical"),
    [
        ("Does caffeine cause headaches?", True),
        ("Does aspirin cause ulcers?", True),
        ("Do cars cause noise?", False),
        ("Does demand cause inflation?", False),
    ],
)
def test_a_yes_no_question_without_a_word_of_medicine_is_medical_only_where_that_is_sure(question: str, medical: bool) -> None:
    assert (classify(question).pragmatic is Pragmatic.PROBLEM_MEDICAL) is medical


@pytest.mark.parametrize(
    ("question", "cause", "effect"),
    [
        ("symtoms of malaria", "malaria", None),
        ("What are the concequences of war?", "war", None),
        ("What are the main resons for gout?", None, "gout"),
    ],
)
def test_a_slip_in_the_word_that_asks_is_mended(question: str, cause: str | None, effect: str | None) -> None:
    slots = classify(question).slots
    assert (slots.cause, slots.effect) == (cause, effect)

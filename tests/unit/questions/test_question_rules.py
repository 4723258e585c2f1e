"""The typology: every rule by its examples, the papers' cases, and the forms of question that people use."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graph.intervene import Presence
from graph.model import Relation
from kgqa.question import Attribute, Semantic
from kgqa.questions.classifier import classify
from kgqa.questions.conditional_slots import parse_condition
from kgqa.questions.patterns import PatternMalformed, parse_pattern
from kgqa.questions.question_rules import condition_rules, question_rules
from kgqa.questions.tokenization import question_sentences

DATA = Path(os.environ.get("KGQA_DATA") or Path(__file__).parents[4] / "shared" / "data")
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="no data folder; name one with KGQA_DATA")


def rule_examples() -> Iterator[Any]:
    for rule in question_rules():
        for example in rule.examples:
            yield pytest.param(rule, example, id=f"{rule.id}: {example['question']}")


def condition_examples() -> Iterator[Any]:
    for rule in (one for one in condition_rules() if not one.beside):
        for example in rule.examples:
            yield pytest.param(rule, example, id=f"{rule.id}: {example['clause']}")


@pytest.mark.parametrize(("rule", "example"), list(rule_examples()))
def test_a_rule_takes_its_examples_and_fills_their_slots(rule: Any, example: Any) -> None:
    kind = classify(example["question"])

    assert kind.rules[0] == rule.id
    assert kind.semantic == example.get("semantic", rule.semantic)
    assert kind.slots.cause == example.get("cause")
    assert kind.slots.effect == example.get("effect")
    assert set(example.get("attributes", ())) <= set(kind.attributes)
    if "relation" in example:
        assert kind.slots.relation == example["relation"]
    if "condition" in example:
        assert kind.slots.condition is not None
        assert kind.slots.condition.text == example["condition"]
    if "target" in example:
        assert kind.slots.condition is not None
        assert kind.slots.condition.target == example["target"]
        assert kind.slots.condition.presence == example["presence"]


@pytest.mark.parametrize(("rule", "example"), list(condition_examples()))
def test_a_condition_rule_reads_its_examples(rule: Any, example: Any) -> None:
    supposed = parse_condition(example["clause"], question_sentences(example["clause"])[0].words)

    assert supposed is not None
    assert supposed.rule == f"condition.{rule.id}"
    condition = supposed.condition
    assert (condition.text, condition.target, condition.effect) == (example["clause"], example["target"], example.get("effect"))
    assert (condition.presence, condition.amount, condition.also) == (rule.presence, rule.amount, ())


def test_every_rule_has_an_example_and_a_name_of_its_own() -> None:
    assert all(rule.examples for rule in question_rules())
    assert all(rule.examples for rule in condition_rules())
    assert len({rule.id for rule in question_rules()}) == len(question_rules())
    assert len({rule.id for rule in condition_rules()}) == len(condition_rules())


@pytest.mark.parametrize("pattern", ["{cause", "what } x", "<no such set> {effect}", "{effect: a {cause}", "(open"])
def test_a_pattern_that_cannot_be_read_says_where(pattern: str) -> None:
    with pytest.raises(PatternMalformed, match="cannot be read at"):
        parse_pattern(pattern)


@pytest.mark.parametrize(
    ("question", "semantic"),
    [
        ("Why does a mosquito bite itch?", Semantic.CAUSE),
        ("Why did Jean Valjean take care of Cosette?", Semantic.GOAL),
        ("Why do gaming chairs have a race car design?", Semantic.PURPOSE),
        ("How can FIFA be so blatantly corrupt?", Semantic.ENABLEMENT),
        ("What does increasing water vapor lead to?", Semantic.RESULT),
        ("Would hydrophobic coating affect swimming?", Semantic.VERIFICATION),
    ],
)
def test_the_six_semantic_classes_of_the_paper(question: str, semantic: Semantic) -> None:
    assert classify(question).semantic is semantic


@pytest.mark.parametrize(
    "question",
    [
        "Why can't I log in into Facebook?",
        "Can broccoli cause constipation?",
        "What to do to prevent cancer?",
        "What to do to prevent global warming?",
        "Why do you think about the people who are gone?",
        "Why doesn't a director fire a stupid employee?",
        "Why do chemical reactions depend on pH?",
        "How did World War II start?",
        'Why is a notebook called "notebook"?',
        "What happens if you scan a mirror?",
        "Why do men cheat on their wives?",
        "Why is Messi not playing on the team?",
        "What will happen if Trump wins another election?",
        "What will happen if one dreams of pregnancy?",
        "Why is there something rather than nothing?",
    ],
)
def test_every_pragmatic_example_of_the_paper_is_causal(question: str) -> None:
    assert classify(question).semantic is not None


def test_fifa_is_enablement_without_any_lexical_rule() -> None:
    kind = classify("How can FIFA be so blatantly corrupt?")

    assert kind.semantic is Semantic.ENABLEMENT
    assert kind.slots.relation is Relation.ENABLES
    assert kind.rules == ("enablement.how-can-be-so",)


@pytest.mark.parametrize(
    ("question", "lexical"),
    [
        ("Why does mosquito bite itch?", "R1"),
        ("What causes broken blood vessels?", "R2"),
        ("How did the constellation Bootes get its name?", "R3"),
        ("What was the effect of the silk road on religions?", "R4"),
        ("What does increasing water vapor lead to?", "R5"),
        ("What happens if we drink very hot water?", "R6"),
        ("What to do if my Xbox won't connect to the Wi-Fi?", "R7"),
    ],
)
def test_the_lexical_rules_are_named_after_the_rule_that_decided(question: str, lexical: str) -> None:
    kind = classify(question)

    assert kind.semantic is not None
    assert [name for name in kind.rules if "." not in name] == [lexical]
    assert kind.rules[-1] == lexical


@pytest.mark.parametrize(
    "question",
    [
        "What is your name?",
        "What is the capital of France?",
        "how to tie a tie",
        "How can I fix my sink?",
        "Who wrote the song Why Me?",
        "When did the war end?",
        "How many causes of cancer are there?",
        "What is the greenhouse effect?",
        "Is Paris in France?",
        "If I want to buy a coat, where can I go?",
    ],
)
def test_a_question_that_is_not_causal_has_no_class_and_no_slots(question: str) -> None:
    kind = classify(question)

    assert kind.semantic is None
    assert (kind.slots.cause, kind.slots.effect, kind.slots.condition) == (None, None, None)


def test_a_manner_question_says_so() -> None:
    assert classify("how to tie a tie").rules == ("not-causal.how-to",)


@pytest.mark.parametrize(
    ("question", "cause", "effect"),
    [
        ("What are the causes of World War I?", None, "World War I"),
        ("what causes sudden weight loss in adults", None, "sudden weight loss"),
        ("What’s the cause of gout?", None, "gout"),
        ("WHAT'S THE CAUSE OF GOUT", None, "GOUT"),
        ("whats the cause of gout", None, "gout"),
        ("What're the effects of smoking?", "smoking", None),
        ("Why do earthquakes happen?", None, "earthquakes"),
        ("Why is the sky blue?", None, "the sky blue"),
        ("What does stress lead to?", "stress", None),
        ("Is malaria caused by mosquitoes?", "mosquitoes", "malaria"),
        ("Was the famine caused by the drought?", "the drought", "the famine"),
        ("Are tides due to the Moon?", "the Moon", "tides"),
        ("Is coffee bad for the heart?", "coffee", "the heart"),
        ("Did the treaty lead to the war?", "the treaty", "the war"),
        ("Does the increase in prices cause unrest?", "the increase in prices", "unrest"),
        ("Does exercise really help prevent strokes?", "exercise", "strokes"),
        ("Tell me what causes hiccups, please", None, "hiccups"),
        ("My head hurts. What causes headaches? Thanks!", None, "headaches"),
        ("What caused the 2008 crisis, and how was it solved?", None, "the 2008 crisis"),
        ("smoking lung cancer link", "smoking", "lung cancer"),
        ('Why is a notebook called "notebook"?', None, 'a notebook called "notebook"'),
        ("Why did the U.S. enter the war?", None, "the U.S. enter the war"),
        ("What causes pain (in adults)?", None, "pain (in adults)"),
    ],
)
def test_slots_are_clean_phrases_on_the_right_side(question: str, cause: str | None, effect: str | None) -> None:
    slots = classify(question).slots

    assert (slots.cause, slots.effect) == (cause, effect)


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("What causes scurvy?", Relation.CAUSES),
        ("What prevents scurvy?", Relation.PREVENTS),
        ("What reduces inflammation?", Relation.PREVENTS),
        ("What protects against malaria?", Relation.PREVENTS),
        ("How can malaria be prevented?", Relation.PREVENTS),
        ("Does aspirin reduce the risk of stroke?", Relation.PREVENTS),
        ("Does salt increase the risk of stroke?", Relation.CAUSES),
        ("What makes flight possible?", Relation.ENABLES),
        ("What is a catalytic converter for?", Relation.IS_FOR),
        ("Why did she leave him?", Relation.MOTIVATES),
        ("Is coffee linked to cancer?", Relation.ASSOCIATED),
    ],
)
def test_the_relation_asked_for_is_that_of_the_verb(question: str, relation: Relation) -> None:
    assert classify(question).slots.relation is relation


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("Can stress or caffeine cause headaches?", Attribute.DISJUNCTION),
        ("Why doesn't a director fire a stupid employee?", Attribute.EXPECTATIONAL),
        ("Why can't humans breathe under water?", Attribute.EXPECTATIONAL),
        ("How does deforestation lead to floods?", Attribute.MULTI_SLOT),
        ("What is the most common cause of blindness?", Attribute.SUPERLATIVE),
        ("If bees disappeared, what would happen to crops?", Attribute.COUNTERFACTUAL),
    ],
)
def test_attributes_are_told(question: str, attribute: Attribute) -> None:
    assert attribute in classify(question).attributes


def test_an_expectation_is_that_of_the_question_and_not_of_its_subclause() -> None:
    assert Attribute.EXPECTATIONAL not in classify("Why do dogs bark when nobody is not at home?").attributes


COUNTERFACTUALS = [
    ("If smoking were eliminated, what would happen to lung cancer?", "smoking", "lung cancer", Presence.ABSENT),
    ("If the Moon did not exist, would tides still happen?", "the Moon", "tides", Presence.ABSENT),
    ("If the war had not happened, would the empire still exist?", "the war", "the empire", Presence.ABSENT),
    ("If alcohol were banned, what would happen to accidents?", "alcohol", "accidents", Presence.ABSENT),
    ("If bees disappeared what would happen to crops", "bees", "crops", Presence.ABSENT),
    ("If the treaty had never been signed, would the war have happened?", "the treaty", "the war", Presence.ABSENT),
    ("Would tides happen without the Moon?", "the Moon", "tides", Presence.ABSENT),
    ("Without the Moon, would tides happen?", "the Moon", "tides", Presence.ABSENT),
    ("What would happen to lung cancer if smoking were eliminated?", "smoking", "lung cancer", Presence.ABSENT),
    ("What would happen to lung cancer if there were no smoking?", "smoking", "lung cancer", Presence.ABSENT),
    ("What would happen to lung cancer without smoking?", "smoking", "lung cancer", Presence.ABSENT),
    ("If people did not smoke, would lung cancer still exist?", "smoke", "lung cancer", Presence.ABSENT),
    ("If we stopped deforestation, would floods still occur?", "deforestation", "floods", Presence.ABSENT),
    ("Had the war not happened, would the empire still exist?", "the war", "the empire", Presence.ABSENT),
    ("If a nuclear war were to happen, what would happen to the climate?", "a nuclear war", "the climate", Presence.PRESENT),
    ("If CO2 increased, what would happen to sea level?", "CO2", "sea level", Presence.PRESENT),
    ("If smoking had not been banned, what would have happened to pubs?", "smoking", "pubs", Presence.PRESENT),
]


@pytest.mark.parametrize(("question", "target", "effect", "presence"), COUNTERFACTUALS)
def test_a_counterfactual_supposes_its_target(question: str, target: str, effect: str, presence: Presence) -> None:
    kind = classify(question)

    assert Attribute.COUNTERFACTUAL in kind.attributes
    assert kind.slots.effect == effect
    assert kind.slots.cause == target
    assert kind.slots.condition is not None
    assert (kind.slots.condition.target, kind.slots.condition.presence) == (target, presence)


def test_a_real_condition_is_a_cause_and_no_counterfactual() -> None:
    kind = classify("What happens if the ozone layer is depleted?")

    assert kind.semantic is Semantic.RESULT
    assert kind.slots.cause == "the ozone layer is depleted"
    assert kind.attributes == ()


def test_the_condition_of_a_why_question_is_kept_beside_it() -> None:
    kind = classify("If the phases of the moon are due to the Earth's shadow, why do we see them every month?")

    assert kind.semantic is Semantic.CAUSE
    assert kind.slots.condition is not None
    assert kind.slots.condition.text == "the phases of the moon are due to the Earth's shadow"
    assert Attribute.COUNTERFACTUAL not in kind.attributes


def test_a_pronoun_is_less_certain_than_a_phrase() -> None:
    assert classify("What causes it?").confidence < classify("What causes gout?").confidence


@pytest.mark.parametrize("question", ["", " ", "?", "\0\0", "。", "😀" * 50, "?!?!,,;;--", "\n\t", '"', "why", "WHY?", "if", "'"])
def test_scraps_are_classified_without_complaint(question: str) -> None:
    kind = classify(question)

    assert 0 <= kind.confidence <= 1
    assert kind.slots.cause is None
    assert kind.slots.effect is None


ADVERSARIAL = {
    "one long word": "a" * 100_000,
    "one long slot": "what causes " + "x " * 50_000,
    "emoji": "😀" * 100_000,
    "NUL bytes": "\0" * 100_000,
    "punctuation": "?!,. " * 20_000,
    "commas": "," * 100_000,
    "open quotes": 'why is "' * 12_500,
    "open brackets": "why (((( " * 11_000,
    "why": "why " * 25_000,
    "a verb again and again": "does cause " * 9_000,
    "every connective": "if would without what had not be caused by to lead to or and " * 1_600,
    "many sentences": "Does it? If so, would it? " * 4_000,
    "apostrophes": "what's doesn't " * 6_600,
    "digits and commas": "1," * 50_000,
}


@pytest.mark.parametrize("question", list(ADVERSARIAL.values()), ids=list(ADVERSARIAL))
def test_a_hundred_thousand_characters_are_never_slow(question: str) -> None:
    classify("What causes gout?")
    start = time.process_time()
    classify(question)

    assert time.process_time() - start < 0.5


def nq_questions() -> list[str]:
    lines = (DATA / "reading" / "nq_open_1800.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["question"] for line in lines]


@needs_data
def test_hardly_any_open_question_is_called_causal() -> None:
    questions = nq_questions()
    causal = [question for question in questions if classify(question).semantic is not None]

    assert len(causal) / len(questions) < 0.03


@needs_data
def test_causal_yes_no_questions_are_verifications_with_both_slots() -> None:
    rows = json.loads((DATA / "msmarco_causal" / "valid.json").read_text(encoding="utf-8"))
    kinds = [classify(row["question"]) for row in rows]
    full = [kind for kind in kinds if kind.semantic is Semantic.VERIFICATION and kind.slots.cause and kind.slots.effect]

    assert len(full) / len(kinds) > 0.95

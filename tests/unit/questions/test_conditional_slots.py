"""What is read of a question with an "if": a table of forms, the rules by their examples, moods, and what joins suppositions."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest

from graph.intervene import Presence
from kgqa.question import Amount, Attribute, Condition, EffectOutcome, Semantic
from kgqa.questions.classifier import MoodCue, classify, conditional_mood, mood_cues
from kgqa.questions.conditional_parser import parse_conditional
from kgqa.questions.conditional_slots import parse_condition, split_conjuncts
from kgqa.questions.patterns import match_pattern
from kgqa.questions.preprocess import contradicts_itself
from kgqa.questions.question_rules import condition_rules, outcome_rules
from kgqa.questions.tokenization import question_sentences
from kgqa.router import _LEAST_SUPPOSED_MOOD as LEAST_SUPPOSED_MOOD

FORMS = list(csv.DictReader(Path(__file__).with_name("conditional_slots.tsv").read_text("utf-8").splitlines(), delimiter="\t"))
DATA = Path(os.environ.get("KGQA_DATA", Path(__file__).parents[4] / "shared" / "data"))
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="no data folder; name one with KGQA_DATA")


def told(condition: Condition) -> str:
    """What is supposed, as the table has it: "smoking=absent & radon=absent", "coffee->gout=present"."""
    joined = " | " if condition.joined == "or" else " & "
    return joined.join(f"{one.target}{f'->{one.effect}' if one.effect else ''}={one.value}" for one in condition.each)


def clause(text: str) -> Condition:
    words = question_sentences(text)[0].words
    found = parse_condition(text, words)
    assert found is not None
    return found.condition


@pytest.mark.parametrize("row", FORMS, ids=[row["question"] for row in FORMS])
def test_a_form_of_question_is_read(row: dict[str, str]) -> None:
    kind = classify(row["question"])
    condition = kind.slots.condition

    assert Attribute.COUNTERFACTUAL in kind.attributes
    assert condition is not None
    assert without_article(told(condition)) == without_article(row["supposed"])
    assert without_article(kind.slots.effect or "-") == without_article(row["effect"])
    assert row["asked"] in ("any", kind.slots.outcome or "-")


def without_article(text: str) -> str:
    return text.lower().replace("the ", "").replace("any ", "")


def test_the_table_has_every_kind_of_form() -> None:
    assert len(FORMS) >= 40
    assert {row["asked"] for row in FORMS} >= {*EffectOutcome, "-"}
    assert all(
        any(mark in row["supposed"] for row in FORMS) for mark in ("=absent", "=present", "=more", "=less", "->", " & ", " | ")
    )


@pytest.mark.parametrize("rule", [one for one in condition_rules() if one.beside], ids=lambda rule: rule.id)
def test_a_rule_for_what_stands_beside_another_part_matches_its_examples(rule: object) -> None:
    for example in rule.examples:  # type: ignore[attr-defined]
        found = match_pattern(rule.pattern, question_sentences(example["clause"])[0].words)  # type: ignore[attr-defined]
        assert found is not None
        first, last = found.slots["target"]
        assert " ".join(word.form for word in question_sentences(example["clause"])[0].words[first:last]) == example["target"]


@pytest.mark.parametrize("rule", outcome_rules(), ids=lambda rule: rule.id)
def test_a_rule_for_the_main_clause_reads_its_examples(rule: object) -> None:
    for example in rule.examples:  # type: ignore[attr-defined]
        kind = classify(f"If smoking were banned, {example['main']}?")
        assert kind.rules[0] == f"condition.{rule.id}"  # type: ignore[attr-defined]
        assert (kind.semantic, kind.slots.outcome) == (rule.semantic, rule.outcome)  # type: ignore[attr-defined]
        assert kind.slots.effect == example.get("effect")


def test_every_rule_has_a_name_and_an_example_of_its_own() -> None:
    assert len({rule.id for rule in outcome_rules()}) == len(outcome_rules())
    assert all(rule.examples for rule in outcome_rules())


def test_a_clause_in_front_and_one_behind_are_both_supposed() -> None:
    condition = classify("If tea were gone, would gout still happen if beer were gone?").slots.condition
    assert condition is not None
    assert told(condition) == "tea=absent & beer=absent"


def test_unless_turns_what_is_supposed_round() -> None:
    condition = classify("Would measles return unless vaccination continued?").slots.condition
    assert condition is not None
    assert (condition.target, condition.presence) == ("vaccination", Presence.ABSENT)


def test_unless_one_or_the_other_denies_both() -> None:
    condition = classify("Unless smoking or drinking were banned, would cancer spread?").slots.condition
    assert condition is not None
    assert (told(condition), condition.joined) == ("smoking=present & drinking=present", "and")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("there were no smoking or radon", "smoking=absent & radon=absent"),
        ("smoking or radon disappeared", "smoking=absent | radon=absent"),
        ("smoking, drinking and gambling were banned", "smoking=absent & drinking=absent & gambling=absent"),
        ("smoking stopped but not drinking", "smoking=absent & drinking=present"),
        ("there were smoking but no radon", "smoking=present & radon=absent"),
        ("supply and demand rose", "supply and demand=more"),
        ("the number of cars was reduced by half", "the number of cars=less"),
        ("it rained", "it rained=present"),
    ],
)
def test_what_is_joined_is_told_apart(text: str, said: str) -> None:
    assert told(clause(text)) == said


def test_what_follows_from_another_supposition_says_so() -> None:
    condition = clause("deforestation stopped and, because of that, erosion did not occur")
    assert [one.follows for one in condition.each] == [False, True]


def test_words_that_name_one_thing_are_not_told_apart() -> None:
    words = question_sentences("the Mamas and the Papas had disbanded")[0].words
    assert len(split_conjuncts(words)) == 1
    assert len(split_conjuncts(question_sentences("a link between tea and gout were found")[0].words)) == 1


def test_more_and_less_are_amounts_of_what_is_there() -> None:
    assert clause("smoking increased")[:4] == ("smoking increased", "smoking", Presence.PRESENT, Amount.MORE)
    assert clause("smoking decreased")[:4] == ("smoking decreased", "smoking", Presence.PRESENT, Amount.LESS)


def test_a_supposition_in_a_sentence_of_its_own_belongs_to_the_question() -> None:
    kind = classify("Suppose smoking had never existed. Would there be lung cancer?")
    assert (kind.semantic, kind.slots.effect, kind.slots.outcome) == (Semantic.VERIFICATION, "lung cancer", EffectOutcome.HAPPENS)


@pytest.mark.parametrize("cue", mood_cues(), ids=lambda cue: cue.name)
def test_a_cue_of_mood_is_seen_in_its_example(cue: MoodCue) -> None:
    assert cue.expression.search(cue.example)


@pytest.mark.parametrize(
    "question",
    [
        "How come dogs bark if they are not scared?",
        "If smoking causes lung cancer, why do some smokers stay healthy?",
        "Why is the sky dark at night if there are so many stars?",
        "If the phases of the moon are due to the Earth's shadow, why do we see them every month?",
    ],
)
def test_an_if_that_takes_something_for_so_has_a_low_mood_and_sets_nothing(question: str) -> None:
    kind = classify(question)
    assert kind.mood is not None
    assert kind.mood < LEAST_SUPPOSED_MOOD
    assert Attribute.COUNTERFACTUAL not in kind.attributes


def test_a_mood_is_a_prior_and_no_decision() -> None:
    """ACC-48: "would ... if" of what is not so."""
    value = conditional_mood("Wouldn't it be more fuel efficient if rockets took off like planes?")
    assert value is not None
    assert (
        LEAST_SUPPOSED_MOOD
        < value
        < (conditional_mood("Would it be more fuel efficient if rockets took off like planes?") or 0.0)
    )


def test_a_question_without_an_if_has_no_mood() -> None:
    assert classify("What causes tsunamis?").mood is None


@pytest.mark.parametrize(
    "form", ["If X had been both present and absent, would Y increase?", "If X were and were not banned, would Y stop?"]
)
def test_what_contradicts_itself_is_seen_before_it_is_read(form: str) -> None:
    conditional = parse_conditional(form)
    assert conditional is not None
    assert contradicts_itself(conditional)


@needs_data
def test_nearly_every_question_that_supposes_something_has_a_high_mood() -> None:
    rows = json.loads((DATA / "ifqa" / "full_split" / "train.json").read_text("utf-8"))
    moods = [conditional_mood(row["question"]) or 0.0 for row in rows]
    assert sum(value >= LEAST_SUPPOSED_MOOD for value in moods) / len(moods) > 0.97


@needs_data
def test_hardly_any_why_with_an_if_has_a_high_mood() -> None:
    lines = (DATA / "causalqa" / "questions_sample.jsonl").read_text("utf-8").splitlines()
    asked = [json.loads(line)["question"] for line in lines]
    why = [one for one in asked if " if " in one.lower() and ("why" in one.lower() or "how come" in one.lower())]
    assert len(why) > 50
    assert sum((conditional_mood(one) or 0.0) >= LEAST_SUPPOSED_MOOD for one in why) / len(why) < 0.05

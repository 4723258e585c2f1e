"""The lexical rules R1 to R7 of CausalQA, as the paper prints them and as the code does that was released with it."""

from __future__ import annotations

from typing import get_args

import pytest
from click.testing import CliRunner

from kgqa.cli.type import type_question
from kgqa.question import Semantic
from kgqa.questions.classifier import classify
from kgqa.questions.question_rules import LexicalMode, LexicalRule, lexical_matches, lexical_rules

DIFFERENCES = [
    ("What leads to inflation?", ("R5",), ()),
    ("What affects interest rates?", ("R4",), ()),
    ("What is the greenhouse effect?", ("R4",), ()),
    ("What is the cause?", ("R2",), ()),
    ("What caused the Civil War?", (), ("R2",)),
    ("What happens in the life cycle of a star?", (), ("R6",)),
    ("what are the signs of lead toxicity", (), ("R5",)),
    ("Tell me why the sky is blue", ("R1",), ()),
    ("If fire breaks out, what should be done?", ("R7",), ()),
    ("What to do?", ("R7",), ()),
    ("What happen if you swallow gum?", ("R6",), ()),
    ("WHY?", ("R1",), ("R1",)),
    ("How can FIFA be so blatantly corrupt?", (), ()),
    ("What is your name?", (), ()),
    ("how to tie a tie", (), ()),
]
TABLE_3 = [
    ("Why does mosquito bite itch?", "R1"),
    ("What causes broken blood vessels?", "R2"),
    ("How did the constellation Bootes get its name?", "R3"),
    ("What was the effect of the silk road on religions?", "R4"),
    ("What does increasing water vapor lead to?", "R5"),
    ("What happens if we drink very hot water?", "R6"),
    ("What to do if my Xbox won't connect to the Wi-Fi?", "R7"),
]
TABLE_2 = [
    ("Why does a mosquito bite itch?", "R1"),
    ("Why did Jean Valjean take care of Cosette?", "R1"),
    ("Why do gaming chairs have a race car design?", "R1"),
    ("What does increasing water vapor lead to?", "R5"),
    ("Would hydrophobic coating affect swimming?", "R4"),
    ("Why can't I log in into Facebook?", "R1"),
    ("Can broccoli cause constipation?", "R2"),
    ("What to do to prevent cancer?", "R7"),
    ("What to do to prevent global warming?", "R7"),
    ("Why do you think about the people who are gone?", "R1"),
    ("Why doesn't a director fire a stupid employee?", "R1"),
    ("Why do chemical reactions depend on pH?", "R1"),
    ("How did World War II start?", "R3"),
    ('Why is a notebook called "notebook"?', "R1"),
    ("What happens if you scan a mirror?", "R6"),
    ("Why do men cheat on their wives?", "R1"),
    ("Why is Messi not playing on the team?", "R1"),
    ("What will happen if Trump wins another election?", "R6"),
    ("What will happen if one dreams of pregnancy?", "R6"),
]
MODES: tuple[LexicalMode, ...] = get_args(LexicalMode)


@pytest.mark.parametrize("mode", MODES)
def test_there_are_seven_rules_in_either_mode(mode: LexicalMode) -> None:
    assert [rule.id for rule in lexical_rules(mode)] == [f"R{number}" for number in range(1, 8)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("rule", lexical_rules(), ids=lambda rule: rule.id)
def test_a_rule_alone_matches_its_example(rule: LexicalRule, mode: LexicalMode) -> None:
    assert lexical_matches(rule.example, mode) == (rule.id,)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("question", "name"), TABLE_3 + TABLE_2)
def test_the_papers_examples_match_in_either_mode(question: str, name: str, mode: LexicalMode) -> None:
    assert lexical_matches(question, mode) == (name,)


@pytest.mark.parametrize(("question", "paper", "released"), DIFFERENCES)
def test_the_two_modes_differ_as_listed(question: str, paper: tuple[str, ...], released: tuple[str, ...]) -> None:
    assert lexical_matches(question) == lexical_matches(question, "paper") == paper
    assert lexical_matches(question, "released") == released


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("whys and wherefores of tides", ("R1",)),
        ("When it rains, tell me why it does", ("R1",)),
        ("How and why do cells divide?", ("R1",)),
        ("what mineral is causing it", ()),
        ("because of what did the bridge fall", ("R2",)),
        ("somehow did it work", ("R3",)),
        ("what is the dopplar effect on light", ()),
        ("what does the Doppler effect do", ("R4",)),
        ("an effective cure", ()),
        ("does salt affect it", ("R4",)),
        ("what should be done when it rains", ("R7",)),
        ("so what to do if it rains", ()),
    ],
)
def test_the_released_rules_have_the_limits_of_their_code(question: str, names: tuple[str, ...]) -> None:
    assert lexical_matches(question, "released") == names


@pytest.mark.parametrize("question", ["because it rains", "an effective cure", "the whyte house", "misleads tomorrow", ""])
def test_words_are_matched_whole(question: str) -> None:
    assert lexical_matches(question) == ()


def test_a_question_may_match_several_rules() -> None:
    assert lexical_matches("Why does the cause lead to\nan effect?") == ("R1", "R2", "R4", "R5")


def test_the_class_does_not_depend_on_the_mode() -> None:
    paper, released = classify("What affects interest rates?"), classify("What affects interest rates?", "released")

    assert paper.semantic is released.semantic is Semantic.CAUSE
    assert "R4" in paper.rules
    assert "R4" not in released.rules


@pytest.mark.parametrize(("question", "paper", "released"), DIFFERENCES[:3])
def test_the_command_names_the_rules_of_the_mode_that_is_asked_for(
    question: str, paper: tuple[str, ...], released: tuple[str, ...]
) -> None:
    for mode, names in (("paper", paper), ("released", released)):
        result = CliRunner().invoke(type_question, [question, "--lexical", mode])

        assert result.exit_code == 0
        assert all(name in result.output for name in names)
        assert names or f"{mode}: none" in result.output

"""The lexical rules R1 to R7 of CausalQA, as the paper prints them."""

from __future__ import annotations

import pytest

from kgqa.typology.lexical import LexicalRule, lexical_matches, lexical_rules

DIFFERENCES = [
    ("What leads to inflation?", ("R5",)),
    ("What affects interest rates?", ("R4",)),
    ("What is the greenhouse effect?", ("R4",)),
    ("What is the cause?", ("R2",)),
    ("What caused the Civil War?", ()),
    ("What happens in the life cycle of a star?", ()),
    ("what are the signs of lead toxicity", ()),
    ("Tell me why the sky is blue", ("R1",)),
    ("If fire breaks out, what should be done?", ("R7",)),
    ("What to do?", ("R7",)),
    ("What happen if you swallow gum?", ("R6",)),
    ("WHY?", ("R1",)),
    ("How can FIFA be so blatantly corrupt?", ()),
    ("What is your name?", ()),
    ("how to tie a tie", ()),
]


@pytest.mark.parametrize("rule", lexical_rules(), ids=lambda rule: rule.id)
def test_a_rule_alone_matches_its_example(rule: LexicalRule) -> None:
    assert lexical_matches(rule.example) == (rule.id,)


@pytest.mark.parametrize(("question", "names"), DIFFERENCES)
def test_the_rules_read_as_printed_where_the_released_ones_differ(question: str, names: tuple[str, ...]) -> None:
    assert lexical_matches(question) == names


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Why does a mosquito bite itch?", "R1"),
        ("Why did Jean Valjean take care of Cosette?", "R1"),
        ("Why do gaming chairs have a race car design?", "R1"),
        ("What does increasing water vapor lead to?", "R5"),
        ("Would hydrophobic coating affect swimming?", "R4"),
        ("Can broccoli cause constipation?", "R2"),
        ("What to do to prevent cancer?", "R7"),
        ("How did World War II start?", "R3"),
        ("What will happen if one dreams of pregnancy?", "R6"),
    ],
)
def test_the_examples_of_the_typology_match_as_well(question: str, name: str) -> None:
    assert lexical_matches(question) == (name,)


@pytest.mark.parametrize("question", ["because it rains", "an effective cure", "the whyte house", "misleads tomorrow", ""])
def test_words_are_matched_whole(question: str) -> None:
    assert lexical_matches(question) == ()


def test_a_question_may_match_several_rules() -> None:
    assert lexical_matches("Why does the cause lead to\nan effect?") == ("R1", "R2", "R4", "R5")

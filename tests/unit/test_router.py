"""Which answerer and readers the tables of the router choose."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kgqa.questions.classifier import classify
from kgqa.router import ANSWERERS, answerer_row, route_reader

EXAMPLES = [
    ("not causal", "Who wrote Hamlet?"),
    ("if A or B", "If smoking or radon were gone, would there be lung cancer?"),
    ("if A, then B?", "If smoking were gone, would there be lung cancer?"),
    ("if A, then what?", "What would happen if smoking were gone?"),
    ("A to B or B to A?", "Does stress cause insomnia or does insomnia cause stress?"),
    ("A or B to C?", "Does coffee or tea cause insomnia?"),
    ("how A to B?", "How does deforestation lead to floods?"),
    ("A to B more than C?", "Does coffee cause insomnia more than tea?"),
    ("A to B?", "Does smoking cause lung cancer?"),
    ("what not to A?", "What does not cause cancer?"),
    ("what to A and B?", "What causes both cancer and gout?"),
    ("what to A?", "What causes tsunamis?"),
]


def chosen(question: str, **changes: object) -> str:
    """The name of the row that is chosen for a question."""
    kind = replace(classify(question), **changes)  # type: ignore[arg-type]
    return answerer_row(question, kind).name


@pytest.mark.parametrize(("row", "question"), EXAMPLES)
def test_a_question_of_each_kind_chooses_its_row(row: str, question: str) -> None:
    assert chosen(question) == row


def test_an_if_that_takes_something_for_granted_is_answered_as_it_stands() -> None:
    question = "Why do dogs bark if they are scared?"
    assert chosen(question, mood=0.2) == "if, taken for granted"
    assert chosen(question, mood=0.9) != "if, taken for granted"


def test_the_last_row_takes_what_no_other_takes() -> None:
    question = "What causes tsunamis?"
    kind = classify(question)
    assert chosen(question, slots=replace(kind.slots, cause=None, effect=None)) == ANSWERERS[-1].name == "without a slot"


@pytest.mark.parametrize(
    ("question", "reader"),
    [
        ("Did it rain?", "boolean"),
        ("If it had rained, would the match have been played?", "boolean"),
        ("How many more towns were flooded than villages?", "numeric"),
        ("By how much did the river rise?", "numeric"),
        ("Which is longer, the Ula or the Dobra?", "numeric"),
        ("Who ended it?", "extractive"),
        ("What caused the flood?", "extractive"),
    ],
)
def test_the_form_of_a_question_chooses_its_reader(question: str, reader: str) -> None:
    assert route_reader(question) == reader

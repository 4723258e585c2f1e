"""Questions of why and how read by the subject and the effect of their clause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from graph.model import Relation
from kgqa.questions.clause_slots import clause_rules, clause_slots, slots_of_clause, subject_and_act
from kgqa.questions.tokenization import question_sentences


def clause_examples() -> Iterator[Any]:
    for rule in clause_rules():
        for example in rule.examples:
            yield pytest.param(example, id=f"{rule.id}: {example['clause']}")


@pytest.mark.parametrize("example", list(clause_examples()))
def test_a_form_of_clause_reads_its_example(example: Any) -> None:
    words = question_sentences(example["clause"])[0].words
    readings = [(slots.cause, slots.effect, slots.relation) for slots in slots_of_clause(example["clause"], words)]
    assert (example["cause"], example["effect"], Relation(example.get("relation", "causes"))) in readings


def test_what_stands_before_the_clause_is_no_part_of_its_subject() -> None:
    assert {slots.cause for slots in clause_slots("Why does pollution kill fish?")} == {"pollution"}
    assert {slots.cause for slots in clause_slots("how come drinking makes people dizzy")} == {"drinking"}


def test_no_other_question_and_no_denied_one_is_read_so() -> None:
    assert not list(clause_slots("What does pollution kill?"))
    assert not list(clause_slots("Why doesn't pollution kill fish?"))


@pytest.mark.parametrize(
    ("clause", "parts"),
    [
        ("a catalytic converter cut pollution", ("a catalytic converter", "cut pollution")),
        ("diabetes damage the eyes", ("diabetes", "damage the eyes")),
        ("cancer start in the body", None),
        ("the sky red at sunset", None),
    ],
)
def test_a_clause_with_an_object_has_a_subject_and_an_act(clause: str, parts: tuple[str, str] | None) -> None:
    assert subject_and_act(clause) == parts

"""Premises are found in clauses and in the why or how of a question; the rows of data/clauses.toml are the tests."""

from __future__ import annotations

import pytest

from kgqa.presuppositions.premise_finder import find_premises, premise_clauses
from kgqa.presuppositions.taxa import is_of_taxon, read_taxon_claim
from kgqa.questions.classifier import classify

EXAMPLES = [(row.id, example) for row in premise_clauses() for example in row.examples]


def premise_texts(question: str) -> list[str]:
    return [premise.presupposition.text for premise in find_premises(question, question, classify(question))]


@pytest.mark.parametrize(("row", "example"), EXAMPLES, ids=[example["question"] for _, example in EXAMPLES])
def test_every_opening_finds_the_clauses_of_its_examples(row: str, example: dict[str, str]) -> None:
    question = example["question"]
    premise = find_premises(question, question, classify(question))[0]
    assert (premise.presupposition.trigger, premise.words, premise.main) == (row, example["clause"], example["main"])
    assert question[premise.presupposition.start : premise.presupposition.end] == example["clause"]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How come vaccines cause autism?", "Vaccines cause autism."),
        ("Why is lung cancer caused by vaccines?", "Vaccines cause lung cancer."),
        ("By what mechanism does smoking prevent stroke?", "Smoking prevents stroke."),
        ("Why don't vaccines cause autism?", "Vaccines do not cause autism."),
        ("How quickly does smoking cause stroke?", "Smoking causes stroke."),
        ("Why is a whale a fish?", "A whale is a fish."),
        ("Why are whales, which are fish, so large?", "Whales are fish."),
        ("Why do so many people know that smoking causes stroke?", "Smoking causes stroke."),
    ],
)
def test_what_a_why_or_how_is_about_is_a_premise(question: str, text: str) -> None:
    assert premise_texts(question)[0] == text


@pytest.mark.parametrize(
    "question",
    [
        "Suppose doctors stopped washing their hands. What would happen to infections?",
        "What causes tsunamis?",
        "Does smoking cause stroke?",
        "Why is the sky blue?",
        "Is it true that vaccines cause autism?",
        "If vaccines had caused autism, would autism be common?",
        "Why do dogs bark if they are not scared?",
        "Why did the king abolish slavery?",
    ],
)
def test_a_question_without_a_claim_has_no_premise(question: str) -> None:
    assert premise_texts(question) == []


def test_ten_premises_in_one_question_are_no_trouble() -> None:
    question = "".join(f"Given that smoking causes stroke{number}, " for number in range(10)) + "what causes gout?"
    assert 1 <= len(premise_texts(question)) <= 7


@pytest.mark.parametrize(
    ("text", "belongs"),
    [
        ("sharks are mammals", False),
        ("a shark is a fish", True),
        ("dogs are animals", True),
        ("spiders are insects", False),
        ("fish are sharks", None),
        ("animals are mammals", None),
        ("great white sharks are mammals", False),
        ("teddy bears are mammals", None),
    ],
)
def test_a_thing_is_of_the_taxa_above_its_own_alone(text: str, belongs: bool | None) -> None:
    claim = read_taxon_claim(text)
    assert (claim and is_of_taxon(claim.thing, claim.taxon)) == belongs

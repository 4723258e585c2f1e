"""The short answer in what a chat model says."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from kgqa.readers.chat import reply_parsing
from kgqa.readers.chat.reply_parsing import parse_answer
from kgqa.readers.reader import AnswerKind

REFUSALS = tomllib.loads(Path(reply_parsing.__file__).with_name("refusals.toml").read_text(encoding="utf-8"))["refusal"]
SAID = [
    ("Berlin", "Berlin"),
    ("Berlin.", "Berlin"),
    ("  **Berlin**\n\nThe games had been given to it.", "Berlin"),
    ("Berlin. The games had been given to it.", "Berlin"),
    ("The answer is Berlin.", "Berlin"),
    ("The answer is: “Berlin”", "Berlin"),
    ("Answer: Berlin", "Berlin"),
    ("First I thought the answer is Paris. But it was cancelled. So the final answer is **Berlin**.", "Berlin"),
    ("The answer would be Berlin, since it had the games.", "Berlin, since it had the games"),
    ("The answer is J. K. Rowling.", "J. K. Rowling"),
    ("The answer is the U.S.", "the U.S."),
    ("The answer is St. Louis. It lies on a river.", "St. Louis"),
    ("The answer is $3.5 million.", "$3.5 million"),
    ("The answer is 4.\nThat is all.", "4"),
    ("The answer is that Berlin holds them.", "Berlin holds them"),
    ('{"answer": "Berlin"}', "Berlin"),
    ('```json\n{"reason": "given", "answer": "Berlin",}\n```', "Berlin"),
    ("{'answer': 'Berlin'}", "Berlin"),
    ('{"answer": 1890}', "1890"),
    ('{"answer": ["Berlin", "Potsdam"]}', "Berlin"),
    ('{"answer": "she said \\"no\\""}', 'she said "no"'),
    ("<think>The answer is Paris? No.</think>\nBerlin", "Berlin"),
    ("No. 5", "No. 5"),
    ("No one", "No one"),
    ("True Detective", "True Detective"),
    ("Yes Minister", "Yes Minister"),
    ("Ber\x1b[31mlin\u202e", "Ber [31mlin"),
]


@pytest.mark.parametrize(("said", "answer"), SAID)
def test_the_answer_is_found_in_what_is_said(said: str, answer: str) -> None:
    found = parse_answer(said)
    assert (found.kind, found.text) == (AnswerKind.SPAN, answer)


@pytest.mark.parametrize(("said", "answer"), [row for row in SAID if row[1] in row[0]])
def test_the_answer_stands_where_it_is_said_to(said: str, answer: str) -> None:
    found = parse_answer(said)
    assert said[found.start : found.end] == answer


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Yes", AnswerKind.YES),
        ("yes.", AnswerKind.YES),
        ("**Yes**, because it was.", AnswerKind.YES),
        ("No, it would not.", AnswerKind.NO),
        ("No - they sank.", AnswerKind.NO),
        ("The ships sank. The answer is no.", AnswerKind.NO),
        ("True", AnswerKind.YES),
        ('{"answer": false}', AnswerKind.NO),
    ],
)
def test_yes_and_no_are_kinds_of_their_own(said: str, kind: AnswerKind) -> None:
    found = parse_answer(said)
    assert (found.kind, found.text) == (kind, kind.value)


@pytest.mark.parametrize("refusal", [row["example"] for row in REFUSALS])
def test_a_refusal_is_no_answer(refusal: str) -> None:
    assert parse_answer(refusal).kind is AnswerKind.NULL
    assert parse_answer(f"The answer is {refusal[0].lower()}{refusal[1:]}").kind is AnswerKind.NULL


@pytest.mark.parametrize("said", ["", " \n ", "...", "<think>It was", "**", '{"answer": ""}', "The answer is"[:0], "\x00"])
def test_nothing_is_no_answer(said: str) -> None:
    assert parse_answer(said).kind is AnswerKind.NULL


@pytest.mark.parametrize("said", ["Notre-Dame", "Unknown Pleasures", "Sorry Not Sorry tour"[6:], "N. A. Fields", "the Nile"])
def test_a_name_that_looks_like_a_refusal_is_an_answer(said: str) -> None:
    assert (parse_answer(said).kind, parse_answer(said).text) == (AnswerKind.SPAN, said)


def test_a_model_that_reasons_ends_with_its_answer() -> None:
    said = "The tower was begun in 1887.\nIt took two years.\n1890"
    assert parse_answer(said, reasons=True).text == "1890"
    assert parse_answer(said).text == "The tower was begun in 1887"


def test_an_endless_answer_is_cut() -> None:
    assert len(parse_answer("The answer is " + "very " * 5000).text) <= 200
    assert len(parse_answer("x" * 100_000).text) <= 200
    assert len(parse_answer(f'{{"answer": "{"long " * 900}"}}').text) <= 200

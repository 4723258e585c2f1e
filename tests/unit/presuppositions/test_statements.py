"""Statements are found by the rows of data/triggers.toml, whose examples are the tests, and checked by a judge of evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from kgqa.answer_model import Answer, PresuppositionStatus, Route
from kgqa.presuppositions.statement_check import add_statements
from kgqa.presuppositions.statement_finder import find_statements, iterate_examples, may_take_for_granted
from kgqa.question import QuestionType, Slots
from kgqa.readers.reader import Passage
from kgqa.reasons import Refusal

EXAMPLES = list(iterate_examples())
QUESTION = "Why did the Romans stop using paper money?"


@pytest.mark.parametrize(("row", "question", "statement"), EXAMPLES, ids=[question for _, question, _ in EXAMPLES])
def test_every_trigger_finds_the_statements_of_its_examples(row: object, question: str, statement: str) -> None:
    assert statement in [item.text for item in find_statements(question)]


@pytest.mark.parametrize("question", ["What causes tsunamis?", "Does smoking cause lung cancer?", "Can stress cause headaches?"])
def test_a_plain_question_is_not_parsed(question: str) -> None:
    assert not may_take_for_granted(question)


def test_a_statement_about_somebody_who_is_not_named_is_left_out() -> None:
    assert find_statements("Why did he stop smoking?") == ()


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("If the strike had not ended, who would have paid?", "The strike had ended."),
        ("If the club had moved to Leeds, where would it have played?", "The club had not moved to Leeds."),
        ("Without the rain, who would have won the race?", "There was the rain."),
    ],
)
def test_a_counterfactual_takes_for_granted_what_it_denies(question: str, statement: str) -> None:
    (item,) = find_statements(question)
    assert (item.text, item.trigger, item.critical) == (statement, "counterfactual", False)


def test_an_imagined_world_takes_nothing_for_granted() -> None:
    assert find_statements("If smoking were banned, why would people still smoke?") == ()


@dataclass(frozen=True, slots=True)
class Judgement:
    supports: float
    contradicts: float


class WordJudge:
    """Takes "never" for a contradiction and "widely" for support."""

    def judge(self, claim: str, evidence: Sequence[str]) -> Sequence[Judgement]:
        return [Judgement(0.9 * ("widely" in sentence), 0.9 * ("never" in sentence)) for sentence in evidence]

    def suspicion(self, text: str) -> float:
        return 0.9 if "moon" in text else 0.1


def checked(text: str, question: str = QUESTION) -> Answer:
    answer = Answer(question, QuestionType(None, Slots()), Route.NONE, Refusal("no_slot"))
    passages = [Passage(text, "Money")] if text else []
    return add_statements(answer, question, lambda query: passages, WordJudge)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("The Romans never used paper money. They liked coins.", PresuppositionStatus.CONTRADICTED),
        ("The Romans widely used paper money.", PresuppositionStatus.SUPPORTED),
        ("The Romans widely used paper money. The Romans never used paper money.", PresuppositionStatus.CONTESTED),
        ("The Romans liked coins.", PresuppositionStatus.UNKNOWN),
        ("", PresuppositionStatus.UNKNOWN),
    ],
)
def test_a_statement_has_the_status_that_its_sentences_give(text: str, status: PresuppositionStatus) -> None:
    assert checked(text).presuppositions[0].status is status


def test_a_contradicted_statement_is_corrected_with_the_sentence() -> None:
    answer = checked("The Romans never used paper money. They liked coins.")
    assert answer.route is Route.PRESUPPOSITION
    assert answer.sentence == (
        "It is not so that “The Romans used to use paper money”: Money says “The Romans never used paper money.”."
    )


def test_what_is_only_suspected_is_no_fact() -> None:
    answer = checked("", "Why did the moon stop shining?")
    assert [item.status for item in answer.presuppositions].count(PresuppositionStatus.SUSPECT) == 1
    assert answer.route is Route.NONE
    assert answer.notes[0].startswith("This question may take something false for granted: The moon ")


def test_a_question_that_has_an_answer_is_not_suspected() -> None:
    answer = Answer("Why did the moon stop shining?", QuestionType(None, Slots()), Route.NONE, "Clouds.", "clouds")
    assert add_statements(answer, answer.question, evidence=WordJudge, lists=False) is answer


def test_a_sentence_about_something_else_contradicts_nothing() -> None:
    assert checked("The Greeks never wrote poems.").route is Route.NONE


def test_a_text_is_searched_for_a_statement_and_for_its_negation() -> None:
    queries: list[str] = []

    def find(query: str) -> list[Passage]:
        queries.append(query)
        return []

    answer = Answer(QUESTION, QuestionType(None, Slots()), Route.NONE, Refusal("no_slot"))
    add_statements(answer, "Why are sharks mammals?", find, WordJudge)
    assert queries == ["Sharks are mammals.", "Sharks are not mammals."]


def test_a_statement_with_a_negation_is_not_corrected_by_a_text() -> None:
    answer = checked("The Romans never used paper money.", "Why did the Romans not use paper money?")
    assert answer.route is Route.NONE


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("How do fawns hunt lions?", "Fawns hunt lions."),
        ("Why can fish breathe in the water?", "Fish can breathe in the water."),
        (
            "Why would a gravitational wave travel at the speed of light?",
            "A gravitational wave would travel at the speed of light.",
        ),
        ("At what venue did Ada Lovelace give a speech recently?", "Ada Lovelace gave a speech recently."),
        ("NSF developed into what through public funding?", "NSF developed into something through public funding."),
        (
            "The varicella zoster virus causes which disease in children?",
            "The varicella zoster virus causes some disease in children.",
        ),
    ],
)
def test_a_question_that_is_parsed_wrongly_or_asks_in_place_has_its_statement(question: str, statement: str) -> None:
    assert statement in [item.text for item in find_statements(question)]


@pytest.mark.parametrize("question", ["How does it work?", "What?", "Which, what?", "Why do ?", "where can can can can can"])
def test_without_a_clause_there_is_no_statement(question: str) -> None:
    assert [item.text for item in find_statements(question)] == []

"""Yes or no by all that passages tell, and of what an "if" supposes the opposite of what is so."""

from __future__ import annotations

import pytest

from kgqa.answer_model import Verdict
from kgqa.passages.passage_answer import PassageInput, answer_passages
from kgqa.passages.passage_verdict import SUPPOSED, question_of_fact, supposed_signals
from kgqa.presuppositions.evidence_model import shipped_evidence_model
from kgqa.questions.classifier import classify
from kgqa.questions.conditional_parser import parse_conditional
from kgqa.readers.extractive.extractive_reader import make_extractive_reader
from kgqa.readers.reader import AnswerKind, Passage

BRIDGE = "The bridge collapsed in 1846 because tree trunks jammed against its piers. It was not rebuilt."


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("Would the bridge still have collapsed if the trunks had been removed?", "Had the bridge collapsed?"),
        ("If the trunks had been removed, would the bridge have been lost?", "Was the bridge lost?"),
    ],
)
def test_what_is_supposed_is_asked_as_a_question_of_fact(question: str, fact: str) -> None:
    conditional = parse_conditional(question)
    assert conditional is not None
    assert question_of_fact(conditional) == fact


def test_what_is_so_would_not_be_so_without_its_cause() -> None:
    conditional = parse_conditional("Would the bridge have collapsed in 1846 if no trunks had jammed against the piers?")
    assert conditional is not None
    reading = supposed_signals(conditional, [Passage(BRIDGE)], make_extractive_reader(), shipped_evidence_model())
    assert reading.candidates(SUPPOSED)[0].kind is AnswerKind.NO


def test_a_denial_is_no_and_what_the_passage_lacks_is_unknown() -> None:
    texts = PassageInput(lambda _: (Passage(BRIDGE),), make_extractive_reader)
    for question, verdict in (
        ("Was the bridge rebuilt?", Verdict.NO),
        ("Did the mayor of Gorwick pay for new organ pipes?", Verdict.UNKNOWN),
    ):
        assert answer_passages(question, classify(question), texts).verdict is verdict

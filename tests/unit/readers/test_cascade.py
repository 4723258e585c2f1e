"""Which reader of a cascade answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from kgqa.readers.reader import AnswerKind, Candidate, CascadeReader, Passage
from kgqa.router import route_reader

NOTHING = Candidate("", 0.9, AnswerKind.NULL)


@dataclass
class Scripted:
    """A reader that always says the same."""

    name: str
    says: Candidate
    questions: list[str] = field(default_factory=list)

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        self.questions.append(question)
        return (self.says,)


def of(**said: Candidate) -> CascadeReader:
    readers = {name: Scripted(name, candidate) for name, candidate in said.items()}
    first, *behind = readers
    return CascadeReader(lambda question: first, readers, [readers[name] for name in behind])


def test_the_first_that_is_sure_answers_and_the_others_are_not_asked() -> None:
    cascade = of(numeric=Candidate("7", 0.8), extractive=Candidate("eight", 0.9))
    assert cascade.read("How many towns?", [])[0].text == "7"
    assert cascade.readers["extractive"].questions == []  # type: ignore[attr-defined]


def test_who_is_not_sure_is_passed_over() -> None:
    first = of(numeric=Candidate("7", 0.2), extractive=Candidate("eight", 0.7)).read("How many towns?", [])[0]
    assert first.text == "eight"
    assert first.trace[0] == "cascade: numeric is not sure, “7” 0.20 (0.5 is asked for)"


def test_of_answers_that_none_is_sure_of_the_surest_is_given() -> None:
    assert of(extractive=Candidate("a", 0.3), numeric=Candidate("b", 0.2)).read("Who?", [])[0].text == "a"
    assert of(extractive=Candidate("a", 0.2), numeric=Candidate("b", 0.3)).read("Who?", [])[0].text == "b"


def test_any_answer_is_better_than_none_and_none_is_an_answer_too() -> None:
    assert of(extractive=NOTHING, numeric=Candidate("b", 0.1)).read("Who?", [])[0].text == "b"
    assert of(extractive=NOTHING, numeric=NOTHING).read("Who?", [])[0].kind is AnswerKind.NULL


def test_readers_that_are_named_come_behind_the_others() -> None:
    behind = Scripted("chat", Candidate("from afar", 0.6))
    cascade = CascadeReader(route_reader, {"extractive": Scripted("extractive", Candidate("a", 0.4))}, [behind])
    assert cascade.read("Who?", [])[0].text == "from afar"
    sure = CascadeReader(route_reader, {"extractive": Scripted("extractive", Candidate("a", 0.6))}, [behind])
    assert sure.read("Who was it?", [])[0].text == "a"
    assert behind.questions == ["Who?"]


@pytest.mark.parametrize(("score", "answer"), [(0.55, "no"), (0.65, "yes")])
def test_yes_or_no_must_be_surer_than_a_name(score: float, answer: str) -> None:
    behind = Scripted("chat", Candidate("no", 0.7, AnswerKind.NO))
    cascade = CascadeReader(route_reader, {"boolean": Scripted("boolean", Candidate("yes", score, AnswerKind.YES))}, [behind])
    assert cascade.read("Is it?", [])[0].text == answer


def test_a_number_that_is_only_pointed_at_is_no_answer() -> None:
    pointed = Candidate("1889", 0.9, AnswerKind.NUMBER, 0, 0, 4)
    assert of(extractive=pointed, numeric=Candidate("1899", 0.2)).read("Who?", [])[0].text == "1899"

"""The one way in: a session opens graph and reader once, and answers as `answer` does."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripted_chat import answer as reply
from scripted_chat import scripted

from graph.model import Claim, Evidence, Source, Statement
from graph.stores import open_store
from kgqa import answer
from kgqa.api import AnswerOptions, AnswerSession
from kgqa.errors import QuestionInvalid
from kgqa.settings import Settings

QUESTION = "What causes tsunamis?"


@pytest.fixture
def graph(tmp_path: Path) -> str:
    url = str(tmp_path / "small.kgqa")
    with open_store(url, write=True, create=True) as store:  # type: ignore[attr-defined]
        evidence = Evidence(Source("wikipedia", title="Page"), rule="test", text="Earthquakes cause tsunamis.", start=0, end=9)
        store.add([Statement(Claim("earthquake", "tsunami"), evidence)])
    return url


def test_a_session_answers_as_the_function_does(graph: str) -> None:
    with AnswerSession(graph) as session:
        assert session.answer(QUESTION) == answer(QUESTION, graph)
        assert session.record(QUESTION)["answer"] == "earthquake"


def test_a_session_with_other_options_shares_the_graph(graph: str) -> None:
    with AnswerSession(graph) as session:
        other = session.with_options(AnswerOptions(risk=0.0))
        assert other.store is session.store
        assert other.answer(QUESTION).answer is None
        assert session.answer(QUESTION).answer == "earthquake"


def test_a_session_closes_the_graph_that_it_opened_and_no_other(graph: str) -> None:
    with AnswerSession(graph) as session:
        store = session.store
    assert "closed" in repr(store)
    with open_store(graph) as view:  # type: ignore[attr-defined]
        assert answer(QUESTION, view).answer == "earthquake"
        assert "closed" not in repr(view)


def test_a_question_of_a_batch_that_cannot_be_asked_is_answered_with_the_reason(graph: str) -> None:
    with AnswerSession(graph) as session:
        assert session.record("?", identifier=7, refuse=True)["id"] == 7
        with pytest.raises(QuestionInvalid):
            session.record("?")


def test_a_passage_is_answered_from_without_opening_the_graph() -> None:
    text = "Earthquakes cause tsunamis."
    with AnswerSession("/nowhere/at.all", AnswerOptions(mines_always=True)) as session:
        record = session.record(QUESTION, text)
        assert record["answer"] is not None
        assert session.cost_line() is None


def test_a_reader_that_needs_no_text_is_asked_without_one(graph: str) -> None:
    with scripted([reply("Ottawa")]) as chat:
        settings = Settings(chat_url=chat.url, chat_model="small", chat_cache="off")
        with AnswerSession(graph, AnswerOptions(reader="chat:closed"), settings) as session:
            found = session.answer("What is the capital of Canada?")
        assert found.answer == "Ottawa"
        assert found.sentence == "Perhaps Ottawa, according to the model alone."
        assert len(chat.requests) == 1

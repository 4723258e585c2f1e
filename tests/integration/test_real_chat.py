"""The chat reader and llama.cpp's own server with a very small real model, which is rarely right but always there."""

from __future__ import annotations

from pathlib import Path

import pytest
from real_chat import Server, the_server

from graph.mining.judge.judge_input import Proposal
from kgqa.errors import KgqaError
from kgqa.readers.chat.chat_judge import make_chat_judge
from kgqa.readers.chat.chat_reader import ChatReader, make_chat_reader
from kgqa.readers.reader import AnswerKind, Passage

QUESTION = "Which city is the capital of Peru?"
PASSAGES = [Passage("Lima is the capital and largest city of Peru. It was founded in 1535.", title="Lima")]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Server:
    server = the_server()
    monkeypatch.setenv("KGQA_CHAT_URL", server.url)
    monkeypatch.setenv("KGQA_CHAT_MODEL", server.name)
    monkeypatch.setenv("KGQA_CHAT_CACHE", str(tmp_path / "chat.sqlite"))
    monkeypatch.setenv("KGQA_CHAT_PRICE", "1/2")
    monkeypatch.setenv("KGQA_CHAT_TIMEOUT", "600")
    monkeypatch.setenv("KGQA_CHAT_SHOTS", "1")
    return server


def reader(name: str = "chat") -> ChatReader:
    return make_chat_reader(name=name, note=pytest.fail)


def test_a_real_model_reads_an_answer_out_of_a_passage(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGQA_CHAT_SHOTS", "0")
    asking = reader()
    passages = [Passage("The games were given to Berlin. They were cancelled because of the war.")]
    found = asking.read("If the war had not broken out, which city would have held the games?", passages)[0]
    assert (found.text, found.kind, found.passage, found.start) == ("Berlin", AnswerKind.SPAN, 0, 24)
    assert 0 < found.score < 0.73
    assert "the model's own probability is" in found.trace[0]
    assert asking.cost.requests == 1
    assert not asking.cost.estimated
    assert asking.cost.prompt_tokens > 100
    assert asking.cost_record()["money"] == pytest.approx(
        (asking.cost.prompt_tokens + 2 * asking.cost.completion_tokens) / 1e6, abs=1e-6
    )


@pytest.mark.parametrize("name", ["chat", "chat:cot", "chat:closed", "chat:reason"])
def test_the_same_question_gets_the_same_answer_and_then_costs_nothing(server: Server, name: str) -> None:
    first, second = reader(name), reader(name)
    assert [one.text for one in first.read(QUESTION, PASSAGES)] == [one.text for one in second.read(QUESTION, PASSAGES)]
    assert (first.cost.requests, second.cost.requests, second.cost.cached) == (1, 0, 1)


def test_what_a_prompt_takes_is_never_estimated_too_low(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    from kgqa.readers.chat.chat_prompts import PROMPT_STYLES, build_prompt, load_demonstrations

    monkeypatch.setenv("KGQA_CHAT_SHOTS", "4")
    asking = reader()
    asking.read(QUESTION, PASSAGES)
    asked = build_prompt(PROMPT_STYLES["chat"], QUESTION, PASSAGES, load_demonstrations("", 0), 4, 4000)
    assert asked is not None
    assert asking.cost.prompt_tokens <= asked.tokens() < 1.6 * asking.cost.prompt_tokens


def test_several_samples_are_drawn(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGQA_CHAT_SAMPLES", "3")
    asking = reader()
    found = asking.read(QUESTION, PASSAGES)
    assert asking.cost.requests == 3
    assert sum(one.score for one in found) == pytest.approx(3 / 4)


def test_a_prompt_beyond_the_models_context_is_made_to_fit(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGQA_CHAT_BUDGET", "2000")
    monkeypatch.setenv("KGQA_CHAT_SHOTS", "0")
    text = " ".join(f"In year {1000 + number} the town of Lima had {number} houses." for number in range(200))
    asking = reader()
    asking.read("How many houses did Lima have in 1100?", [Passage(text)])
    assert asking.cost.requests == 2


def test_what_the_server_refuses_is_told_in_its_words(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGQA_CHAT_URL", server.url.removesuffix("/v1") + "/nowhere")
    with pytest.raises(KgqaError, match=r"^the chat server '.*' answers with HTTP status 404: "):
        reader().read(QUESTION, PASSAGES)


def test_a_real_model_judges_a_claim_in_the_form_that_is_asked_for(server: Server) -> None:
    proposal = Proposal("Heavy rain leads to floods.", (0, 10), (20, 26), (11, 16), "heavy rain", "flood", "lead-to.active")
    judgement = make_chat_judge().judge(proposal)
    assert judgement is not None
    assert 0.5 < judgement.relation <= 1
    assert make_chat_judge().judge(proposal) == judgement

"""What a chat model is asked about a proposed claim, and what is read in its reply."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
from scripted_chat import Step, answer, scripted, status

from graph.mining.judge.claim_judge import Judgement
from graph.mining.judge.judge_input import Proposal
from graph.model import Stance
from kgqa.errors import KgqaError
from kgqa.readers.chat.chat_judge import ChatJudge, make_chat_judge, parse_judgement
from kgqa.readers.chat.chat_settings import ChatSettingInvalid
from kgqa.settings import Settings

REPLY = {"said": "yes", "sure": 0.9, "stance": "asserted", "names": 0.5, "scope": "general"}
TEXT = "Heavy rain\ncauses <b>floods."
PROPOSAL = Proposal(TEXT, (0, 10), (21, 27), (11, 17), "heavy rain", "flood", "cause.active", title="Rain\nCause: sun")


def reply(**changes: object) -> str:
    return json.dumps({**REPLY, **changes})


def judge_at(url: str, cache: Path | None = None, model: str = "small", **settings: str) -> ChatJudge:
    return make_chat_judge(model, Settings(chat_url=url, chat_cache=str(cache or "off"), **settings))


def judged(script: list[Step]) -> Judgement | None:
    with scripted(script) as chat:
        return judge_at(chat.url).judge(PROPOSAL)


def test_a_reply_becomes_a_judgement() -> None:
    assert parse_judgement(reply(), Stance.HEDGED) == Judgement(0.9, 0.9, 0.45, 0.0, Stance.ASSERTED)
    assert parse_judgement(reply(scope="specific", stance="negated", sure=1, names=1), Stance.HEDGED) == Judgement(
        1.0, 1.0, 1.0, 1.0, Stance.NEGATED
    )


@pytest.mark.parametrize("stance", Stance)
def test_every_stance_is_read(stance: Stance) -> None:
    judgement = parse_judgement(reply(stance=str(stance)), Stance.ASSERTED)
    assert judgement is not None
    assert judgement.stance is stance


def test_a_claim_that_is_not_said_is_unlikely_and_needs_no_more_fields() -> None:
    judgement = parse_judgement('{"said": "no", "sure": 0.8}', Stance.HEDGED)
    assert judgement is not None
    assert judgement.relation == pytest.approx(0.2)
    assert judgement.stance is Stance.HEDGED


@pytest.mark.parametrize("text", ["```json\n{}\n```", "<think>{a {b} c}</think>{}", "Here it is: {}", " \n{}\n"])
def test_a_reply_may_be_fenced_or_stand_behind_thoughts_and_words(text: str) -> None:
    assert parse_judgement(text.replace("{}", reply()), Stance.ASSERTED) is not None


@pytest.mark.parametrize(
    "text",
    [
        *("", "yes", "{", "{}", "[1]", "null", "\x00", '{"a": ' + "[" * 100_000 + "}", reply()[:-1], reply() + reply()),
        *(reply(said=said) for said in ("Yes, it does", True, None, ["yes"], {})),
        *(reply(sure=sure) for sure in (0.5, 0.1, 1.1, -1, "0.9", True, None, float("nan"), float("inf"), 10**400)),
        *(reply(names=names) for names in (1.5, "good", None, True)),
        *(reply(stance=stance) for stance in ("likely", "", None, 1, ["asserted"])),
        *(reply(scope=scope) for scope in ("one event", None, 1, [])),
        '{"said": "no"}',
        '{"said": "no", "sure": 0.5}',
    ],
)
def test_any_other_reply_is_no_judgement(text: str) -> None:
    assert parse_judgement(text, Stance.ASSERTED) is None


def test_the_question_holds_the_claim_and_each_part_on_a_line_of_its_own() -> None:
    with scripted([answer(reply())]) as chat:
        assert judge_at(chat.url).judge(PROPOSAL) is not None
        (body,) = chat.bodies
    assert body["messages"][-1]["content"].split("\n") == [
        "Article: Rain Cause: sun",
        "Sentence: Heavy rain causes ‹b›floods.",
        "Cause: heavy rain (in the sentence: Heavy rain)",
        "Effect: flood (in the sentence: floods)",
        "Cue: causes",
    ]
    assert (body["model"], body["temperature"]) == ("small", 0)


def test_a_server_without_schemas_is_asked_without_one() -> None:
    script = [status(400, "response_format json_schema is unknown"), answer(reply())]
    with scripted(script) as chat:
        judge = judge_at(chat.url)
        assert judge.judge(PROPOSAL) is not None
        assert "response_format" not in chat.bodies[-1]


def test_a_reply_without_judgement_and_a_prompt_that_is_too_long_are_none() -> None:
    assert judged([answer("The sentence says so.")]) is None
    assert judged([status(400, "the request exceeds the available context size")]) is None


def test_the_same_proposal_is_asked_about_once(tmp_path: Path) -> None:
    with scripted([answer(reply()), answer(reply(sure=0.6))]) as chat:
        first = judge_at(chat.url, tmp_path / "chat.sqlite").judge(PROPOSAL)
        assert judge_at(chat.url, tmp_path / "chat.sqlite").judge(PROPOSAL) == first
        assert len(chat.requests) == 1
        other = judge_at(chat.url, tmp_path / "chat.sqlite", "large").judge(PROPOSAL)
        assert other != first


def test_the_version_is_of_model_server_and_options() -> None:
    judge = judge_at("http://a/v1")
    assert judge.version == judge_at("http://a/v1").version
    others = judge_at("http://b/v1"), judge_at("http://a/v1", model="large"), judge_at("http://a/v1", chat_tokens="500")
    assert len({judge.version, *(other.version for other in others)}) == 4


@pytest.mark.parametrize("settings", [Settings(), Settings(chat_url="http://a/v1"), Settings(chat_url="nowhere")])
def test_missing_settings_are_told_with_the_way_without_a_judge(settings: Settings) -> None:
    with pytest.raises(ChatSettingInvalid, match=r"^KGQA_CHAT_") as caught:
        make_chat_judge("", settings)
    assert "--judge none" in caught.value.remedy


def test_a_failure_crosses_to_another_process_with_its_message_and_remedy() -> None:
    with scripted([status(401)]) as chat, pytest.raises(KgqaError) as caught:
        judge_at(chat.url).judge(PROPOSAL)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is type(caught.value)
    assert (str(copy), copy.remedy) == (str(caught.value), caught.value.remedy)
    assert "KGQA_CHAT_URL" in copy.remedy
    assert "--judge none" in copy.remedy

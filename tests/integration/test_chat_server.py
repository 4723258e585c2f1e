"""The chat reader and a real HTTP server that does what it should, or anything else."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from running import Run
from scripted_chat import (
    Chat,
    Step,
    answer,
    drip,
    flood,
    hang_up,
    not_http,
    raw,
    scripted,
    silence,
    status,
    stream,
)

from graph.net.retry import TimeLimits
from kgqa.errors import KgqaError
from kgqa.readers.chat.cached_chat import CachedChat
from kgqa.readers.chat.chat_client import ChatClient
from kgqa.readers.chat.chat_prompts import PROMPT_STYLES
from kgqa.readers.chat.chat_reader import ChatReader
from kgqa.readers.chat.chat_settings import CHAT_LIMITS, CHAT_RETRY_POLICY, ChatSettings
from kgqa.readers.chat.reply_cache import ReplyCache
from kgqa.readers.reader import AnswerKind, Candidate, Passage

KEY = "sk-nobody-may-read-this"
PATIENT = replace(CHAT_RETRY_POLICY, tries=3, first_delay=0.01, longest_delay=5.0, jitter=0.0)
QUICK = replace(CHAT_LIMITS, silence=1.0, total=2.0)
QUESTION = "If the war had not broken out, which city would have held the games?"
PASSAGES = [Passage("The games were given to Berlin."), Passage("They were cancelled because of the war.")]


def reader(
    url: str,
    cache: Path | None = None,
    style: str = "chat",
    waits: list[float] | None = None,
    limits: TimeLimits = CHAT_LIMITS,
    **changes: object,
) -> ChatReader:
    settings = ChatSettings(url, "small", key=KEY, retry_policy=PATIENT, limits=limits, **changes)  # type: ignore[arg-type]
    client = ChatClient(url, KEY, PATIENT, sleep=(waits if waits is not None else []).append, limits=limits)
    cached = CachedChat(client, ReplyCache(cache, lambda line: None) if cache else None)
    return ChatReader(settings, PROMPT_STYLES[style], cached)


def read(script: Sequence[Step], **changes: object) -> Candidate:
    with scripted(script) as chat:
        return reader(chat.url, **changes).read(QUESTION, PASSAGES)[0]  # type: ignore[arg-type]


def test_an_answer_is_pointed_at_where_it_stands_in_a_passage() -> None:
    found = read([answer("Berlin", logprob=-0.1)])
    assert (found.text, found.kind, found.passage, found.start, found.end) == ("Berlin", AnswerKind.SPAN, 0, 24, 30)
    assert 0.6 < found.score < 0.7
    assert "the model's own probability is 0.90" in found.trace[0]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 100_000])
@pytest.mark.parametrize("end", ["\n\n", "\r\n\r\n", "\r\r"])
def test_a_streamed_answer_is_the_same_in_whatever_pieces_it_comes(size: int, end: str) -> None:
    found = read([stream("São Paulo – 東京 🏛 City", size=size, end=end)])
    assert found.text == "São Paulo – 東京 🏛 City"
    assert "own probability is 0.55" in found.trace[0]


def test_a_stream_may_end_without_its_mark_when_the_answer_is_complete() -> None:
    assert read([stream("Berlin", done=False)]).text == "Berlin"


def test_a_busy_server_is_asked_again_after_the_wait_that_it_asks_for() -> None:
    waits: list[float] = []
    assert read([status(429, Retry_After="3"), status(503), answer("Berlin")], waits=waits).text == "Berlin"
    assert waits == [3.0, 0.02]


def test_a_connection_that_is_lost_is_made_again() -> None:
    waits: list[float] = []
    assert read([hang_up, stream("Berlin", cut=9), answer("Berlin")], waits=waits).text == "Berlin"
    assert waits == [0.01, 0.02]


FAULTS: dict[str, tuple[Step, str]] = {
    "too busy": (status(429, Retry_After="86400"), "answers with HTTP status 429; it asks to wait 86,400 seconds"),
    "broken": (status(500), "answers with HTTP status 500; tries: 3"),
    "garbage": (raw(b"\xff\xfe\x00garbage{{{"), "answers with something that is no answer of the chat API"),
    "garbage events": (raw(b"data: \xff\xfe\n\n", "text/event-stream"), "answers with something that is no text"),
    "events of garbage": (raw(b"data: {oh\n\n", "text/event-stream"), "answers with something that is no answer of the chat API"),
    "deep": (raw(b"[" * 200_000), "answers with something that is no answer of the chat API"),
    "other JSON": (raw(b'{"choices": [1, {"message": 2}]}'), "answers with something that is no answer of the chat API"),
    "no choices": (raw(b'{"choices": []}'), "answers with something that is no answer of the chat API"),
    "odd choices": (raw(b'{"choices": {"a": 1}}'), "answers with something that is no answer of the chat API"),
    "null": (raw(b"null"), "answers with something that is no answer of the chat API"),
    "page": (
        raw(b"<html>hello</html>", "text/html"),
        "answers with 'text/html', no answer of the chat API; is the address complete (mostly .../v1)?",
    ),
    "picture": (
        raw(b"\x89PNG", "image/png"),
        "answers with 'image/png', no answer of the chat API; is the address complete (mostly .../v1)?",
    ),
    "stops in the middle": (stream("Berlin it is", cut=20), "breaks off its answer; tries: 3"),
    "stops in the middle of JSON": (raw(b'{"choices": [', length=900), "breaks off its answer; tries: 3"),
    "ends too early": (raw(b'data: {"choices": []}\n\n', "text/event-stream"), None),  # type: ignore[dict-item]
    "no events": (raw(b"", "text/event-stream"), "breaks off its answer; tries: 3"),
    "never ends": (drip(), "does not finish its answer within 2 s"),
    "headers never end": (drip(b"x", head=False), "does not finish its answer within 2 s"),
    "words never end": (
        drip(b'data: {"choices":[{"index":0,"delta":{"content":"and "}}]}\n\n'),
        "does not finish its answer within 2 s",
    ),
    "huge": (flood, "answers with more than 8 MB"),
    "silent": (silence, "does not answer within 1 s"),
    "hangs up": (hang_up, "closes the connection without an answer; tries: 3"),
    "mail": (not_http, "answers with something that is not HTTP"),
    "elsewhere": (
        status(307, Location="http://example.org/v1"),
        "redirects to 'http://example.org/v1', which is not followed: set KGQA_CHAT_URL to the place itself",
    ),
    "found": (
        status(302, Location="file:///etc/passwd"),
        "redirects to 'file:///etc/passwd', which is not followed: set KGQA_CHAT_URL to the place itself",
    ),
    "locked": (status(401, f"wrong key {KEY}"), "does not let us in: HTTP status 401; is KGQA_CHAT_KEY its key?"),
    "no such model": (status(404, "no model 'small'"), "answers with HTTP status 404: no model 'small'"),
    "no such path": (status(404), "answers with HTTP status 404; is KGQA_CHAT_URL complete (mostly .../v1)?"),
    "repeats the key": (status(400, f"odd: {KEY}\x1b[31m\n!"), "answers with HTTP status 400: odd: … [31m !"),
    "error in place of an answer": (
        raw(b'{"error": {"message": "out of memory", "code": 500}}'),
        "answers with an error: out of memory; tries: 3",
    ),
    "error in a stream": (
        raw(b'data: {"error": {"message": "no such sampler"}}\n\n', "text/event-stream"),
        "answers with HTTP status 200: no such sampler",
    ),
}
FAULTS["ends too early"] = (FAULTS["ends too early"][0], "answers with something that is no answer of the chat API")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_that_misbehaves_is_told_in_a_line(fault: str, tmp_path: Path) -> None:
    step, told = FAULTS[fault]
    cache = tmp_path / "chat.sqlite"
    with scripted([answer("Berlin"), step]) as chat:
        assert reader(chat.url, cache).read(QUESTION, PASSAGES)[0].text == "Berlin"
        asking = reader(chat.url, cache, limits=QUICK if " within " in told else CHAT_LIMITS)
        began = time.monotonic()
        with pytest.raises(KgqaError) as caught:
            asking.read(QUESTION, PASSAGES[:1])
        assert time.monotonic() - began < 30
        assert str(caught.value) == f"the chat server '{chat.url}' {told}"
        assert KEY not in f"{caught.value!r}{caught.value.remedy}"
        assert asking.read(QUESTION, PASSAGES)[0].text == "Berlin"
        assert asking.cost.cached == 1


def test_an_address_where_no_server_is_told_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(KgqaError, match=f"^the chat server '{url}' cannot be reached: connection refused$"):
        reader(url).read(QUESTION, PASSAGES)


def test_a_host_that_has_no_address_is_told() -> None:
    url = "http://no-such-host.invalid/v1"
    with pytest.raises(KgqaError, match=re.escape(f"'{url}' cannot be reached: the name of the host is not known")):
        reader(url).read(QUESTION, PASSAGES)


def test_a_port_that_does_not_speak_tls_is_told() -> None:
    with scripted([answer("Berlin")]) as chat, pytest.raises(KgqaError, match=r"cannot be reached: .*ssl"):
        reader(chat.url.replace("http:", "https:")).read(QUESTION, PASSAGES)


def test_the_key_goes_to_the_server_and_nowhere_else(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    cache = tmp_path / "chat.sqlite"
    with scripted([answer("Berlin")]) as chat:
        asking = reader(chat.url, cache)
        found = asking.read(QUESTION, PASSAGES)
        headers, body = chat.requests[0]
    assert headers["authorization"] == f"Bearer {KEY}"
    everything = f"{body}{found}{asking.cost_line()}{asking.cost_record()}{asking!r}{ChatSettings('u', 'm', key=KEY)!r}"
    assert KEY not in everything
    assert KEY.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert capfd.readouterr() == ("", "")


def test_options_that_a_server_does_not_know_are_left_out_from_then_on() -> None:
    script = [
        status(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        status(400, "'temperature' does not support 0 with this model"),
        status(400, "logprobs are not allowed"),
        answer("Berlin"),
    ]
    with scripted(script) as chat:
        asking = reader(chat.url)
        assert asking.read(QUESTION, PASSAGES)[0].text == "Berlin"
        asking.read(QUESTION, PASSAGES[:1])
        assert len(chat.bodies) == 5
        assert {"max_tokens", "temperature", "logprobs"}.isdisjoint(chat.bodies[-1])
        assert chat.bodies[-1]["max_completion_tokens"] == 64
    assert asking.cost.requests == 5


def test_a_prompt_that_is_too_long_for_the_model_is_made_shorter() -> None:
    long = [Passage(f"Passage {number}. " + "Something happened there, long ago. " * 20) for number in range(20)]
    with scripted([status(400, "the request exceeds the available context size"), answer("there")]) as chat:
        assert reader(chat.url).read(QUESTION, long)[0].text == "there"
        first, second = (len(str(body["messages"])) for body in chat.bodies)
    assert second < 0.7 * first


def test_an_answer_is_asked_for_once_and_then_comes_from_the_cache(tmp_path: Path) -> None:
    with scripted([answer("Berlin", logprob=-0.2)]) as chat:
        first = reader(chat.url, tmp_path / "chat.sqlite").read(QUESTION, PASSAGES)[0]
        again = reader(chat.url, tmp_path / "chat.sqlite")
        second = again.read(QUESTION, PASSAGES)[0]
        other = reader(chat.url, tmp_path / "chat.sqlite", style="chat:closed").read(QUESTION, PASSAGES)[0]
        assert len(chat.requests) == 2
    assert (first.text, first.score) == (second.text, second.score)
    assert other.passage == 0
    assert again.cost.record() == {
        "requests": 0,
        "cached": 1,
        "prompt_tokens": 0,
        "completion_tokens": 0,
        "tokens_estimated": False,
        "seconds": 0.0,
        "money": None,
    }


def test_samples_that_agree_are_surer_than_samples_that_do_not() -> None:
    script = [answer("Berlin"), answer("Paris"), answer("the Berlin."), answer("unknown")]
    with scripted(script) as chat:
        found = reader(chat.url, samples=4).read(QUESTION, PASSAGES)
        assert [body["seed"] for body in chat.bodies] == [0, 1, 2, 3]
    assert [(one.text, one.kind.value) for one in found] == [("Berlin", "span"), ("Paris", "span"), ("", "null")]
    assert [round(one.score, 2) for one in found] == [0.4, 0.2, 0.2]


@pytest.mark.parametrize("text", ["", " \n\t ", "\0\1\2", "\x1b\x1b"])
def test_a_passage_without_text_is_not_sent(text: str) -> None:
    with scripted([answer("Berlin")]) as chat:
        found = reader(chat.url).read(QUESTION, [Passage(text)])[0]
        assert chat.requests == []
    assert (found.kind, found.text) == (AnswerKind.NULL, "")


def test_a_huge_passage_is_sent_in_the_pieces_that_fit_the_question() -> None:
    text = "Nothing of note happened then. " * 20_000 + "The games were given to Oslo before the war. " + "Later. " * 9999
    with scripted([answer("Oslo")]) as chat:
        found = reader(chat.url).read(QUESTION, [Passage(text)])[0]
        sent = chat.bodies[0]["messages"][-1]["content"]
    assert "given to Oslo before the war" in sent
    assert len(sent) < 20_000
    assert (found.start, found.end) == (text.index("Oslo"), text.index("Oslo") + 4)


def test_an_interrupt_lets_the_server_go_and_keeps_nothing_half(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from kgqa.cli import _run;"
        "from kgqa.readers.chat.chat_reader import make_chat_reader;"
        "from kgqa.readers.reader import Passage; print('asking', flush=True);"
        f"make_chat_reader('small').read({QUESTION!r}, [Passage('The games were given to Berlin.')])"
    )
    cache = tmp_path / "chat.sqlite"
    with scripted([drip()]) as chat:
        environment = {**os.environ, "KGQA_CHAT_URL": chat.url, "KGQA_CHAT_KEY": KEY, "KGQA_CHAT_CACHE": str(cache)}
        heeding = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
        command = [sys.executable, "-c", heeding, sys.executable, "-c", program]  # what a script began is deaf to Ctrl-C
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            until = time.monotonic() + 60
            while not chat.requests and time.monotonic() < until:
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            try:
                _, said = process.communicate(timeout=30)
            finally:
                process.kill()
        assert chat.left.wait(5)
    assert process.returncode == -signal.SIGINT
    assert said.strip().endswith("KeyboardInterrupt")
    assert KEY not in said
    assert ReplyCache(cache, pytest.fail).get("anything") is None


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Chat]:
    with scripted([answer("Berlin", logprob=-0.1)]) as chat:
        for name, value in (("URL", chat.url), ("MODEL", "small"), ("CACHE", str(tmp_path / "chat.sqlite")), ("PRICE", "1/2")):
            monkeypatch.setenv(f"KGQA_CHAT_{name}", value)
        yield chat


def test_a_question_on_a_passage_is_answered_by_the_server_and_the_cost_is_told(served: Chat, here: Run, tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text("The games were given to Berlin. They were cancelled because of the war.")
    ended = here("ask", QUESTION, "--passage", tmp_path / "games.txt", "--reader", "chat", "--json")
    assert (ended.code, json.loads(ended.out)["answer"]) == (0, "Berlin")
    assert re.search(
        r"^kgqa: chat: \d requests?, 0 from the cache; \d00 \+ \d+ tokens; .* at 1/2 a million tokens$", ended.err, re.M
    )


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        ("Berlin", "Berlin, according to the passage."),
        ("Atlantis", "Atlantis, as the model has it: these words do not stand in the passage."),
        ("word " * 1_400_000, f"Word {'word ' * 38}word …, as the model has it: these words do not stand in the passage."),
    ],
    ids=["there", "not there", "7 MB"],
)
def test_an_answer_that_stands_in_no_passage_is_told_as_that_and_a_long_one_cut(
    reply: str, sentence: str, here: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "games.txt").write_text("The games were given to Berlin.")
    with scripted([answer(reply)]) as chat:
        monkeypatch.setenv("KGQA_CHAT_URL", chat.url)
        monkeypatch.setenv("KGQA_CHAT_MODEL", "small")
        ended = here(
            "ask", "Which city was given the games?", "--passage", tmp_path / "games.txt", "--reader", "chat", "--explain"
        )
    assert sentence in " ".join(ended.out.split())
    assert ("the answer was cut to 200 characters; the reply has 7,000,000" in ended.out) is (len(reply) > 200)


def test_a_server_that_is_away_ends_the_command_in_a_line(here: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text("The games were given to Berlin.")
    monkeypatch.setenv("KGQA_CHAT_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("KGQA_CHAT_MODEL", "small")
    ended = here("ask", QUESTION, "--passage", tmp_path / "games.txt", "--reader", "chat")
    told = "kgqa: the chat server 'http://127.0.0.1:9/v1' cannot be reached: connection refused\n"
    assert (ended.code, ended.out, ended.err) == (1, "", told)


def test_an_evaluation_keeps_what_the_server_was_asked(served: Chat, here: Run, tmp_path: Path) -> None:
    rows = [{"idx": 1, "question": QUESTION, "answers": ["Berlin"], "context": ["The games were given to Berlin."]}]
    (tmp_path / "dev.json").write_text(json.dumps(rows))
    ended = here("evaluate", "ifqa", "--data", tmp_path / "dev.json", "--out", tmp_path / "out", "--reader", "chat")
    assert ended.code == 0, ended.err
    told = json.loads((tmp_path / "out" / "metrics.json").read_text())["seconds"]["server"]
    assert told["requests"] == len(served.requests) > 0
    assert told["prompt_tokens"] == 100 * told["requests"]
    assert "| server: requests |" in (tmp_path / "out" / "report.md").read_text()
    assert "kgqa: chat: " in ended.err

"""`--judge` of `kgqa extract` and `kgqa mine`: a chat server, and folders of judges that are missing or damaged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import Run, kgqa
from scripted_chat import Chat, answer, scripted, status

from graph.mining.judge.claim_judge import FORMAT, SHIPPED_JUDGE

TEXT = "Heavy rain leads to floods.\nThe flood did not cause the famine.\n"
YES = '{"said": "yes", "sure": 0.8, "stance": "hedged", "names": 0.5, "scope": "specific"}'
NO = '{"said": "no", "sure": 0.9}'
PAGE = '<doc id="{0}" url="https://en.wikipedia.org/wiki?curid={0}" title="Article {0}">\nStorm {0} causes floods.\n</doc>\n'
ARTICLES = 90


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    file = tmp_path / "sentences.txt"
    file.write_text(TEXT)
    return file


@pytest.fixture
def articles(tmp_path: Path) -> Path:
    file = tmp_path / "wiki_00"
    file.write_text("".join(map(PAGE.format, range(ARTICLES))))
    return file


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Chat]:
    with scripted([answer(YES)]) as chat:
        for name, value in settings_of(chat, tmp_path).items():
            monkeypatch.setenv(name, value)
        yield chat


def settings_of(chat: Chat, folder: Path) -> dict[str, str]:
    return {"KGQA_CHAT_URL": chat.url, "KGQA_CHAT_MODEL": "small", "KGQA_CHAT_CACHE": str(folder / "chat.sqlite")}


def asked_about(chat: Chat) -> list[str]:
    return [body["messages"][-1]["content"] for body in chat.bodies]


def test_extract_asks_the_server_about_each_claim(served: Chat, here: Run, sentences: Path) -> None:
    served.script = [answer(YES), answer(NO)]
    ended = here("extract", sentences, "--judge", "chat:large", "--json")
    assert (ended.code, ended.err) == (0, "")
    (claim,), none = (json.loads(line)["claims"] for line in ended.out.splitlines())
    assert (claim["cause"], claim["stance"], claim["judged"]) == ("heavy rain", "hedged", 0.8)
    assert none == []
    assert [body["model"] for body in served.bodies] == ["large", "large"]
    assert asked_about(served)[1].startswith("Sentence: The flood did not cause the famine.\nCause: flood (in the sentence: ")


def test_claims_of_replies_that_cannot_be_read_are_kept_and_counted(
    served: Chat, here: Run, sentences: Path, tmp_path: Path
) -> None:
    served.script = [answer("Surely it does.")]
    line = "kgqa: 2 claims without a judgement that can be read; kept as the rules have it\n"
    ended = here("extract", sentences, "--judge", "chat")
    assert (ended.code, ended.err) == (0, line)
    assert "heavy rain → flood  (causes; asserted; lead-to.active)" in ended.out
    ended = here("mine", sentences, "--judge", "chat", "-g", tmp_path / "a.kgqa", "--json")
    assert (ended.code, ended.err) == (0, line)
    done = json.loads(ended.out)
    assert (done["claims_found"], done["claims_unjudged"]) == (2, 2)
    assert len(served.requests) == 4


def test_what_is_mined_holds_what_the_server_judged(served: Chat, here: Run, sentences: Path, tmp_path: Path) -> None:
    graph = tmp_path / "a.kgqa"
    ended = here("mine", sentences, "--judge", "chat", "-g", graph, "--json")
    assert (ended.code, json.loads(ended.out)["stances"]) == (0, {"hedged": 2})
    (evidence,) = json.loads(here("show", "heavy rain", "-g", graph, "--json").out)["effects"][0]["evidence"]
    (evidence,) = json.loads(here("show", "heavy rain", "-g", graph, "--json").out)["effects"][0]["evidence"]
    assert evidence["context"] == {"judged": "0.80", "names": "0.40", "specific": "one event"}


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_run_that_stopped_goes_on_without_asking_again(articles: Path, tmp_path: Path, workers: str) -> None:
    graph = tmp_path / "a.kgqa"
    arguments = ("mine", articles, "--judge", "chat", "--workers", workers, "-g", graph, "--json")
    with scripted([*[answer(YES)] * 60, status(401)]) as chat:
        stopped = kgqa(*arguments, **settings_of(chat, tmp_path))
        assert (stopped.code, stopped.out) == (1, "")
        fact, advice = stopped.err.splitlines()
        assert fact == f"kgqa: the chat server '{chat.url}' does not let us in: HTTP status 401; is KGQA_CHAT_KEY its key?"
        assert re.fullmatch(r" +try: KGQA_CHAT_URL of .*, or --judge none, which takes every claim of the rules", advice)
        answered = set(asked_about(chat)[:60])
        chat.requests.clear()
        chat.script = [answer(YES)]
        ended = kgqa(*arguments, "--resume", **settings_of(chat, tmp_path))
        assert ended.code == 0, ended.err
        repeated = answered & {*asked_about(chat)}
        assert len(repeated) < int(workers)  # a process that is ended may lose the reply that it is about to store
        assert len(chat.requests) == ARTICLES - 60 + len(repeated)
    stats = kgqa("stats", "-g", graph, "--json")
    assert json.loads(stats.out)["evidence"] == ARTICLES


def test_a_run_is_not_gone_on_with_by_another_judge(served: Chat, here: Run, sentences: Path, tmp_path: Path) -> None:
    def resumed(judge: str) -> str:
        ended = here("mine", sentences, "-g", tmp_path / "a.kgqa", "--judge", judge, "--resume", "--json")
        assert ended.code == 0, ended.err
        return ended.err

    anew = "kgqa: nothing to go on from with these inputs, rules and judge: beginning with the first article\n"
    going = "kgqa: going on after 1 article\n"
    assert [resumed(judge) for judge in ("none", "chat", "chat:small", "chat:large", "chat")] == [anew, anew, going, anew, going]


@pytest.mark.parametrize("command", [["extract"], ["mine", "-g", "a.kgqa"]])
@pytest.mark.parametrize(
    ("settings", "fact"),
    [
        ({}, "KGQA_CHAT_URL names no chat server"),
        ({"URL": "http://127.0.0.1:9/v1"}, "KGQA_CHAT_MODEL names no model that the chat server is to use"),
        ({"URL": "ftp://a", "MODEL": "small"}, "KGQA_CHAT_URL is not the address of a chat server"),
        ({"URL": "http://127.0.0.1:9/v1", "MODEL": "small"}, "the chat server 'http://127.0.0.1:9/v1' cannot be reached: conn"),
    ],
)
def test_a_server_that_is_away_or_not_set_is_told_with_the_setting_and_a_way_without_it(
    here: Run, sentences: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], settings: dict[str, str], fact: str
) -> None:
    monkeypatch.chdir(sentences.parent)
    for name in ("URL", "MODEL"):
        monkeypatch.setenv(f"KGQA_CHAT_{name}", settings.get(name, ""))
    monkeypatch.setenv("KGQA_CHAT_CACHE", "off")
    ended = here(*command, sentences, "--judge", "chat")
    assert (ended.code, ended.out) == (1, "")
    first, advice = ended.err.splitlines()
    assert first.startswith(f"kgqa: {fact}")
    assert "KGQA_CHAT_URL" in advice
    assert "--judge none" in advice


def test_a_cluster_is_not_mined_with_a_chat_server(served: Chat, here: Run, sentences: Path, tmp_path: Path) -> None:
    spark = ("--engine", "spark", "--master", "local[1]", "-o", tmp_path / "out.parquet")
    ended = here("mine", sentences, "--judge", "chat", *spark)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("kgqa: --judge chat does not go with --engine spark")


def judge_folder(place: Path, changed: str, content: bytes | None) -> Path:
    """A folder like that of the shipped judge, but for one file, which is missing where there is no content."""
    place.mkdir(parents=True)
    for file in SHIPPED_JUDGE.iterdir():
        if file.name != changed:
            (place / file.name).symlink_to(file)
        elif content is not None:
            (place / file.name).write_bytes(content)
    return place


def of_format(number: int) -> bytes:
    return json.dumps({**json.loads((SHIPPED_JUDGE / "judge.json").read_bytes()), "format": number}).encode()


BROKEN: dict[str, tuple[str, bytes | None, str]] = {
    "no model": ("model.onnx", None, "it has no model.onnx"),
    "no tokenizer": ("tokenizer.json", None, "it has no tokenizer.json"),
    "no settings": ("judge.json", None, "it has no judge.json"),
    "model cut short": ("model.onnx", b"cut", "model.onnx is damaged: it has 3 bytes, not"),
    "model altered": ("model.onnx", bytes((SHIPPED_JUDGE / "model.onnx").stat().st_size), "model.onnx is damaged"),
    "tokenizer altered": (
        "tokenizer.json",
        bytes((SHIPPED_JUDGE / "tokenizer.json").stat().st_size),
        "tokenizer.json is damaged",
    ),
    "settings damaged": ("judge.json", b"{", "judge.json is damaged"),
    "another version": ("judge.json", of_format(99), f"judge.json is of format 99, and {FORMAT} is read"),
}


@pytest.mark.parametrize("command", [["extract"], ["mine", "-g", "a.kgqa"]])
@pytest.mark.parametrize("broken", BROKEN)
def test_a_judge_that_is_missing_damaged_or_of_another_version_is_told(
    here: Run, sentences: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], broken: str
) -> None:
    monkeypatch.chdir(sentences.parent)
    name, content, fact = BROKEN[broken]
    folder = judge_folder(sentences.parent / "judge", name, content)
    ended = here(*command, sentences, "--judge", folder)
    assert (ended.code, ended.out) == (1, "")
    first, advice = ended.err.splitlines()
    assert first.startswith(f"kgqa: '{folder}' holds no judge of claims: {fact}")
    assert advice == "      try: --judge none, which takes every claim of the rules"


def test_a_folder_of_a_judge_that_is_not_there_is_told(here: Run, sentences: Path, tmp_path: Path) -> None:
    ended = here("extract", sentences, "--judge", tmp_path / "nowhere")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith(f"kgqa: '{tmp_path / 'nowhere'}' holds no judge of claims: there is no such folder\n")
    assert "--judge none" in ended.err


def test_a_shipped_judge_that_was_altered_is_told_with_both_ways_out(here: Run, sentences: Path, tmp_path: Path) -> None:
    altered = bytes((SHIPPED_JUDGE / "model.onnx").stat().st_size)
    folder = judge_folder(tmp_path / "graph" / "mining" / "judge" / "data", "model.onnx", altered)
    ended = here("extract", sentences, "--judge", folder)
    assert (ended.code, ended.out) == (1, "")
    first, advice = ended.err.splitlines()
    assert first.startswith(f"kgqa: '{folder / 'model.onnx'}' is damaged or was altered")
    assert re.search(r"pip install .*, or --judge none", advice)


def test_a_damaged_judge_is_told_by_a_process_that_mines(articles: Path, tmp_path: Path) -> None:
    folder = judge_folder(tmp_path / "judge", "model.onnx", bytes((SHIPPED_JUDGE / "model.onnx").stat().st_size))
    ended = kgqa("mine", articles, "--judge", folder, "--workers", "2", "-g", tmp_path / "a.kgqa")
    assert (ended.code, ended.out) == (1, "")
    first, advice = ended.err.splitlines()
    assert first.startswith(f"kgqa: '{folder}' holds no judge of claims: model.onnx is damaged")
    assert "--judge none" in advice

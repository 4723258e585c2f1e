"""The cache of chat answers: whole or not at all, for several processes, bounded, begun anew where damaged."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from graph.stores import open_store
from kgqa.readers.chat.chat_client import ChatReply, ReplyToken
from kgqa.readers.chat.reply_cache import ReplyCache, reply_key

REPLY = ChatReply("São Paulo \U0001f3db \ud800", (ReplyToken("São", -0.25), ReplyToken(" Paulo", -1e-9)), "stop", 12, None)


@pytest.fixture
def notes() -> list[str]:
    return []


@pytest.fixture
def cache(tmp_path: Path, notes: list[str]) -> ReplyCache:
    return ReplyCache(tmp_path / "deep" / "chat.sqlite", notes.append)


def test_an_answer_comes_back_as_it_was(cache: ReplyCache, notes: list[str]) -> None:
    assert cache.get("a") is None
    cache.put("a", REPLY)
    cache.put("b", ChatReply("no", refused=True))
    assert cache.get("a") == REPLY
    assert cache.get("b") == ChatReply("no", refused=True)
    assert notes == []


def test_all_that_matters_is_part_of_the_key() -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "q\ud800"}], "seed": 0}
    keys = {
        reply_key("http://a/v1", body),
        reply_key("http://b/v1", body),
        reply_key("http://a/v1", {**body, "seed": 1}),
        reply_key("http://a/v1", {**body, "model": "n"}),
        reply_key("http://a/v1", {**body, "messages": []}),
    }
    assert len(keys) == 5
    assert reply_key("http://a/v1", dict(reversed(body.items()))) in keys


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "chat.sqlite", pytest.fail, most=20_000)
    for number in range(15):
        cache.put(f"{number}", ChatReply("x" * 1000))
    assert cache.get("0") is not None
    for number in range(15, 22):
        cache.put(f"{number}", ChatReply("x" * 1000))
    assert cache.get("0") is not None
    assert cache.get("1") is None
    assert cache.get("21") is not None


def damaged(path: Path, how: str) -> None:
    data = bytearray(path.read_bytes())
    if how == "no database":
        path.write_bytes(b"this is no database at all, and never was" * 100)
    elif how == "cut short":
        path.write_bytes(data[: len(data) // 2])
    elif how == "overwritten":
        data[100:] = b"\xff" * (len(data) - 100)
        path.write_bytes(data)
    else:
        path.unlink()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE replies (something TEXT)")


@pytest.mark.parametrize("how", ["no database", "cut short", "overwritten", "another shape"])
def test_a_damaged_cache_is_put_aside_and_begun_anew_with_one_note(
    how: str, cache: ReplyCache, notes: list[str], tmp_path: Path
) -> None:
    for number in range(30):
        cache.put(f"{number}", ChatReply("x" * 1000))
    path = tmp_path / "deep" / "chat.sqlite"
    damaged(path, how)
    for number in range(30):
        cache.get(f"{number}")
    cache.put("new", REPLY)
    assert cache.get("new") == REPLY
    assert notes == ["the cache of chat answers was damaged and is begun anew; the old one is 'chat.sqlite.damaged'"]
    assert path.with_name("chat.sqlite.damaged").is_file()


def test_an_answer_that_has_changed_on_disk_is_asked_for_again(cache: ReplyCache, notes: list[str], tmp_path: Path) -> None:
    cache.put("a", REPLY)
    with closing(sqlite3.connect(tmp_path / "deep" / "chat.sqlite")) as connection, connection:
        connection.execute("UPDATE replies SET reply = replace(reply, 'Paulo', 'Pablo')")
    assert cache.get("a") is None
    assert notes == []


def test_a_place_that_cannot_be_written_is_told_once_and_done_without(tmp_path: Path, notes: list[str]) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "chat.sqlite", tmp_path):
        cache = ReplyCache(path, notes.append)
        cache.put("a", REPLY)
        assert cache.get("a") is None
    assert len(notes) == 2
    assert all(note.startswith("the cache of chat answers cannot be used, so nothing is kept: ") for note in notes)


PROGRAM = """
import sys
from pathlib import Path
from kgqa.readers.chat.reply_cache import ReplyCache
from kgqa.readers.chat.chat_client import ChatReply
cache = ReplyCache(Path(sys.argv[1]), print)
for number in range(25):
    cache.put(f"{sys.argv[2]}-{number}", ChatReply(sys.argv[2] * 100))
    cache.get(f"{number % 3}-{number}")
"""


@pytest.mark.parametrize("sound", [True, False])
def test_several_processes_use_a_cache_at_once(sound: bool, tmp_path: Path) -> None:
    path = tmp_path / "chat.sqlite"
    if not sound:
        path.write_bytes(b"no database" * 1000)
    processes = [
        subprocess.Popen([sys.executable, "-c", PROGRAM, path, str(number)], stdout=subprocess.PIPE, text=True)
        for number in range(3)
    ]
    said = [process.communicate(timeout=300)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert sum(len(one.splitlines()) for one in said) == (0 if sound else 1)
    cache = ReplyCache(path, pytest.fail)
    assert all(cache.get(f"{process}-24") == ChatReply(str(process) * 100) for process in range(3))


def test_the_cache_is_not_kept_in_a_graph(tmp_path: Path) -> None:
    path, notes = tmp_path / "mine.kgqa", list[str]()
    open_store(str(path), create=True).close()
    before = path.read_bytes()
    cache = ReplyCache(path, notes.append)

    assert cache.get("key") is None
    assert path.read_bytes() == before
    assert notes == [f"the cache of chat answers cannot be used, so nothing is kept: it is the file of another program: '{path}'"]

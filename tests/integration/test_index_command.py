"""`kgqa index` as a shell runs it."""

from __future__ import annotations

import bz2
import json
from pathlib import Path

import pytest
from running import kgqa

from kgqa.retrieval.corpus import open_corpus

ARTICLES = """\
<doc id="12" url="https://example.org/12" title="Bridge">
Bridge

The bridge fell because the river rose.
</doc>
<doc id="13" url="https://example.org/13" title="Mine">
Mine

The mine closed because the price of coal fell.
</doc>
"""
DUMP = """\
<mediawiki><siteinfo><base>https://example.org/wiki/Main</base></siteinfo>
<page><title>Harbour</title><ns>0</ns><id>5</id><revision><id>9</id><model>wikitext</model>
<text>The '''harbour''' closed because of a [[storm]].</text></revision></page></mediawiki>
"""


def test_articles_become_an_index_that_is_asked(tmp_path: Path) -> None:
    (tmp_path / "wiki.bz2").write_bytes(bz2.compress(ARTICLES.encode()))
    (tmp_path / "dump.xml").write_text(DUMP)
    out = tmp_path / "all.passages"
    ended = kgqa("index", str(tmp_path / "wiki.bz2"), str(tmp_path / "dump.xml"), "-o", str(out), "--json")
    assert ended.code == 0, ended.err
    told = json.loads(ended.out)
    assert (told["pages"], told["passages"], told["index"]) == (3, 3, str(out))
    found = open_corpus(out).retrieve("Why did the harbour close?", 1)[0]
    assert (found.title, found.text) == ("Harbour", "The harbour closed because of a storm.")


def test_the_index_lies_beside_its_only_text(tmp_path: Path) -> None:
    text = tmp_path / "story.txt"
    text.write_text("The bridge fell.")
    ended = kgqa("index", str(text))
    assert ended.code == 0, ended.err
    assert "1 page, 1 passage, 3 words" in ended.out
    assert (tmp_path / "story.txt.passages").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("nowhere.txt",), 1, "no such file"),
        (("a.txt", "b.txt"), 2, "no file to make is named"),
        (("a.txt", "-o", "a.txt"), 2, "an index is a file of its own"),
        (("empty.txt",), 1, "is empty"),
        (("blank.txt",), 1, "have no words"),
        (("binary.txt",), 1, "cannot read"),
        (("cut.bz2",), 1, "is cut short"),
        (("a.txt", "-o", "no/such/folder/x"), 1, "cannot write"),
        (("a.txt", "--dense", "nowhere"), 1, "no encoder of sentences"),
    ],
)
def test_what_is_wrong_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("The bridge fell.")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "blank.txt").write_text(" \n \n")
    (tmp_path / "binary.txt").write_bytes(b"\x00\x01\x02\xff" * 100)
    (tmp_path / "cut.bz2").write_bytes(bz2.compress(ARTICLES.encode())[:80])
    before = set(tmp_path.rglob("*"))
    ended = kgqa("index", *arguments)
    assert ended.code == code
    assert told in ended.err
    assert "Traceback" not in ended.err
    assert set(tmp_path.rglob("*")) == before

"""What `kgqa mine` does with dumps and texts whose markup, lines or scripts are out of order."""

from __future__ import annotations

import bz2
import json
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from running import Ended

from graph.model import Statement
from graph.stores import open_store
from kgqa.cli import run

Mine = Callable[[Path], Ended]


def page(number: int, title: str, text: str) -> str:
    revision = f"<revision><id>{number}</id><text>{escape(text)}</text></revision>"
    return f"<page><title>{escape(title)}</title><ns>0</ns><id>{number}</id>{revision}</page>\n"


def dump(*pages: str) -> str:
    base = "<siteinfo><base>https://en.wikipedia.org/wiki/Main_Page</base></siteinfo>"
    return f"<mediawiki>{base}\n{''.join(pages)}</mediawiki>\n"


FLU = page(
    1, "Influenza", "{{Infobox disease|symptoms=[[Fever]], cough}}\nRain causes floods.\n== Complications ==\n* [[Pneumonia]]"
)
SAID = {("influenza", "fever"), ("influenza", "cough"), ("influenza", "pneumonia"), ("rain", "flood")}


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return tmp_path / "new.kgqa"


@pytest.fixture
def mine(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, graph: Path) -> Mine:
    monkeypatch.delenv("KGQA_DEBUG", raising=False)

    def command(file: Path) -> Ended:
        code = run(["mine", str(file), "-g", str(graph), "--workers", "1", "--json"])
        return Ended(code, *capfd.readouterr())

    return command


def stored(graph: Path) -> list[Statement]:
    with closing(open_store(str(graph))) as store:
        assert list(store.check()) == []
        return list(store.statements())


def pairs(graph: Path) -> set[tuple[str, str]]:
    return {(one.claim.cause, one.claim.effect) for one in stored(graph)}


def test_lists_and_infoboxes_are_mined_with_the_prose(mine: Mine, tmp_path: Path, graph: Path) -> None:
    file = tmp_path / "dump.xml"
    file.write_text(dump(FLU))
    assert mine(file).code == 0
    assert pairs(graph) == SAID
    assert {one.evidence.rule for one in stored(graph)} == {"infobox.symptoms", "list.complications", "cause.active"}


def test_pages_with_broken_markup_lose_nothing_of_the_others(mine: Mine, tmp_path: Path, graph: Path) -> None:
    broken = (
        "{{Infobox disease|symptoms=[[Fever",
        "== Causes\n* {{cut\n* [[cut\n* <ref>cut\n{|\n* cut",
        "== Causes ==\n*\n**\n***\n*:\n;\n:;*#\n* \u202eحمى\u202c\n* 発熱\n* \ufeff\u200f",
        "}}]]''''<!--<ref name=\"",
        "{{Infobox disease|symptoms={{ubl|{{hlist|}}|causes=<br>}}",
    )
    file = tmp_path / "dump.xml"
    file.write_text(
        dump(*(page(number, f"Page {number}", text) for number, text in enumerate(broken, 10)), FLU), encoding="utf-8"
    )
    ended = mine(file)
    assert (ended.code, ended.err) == (0, "")
    assert json.loads(ended.out)["articles"] == 6
    assert pairs(graph) == SAID


def test_pages_that_cannot_be_read_are_counted_and_named(mine: Mine, tmp_path: Path, graph: Path) -> None:
    file = tmp_path / "dump.xml"
    pages = (page(10, "Empty", ""), page(11, "Tangle", "{{a|" * 20_000), page(12, "Line", "rain " * 1_000_000))
    file.write_text(dump(*pages, FLU))
    ended = mine(file)
    assert ended.code == 0
    assert ended.err.splitlines() == [
        "kgqa: page 'Empty': no text; skipped",
        "kgqa: page 'Tangle': too tangled: 39,900 brackets and tags never close or lie too deep; skipped",
        "kgqa: page 'Line': longer than 4,194,304 characters; skipped",
    ]
    assert pairs(graph) == SAID


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "bzip2"])
def test_a_dump_that_is_cut_short_keeps_what_came_before(mine: Mine, tmp_path: Path, graph: Path, packed: bool) -> None:
    content = dump(FLU, *(page(number, f"Flood {number}", f"Storm {number} causes a flood.\n") for number in range(2, 2_000)))
    data = bz2.compress(content.encode(), 1) if packed else content.encode()
    file = tmp_path / "dump.xml"
    file.write_bytes(data[: len(data) * 2 // 3] if packed else data[: data.rindex(b"</text>") - 9])
    ended = mine(file)
    assert ended.code == 1
    (line,) = ended.err.splitlines()
    assert line.startswith(f"kgqa: cannot read '{file}': its ")
    assert "cut short" in line
    assert 40 < json.loads(ended.out)["articles"] < 1_999
    assert pairs(graph) > SAID


@pytest.mark.parametrize("unit", ["rain causes floods and ", "because ", "المطر يسبب الفيضانات ", 'a." ', "e.g. "])
def test_a_line_of_five_megabytes_takes_seconds(mine: Mine, tmp_path: Path, graph: Path, unit: str) -> None:
    file = tmp_path / "text.txt"
    file.write_text(unit * (5_000_000 // len(unit.encode())) + "\nRain causes floods.\n", encoding="utf-8")
    begun = time.perf_counter()
    assert mine(file).code == 0
    assert time.perf_counter() - begun < 30
    assert pairs(graph) == {("rain", "flood")}


def test_a_sentence_of_two_thousand_words_is_counted(mine: Mine, tmp_path: Path, graph: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("Rain causes " + "very " * 2_000 + "many floods. Storms cause damage.\n")
    ended = mine(file)
    assert (ended.code, ended.err) == (0, "kgqa: 1 sentence too long to parse; skipped\n")
    assert pairs(graph) == {("storm", "damage")}

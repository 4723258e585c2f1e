"""`kgqa mine`: rules of one's own, what a run tells at its end, and the bar that it shows on a terminal."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
import time
from contextlib import suppress
from pathlib import Path

import pytest
from running import KGQA, clean_environment, kgqa

RULE = """
[[rule]]
id = "torch.active"
words = "torched"
frame = "active"
cause = "subject"
match = [["The lightning torched the barn.", "lightning -> barn"]]
no_match = ["The barn stood."]
"""
PAGE = '<doc id="{0}" url="https://en.wikipedia.org/wiki?curid={0}" title="Article {0}">\n{1}\n</doc>\n'
PATIENCE_S = 60.0


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    file = tmp_path / "own.toml"
    file.write_text(RULE)
    return file


@pytest.fixture
def articles(tmp_path: Path) -> Path:
    file = tmp_path / "wiki_00"
    sentence = "Heavy rain causes floods. The lightning torched the barn."
    file.write_text("".join(PAGE.format(number, sentence) for number in range(100)))
    return file


@pytest.mark.parametrize("workers", ["1", "2"])
def test_rules_of_ones_own_reach_every_process(articles: Path, rules: Path, tmp_path: Path, workers: str) -> None:
    ended = kgqa("mine", articles, "--rules", rules, "--workers", workers, "-g", tmp_path / "a.kgqa", "--json")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["rules"] == {"cause.active": 100, "torch.active": 100}


def test_a_run_with_other_rules_is_not_gone_on_with(articles: Path, rules: Path, tmp_path: Path) -> None:
    graph = tmp_path / "a.kgqa"
    assert kgqa("mine", articles, "--workers", "1", "-g", graph).code == 0
    ended = kgqa("mine", articles, "--workers", "1", "-g", graph, "--resume", "--rules", rules, "--json")
    assert ended.err == "kgqa: nothing to go on from with these inputs, rules and judge: beginning with the first article\n"
    assert json.loads(ended.out)["articles"] == 100
    rules.write_text(f"# a remark\n{RULE}")
    ended = kgqa("mine", articles, "--workers", "1", "-g", graph, "--resume", "--rules", rules)
    assert ended.err == "kgqa: going on after 100 articles\n"


@pytest.mark.parametrize("text", ["[[rule", RULE.replace('"active"', '"actve"'), ""])
def test_broken_rules_are_told_before_a_graph_is_made(articles: Path, rules: Path, tmp_path: Path, text: str) -> None:
    rules.write_text(text)
    ended = kgqa("mine", articles, "--rules", rules, "-g", tmp_path / "a.kgqa")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith(f"kgqa: {rules}")
    assert not (tmp_path / "a.kgqa").exists()


def test_the_end_tells_claims_by_kind_and_what_was_skipped_and_why(tmp_path: Path) -> None:
    file = tmp_path / "wiki_00"
    unclosed = [PAGE.format(number, "Rain.").replace("</doc>\n", "") for number in range(4)]
    long = PAGE.format(9, f"Rain causes floods {'and mud ' * 400}. Heavy rain causes floods. Smoking does not cause cancer.")
    file.write_bytes("".join((*unclosed, long)).encode() + PAGE.format(10, "Rain \0").encode())
    ended = kgqa("mine", file, "-g", tmp_path / "a.kgqa", "--json", "--workers", "1")
    done = json.loads(ended.out)
    assert done["skipped"] == {
        "never closed": {"count": 4, "first": ["page 'Article 0'", "page 'Article 1'", "page 'Article 2'"]},
        "NUL byte": {"count": 1, "first": ["page 'Article 10'"]},
    }
    assert (done["articles"], done["sentences_too_long"]) == (1, 1)
    assert {sum(done[kind].values()) for kind in ("relations", "stances", "rules")} == {done["claims_found"]} == {2}
    assert re.fullmatch(r"en_core_web_sm(_\w+)? 3\.\d+\.\d+", done["pipeline"])

    told = " ".join(kgqa("mine", file, "-g", tmp_path / "b.kgqa", "--workers", "1").out.split())
    assert "stances: asserted 1, negated 1" in told
    assert told.endswith(
        "skipped: never closed 4 (page 'Article 0', page 'Article 1', page 'Article 2', ...), NUL byte 1 (page 'Article 10')"
    )


@pytest.mark.parametrize("width", [80, 40])
def test_long_work_shows_a_bar_that_fits_the_terminal(tmp_path: Path, width: int) -> None:
    file = tmp_path / "a_long_name_of_a_file_of_articles"
    text = "Heavy rain causes floods. Smoking causes lung cancer. " * 6 + "The harbour lies in the north. " * 60
    file.write_text("".join(PAGE.format(number, text) for number in range(4_000)))
    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    command = [KGQA, "mine", str(file), "-g", str(tmp_path / "a.kgqa"), "--workers", "1"]
    environment = clean_environment(TERM="xterm")
    process = subprocess.Popen(command, stdin=terminal, stdout=subprocess.DEVNULL, stderr=terminal, env=environment)
    os.close(terminal)
    shown, until = "", time.monotonic() + PATIENCE_S
    with suppress(OSError):  # the end of a terminal
        while not re.search(r"\d left\n.*\d claims\n", shown) and time.monotonic() < until:
            plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", os.read(master, 65_536).decode())
            shown = re.sub(r"[\r\n]+", "\n", shown + plain)
    process.kill()
    process.wait()
    os.close(master)

    lines = shown.splitlines()
    assert max(map(len, lines)) <= width
    assert any(re.fullmatch(r"mining a_\w+….* \d+% [\d:]+ left", line) for line in lines)
    assert any(re.fullmatch(r"[\d,]+ articles \([\d,]+/s\), [\d,]+ claims", line) for line in lines)


def test_short_work_and_work_without_a_terminal_show_no_bar(articles: Path, tmp_path: Path) -> None:
    ended = kgqa("mine", articles, "-g", tmp_path / "a.kgqa", "--workers", "2")
    assert (ended.code, ended.err) == (0, "")


def test_what_needs_the_extra_says_so_where_it_is_missing(articles: Path, tmp_path: Path) -> None:
    for package in ("pyarrow", "pyspark"):
        (tmp_path / "without" / package).mkdir(parents=True)
        (tmp_path / "without" / package / "__init__.py").write_text("raise ImportError")
    without = str(tmp_path / "without")
    ended = kgqa("load", "parquet", articles, "-g", tmp_path / "a.kgqa", PYTHONPATH=without)
    remedy = "      try: pip install 'kgqa[cluster]'\n"
    assert (ended.code, ended.err) == (1, f"kgqa: Parquet files need pyarrow, which is not installed\n{remedy}")
    arguments = ("--engine", "spark", "--master", "local", "-o", tmp_path / "out")
    ended = kgqa("mine", articles, *arguments, PYTHONPATH=without)
    assert (ended.code, ended.err) == (1, f"kgqa: pyspark is not installed\n{remedy}")
    assert not (tmp_path / "a.kgqa").exists()


def test_what_is_no_parquet_file_is_told_before_a_graph_is_made(articles: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'kgqa[cluster]'")
    for file, fact in (
        (tmp_path / "none", f"no such file: '{tmp_path}/none'"),
        (articles, f"cannot read '{articles}': "),
        (tmp_path, f"'{tmp_path}' is empty"),
    ):
        ended = kgqa("load", "parquet", file, "-g", tmp_path / "a.kgqa")
        assert (ended.code, ended.out) == (1, "")
        assert ended.err.startswith(f"kgqa: {fact}")
    assert not (tmp_path / "a.kgqa").exists()

"""`kgqa rules` as a shell runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import CLAIMS, Ended, Run

from graph.mining.rules.rule_tables import every_rule, load_rules
from kgqa.cli import run

MINE = """\
[[rule]]
id = "torch.active"
words = "torched"
frame = "active"
cause = "subject"
match = [["The lightning torched the barn.", "lightning -> barn"]]
no_match = ["The barn stood."]
"""
CORPUS = "Smoking invites lung cancer. Asbestos invites lung cancer. Many say that smoking invites emphysema.\n"


@pytest.fixture
def here(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command in this process, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("KGQA_GRAPH", raising=False)
    monkeypatch.delenv("KGQA_DEBUG", raising=False)
    (tmp_path / "my.toml").write_text(MINE, encoding="utf-8")

    def command(*arguments: str) -> Ended:
        code = run(list(arguments))
        return Ended(code, *capfd.readouterr())

    return command


def test_every_rule_is_listed(here: Run) -> None:
    ended = here("rules", "list", "--json")
    assert [json.loads(line)["id"] for line in ended.out.splitlines()] == [rule.id for rule in every_rule()]
    assert (ended.code, ended.err) == (0, "")


def test_a_family_is_listed_by_itself(here: Run) -> None:
    ended = here("rules", "list", "--family", "user", "--rules", "my.toml")
    assert ended.out == "user: 1 rule\n  torch.active  (causes; user)\n"


def test_a_family_that_there_is_not_is_wrong_use(here: Run) -> None:
    ended = here("rules", "list", "--family", "adverbs")
    assert ended.code == 2
    assert ended.err.startswith("kgqa: no family 'adverbs'; there are: association, ")


def test_a_rule_is_shown_with_its_patterns_and_examples(here: Run) -> None:
    ended = here("rules", "show", "cause.active")
    assert ended.code == 0
    assert "the subject is the cause" in ended.out
    assert "cue >dobj object" in ended.out
    record = json.loads(here("rules", "show", "torch.active", "--rules", "my.toml", "--json").out)
    assert record["match"] == [{"text": "The lightning torched the barn.", "claims": [["lightning", "barn"]]}]


def test_a_rule_that_there_is_not_is_told_with_the_nearest(here: Run) -> None:
    ended = here("rules", "show", "cause.activ")
    assert (ended.code, ended.err) == (2, "kgqa: no rule 'cause.activ'\n      try: kgqa rules show cause.active\n")


def test_examples_that_hold_end_with_0_and_others_with_1(here: Run, tmp_path: Path) -> None:
    ended = here("rules", "test", "torch.active", "--rules", "my.toml")
    assert (ended.code, ended.out) == (0, "1 rule, 2 examples, 0 failures\n")
    (tmp_path / "my.toml").write_text(MINE.replace("The barn stood.", "The meteor torched the wood."), encoding="utf-8")
    ended = here("rules", "test", "torch.active", "--rules", "my.toml")
    assert ended.code == 1
    assert "  found meteor → wood\n" in ended.out
    assert "1 rule, 2 examples, 1 failure\n" in ended.out


def test_the_words_of_a_rule_that_keep_its_example_from_being_read_are_told(here: Run, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(MINE.replace("frame =", 'text = "torched by"\nframe ='), encoding="utf-8")
    ended = here("rules", "test", "torch.active", "--rules", "my.toml")
    assert ended.code == 1
    assert "its words keep the sentence from being read" in ended.out


@pytest.mark.parametrize("command", [("rules", "list"), ("rules", "test"), ("extract",)])
def test_a_wrong_file_is_one_line(here: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "my.toml").write_text(MINE.replace('"active"', '"actve"'), encoding="utf-8")
    ended = here(*command, "--rules", "my.toml")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == "kgqa: my.toml, line 4: rule 'torch.active': no frame 'actve'; near: active\n"


def test_sentences_are_extracted_with_rules_of_ones_own(here: Run, tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("The meteor torched the wood.\n", encoding="utf-8")
    (claim,) = json.loads(here("extract", "in.txt", "--rules", "my.toml", "--json").out)["claims"]
    assert (claim["cause"], claim["effect"], claim["rule"]) == ("meteor", "wood", "torch.active")


def test_rules_are_proposed_from_a_corpus_and_can_be_used_at_once(here: Run, tmp_path: Path) -> None:
    (tmp_path / "claims.csv").write_text(CLAIMS, encoding="utf-8")
    (tmp_path / "corpus.txt").write_text(CORPUS, encoding="utf-8")
    assert here("load", "csv", "claims.csv", "-g", "small.kgqa").code == 0
    ended = here("rules", "induce", "corpus.txt", "-g", "small.kgqa", "--minimum", "2", "--output", "new.toml")
    assert ended.code == 0
    assert "invite.active" in ended.out
    assert {rule.id for rule in load_rules("new.toml")} >= {"invite.active", "cause.active"}
    assert here("rules", "test", "invite.active", "--rules", "new.toml").code == 0
    again = here("rules", "induce", "corpus.txt", "-g", "small.kgqa", "--minimum", "2", "--output", "again.toml")
    assert again.code == 0
    assert (tmp_path / "again.toml").read_bytes() == (tmp_path / "new.toml").read_bytes()


def test_a_corpus_without_known_pairs_gives_no_rule(here: Run, tmp_path: Path) -> None:
    (tmp_path / "corpus.txt").write_text("Nothing is here.\n", encoding="utf-8")
    ended = here("rules", "induce", "corpus.txt", "--output", "new.toml")
    assert ended.code == 0
    assert "0 rules proposed" in ended.out
    assert not (tmp_path / "new.toml").exists()


def test_stdin_cannot_be_read_twice(here: Run) -> None:
    ended = here("rules", "induce", "-")
    assert ended.code == 2
    assert "read twice" in ended.err


def test_rules_without_a_command_tell_the_commands(here: Run) -> None:
    ended = here("rules")
    assert ended.code == 2
    assert "induce" in ended.err
    assert here("rules", "lst").err == "kgqa: no command 'lst'\n      try: kgqa rules list\n"

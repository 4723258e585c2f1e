from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts" / "judge"))
import claim_labels
import label_claims

TEXT = "Heavy rain caused a flood, because of it the dam failed."
ROW = {
    "id": 1,
    "pool": "asked",
    "article": "7",
    "title": "Flood",
    "s": 100,
    "e": 100 + len(TEXT),
    "text": TEXT,
    "before": "",
    "c": [6, 10],
    "f": [20, 25],
    "cue": [11, 17],
    "rule": "cause.active",
    "net": False,
    "cn": "rain",
    "en": "flood",
    "stance": "asserted",
    "weight": 2.5,
    "test": False,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    sentence = {key: ROW[key] for key in ("id", "pool", "article", "title", "s", "e", "text", "before", "test")}
    (tmp_path / "proposals.jsonl").write_text(json.dumps(ROW) + "\n" + json.dumps(ROW | {"id": 2}) + "\n", encoding="utf-8")
    (tmp_path / "sentences.jsonl").write_text(json.dumps(sentence | {"drawn": "random"}) + "\n", encoding="utf-8")
    (tmp_path / "labels").mkdir()
    return tmp_path


def labelled(folder: Path, *lines: str) -> list[dict[str, str]]:
    (folder / "labels" / "p001.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    label_claims.gather(folder, folder / "labels", folder)
    header, *rows = (folder / "claim-labels.tsv").read_text(encoding="utf-8").splitlines()
    return [dict(zip(header.split("\t"), row.split("\t"), strict=True)) for row in rows]


def test_labels_are_offsets_in_the_article_without_its_words(folder: Path) -> None:
    said, unsaid = labelled(folder, "1\ty\tok\tc\tasserted\tHeavy rain\t=\theavy rain\t=\tg", "2\tn\ttime")
    assert (said["cause"], said["cause_span"], said["effect_span"]) == ("106-110", "100-110", "120-125")
    assert (said["said"], said["direction"], said["kind"]) == ("yes", "right", "general")
    assert (said["cause_name"], said["effect_name"]) == ("heavy rain", "flood")
    assert (unsaid["said"], unsaid["cause_span"]) == ("no: time", "")


def test_what_is_reversed_has_the_true_cause_first(folder: Path) -> None:
    (said,) = labelled(folder, "1\ty\trev\tc\tasserted\t=\tHeavy rain\t=\theavy rain\ts")
    assert (said["cause_span"], said["effect_span"]) == ("120-125", "100-110")
    assert (said["cause_name"], said["effect_name"], said["direction"]) == ("flood", "heavy rain", "reversed")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("3\tn\ttime", "no such proposal"),
        ("1\tn\tmaybe", "no such reason"),
        ("1\ty\tok\tc\tasserted\t=\t=", "10 fields are needed"),
        ("1\ty\tok\tz\tasserted\t=\t=\t=\t=\tg", "no such relation, stance or kind"),
        ("1\ty\tok\tc\tasserted\tHeavy snow\t=\t=\t=\tg", "words not there"),
    ],
)
def test_a_label_that_fits_nothing_is_told_and_left_out(
    folder: Path, capsys: pytest.CaptureFixture[str], line: str, problem: str
) -> None:
    assert labelled(folder, line) == []
    assert problem in capsys.readouterr().err


def test_agreement_counts_what_both_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "second").mkdir()
    (folder / "second" / "q001.tsv").write_text("1\ty\tok\tc\thedged\t=\t=\t=\t=\tg\n2\tn\tpair\n", encoding="utf-8")
    labelled(folder, "1\ty\tok\tc\tasserted\t=\t=\t=\t=\tg", "2\tn\ttime")
    capsys.readouterr()
    label_claims.agree(folder, folder / "labels", folder / "second")
    printed = capsys.readouterr().out
    assert "2 proposals read twice" in printed
    assert "stance, where both say yes: 0.000" in printed
    assert "relation, where both say yes: 1.000" in printed


def test_the_loose_rules_find_their_examples() -> None:
    from graph.mining.miner import example_failures
    from graph.mining.rules.rule_tables import load_rules

    loose = [rule for rule in load_rules(str(claim_labels.WIDE_NET)) if rule.id.startswith("net-")]
    assert len(loose) == 7
    assert list(example_failures(loose)) == []


@pytest.mark.parametrize("verdict", ["drop", "fix"])
def test_what_an_editor_says_of_names_is_in_the_label(verdict: str) -> None:
    key, check = next((key, check) for key, check in claim_labels.name_checks().items() if check["verdict"] == verdict)
    row = dict(zip(("article", "cause_name", "relation", "effect_name"), key, strict=True)) | {"said": "yes"}
    changed = {"said": claim_labels.DROPPED} if verdict == "drop" else {end: check[end] for end in ("cause_name", "effect_name")}
    assert claim_labels.checked_label(row) == row | changed
    assert claim_labels.checked_label(row | {"article": "0"}) == row | {"article": "0"}

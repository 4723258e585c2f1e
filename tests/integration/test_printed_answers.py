"""What `kgqa ask` prints: sources once and cited, one line of what would find out, the width of the terminal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from running import kgqa

CITED = re.compile(r"\[(\d+)\]")


def numbers_of(out: str) -> tuple[list[str], list[str]]:
    """Return the numbers cited in the text of an answer, and those of its sources."""
    text, *sources = re.split(r"^  (?:Sources|Against)$", out, flags=re.MULTILINE)
    return CITED.findall(text), re.findall(r"^  \[(\d+)\]", "".join(sources), re.MULTILINE)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    text = "Rain and snow cause floods and mud."
    rows = [f"{cause},{effect},causes,asserted,Rain,1,,{text}" for cause in ("rain", "snow") for effect in ("flood", "mud")]
    path = tmp_path / "claims.csv"
    path.write_text("cause,effect,relation,stance,title,page_id,url,text\n" + "\n".join(rows) + "\n", encoding="utf-8")
    assert kgqa("load", "csv", path, "-g", tmp_path / "rain.kgqa").code == 0
    return tmp_path / "rain.kgqa"


def test_records_of_one_place_are_one_source(table: Path) -> None:
    ended = kgqa("ask", "What causes floods?", "-g", table)
    cited, sources = numbers_of(ended.out)
    assert sources == ["1"]
    assert cited == ["1", "1"]


@pytest.mark.parametrize(
    "question",
    [
        "What causes landslides?",
        "Does HPV cause cervical cancer?",
        "Does thunder cause lightning?",
        "Do vaccines cause autism?",
        "How does smoking cause lung cancer?",
        "Can stress cause headaches?",
    ],
)
def test_every_source_is_cited_and_every_number_has_its_source(question: str) -> None:
    ended = kgqa("ask", question)
    cited, sources = numbers_of(ended.out)
    assert set(cited) == set(sources)
    assert len(sources) == len(set(sources))
    assert ended.out.count("CauseNet, without a sentence\n") <= 2


@pytest.mark.parametrize(
    "question",
    [
        "What causes bank runs?",
        "What sank the Vasa?",
        "Do umbrellas cause earthquakes?",
        "Why did the Carrow viaduct fall down?",
    ],
)
def test_unknown_is_a_sentence_and_a_line_of_what_to_do(question: str) -> None:
    ended = kgqa("ask", question)
    text = " ".join(ended.out.split())
    assert text.count("Unknown:") == text.count("To find out:") == text.count("kgqa mine") == 1
    assert "Missing" not in text
    for command in set(re.findall(r"kgqa (\w+)", text)) - {"gives"}:
        assert kgqa(command, "--help").code == 0


def test_a_wide_terminal_is_used() -> None:
    widths = {}
    for columns in (60, 80, 110, 200):
        lines = kgqa("ask", "What causes landslides?", COLUMNS=str(columns)).out.splitlines()
        widths[columns] = max(len(line) for line in lines if "http" not in line)
    assert widths[60] <= 60 < widths[80] <= 80 < widths[110] <= 110 < widths[200] <= 120


QUESTIONS = (
    "What did the potato have to do with Irish emigration to America?",
    "How do volcanic eruptions cool the climate?",
    "Why do onions make you cry when you chop them?",
    "how are sugar and tooth decay linked",
    "reasons people become homeless",
    "Did the Great Depression or the Treaty of Versailles do more to bring Hitler to power?",
    "What if all bees died out?",
    "Do mobile phones give people brain tumours?",
)


def test_an_answer_is_the_same_whatever_order_the_sets_of_a_process_have(tmp_path: Path) -> None:
    batch = tmp_path / "questions.jsonl"
    batch.write_text("".join(json.dumps({"question": question}) + "\n" for question in QUESTIONS), encoding="utf-8")
    printed = [kgqa("ask", "--batch", batch, "--json", PYTHONHASHSEED=seed).out for seed in ("1", "2", "3")]
    answers = [re.sub(r'"elapsed_ms": ?[\d.]+', "", text) for text in printed]
    assert len(answers[0].splitlines()) == len(QUESTIONS)
    assert answers[1:] == [answers[0]] * 2

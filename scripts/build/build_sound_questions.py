"""Write questions that take nothing false for granted as a table of FalseQA: what is flagged of them is a false alarm.

    python scripts/build/build_sound_questions.py DATA OUT.csv

DATA is a folder of data sets as docs/evaluation.md names them. The questions are every fourth open question of Natural Questions
and of the causal sample, which the evidence model did not learn, those of SQuAD's held-out articles that have an answer, and the
causal questions of MS MARCO.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from kgqa.readers.extractive.span_network import SETTINGS, SHIPPED


def questions(data: Path) -> Iterator[str]:
    """Yield the questions."""
    for name in ("reading/nq_open_1800.jsonl", "causalqa/questions_sample.jsonl"):
        for line in (data / name).read_text(encoding="utf-8").splitlines()[::4]:
            yield json.loads(line)["question"]
    held_out = json.loads((SHIPPED / SETTINGS).read_text(encoding="utf-8"))["held_out_articles"]
    squad = json.loads((data / "reading/squad2_half_dev.json").read_text(encoding="utf-8"))
    for article in squad["data"]:
        for paragraph in article["paragraphs"] if article["title"] in held_out else ():
            yield from (question["question"] for question in paragraph["qas"] if not question["is_impossible"])
    yield from (row["question"] for row in json.loads((data / "msmarco_causal/valid.json").read_text(encoding="utf-8")))


def main() -> None:
    """Write the table."""
    data, out = map(Path, sys.argv[1:])
    with out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("question", "label"))
        writer.writerows((question, 0) for question in questions(data))


if __name__ == "__main__":
    main()

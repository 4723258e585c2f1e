"""How often the parts that are read of a long text hold the answer: whole articles of SQuAD 2.0, each question against its own.

    python scripts/bench/bench_parts.py ../shared/data/reading/squad2_half_dev.json -n 400

Beside it stands what is held by as many characters from the beginning of the article.
"""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import NamedTuple

import click

from kgqa.readers.passage_parts import PART_LENGTH, select_parts
from kgqa.readers.reader import Passage

BUDGETS = (2, 4, 8, 16)
LONG = 12_000


class Asked(NamedTuple):
    """A question, its article as one text, and where its answer stands there."""

    question: str
    text: str
    start: int
    end: int


def read_articles(path: Path) -> list[Asked]:
    """Return the questions of a file in the format of SQuAD 2.0 that have an answer in an article of some length."""
    asked = []
    data = json.loads(path.read_text("utf-8"))
    for article in data["data"] if isinstance(data, dict) else data:
        paragraphs = article["paragraphs"]
        text, starts = "", []
        for one in paragraphs:
            starts.append(len(text))
            text += one["context"] + "\n\n"
        for start, one in zip(starts, paragraphs, strict=True):
            for row in one["qas"]:
                if row["answers"] and len(text) > LONG:
                    first = row["answers"][0]
                    begin = start + first["answer_start"]
                    asked.append(Asked(row["question"], text, begin, begin + len(first["text"])))
    return asked


def holds(one: Asked, most: int) -> bool:
    """Return whether one of the `most` parts that are read holds the answer."""
    parts = select_parts(one.question, [Passage(one.text)], 1, most)
    return any(part.start <= one.start and one.end <= part.start + len(part.passage.text) for part in parts)


@click.command()
@click.argument("path", type=click.Path(path_type=Path, exists=True))
@click.option("-n", "number", default=400, help="How many questions.")
@click.option("--seed", default=1)
def main(path: Path, number: int, seed: int) -> None:
    """Print, for some numbers of parts, the share of questions whose answer they hold."""
    asked = read_articles(path)
    random.Random(seed).shuffle(asked)
    asked = asked[:number]
    click.echo(
        f"{len(asked)} questions; characters of an article: {sum(len(one.text) for one in asked) // len(asked):,} on average"
    )
    for most in BUDGETS:
        began = time.perf_counter()
        kept = sum(holds(one, most) for one in asked)
        each = 1000 * (time.perf_counter() - began) / len(asked)
        first = sum(one.end <= most * PART_LENGTH for one in asked)
        beginning = f"the beginning: {first / len(asked):.3f}"
        click.echo(f"{most:3} parts: {kept / len(asked):.3f} hold the answer ({each:.1f} ms each); {beginning}")


if __name__ == "__main__":
    main()

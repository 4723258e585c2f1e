"""What generative readers are trained on: questions with passages and right answers, from the data sets or from a retriever."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from graph.errors import FormatUnknown
from graph.sources.input_stream import open_input
from kgqa.evaluation.datasets import DATASETS, read_set
from kgqa.readers.reader import Passage

NO_ANSWER = "<no answer>"
"""UnifiedQA's answer where a passage does not hold one, from its training data."""


@dataclass(frozen=True, slots=True)
class Row:
    """A question, the passages that it is to be answered from, and its right answers, of which one is drawn at each turn."""

    question: str
    passages: tuple[Passage, ...]
    answers: tuple[str, ...]


def of_set(name: str, paths: Sequence[str]) -> list[Row]:
    """Return the questions of the files of a data set; one that has no answer is to be answered with `NO_ANSWER`."""
    rows = []
    for item in read_set(DATASETS[name], tuple(paths), lambda _: lambda _: None):
        answers = (", ".join(item.gold),) if item.together else item.gold
        passages = tuple(Passage(text) for text in item.passage.split("\n\n") if text.strip())
        rows.append(Row(item.question, passages, answers or (NO_ANSWER,)))
    return rows


def of_retrieved(path: str) -> list[Row]:
    """Return the questions of a file in Fusion-in-Decoder's form: {"question", "answers", "ctxs": [{"title", "text", "score"}]}.

    It is an array, or has a line for each. Raises `FormatUnknown` for a file in another form, with the place.
    """
    with open_input(path) as stream:
        text = stream.text()
    try:
        records = json.loads(text) if text.lstrip().startswith("[") else [json.loads(line) for line in text.splitlines() if line]
        rows = []
        for record in records:
            found = [Passage(one["text"], one.get("title", ""), score=float(one.get("score", 0))) for one in record["ctxs"]]
            rows.append(Row(record["question"], tuple(found), tuple(record["answers"]) or (NO_ANSWER,)))
    except (KeyError, TypeError, ValueError) as error:
        raise FormatUnknown(path, 'rows of {"question", "answers", "ctxs": [{"title", "text", "score"}]}', str(error)) from error
    return rows


def with_distractors(rows: Sequence[Row], passages: int, seed: int) -> list[Row]:
    """Return the rows with so many passages each, filled up from other rows at random and shuffled."""
    chance = random.Random(seed)
    all_of_them = [passage for row in rows for passage in row.passages]
    filled = []
    for row in rows:
        own = list(row.passages[:passages])
        others = [one for one in chance.sample(all_of_them, min(len(all_of_them), 2 * passages)) if one not in own]
        own += others[: passages - len(own)]
        own += [Passage("")] * (passages - len(own))
        chance.shuffle(own)
        filled.append(replace(row, passages=tuple(own)))
    return filled


def digest_of(rows: Sequence[Row]) -> str:
    """Return 16 hexadecimal digits that depend on the rows and their order."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(json.dumps(asdict(row)).encode())
    return digest.hexdigest()[:16]


def folder_of(path: str) -> Path:
    """Return a folder to write into, made where it is not there."""
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    return folder

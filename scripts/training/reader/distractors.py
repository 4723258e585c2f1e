"""Rows that no passage answers: a question beside a passage that is much like its own but does not hold the answer."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from reader.reader_rows import Row, found, plain

SHARES = {
    "ifqa": 0.5,
    "squad2": 0.5,
    "causalqa-squad2": 0.4,
    "causalqa-naturalquestions": 0.4,
    "squad-why": 0.4,
    "newsqa": 0.3,
    "made-if": 0.08,
}
"""Of which part of a set's answerable questions such a row is made."""
TOP = 5
"""The passage is drawn from this many that share the rarest words with the question."""


def distractors(rows: Sequence[Row], seed: int = 7) -> list[Row]:
    """Return rows of kind "null", each of a question in `rows` with a passage of another row that has none of its answers."""
    dice = random.Random(seed)
    passages = list(dict.fromkeys(row.passage for row in rows))
    where: defaultdict[str, list[int]] = defaultdict(list)
    for place, passage in enumerate(passages):
        for word in set(plain(passage).split()):
            where[word].append(place)
    made = []
    for row in rows:
        if row.kind != "span" or dice.random() >= SHARES.get(row.source, 0.0):
            continue
        scores: dict[int, float] = {}
        for word in set(plain(row.question).split()):
            if len(where[word]) < len(passages) / 10:
                for place in where[word]:
                    scores[place] = scores.get(place, 0.0) + math.log(len(passages) / len(where[word]))
        others = [passages[place] for place in sorted(scores, key=lambda place: -scores[place])[: 3 * TOP]]
        fit = [text for text in others if text != row.passage and not any(found(answer, text) for answer in row.answers)]
        if fit:
            made.append(replace(row, passage=dice.choice(fit[:TOP]), kind="null", spans=[], id=f"{row.id}-distractor"))
    return made

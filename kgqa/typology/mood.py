"""Whether the verbs of a question with an "if" only suppose what it says ("had not", "were to", "would"), or take it for so.

The cues of data/moods.jsonl are weighed against one another: grades, not fitted figures. The sum is a prior and no decision: what
"would" supposes may be thought to be so by whoever asks ("Wouldn't it be better if rockets took off like planes?"), and a plain
"if" may be open.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from math import exp
from typing import NamedTuple

from kgqa.typology.vocabulary import read_question_data
from kgqa.typology.words import LONGEST_QUESTION

LEAST_SUPPOSED_MOOD = 0.5
"""From this mood on, what an "if" says is rather supposed than taken for so."""

_CONDITIONAL = re.compile(
    r"\b(?:if|unless|suppose|supposing|imagine|assume|assuming|without|but for|in the absence of|in a world)\b"
    r"|\blet['’]s say\b|^\W*(?:had|were) ",
    re.IGNORECASE,
)


class MoodCue(NamedTuple):
    """One sign of a mood, with what it adds to the log-odds that something is only supposed."""

    name: str
    expression: re.Pattern[str]
    weight: float
    example: str


@cache
def mood_cues() -> Sequence[MoodCue]:
    """Read the cues, once."""
    rows: list[Mapping[str, str]] = [json.loads(line) for line in read_question_data("moods.jsonl").splitlines()]
    return [MoodCue(row["cue"], re.compile(row["expression"], re.I), float(row["weight"]), row["example"]) for row in rows]


def mood_cues_of(question: str) -> list[MoodCue]:
    """Return the cues that a question shows in its first `LONGEST_QUESTION` characters."""
    start = question[:LONGEST_QUESTION]
    return [cue for cue in mood_cues() if cue.expression.search(start)]


def conditional_mood(question: str) -> float | None:
    """Return how surely (0..1) what the "if" of a question says is only supposed; `None` for a question without one."""
    if _CONDITIONAL.search(question) is None:
        return None
    return 1.0 / (1.0 + exp(-sum(cue.weight for cue in mood_cues_of(question))))

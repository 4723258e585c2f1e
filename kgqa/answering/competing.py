"""What a reader finds and what the edits of an "if" come to, in one ranking by fitted probabilities.

An answer is likelier where the reader finds it for the question as it is and for the one without its "if", where the edits come
to it too, and less likely where it is only what the edits start from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import exp, log
from pathlib import Path
from typing import TYPE_CHECKING

from kgqa.reading.model import Candidate, Kind
from kgqa.reading.tidying import compared

if TYPE_CHECKING:
    from kgqa.intervention.passages.asked import Sought
    from kgqa.intervention.passages.problem import Solution
    from kgqa.intervention.passages.supposition import Supposition

SETTLED = 0.7
"""From which probability on the edits are so sure that the question without its "if" is not read: of 239 questions 22 were, and
what was found for them changed no answer."""
TABLE = Path(__file__).with_name("data") / "competition.json"
FEATURES = (
    "constant",
    "whole",  # the reader's log-odds for the question as it is
    "found",  # it found the answer there at all
    "plain",  # the same for the question without its "if"
    "found plain",
    "edited",  # the edits come to it; their log-odds are added as they are
    "surest",  # it is what the edits come to most surely
    "agreed",  # the edits and the reader say the same
    "operand",  # the edits start from it, or the reader says that a number is to be reckoned from it: how probably
    "reckoned",  # the "if" changes an amount, and only the reader finds the answer
    "rival",  # the edits come to another answer: how probably
)
"""The features in the order of the weights."""


@dataclass(frozen=True, slots=True)
class Rival:
    """One answer with the solution that comes to it, where edits do, and its features."""

    candidate: Candidate
    solution: Solution | None
    features: tuple[float, ...]
    edited: float = 0.0

    def probability(self, weights: Sequence[float]) -> float:
        """Return how likely the answer is right (0..1)."""
        score = self.edited + sum(weight * feature for weight, feature in zip(weights, self.features, strict=True))
        return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, score))))


def competed(
    asked: Supposition, whole: Sequence[Candidate], plain: Sequence[Candidate], solutions: Sequence[Solution]
) -> tuple[Rival, ...]:
    """Return all answers with their probabilities, likeliest first; none where nobody has one."""
    weights = fitted()
    judged = [
        replace(one, candidate=replace(one.candidate, score=round(one.probability(weights), 4)))
        for one in rivals(asked, whole, plain, solutions)
    ]
    return tuple(sorted(judged, key=lambda one: -one.candidate.score))


def is_settled(asked: Supposition, whole: Sequence[Candidate], solutions: Sequence[Solution]) -> bool:
    """Return whether an edit wins so surely that what is found for the question without its "if" would not change that."""
    if not solutions:
        return False
    first = competed(asked, whole, (), solutions)[0]
    return first.solution is not None and first.candidate.score >= SETTLED


def rivals(
    asked: Supposition, whole: Sequence[Candidate], plain: Sequence[Candidate], solutions: Sequence[Solution]
) -> tuple[Rival, ...]:
    """Return the different answers with their features, each as the question wants it said."""
    from kgqa.intervention.passages.asked import COUNTED, DATED, sought

    wish = sought(asked.main)
    found, without = _by_text(whole, wish), _by_text(plain, wish)
    edited: dict[str, Solution] = {}
    for one in solutions:
        edited.setdefault(compared(one.candidate.text), one)
    operands = _operands(whole, plain, solutions)
    reckons = bool(asked.changes) and wish in DATED | COUNTED
    made = []
    for key in dict.fromkeys((*edited, *found, *without)):
        solution, read, again = edited.get(key), found.get(key), without.get(key)
        read_at_all = read is not None or again is not None
        candidate = solution.candidate if solution else read or again
        if candidate is None:
            continue
        others = max((one.candidate.score for name, one in edited.items() if name != key), default=0.0)
        features = (
            1.0,
            _odds(read),
            float(read is not None),
            _odds(again),
            float(again is not None),
            float(solution is not None),
            float(solution is not None and solution is solutions[0]),
            float(solution is not None and read_at_all),
            0.0 if solution else operands.get(key, 0.0),
            float(reckons and solution is None),
            0.0 if solution else others,
        )
        made.append(Rival(candidate, solution, features, _odds(solution.candidate if solution else None)))
    return tuple(made)


@cache
def fitted() -> tuple[float, ...]:
    """Return the weights that scripts/fit_competition.py fitted, read once."""
    table: Mapping[str, float] = json.loads(TABLE.read_text("utf-8"))["weights"]
    return tuple(table[name] for name in FEATURES)


def _by_text(candidates: Iterable[Candidate], wish: Sought) -> dict[str, Candidate]:
    """Return the likeliest candidate of each answer, said as the question wants it."""
    found: dict[str, Candidate] = {}
    for one in candidates:
        if one.kind in (Kind.NULL, Kind.NUMBER) or not one.text.strip():
            continue
        said = replace(one, text=as_asked(one.text, wish))
        key = compared(said.text)
        if key not in found or said.score > found[key].score:
            found[key] = said
    return found


def as_asked(text: str, wish: Sought) -> str:
    """Return a date in the form that is asked for: "5 August 1979" as the date "August 5, 1979", as the year "1979"."""
    from kgqa.intervention.passages.asked import DATED
    from kgqa.intervention.passages.world import said_date
    from kgqa.quantities.reading import dates

    told = dates(text) if wish in DATED and any(map(str.isdigit, text)) else ()
    if len(told) != 1 or (told[0].start, told[0].end) != (0, len(text)):
        return text
    return said_date(told[0], wish) or text


def _operands(whole: Sequence[Candidate], plain: Sequence[Candidate], solutions: Sequence[Solution]) -> dict[str, float]:
    """Return what an answer would be reckoned from, with how probably."""
    found: dict[str, float] = {}
    pointed = [(one.text, one.score) for one in (*whole, *plain) if one.kind is Kind.NUMBER]
    edited = [(edit.former, one.candidate.score) for one in solutions for edit in one.script.edits if edit.former]
    for text, score in (*pointed, *edited):
        key = compared(text)
        found[key] = max(found.get(key, 0.0), score)
    return found


def _odds(one: Candidate | None) -> float:
    """Return the log-odds of a candidate, 0 where there is none."""
    if one is None:
        return 0.0
    score = min(0.99, max(0.01, one.score))
    return log(score / (1.0 - score))

"""Values that hang together: "the Moon has 1/81 of the mass of the Earth" gives the one when the question sets the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from kgqa.intervention.passages.asked import COUNTED
from kgqa.intervention.passages.changes import NUMERAL, amount_of
from kgqa.intervention.passages.facts import rarity
from kgqa.intervention.passages.names import stems_of
from kgqa.intervention.passages.problem import Problem, Solution, solution
from kgqa.intervention.passages.script import Edit, Operation, Script
from kgqa.intervention.passages.world import said_number
from kgqa.quantities.model import Quantity, Sort
from kgqa.quantities.reading import quantities

_PARTS = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "hundredth": 100,
}
_RATIO = re.compile(
    rf"\b(?P<over>\d+)\s?/\s?(?P<under>\d+)(?:st|nd|rd|th|s)?\b|\b(?:(?P<few>one|two|three|four|five|a)"
    rf"[\s-])?(?P<part>{'|'.join(_PARTS)})s?\s(?:of|the|as|that)\b"
    rf"|\b(?P<times>{NUMERAL})\s?times\b(?!\s(?:in|at|zone|during|between|a\b|per))|\b(?P<twice>twice|"
    rf"double|triple|thrice)\b|\b(?P<percent>\d+(?:\.\d+)?)\s?(?:%|percent)\s(?:of|as)\b",
    re.IGNORECASE,
)
_SETS = re.compile(
    r"\b(?:was|were|is|had|has|weighed|measured|equalled|equaled|contained|totalled|totaled|reached|cost|be|been)\b",
    re.IGNORECASE,
)


def proportional(problem: Problem) -> Iterator[Solution]:
    """Yield the value that hangs on one that the question sets, by a ratio that a passage tells."""
    if problem.sought not in COUNTED or problem.asked.changes or not _SETS.search(problem.asked.clause):
        return
    given = [
        one
        for one in quantities(problem.asked.clause)
        if one.sort in (Sort.CARDINAL, Sort.MONEY, Sort.DURATION) and one.value > 0
    ]
    if len(given) != 1:
        return
    base = given[0]
    set_stems, asked_stems = stems_of(problem.asked.clause), stems_of(problem.asked.main)
    weights = rarity(problem.passages)
    best: tuple[float, Solution] | None = None
    for passage in problem.passages:
        for found in _RATIO.finditer(passage.text):
            ratio = _ratio(found)
            if not ratio:
                continue
            start, end = next((one for one in passage.sentences if one[0] <= found.start() < one[1]), (0, len(passage.text)))
            before, behind = stems_of(passage.text[start : found.start()]), stems_of(passage.text[found.end() : end])
            own, theirs = asked_stems - set_stems, set_stems - asked_stems
            forward = _weight(before & own, weights) + _weight(behind & theirs, weights)
            backward = _weight(before & theirs, weights) + _weight(behind & own, weights)
            if max(forward, backward) <= 0 or not behind & (set_stems | asked_stems):
                continue
            value = base.value * ratio if forward >= backward else base.value / ratio
            answer = _said(value, base)
            if answer is None:
                continue
            edit = Edit(Operation.REPLACE, f"value of: {problem.asked.clause}", base.text, "its own value")
            consequence = f"{base.text} {'×' if forward >= backward else '÷'} {found[0].strip()} = {answer}"
            made = solution(answer, passage, found.start(), found.end(), Script((edit,)), "ratio", (0.8,), consequence)
            if best is None or max(forward, backward) > best[0]:
                best = max(forward, backward), made
    if best is not None:
        yield best[1]


def _said(value: Fraction, base: Quantity) -> str | None:
    said = said_number(value, replace(base, spelt=False))
    return f"{said} {base.unit}" if said and base.unit and base.sort is not Sort.MONEY else said


def _weight(stems: frozenset[str], weights: dict[str, float]) -> float:
    return sum(weights.get(one, 0.0) for one in stems)


def _ratio(found: re.Match[str]) -> Fraction | None:
    """Return the number that a ratio tells; `None` for 0 and for what divides by 0."""
    if found["over"]:
        return Fraction(int(found["over"]), int(found["under"])) if int(found["under"]) and int(found["over"]) else None
    if found["part"]:
        few = amount_of(found["few"] or "one")
        return None if few is None else few / _PARTS[found["part"].lower()]
    if found["twice"]:
        return Fraction({"twice": 2, "double": 2}.get(found["twice"].lower(), 3))
    if found["percent"]:
        return Fraction(found["percent"]) / 100 or None
    return amount_of(found["times"]) or None

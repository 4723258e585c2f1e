"""Differences between the ends of a row: n zones, posts or floors in a row are n − 1 steps apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kgqa.intervention.passages.asked import Sought
from kgqa.intervention.passages.facts import counted_stems, rarity
from kgqa.intervention.passages.names import stems_of
from kgqa.intervention.passages.problem import Problem, Solution, solution
from kgqa.intervention.passages.script import Edit, Operation, Script
from kgqa.intervention.passages.words import stem
from kgqa.intervention.passages.world import said_plain
from kgqa.quantities.model import Quantity, Sort


@dataclass(frozen=True, slots=True)
class Row:
    """Things that stand in a row, and what each step from one to the next is."""

    thing: str
    step: str
    example: str


ROWS = (
    Row("zone", "hour", "spans five time zones: the ends are four hours apart"),
    Row("floor", "floor", "has twelve floors: the top one is eleven above the first"),
    Row("storey", "storey", "has twelve storeys: the top one is eleven above the first"),
    Row("story", "story", "has twelve stories: the top one is eleven above the first"),
    Row("stop", "stop", "has nine stops: the last is eight behind the first"),
    Row("station", "station", "has nine stations: the last is eight behind the first"),
    Row("post", "gap", "has ten posts: there are nine gaps"),
    Row("pole", "gap", "has ten poles: there are nine gaps"),
    Row("pier", "span", "rests on six piers: five spans are between the ends"),
    Row("lap", "lap", "has seventy laps: the last is sixty-nine behind the first"),
    Row("rank", "rank", "has eight ranks: the highest is seven above the lowest"),
    Row("grade", "grade", "has twelve grades: the last is eleven above the first"),
    Row("step", "step", "has twelve steps: the top one is eleven above the first"),
    Row("level", "level", "has five levels: the top one is four above the lowest"),
)
"""Rows of things, each with an example."""

_ENDS = re.compile(
    r"\b(?:difference|gap|distance|far apart|apart)\b.*\b(?:between|most\b|first|last|ends?|extremes?|top|bottom|opposite)|"
    r"\b\w+most\b.*\band\b.*\b\w+most\b|\b(?:ahead of|behind)\b.*\b\w+most\b|\b\w+most\b.*\b(?:ahead of|behind)\b",
    re.IGNORECASE,
)


def fenced(problem: Problem) -> Iterator[Solution]:
    """Yield how many steps the ends of a row are apart, where the passage tells how many there are in the row."""
    if problem.sought not in (Sought.DIFFERENCE, Sought.NUMBER, Sought.TIME) or not _ENDS.search(problem.asked.main):
        return
    weights = rarity(problem.passages)
    asked = stems_of(problem.question)
    rows = {stem(row.thing): row for row in ROWS}
    best: tuple[float, Solution] | None = None
    for passage in problem.passages:
        for fact in passage.facts:
            value = fact.value
            if (
                not isinstance(value, Quantity)
                or value.sort is not Sort.CARDINAL
                or value.value < 2
                or value.value.denominator != 1
            ):
                continue
            row = next((rows[one] for one in counted_stems(fact, passage, 4) if one in rows), None)
            if row is None or not {stem(row.thing), stem(row.step)} & asked:
                continue
            near = sum(weights.get(one, 0.0) for one in asked & stems_of(passage.sentence_of(fact)))
            answer = said_plain(value.value - 1)
            edit = Edit(Operation.FORCE, f"{row.thing}s of their own", said_plain(value.value), "one for all")
            made = solution(
                answer,
                passage,
                fact.start,
                fact.end,
                Script((edit,)),
                "fence posts",
                (0.85,),
                f"{said_plain(value.value)} {row.thing}s in a row: the ends are {answer} {row.step}s apart",
            )
            if best is None or near > best[0]:
                best = near, made
    if best is not None:
        yield best[1]

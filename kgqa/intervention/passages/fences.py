"""Differences between the ends of a row: n zones, posts or floors in a row are n − 1 steps apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kgqa.intervention.passages.asked import AnswerType
from kgqa.intervention.passages.facts import counted_noun_stems, stem_rarity
from kgqa.intervention.passages.names import content_word_stems
from kgqa.intervention.passages.problem import EditProblem, EditSolution, build_solution
from kgqa.intervention.passages.script import EditOperation, EditScript, FactEdit
from kgqa.intervention.passages.words import passage_stem
from kgqa.intervention.passages.world import plain_number_text
from kgqa.quantities.model import Quantity, Sort


@dataclass(frozen=True, slots=True)
class SpacedRow:
    """Things that stand in a row, and what each step from one to the next is."""

    thing: str
    step: str
    example: str


SPACED_ROWS = (
    SpacedRow("zone", "hour", "spans five time zones: the ends are four hours apart"),
    SpacedRow("floor", "floor", "has twelve floors: the top one is eleven above the first"),
    SpacedRow("storey", "storey", "has twelve storeys: the top one is eleven above the first"),
    SpacedRow("story", "story", "has twelve stories: the top one is eleven above the first"),
    SpacedRow("stop", "stop", "has nine stops: the last is eight behind the first"),
    SpacedRow("station", "station", "has nine stations: the last is eight behind the first"),
    SpacedRow("post", "gap", "has ten posts: there are nine gaps"),
    SpacedRow("pole", "gap", "has ten poles: there are nine gaps"),
    SpacedRow("pier", "span", "rests on six piers: five spans are between the ends"),
    SpacedRow("lap", "lap", "has seventy laps: the last is sixty-nine behind the first"),
    SpacedRow("rank", "rank", "has eight ranks: the highest is seven above the lowest"),
    SpacedRow("grade", "grade", "has twelve grades: the last is eleven above the first"),
    SpacedRow("step", "step", "has twelve steps: the top one is eleven above the first"),
    SpacedRow("level", "level", "has five levels: the top one is four above the lowest"),
)
"""Rows of things, each with an example."""

_ROW_ENDS = re.compile(
    r"\b(?:difference|gap|distance|far apart|apart)\b.*\b(?:between|most\b|first|last|ends?|extremes?|top|bottom|opposite)|"
    r"\b\w+most\b.*\band\b.*\b\w+most\b|\b(?:ahead of|behind)\b.*\b\w+most\b|\b\w+most\b.*\b(?:ahead of|behind)\b",
    re.IGNORECASE,
)


def solve_row_ends(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield how many steps the ends of a row are apart, where the passage tells how many there are in the row."""
    if problem.answer_type not in (AnswerType.DIFFERENCE, AnswerType.NUMBER, AnswerType.TIME) or not _ROW_ENDS.search(
        problem.conditional.main
    ):
        return
    weights = stem_rarity(problem.passages)
    question_stems = content_word_stems(problem.question)
    rows = {passage_stem(row.thing): row for row in SPACED_ROWS}
    best: tuple[float, EditSolution] | None = None
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
            row = next((rows[token] for token in counted_noun_stems(fact, passage, 4) if token in rows), None)
            if row is None or not {passage_stem(row.thing), passage_stem(row.step)} & question_stems:
                continue
            near = sum(weights.get(token, 0.0) for token in question_stems & content_word_stems(passage.sentence_of(fact)))
            answer = plain_number_text(value.value - 1)
            edit = FactEdit(EditOperation.FORCE, f"{row.thing}s of their own", plain_number_text(value.value), "one for all")
            made = build_solution(
                answer,
                passage,
                fact.start,
                fact.end,
                EditScript((edit,)),
                "fence posts",
                (0.85,),
                f"{plain_number_text(value.value)} {row.thing}s in a row: the ends are {answer} {row.step}s apart",
            )
            if best is None or near > best[0]:
                best = near, made
    if best is not None:
        yield best[1]

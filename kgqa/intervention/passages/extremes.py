"""Processes that reach the most exposed first: "which country is flooded first?" asks for the lowest-lying one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kgqa.intervention.passages.asked import Sought
from kgqa.intervention.passages.names import alike, names, stems_of
from kgqa.intervention.passages.problem import Problem, Solution, solution
from kgqa.intervention.passages.script import Edit, Operation, Script
from kgqa.intervention.passages.words import stem


@dataclass(frozen=True, slots=True)
class Process:
    """A process, what happens first by it, and the quality that decides who is first, as passages tell it."""

    supposed: str
    happens: str
    decides: str
    fact: str
    example: str


PROCESSES = (
    Process(
        r"\b(?:sea|ocean|water)\s?levels?\b.*\b(?:ris|rose|increas|climb)",
        r"\b(?:submerg|flood|drown|inundat|under "
        r"?water|disappear|sink|swallow|lost)",
        "lowest-lying",
        r"\blowest(?:[\s-]lying)?\b",
        "if the sea level rises, which country is submerged first",
    ),
    Process(
        r"\b(?:temperature|climate|planet|earth|world|globe)\b.*\b(?:ris|rose|increas|warm|heat)",
        r"\b(?:melt|thaw|vanish|disappear|uninhabitable)",
        "hottest",
        r"\b(?:hottest|warmest)\b",
        "if the climate warms, which place becomes uninhabitable first",
    ),
    Process(
        r"\b(?:water|rain|drought|rainfall)\b.*\b(?:stop|fail|drop|fall|decreas|last|continu)",
        r"\b(?:dry|dries|run out|desert|thirst)",
        "driest",
        r"\b(?:driest|most arid)\b",
        "if the rain fails, which region dries out first",
    ),
    Process(
        r"\b(?:river|lake|dam)\b.*\b(?:overflow|burst|flood|ris|rose|broke)",
        r"\b(?:flood|submerg|inundat|under ?water)",
        "lowest",
        r"\blowest(?:[\s-]lying)?\b",
        "if the river rose, which town is flooded first",
    ),
    Process(
        r"\b(?:age|oldest|retire|time)\b.*\b(?:rule|limit|retire)",
        r"\b(?:retire|leave|step down)",
        "oldest",
        r"\b(?:oldest|eldest)\b",
        "if an age limit came, who would retire first",
    ),
)
"""Processes, each with an example."""

_FIRST = re.compile(r"\b(?:first|earliest|soonest|before (?:all|any) others?|initially)\b", re.IGNORECASE)


def process_of(clause: str, main: str) -> Process | None:
    """Return the process that a question supposes, where it asks who is reached first by it."""
    if not _FIRST.search(main):
        return None
    return next(
        (
            one
            for one in PROCESSES
            if re.search(one.supposed, clause, re.IGNORECASE) and re.search(one.happens, main, re.IGNORECASE)
        ),
        None,
    )


def exposed(problem: Problem) -> Iterator[Solution]:
    """Yield the name that a passage gives the quality which decides who is reached first."""
    process = process_of(problem.asked.clause, problem.asked.main)
    if process is None or problem.sought not in (Sought.NAME, Sought.RANK):
        return
    asked = stems_of(problem.question)
    sort = {stem(one) for one in re.findall(r"(?:which|what)\s+(\w+)", problem.asked.main, re.IGNORECASE)}
    best: tuple[float, Solution] | None = None
    for passage in problem.passages:
        found = names(passage.text)
        for quality in re.finditer(process.fact, passage.text, re.IGNORECASE):
            start, end = next(one for one in passage.sentences if one[0] <= quality.start() < one[1])
            inside = [name for name in found if start <= name.start < end and alike(name.stems, asked) < 0.5]
            before = [name for name in inside if name.end <= quality.start()]
            behind = [name for name in inside if name.start >= quality.end()]
            said = re.match(r"[^.;]*?\b(?:is|are|was|,)\s+(?:the\s+)?", passage.text[quality.end() : end])
            name = before[0] if before else behind[0] if behind and said else None
            if name is None:
                continue
            fit = 1.0 if sort & stems_of(passage.text[quality.end() : quality.end() + 60]) else 0.5
            if best is None or fit > best[0]:
                edits = (Edit(Operation.FORCE, problem.asked.clause, "so"),)
                best = (
                    fit,
                    solution(
                        name.text,
                        passage,
                        name.start,
                        name.end,
                        Script(edits),
                        "most exposed",
                        (0.7 * fit,),
                        f"first is the {process.decides} one: {name.text}",
                    ),
                )
    if best is not None:
        yield best[1]

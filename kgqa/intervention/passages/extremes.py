"""Processes that reach the most exposed first: "which country is flooded first?" asks for the lowest-lying one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kgqa.intervention.passages.asked import AnswerType
from kgqa.intervention.passages.names import content_word_stems, name_mentions, stem_overlap
from kgqa.intervention.passages.problem import EditProblem, EditSolution, build_solution
from kgqa.intervention.passages.script import EditOperation, EditScript, FactEdit
from kgqa.intervention.passages.words import passage_stem


@dataclass(frozen=True, slots=True)
class ExposureProcess:
    """A process, what happens first by it, and the quality that decides who is first, as passages tell it."""

    supposed: str
    happens: str
    decides: str
    fact: str
    example: str


EXPOSURE_PROCESSES = (
    ExposureProcess(
        r"\b(?:sea|ocean|water)\s?levels?\b.*\b(?:ris|rose|increas|climb)",
        r"\b(?:submerg|flood|drown|inundat|under "
        r"?water|disappear|sink|swallow|lost)",
        "lowest-lying",
        r"\blowest(?:[\s-]lying)?\b",
        "if the sea level rises, which country is submerged first",
    ),
    ExposureProcess(
        r"\b(?:temperature|climate|planet|earth|world|globe)\b.*\b(?:ris|rose|increas|warm|heat)",
        r"\b(?:melt|thaw|vanish|disappear|uninhabitable)",
        "hottest",
        r"\b(?:hottest|warmest)\b",
        "if the climate warms, which place becomes uninhabitable first",
    ),
    ExposureProcess(
        r"\b(?:water|rain|drought|rainfall)\b.*\b(?:stop|fail|drop|fall|decreas|last|continu)",
        r"\b(?:dry|dries|run out|desert|thirst)",
        "driest",
        r"\b(?:driest|most arid)\b",
        "if the rain fails, which region dries out first",
    ),
    ExposureProcess(
        r"\b(?:river|lake|dam)\b.*\b(?:overflow|burst|flood|ris|rose|broke)",
        r"\b(?:flood|submerg|inundat|under ?water)",
        "lowest",
        r"\blowest(?:[\s-]lying)?\b",
        "if the river rose, which town is flooded first",
    ),
    ExposureProcess(
        r"\b(?:age|oldest|retire|time)\b.*\b(?:rule|limit|retire)",
        r"\b(?:retire|leave|step down)",
        "oldest",
        r"\b(?:oldest|eldest)\b",
        "if an age limit came, who would retire first",
    ),
)
"""Processes, each with an example."""

_FIRST = re.compile(r"\b(?:first|earliest|soonest|before (?:all|any) others?|initially)\b", re.IGNORECASE)


def exposure_process(clause: str, main: str) -> ExposureProcess | None:
    """Return the process that a question supposes, where it asks who is reached first by it."""
    if not _FIRST.search(main):
        return None
    return next(
        (
            process
            for process in EXPOSURE_PROCESSES
            if re.search(process.supposed, clause, re.IGNORECASE) and re.search(process.happens, main, re.IGNORECASE)
        ),
        None,
    )


def solve_first_exposed(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the name that a passage gives the quality which decides who is reached first."""
    process = exposure_process(problem.conditional.clause, problem.conditional.main)
    if process is None or problem.answer_type not in (AnswerType.NAME, AnswerType.RANK):
        return
    question_stems = content_word_stems(problem.question)
    sort = {passage_stem(item) for item in re.findall(r"(?:which|what)\s+(\w+)", problem.conditional.main, re.IGNORECASE)}
    best: tuple[float, EditSolution] | None = None
    for passage in problem.passages:
        mentions = name_mentions(passage.text)
        for quality in re.finditer(process.fact, passage.text, re.IGNORECASE):
            start, end = next(item for item in passage.sentences if item[0] <= quality.start() < item[1])
            inside = [name for name in mentions if start <= name.start < end and stem_overlap(name.stems, question_stems) < 0.5]
            before = [name for name in inside if name.end <= quality.start()]
            behind = [name for name in inside if name.start >= quality.end()]
            copula_match = re.match(r"[^.;]*?\b(?:is|are|was|,)\s+(?:the\s+)?", passage.text[quality.end() : end])
            name = before[0] if before else behind[0] if behind and copula_match else None
            if name is None:
                continue
            fit = 1.0 if sort & content_word_stems(passage.text[quality.end() : quality.end() + 60]) else 0.5
            if best is None or fit > best[0]:
                edits = (FactEdit(EditOperation.FORCE, problem.conditional.clause, "so"),)
                best = (
                    fit,
                    build_solution(
                        name.text,
                        passage,
                        name.start,
                        name.end,
                        EditScript(edits),
                        "most exposed",
                        (0.7 * fit,),
                        f"first is the {process.decides} one: {name.text}",
                    ),
                )
    if best is not None:
        yield best[1]

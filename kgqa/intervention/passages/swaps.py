"""Two that change places: each gets the rank, the date or the number of the other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgqa.intervention.passages.asked import DATED, Sought
from kgqa.intervention.passages.facts import Fact, Reading
from kgqa.intervention.passages.names import stems_of
from kgqa.intervention.passages.problem import Problem, Solution, solution
from kgqa.intervention.passages.script import Edit, Operation, Script
from kgqa.intervention.passages.words import Word
from kgqa.intervention.passages.world import said_date, said_number
from kgqa.quantities.model import Date, Sort

_SWAP = re.compile(
    r"^(?P<one>.+?)\s+and\s+(?P<other>.+?)\s+(?:had\s+|were\s+to\s+|have\s+|would\s+|did\s+)"
    r"?(?:been\s+)?(?:swap|exchang|switch|trad|revers|interchang)\w*\b"
    r"|\b(?:swap|exchang|switch|trad)\w*\s+(?:the\s+)?(?:places|positions|roles|ranks|spots|finishes|"
    r"finishing positions)\s+of\s+(?P<one2>.+?)\s+and\s+(?P<other2>.+?)(?:$|,|\s+(?:in|at)\b)"
    r"|^(?P<one3>.+?)\s+(?:had\s+|were\s+to\s+)?(?:swap|exchang|switch|trad)\w*\s+.*?\bwith\s+(?P<other3>[^,]+)",
    re.IGNORECASE,
)


def swapped(problem: Problem) -> Iterator[Solution]:
    """Yield what the one of two gets who changed with the other."""
    found = _SWAP.search(problem.asked.clause)
    if found is None or problem.sought not in DATED | {Sought.RANK, Sought.NUMBER, Sought.DATE}:
        return
    one, other = (
        next(text for name in (f"{side}", f"{side}2", f"{side}3") if (text := found[name])) for side in ("one", "other")
    )
    main = stems_of(problem.asked.main)
    sides = stems_of(one), stems_of(other)
    hits = [len((side - sides[1 - place]) & main) for place, side in enumerate(sides)]
    if hits[0] == hits[1]:
        return
    asked, partner = (one, other) if hits[0] > hits[1] else (other, one)
    own, theirs = _value_of(problem, stems_of(asked) - stems_of(partner)), _value_of(problem, stems_of(partner) - stems_of(asked))
    if own is None or theirs is None:
        return
    fact, passage, distance = theirs
    value = fact.value
    answer = said_date(value, problem.sought) if isinstance(value, Date) else said_number(value.value, value, problem.sought)
    if answer is None:
        return
    if not isinstance(value, Date) and value.sort is Sort.ORDINAL:
        answer = fact.text.removeprefix("the ")
    edits = (
        Edit(Operation.SWAP, f"place of: {asked}", fact.text, own[0].text),
        Edit(Operation.SWAP, f"place of: {partner}", own[0].text, fact.text),
    )
    yield solution(
        answer,
        passage,
        fact.start,
        fact.end,
        Script(edits),
        "swap",
        (1 / (1 + max(distance, own[2]) / 12),),
        f"{asked} has the place of {partner}",
    )


def _value_of(problem: Problem, owner: frozenset[str]) -> tuple[Fact, Reading, int] | None:
    """Return the rank, number or date that stands nearest to the name of its owner, with the distance in words."""
    best: tuple[Fact, Reading, int] | None = None
    for passage in problem.passages:
        for fact in passage.facts:
            if isinstance(fact.value, Date) != (problem.sought in DATED):
                continue
            if not isinstance(fact.value, Date) and problem.sought is Sought.RANK and fact.value.sort is not Sort.ORDINAL:
                continue
            distance = _distance(passage, fact, owner)
            if distance is not None and (best is None or distance < best[2]):
                best = fact, passage, distance
    return best


def _distance(passage: Reading, fact: Fact, owner: frozenset[str]) -> int | None:
    here: list[Word] = [word for word, place in zip(passage.words, passage.places, strict=True) if place == fact.sentence]
    centre = next((at for at, word in enumerate(here) if word.start >= fact.start), len(here))
    # What stands behind a comma or "and" belongs to the next: "fourth, Piquet sixth".
    gaps = [
        abs(at - centre)
        + 3 * len(re.findall(r",|;|\band\b", passage.text[min(word.start, fact.start) : max(word.end, fact.end)]))
        for at, word in enumerate(here)
        if word.stem in owner
    ]
    return min(gaps, default=None)

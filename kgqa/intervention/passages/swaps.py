"""Two that change places: each gets the rank, the date or the number of the other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgqa.intervention.passages.asked import DATE_TYPES, AnswerType
from kgqa.intervention.passages.facts import ParsedPassage, PassageFact
from kgqa.intervention.passages.names import content_word_stems
from kgqa.intervention.passages.problem import EditProblem, EditSolution, build_solution
from kgqa.intervention.passages.script import EditOperation, EditScript, FactEdit
from kgqa.intervention.passages.words import PassageToken
from kgqa.intervention.passages.world import date_text, number_text
from kgqa.quantities.model import Date, Sort

_SWAP = re.compile(
    r"^(?P<one>.+?)\s+and\s+(?P<other>.+?)\s+(?:had\s+|were\s+to\s+|have\s+|would\s+|did\s+)"
    r"?(?:been\s+)?(?:swap|exchang|switch|trad|revers|interchang)\w*\b"
    r"|\b(?:swap|exchang|switch|trad)\w*\s+(?:the\s+)?(?:places|positions|roles|ranks|spots|finishes|"
    r"finishing positions)\s+of\s+(?P<one2>.+?)\s+and\s+(?P<other2>.+?)(?:$|,|\s+(?:in|at)\b)"
    r"|^(?P<one3>.+?)\s+(?:had\s+|were\s+to\s+)?(?:swap|exchang|switch|trad)\w*\s+.*?\bwith\s+(?P<other3>[^,]+)",
    re.IGNORECASE,
)


def solve_swap(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield what the one of two gets who changed with the other."""
    match = _SWAP.search(problem.conditional.clause)
    if match is None or problem.answer_type not in DATE_TYPES | {AnswerType.RANK, AnswerType.NUMBER, AnswerType.DATE}:
        return
    first_side, second_side = (
        next(text for name in (f"{side}", f"{side}2", f"{side}3") if (text := match[name])) for side in ("one", "other")
    )
    main = content_word_stems(problem.conditional.main)
    sides = content_word_stems(first_side), content_word_stems(second_side)
    hits = [len((side - sides[1 - place]) & main) for place, side in enumerate(sides)]
    if hits[0] == hits[1]:
        return
    asked_side, partner = (first_side, second_side) if hits[0] > hits[1] else (second_side, first_side)
    own, theirs = (
        _nearest_value(problem, content_word_stems(asked_side) - content_word_stems(partner)),
        _nearest_value(problem, content_word_stems(partner) - content_word_stems(asked_side)),
    )
    if own is None or theirs is None:
        return
    fact, passage, distance = theirs
    value = fact.value
    answer = (
        date_text(value, problem.answer_type) if isinstance(value, Date) else number_text(value.value, value, problem.answer_type)
    )
    if answer is None:
        return
    if not isinstance(value, Date) and value.sort is Sort.ORDINAL:
        answer = fact.text.removeprefix("the ")
    edits = (
        FactEdit(EditOperation.SWAP, f"place of: {asked_side}", fact.text, own[0].text),
        FactEdit(EditOperation.SWAP, f"place of: {partner}", own[0].text, fact.text),
    )
    yield build_solution(
        answer,
        passage,
        fact.start,
        fact.end,
        EditScript(edits),
        "swap",
        (1 / (1 + max(distance, own[2]) / 12),),
        f"{asked_side} has the place of {partner}",
    )


def _nearest_value(problem: EditProblem, owner: frozenset[str]) -> tuple[PassageFact, ParsedPassage, int] | None:
    """Return the rank, number or date that stands nearest to the name of its owner, with the distance in words."""
    best: tuple[PassageFact, ParsedPassage, int] | None = None
    for passage in problem.passages:
        for fact in passage.facts:
            if isinstance(fact.value, Date) != (problem.answer_type in DATE_TYPES):
                continue
            if (
                not isinstance(fact.value, Date)
                and problem.answer_type is AnswerType.RANK
                and fact.value.sort is not Sort.ORDINAL
            ):
                continue
            distance = _token_distance(passage, fact, owner)
            if distance is not None and (best is None or distance < best[2]):
                best = fact, passage, distance
    return best


def _token_distance(passage: ParsedPassage, fact: PassageFact, owner: frozenset[str]) -> int | None:
    here: list[PassageToken] = [word for word, place in zip(passage.words, passage.places, strict=True) if place == fact.sentence]
    centre = next((at for at, word in enumerate(here) if word.start >= fact.start), len(here))
    # What stands behind a comma or "and" belongs to the next: "fourth, Piquet sixth".
    gaps = [
        abs(at - centre)
        + 3 * len(re.findall(r",|;|\band\b", passage.text[min(word.start, fact.start) : max(word.end, fact.end)]))
        for at, word in enumerate(here)
        if word.stem in owner
    ]
    return min(gaps, default=None)

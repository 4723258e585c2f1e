"""Two events put on one date: "released in Europe at the same time as in Japan" gives the first the date of the second."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import exp

from kgqa.intervention.passages.asked import DATED
from kgqa.intervention.passages.events import kinds_of
from kgqa.intervention.passages.facts import Fact, Reading, rarity
from kgqa.intervention.passages.names import stems_of
from kgqa.intervention.passages.problem import Problem, Solution, solution
from kgqa.intervention.passages.script import Edit, Operation, Script
from kgqa.intervention.passages.words import STOP_WORDS, words
from kgqa.intervention.passages.world import said_date
from kgqa.quantities.model import Date

_AS = re.compile(
    r"\b(?:(?:on|at|in|during|for)\s+(?:exactly\s+)?the\s+same\s+(?P<what>time|day|date|month|year|"
    r"week|moment)\s+(?:as|that|with)"
    r"|simultaneous(?:ly)?\s+(?:with|to|as)|concurrent(?:ly)?\s+with|(?:to\s+)?(?:align|coincid)"
    r"\w*\s+with|in\s+line\s+with|together\s+with|alongside)\b",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"\b(?:simultaneous(?:ly)?|concurrent(?:ly)?|(?:at|on)\s+the\s+same\s+(?:time|"
    r"day|date))\b",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"\b(?:in|for|on|across|to)\s+(?:both\s+)?(?P<one>[^,]+?)\s+and\s+(?:in\s+|on\s+)"
    r"?(?P<other>[^,]+?)(?=$|,|\s+(?:at|on|simul|concur)\b)",
    re.IGNORECASE,
)


def aligned(problem: Problem) -> Iterator[Solution]:
    """Yield the dates that the asked event has when it is put on the date of another one, the likeliest first."""
    if problem.sought not in DATED:
        return
    found = model(problem)
    if found is None:
        return
    phrase, other = found
    ranked = sorted(_scored(problem, stems_of(phrase), stems_of(other)), key=lambda pair: -pair[0])
    if not ranked:
        return
    top = ranked[0][0]
    whole = sum(exp(3 * (score - top)) for score, _, _ in ranked)
    for score, fact, passage in ranked[:2]:
        assert isinstance(fact.value, Date)
        answer = said_date(fact.value, problem.sought)
        if answer is not None:
            edit = Edit(
                Operation.REPLACE, f"date of: {other or problem.asked.clause}", fact.text, f"its own, not that of: {phrase}"
            )
            yield solution(
                answer,
                passage,
                fact.start,
                fact.end,
                Script((edit,)),
                "align",
                (exp(3 * (score - top)) / whole,),
                f"the date of “{phrase}” holds for both",
            )


def model(problem: Problem) -> tuple[str, str] | None:
    """Return the words of the event whose date both have, and those of the one that is moved; `None` where none is."""
    clause = problem.asked.clause
    marked = _AS.search(clause)
    if marked is not None and clause[marked.end() :].strip():
        return clause[marked.end() :].strip(" ,"), clause[: marked.start()].strip(" ,")
    together = _TOGETHER.search(clause)
    if together is None:
        return None
    pair = _PAIR.search(clause[together.end() :]) or _PAIR.search(clause)
    if pair is None:
        return None
    asked = stems_of(problem.asked.main)
    one, other = pair["one"], pair["other"]
    for moved, fixed in ((one, other), (other, one)):
        hits = stems_of(moved) & asked or frozenset(word.stem for word in words(problem.asked.main) if _kin(word.stem, moved))
        if hits and not stems_of(fixed) & asked:
            return fixed, moved
    return None


def _kin(stem: str, phrase: str) -> bool:
    """Tell whether a word is derived from a name in a phrase: "European", "Europe"."""
    return len(stem) >= 4 and any(
        len(name) >= 4 and (name.startswith(stem[:5]) or stem.startswith(name[:5])) for name in stems_of(phrase)
    )


def _scored(problem: Problem, model_stems: frozenset[str], moved_stems: frozenset[str]) -> Iterator[tuple[float, Fact, Reading]]:
    """Yield each date with how much nearer it stands to the words of the one event than to those of the other alone."""
    weights = rarity(problem.passages)
    only_moved = moved_stems - model_stems
    only_model = (model_stems - moved_stems) or model_stems
    kinds = {kind for word in words(problem.question) for kind in kinds_of(word.stem)}
    for passage in problem.passages:
        for fact in passage.facts:
            if not isinstance(fact.value, Date) or said_date(fact.value, problem.sought) is None:
                continue
            score = 0.1 * bool(fact.value.month) + 0.1 * bool(fact.value.day)
            here = [word for word, place in zip(passage.words, passage.places, strict=True) if place == fact.sentence]
            centre = next((at for at, word in enumerate(here) if word.start >= fact.start), len(here))
            for at, word in enumerate(here):
                near = weights[word.stem] * exp(-abs(at - centre) / 4)
                if word.stem in only_model and word.text.lower() not in STOP_WORDS:
                    score += 2 * near
                elif word.stem in only_moved:
                    score -= near / max(1, len(only_moved)) if _same_place(word.stem, only_moved) else 0
                elif kinds & kinds_of(word.stem):
                    score += 0.3 * near
            yield score, fact, passage


def _same_place(stem: str, moved: frozenset[str]) -> bool:
    return len(moved) <= 3 and stem in moved

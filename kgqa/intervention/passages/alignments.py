"""Two events put on one date: "released in Europe at the same time as in Japan" gives the first the date of the second."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import exp

from kgqa.intervention.passages.asked import DATE_TYPES
from kgqa.intervention.passages.events import event_kinds_of
from kgqa.intervention.passages.facts import ParsedPassage, PassageFact, stem_rarity
from kgqa.intervention.passages.names import content_word_stems
from kgqa.intervention.passages.problem import EditProblem, EditSolution, build_solution
from kgqa.intervention.passages.script import EditOperation, EditScript, FactEdit
from kgqa.intervention.passages.words import FACT_STOP_WORDS, passage_tokens
from kgqa.intervention.passages.world import date_text
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


def solve_same_date(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the dates that the asked event has when it is put on the date of another one, the likeliest first."""
    if problem.answer_type not in DATE_TYPES:
        return
    model_event = find_model_event(problem)
    if model_event is None:
        return
    phrase, moved_phrase = model_event
    ranked = sorted(
        _score_dates(problem, content_word_stems(phrase), content_word_stems(moved_phrase)), key=lambda pair: -pair[0]
    )
    if not ranked:
        return
    top = ranked[0][0]
    whole = sum(exp(3 * (score - top)) for score, _, _ in ranked)
    for score, fact, passage in ranked[:2]:
        assert isinstance(fact.value, Date)
        answer = date_text(fact.value, problem.answer_type)
        if answer is not None:
            edit = FactEdit(
                EditOperation.REPLACE,
                f"date of: {moved_phrase or problem.conditional.clause}",
                fact.text,
                f"its own, not that of: {phrase}",
            )
            yield build_solution(
                answer,
                passage,
                fact.start,
                fact.end,
                EditScript((edit,)),
                "align",
                (exp(3 * (score - top)) / whole,),
                f"the date of “{phrase}” holds for both",
            )


def find_model_event(problem: EditProblem) -> tuple[str, str] | None:
    """Return the words of the event whose date both have, and those of the one that is moved; `None` where none is."""
    clause = problem.conditional.clause
    marked = _AS.search(clause)
    if marked is not None and clause[marked.end() :].strip():
        return clause[marked.end() :].strip(" ,"), clause[: marked.start()].strip(" ,")
    together = _TOGETHER.search(clause)
    if together is None:
        return None
    pair = _PAIR.search(clause[together.end() :]) or _PAIR.search(clause)
    if pair is None:
        return None
    main_stems = content_word_stems(problem.conditional.main)
    first_phrase, second_phrase = pair["one"], pair["other"]
    for moved, fixed in ((first_phrase, second_phrase), (second_phrase, first_phrase)):
        hits = content_word_stems(moved) & main_stems or frozenset(
            word.stem for word in passage_tokens(problem.conditional.main) if _is_derived_from(word.stem, moved)
        )
        if hits and not content_word_stems(fixed) & main_stems:
            return fixed, moved
    return None


def _is_derived_from(stem: str, phrase: str) -> bool:
    """Tell whether a word is derived from a name in a phrase: "European", "Europe"."""
    return len(stem) >= 4 and any(
        len(name) >= 4 and (name.startswith(stem[:5]) or stem.startswith(name[:5])) for name in content_word_stems(phrase)
    )


def _score_dates(
    problem: EditProblem, model_stems: frozenset[str], moved_stems: frozenset[str]
) -> Iterator[tuple[float, PassageFact, ParsedPassage]]:
    """Yield each date with how much nearer it stands to the words of the one event than to those of the other alone."""
    weights = stem_rarity(problem.passages)
    only_moved = moved_stems - model_stems
    only_model = (model_stems - moved_stems) or model_stems
    kinds = {kind for word in passage_tokens(problem.question) for kind in event_kinds_of(word.stem)}
    for passage in problem.passages:
        for fact in passage.facts:
            if not isinstance(fact.value, Date) or date_text(fact.value, problem.answer_type) is None:
                continue
            score = 0.1 * bool(fact.value.month) + 0.1 * bool(fact.value.day)
            here = [word for word, place in zip(passage.words, passage.places, strict=True) if place == fact.sentence]
            centre = next((at for at, word in enumerate(here) if word.start >= fact.start), len(here))
            for at, word in enumerate(here):
                near = weights[word.stem] * exp(-abs(at - centre) / 4)
                if word.stem in only_model and word.text.lower() not in FACT_STOP_WORDS:
                    score += 2 * near
                elif word.stem in only_moved:
                    score -= near / max(1, len(only_moved)) if _is_moved_name(word.stem, only_moved) else 0
                elif kinds & event_kinds_of(word.stem):
                    score += 0.3 * near
            yield score, fact, passage


def _is_moved_name(stem: str, moved: frozenset[str]) -> bool:
    return len(moved) <= 3 and stem in moved

"""Two that change places: each gets the rank, the date or the number of the other.

Two events put on one date: "released in Europe at the same time as in Japan" gives the first the date of the second.

What else happens on a date to which an event is moved: events are matched by their dates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import exp

from graph.text.stems import PREFIX_LETTERS
from kgqa.edits.answer_type import DATE_TYPES, AnswerType
from kgqa.edits.edit_script import EditOperation, EditProblem, EditScript, EditSolution, FactEdit, build_solution
from kgqa.edits.edited_values import date_text, number_text
from kgqa.edits.passage_facts import ParsedPassage, PassageFact, stem_rarity
from kgqa.edits.passage_tokens import (
    FACT_STOP_WORDS,
    PassageToken,
    content_word_stems,
    event_kinds_of,
    name_mentions,
    passage_tokens,
    stem_overlap,
)
from kgqa.quantities.quantity import Date, Sort
from kgqa.quantities.quantity_parser import dates_in

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
        answer = date_text(fact.value, problem.answer_type) if isinstance(fact.value, Date) else None
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
        len(name) >= 4 and (name.startswith(stem[:PREFIX_LETTERS]) or stem.startswith(name[:PREFIX_LETTERS]))
        for name in content_word_stems(phrase)
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


_RIVAL = re.compile(
    r"\b(?:compet\w*|rival\w*|clash\w*|coincid\w*|alongside|same (?:day|date|time|week|weekend)|up "
    r"against|opposite|share\w*|faced?|head-to-head)\b",
    re.IGNORECASE,
)


def solve_shared_date(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the name that stands nearest to the date which an event is given, and is not that of the event itself."""
    if problem.answer_type is not AnswerType.NAME or not _RIVAL.search(problem.conditional.main):
        return
    days = [date for date in dates_in(problem.conditional.clause) if date.day]
    if not days:
        return
    day = days[-1]
    moved = content_word_stems(problem.conditional.clause)
    best: tuple[int, EditSolution] | None = None
    for passage in problem.passages:
        other_names = [name for name in name_mentions(passage.text) if stem_overlap(name.stems, moved) < 0.5]
        for fact in passage.facts:
            value = fact.value
            if (
                not isinstance(value, Date)
                or (value.month, value.day) != (day.month, day.day)
                or value.year not in (0, day.year or value.year)
            ):
                continue
            start, end = passage.sentences[fact.sentence]
            for name in other_names:
                if not start <= name.start < end:
                    continue
                gap = fact.start - name.end if name.end <= fact.start else name.start - fact.end + 15
                if best is None or gap < best[0]:
                    edit = FactEdit(EditOperation.REPLACE, f"date of: {problem.conditional.clause}", day.text, "its own date")
                    made = build_solution(
                        name.text,
                        passage,
                        name.start,
                        name.end,
                        EditScript((edit,)),
                        "same date",
                        (0.8 if gap < 60 else 0.4,),
                        f"on {day.text} is also {name.text}",
                    )
                    best = gap, made
    if best is not None:
        yield best[1]

"""Members of a list that a passage tells name by name: how many there are with one more, or without one of them.

Differences between the ends of a row: n zones, posts or floors in a row are n − 1 steps apart.

How long something lasts whose beginning or end is moved: by an amount, or to another date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.edit_script import EditOperation, EditProblem, EditScript, EditSolution, FactEdit, build_solution
from kgqa.edits.edited_values import plain_number_text
from kgqa.edits.fact_ranking import FactCandidate, candidate_facts, edit_weights, fact_requirements, rank_facts
from kgqa.edits.passage_facts import PassageFact, counted_noun_stems, stem_rarity
from kgqa.edits.passage_tokens import content_word_stems, passage_stem, stem_overlap
from kgqa.edits.quantity_edits import EditFamily
from kgqa.errors import QuantityInvalid
from kgqa.quantities.date_arithmetic import days_between, months_between, years_between
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_changes import ChangeKind
from kgqa.quantities.quantity_parser import dates_in
from kgqa.questions.conditional import ConditionalMood

_ITEM = r"(?:[^\W_][\w’'.\-]*)(?:\s[\w’'.&\-]+){0,5}?"
_LIST = re.compile(
    rf"{_ITEM}(?:\s?,\s{_ITEM})+,?\s(?:and|or|as well as)\s{_ITEM}(?=[.,;:()]|\s(?:in|were|was|who|which|that|are)\b|$)"
)
_BREAK = re.compile(r"\s?,\s(?:and\s|or\s)?|\s(?:and|or|as well as)\s")
_HOW_MANY = re.compile(r"\b(?:how many|(?:number|total|count) of)\b", re.IGNORECASE)
_JOINS = re.compile(r"\b(?:join|add|includ|appoint|invit|becom|became)\w*", re.IGNORECASE)


def solve_member_count(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield how many members a list has without the one that the "if" takes away, or with the one that it adds."""
    conditional = problem.conditional
    if (
        problem.answer_type is not AnswerType.NUMBER
        or conditional.changes
        or conditional.mood is ConditionalMood.OPEN
        or not _HOW_MANY.search(conditional.main)
    ):
        return
    clause_stems = content_word_stems(conditional.clause)
    weights = stem_rarity(problem.passages)
    best: tuple[float, EditSolution] | None = None
    for passage in problem.passages:
        for match in _LIST.finditer(passage.text):
            items = [item.strip() for item in _BREAK.split(match[0])]
            there = [item for item in items if _is_named_in_clause(item, clause_stems)]
            start = next((entry for entry, end in passage.sentences if entry <= match.start() < end), 0)
            near = sum(weights.get(entry, 0.0) for entry in clause_stems & content_word_stems(passage.text[start : match.end()]))
            if len(items) < 3:
                continue
            if conditional.negated and 0 < len(there) < len(items):
                count, operation, value = len(items) - len(there), EditOperation.REMOVE, ", ".join(there)
            elif not conditional.negated and not there and _JOINS.search(conditional.clause) and near:
                count, operation, value = len(items) + 1, EditOperation.ADD, conditional.clause
            else:
                continue
            edit = FactEdit(operation, f"members: {match[0]}", value, f"{len(items)} members")
            made = build_solution(
                str(count),
                passage,
                match.start(),
                match.end(),
                EditScript((edit,)),
                f"members: {operation.value}",
                (min(1.0, near / 2),),
                f"{len(items)} → {count}",
            )
            if best is None or near > best[0]:
                best = near, made
    if best is not None:
        yield best[1]


def _is_named_in_clause(item: str, clause_stems: frozenset[str]) -> bool:
    """Tell whether an item of a list is named in the "if"; the words before its name in the first item do not count."""
    own = content_word_stems(" ".join(item.split()[-2:]))
    return bool(own) and stem_overlap(own, clause_stems) == 1.0


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


_LASTS = re.compile(
    r"\bhow\s+(?:long|many\s+(?P<unit>day|week|month|year|decade)s?)\b|\b(?:duration|length|period|term)\b", re.IGNORECASE
)
_INSTEAD = re.compile(r"\b(?:instead of|rather than|and not|, not)\b", re.IGNORECASE)
_BEGIN_VERBS = re.compile(
    r"\b(?:start|began|begun|begin|commenc|open|found|establish|born|join|took office|debut|launch|enter|elect|appoint)\w*",
    re.IGNORECASE,
)
_END_VERBS = re.compile(r"\b(?:end|conclud|clos|ceas|retir|finish|died|stop|remain|last|continu|stay|serv)\w*", re.IGNORECASE)
_COUNTERS = {"day": days_between, "month": months_between, "year": years_between}


def solve_duration(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield how long it lasts when its beginning or its end moves: "D instead of E", "two years later", "three more years"."""
    lasts = _LASTS.search(problem.conditional.main)
    if problem.answer_type not in (AnswerType.NUMBER, AnswerType.AGE) or lasts is None:
        return
    asked_unit = (lasts["unit"] or "").lower()
    unit = asked_unit or "year"
    if unit not in _COUNTERS:
        return
    longer, edit = _shift_by_replacement(problem, unit) or _shift_by_amount(problem, unit) or (None, None)
    if longer is None or edit is None:
        return
    wish = fact_requirements(problem.conditional.clause, problem.conditional.main, AnswerType.NUMBER, unit)
    stated_durations = [
        candidate for candidate in candidate_facts(problem.passages, wish) if _is_duration_in_unit(candidate.fact, unit)
    ]
    for choice, spanned in (*_stated_durations(stated_durations), *_periods_between_dates(problem, unit)):
        if spanned + longer >= 0:
            count = f"{int(spanned + longer):,}"
            yield build_solution(
                count if asked_unit else f"{count} {unit}{'' if count == '1' else 's'}",
                choice.passage,
                choice.fact.start,
                choice.fact.end,
                EditScript((replace(edit, former=edit.former or choice.fact.text),)),
                "lasting",
                (choice.probability,),
                f"{spanned} {unit}s and {longer:+d} {unit}s",
            )
            return


def _shift_by_replacement(problem: EditProblem, unit: str) -> tuple[int, FactEdit] | None:
    """Return by how much "D instead of E" makes it longer, and the edit."""
    clause = problem.conditional.clause
    instead = _INSTEAD.search(clause)
    stated_dates = dates_in(clause)
    if instead is None:
        return None
    before, behind = (
        [date for date in stated_dates if date.end <= instead.start()],
        [date for date in stated_dates if date.start >= instead.end()],
    )
    if not before or not behind:
        return None
    moved, former = before[-1], behind[0]
    try:
        longer = _COUNTERS[unit](former if former.year or not moved.year else replace(former, year=moved.year), moved)
    except QuantityInvalid:
        return None
    begins = _moves_beginning(clause)
    which = "beginning" if begins else "end"
    target = f"{which} of: {clause[: instead.start()].strip()}"
    return -longer if begins else longer, FactEdit(EditOperation.REPLACE, target, moved.text, former.text)


def _shift_by_amount(problem: EditProblem, unit: str) -> tuple[int, FactEdit] | None:
    """Return by how much a change by a span of time makes it longer, and the edit; only where that is of the unit asked for."""
    for change in problem.conditional.changes:
        if change.how not in (ChangeKind.LATER, ChangeKind.MORE) or not change.unit or change.amount.denominator != 1:
            continue
        if change.unit.lower().split()[0].rstrip("s") != unit:
            continue
        begins = change.how is ChangeKind.LATER and _moves_beginning(problem.conditional.clause)
        longer = int(-change.amount if begins else change.amount)
        which = "beginning" if begins else "end"
        return longer, FactEdit(
            EditOperation.SHIFT, f"{which} of: {problem.conditional.clause}", change.text, "", change.amount, unit
        )
    return None


def _moves_beginning(clause: str) -> bool:
    return _BEGIN_VERBS.search(clause) is not None or (
        _END_VERBS.search(clause) is None and re.search(r"\bdelay", clause) is not None
    )


def _stated_durations(candidates: list[FactCandidate]) -> Iterator[tuple[FactCandidate, int]]:
    """Yield the likeliest span of time that a passage tells, where one is as good as told for certain."""
    for choice in rank_facts(candidates, edit_weights().choice[EditFamily.NUMBER])[:1]:
        value = choice.fact.value
        if isinstance(value, Quantity) and value.value.denominator == 1:
            yield choice, int(value.value)


def _periods_between_dates(problem: EditProblem, unit: str) -> Iterator[tuple[FactCandidate, int]]:
    """Yield how long the likeliest period lasts that a passage tells by its two ends: "from 1952 to 1956"."""
    wish = fact_requirements(problem.conditional.clause, problem.conditional.main, AnswerType.DATE)
    ends = candidate_facts(problem.passages, wish)
    lasts: dict[int, int] = {}
    for place, (first, last) in enumerate(pairwise(ends)):
        beginning, ending = first.fact.value, last.fact.value
        together = first.fact.start == last.fact.start or 0 < last.fact.start - first.fact.end < 40
        if (
            together
            and isinstance(beginning, Date)
            and isinstance(ending, Date)
            and beginning.year
            and ending.year > beginning.year - 1
        ):
            try:
                lasts[place] = _COUNTERS[unit](beginning, ending)
            except QuantityInvalid:
                continue
    places = {id(ends[place]): length for place, length in lasts.items() if length > 0}
    able = [beginning for beginning in ends if id(beginning) in places]
    by_fact = {(beginning.fact, beginning.passage.number): places[id(beginning)] for beginning in able}
    for choice in rank_facts(able, edit_weights().choice[EditFamily.DATE])[:1]:
        yield choice, by_fact[choice.fact, choice.passage.number]


def _is_duration_in_unit(fact: PassageFact, unit: str) -> bool:
    value = fact.value
    return isinstance(value, Quantity) and value.sort is Sort.DURATION and value.unit.lower().rstrip("s").endswith(unit)

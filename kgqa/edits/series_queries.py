"""Queries over a series: the difference between its ends, the count of its members, and how long an edited period lasts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.edit_script import EditOperation, EditProblem, EditScript, EditSolution, FactEdit, build_solution
from kgqa.edits.edited_values import plain_number_text
from kgqa.edits.fact_ranking import FactCandidate, candidate_facts, edit_weights, fact_requirements, rank_facts
from kgqa.edits.fact_table import counted_noun_stems, stem_rarity
from kgqa.edits.passage_tokens import content_word_stems, stem_overlap
from kgqa.edits.quantity_edits import EditFamily, moves_beginning
from kgqa.errors import QuantityInvalid
from kgqa.quantities.dates import days_between, months_between, years_between
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_changes import ChangeKind
from kgqa.quantities.quantity_parser import dates_in
from kgqa.questions.conditional import ConditionalMood

_APART = re.compile(r"\b(?:difference|gap|distance|apart|ahead of|behind)\b", re.IGNORECASE)
_BOTH_ENDS = re.compile(
    r"\b\w+(?:ern)?most\b.*\b\w+most\b|\b(?:first|bottom|lowest|western|northern)\b.*\b(?:last|top|highest|eastern|southern)\b"
    r"|\b(?:last|top|highest|eastern|southern)\b.*\b(?:first|bottom|lowest|western|northern)\b|\bends\b",
    re.IGNORECASE,
)


def solve_series_ends(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the difference between the ends of a series of n members, which is n - 1 steps."""
    conditional = problem.conditional
    if not _APART.search(conditional.main) or not _BOTH_ENDS.search(f"{conditional.main} , {conditional.clause}"):
        return
    stems = content_word_stems(problem.question)
    rarity = stem_rarity(problem.passages)
    scored = []
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
            nouns = [noun for noun in counted_noun_stems(fact, passage, 4) if noun in stems or (noun == "zon" and "tim" in stems)]
            near = sum(rarity.get(stem, 0.0) for stem in stems & content_word_stems(passage.sentence_of(fact)))
            if nouns:
                scored.append((near, value.value - 1, fact, passage))
    if scored:
        _, steps, fact, passage = max(scored, key=lambda entry: entry[0])
        answer = plain_number_text(steps)
        edit = FactEdit(EditOperation.FORCE, conditional.clause, fact.text)
        yield build_solution(
            answer,
            passage,
            fact.start,
            fact.end,
            EditScript((edit,)),
            "fence posts",
            (0.85,),
            f"{fact.text} in a series: the ends are {answer} steps apart",
            exact=True,
        )


_ITEM = r"(?:[^\W_][\w’'.\-]*)(?:\s[\w’'.&\-]+){0,5}?"
_LIST = re.compile(
    rf"{_ITEM}(?:\s?,\s{_ITEM})+,?\s(?:and|or|as well as)\s{_ITEM}(?=[.,;:()]|\s(?:in|were|was|who|which|that|are)\b|$)"
)
_BREAK = re.compile(r"\s?,\s(?:and\s|or\s)?|\s(?:and|or|as well as)\s")
_HOW_MANY = re.compile(r"\b(?:how many|(?:number|total|count) of)\b", re.IGNORECASE)
_JOINS = re.compile(r"\b(?:join|add|includ|appoint|invit|becom|became)\w*", re.IGNORECASE)


def solve_member_count(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the number of members of a listed series after the "if" removed members, or added a member."""
    conditional = problem.conditional
    counts = problem.answer_type is AnswerType.NUMBER and _HOW_MANY.search(conditional.main)
    if not counts or conditional.changes or conditional.mood is ConditionalMood.OPEN:
        return
    stems = content_word_stems(conditional.clause)
    rarity = stem_rarity(problem.passages)
    solutions = []
    for passage in problem.passages:
        for match in _LIST.finditer(passage.text):
            members = [member.strip() for member in _BREAK.split(match[0])]
            absent = [member for member in members if _is_named(member, stems)]
            start = next((start for start, end in passage.sentences if start <= match.start() < end), 0)
            near = sum(rarity.get(stem, 0.0) for stem in stems & content_word_stems(passage.text[start : match.end()]))
            if len(members) > 2 and conditional.negated and 0 < len(absent) < len(members):
                count, operation, value = len(members) - len(absent), EditOperation.REMOVE, ", ".join(absent)
            elif len(members) > 2 and not conditional.negated and not absent and near and _JOINS.search(conditional.clause):
                count, operation, value = len(members) + 1, EditOperation.ADD, conditional.clause
            else:
                continue
            script = EditScript((FactEdit(operation, f"members: {match[0]}", value, f"{len(members)} members"),))
            rule, consequence = f"members: {operation.value}", f"{len(members)} → {count}"
            sure = (min(1.0, near / 2),)
            solution = build_solution(str(count), passage, match.start(), match.end(), script, rule, sure, consequence)
            solutions.append((near, solution))
    if solutions:
        yield max(solutions, key=lambda entry: entry[0])[1]


def _is_named(member: str, stems: frozenset[str]) -> bool:
    """Return whether the "if" names a member; the words before its name in the first member do not count."""
    own = content_word_stems(" ".join(member.split()[-2:]))
    return bool(own) and stem_overlap(own, stems) == 1.0


_LASTS = re.compile(
    r"\bhow\s+(?:long|many\s+(?P<unit>day|week|month|year|decade)s?)\b|\b(?:duration|length|period|term)\b", re.IGNORECASE
)
_INSTEAD = re.compile(r"\b(?:instead of|rather than|and not|, not)\b", re.IGNORECASE)
_COUNTERS = {"day": days_between, "month": months_between, "year": years_between}


def solve_duration(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield how long a period lasts after one of its ends was shifted, or set to another date ("1910 instead of 1908")."""
    lasts = _LASTS.search(problem.conditional.main)
    unit = (lasts["unit"] or "year").lower() if lasts else ""
    edit = (
        _edit_of_end(problem, unit) if problem.answer_type in (AnswerType.NUMBER, AnswerType.AGE) and unit in _COUNTERS else None
    )
    if lasts is None or edit is None:
        return
    for choice, length in (*_stated_length(problem, unit), *_length_between_dates(problem, unit)):
        longer = int(edit.amount)
        if length + longer < 0:
            continue
        count = f"{length + longer:,}"
        yield build_solution(
            count if lasts["unit"] else f"{count} {unit}{'' if count == '1' else 's'}",
            choice.passage,
            choice.fact.start,
            choice.fact.end,
            EditScript((replace(edit, former=edit.former or choice.fact.text),)),
            "lasting",
            (choice.probability,),
            f"{length} {unit}s and {longer:+d} {unit}s",
        )
        return


def _edit_of_end(problem: EditProblem, unit: str) -> FactEdit | None:
    """Return the edit of the beginning or the end of a period; its amount is by how much the period grows, in the unit."""
    clause = problem.conditional.clause
    begins = moves_beginning(clause)
    end = "beginning" if begins else "end"
    instead = _INSTEAD.search(clause)
    dates = dates_in(clause) if instead else ()
    later = [date for date in dates if instead and date.end <= instead.start()]
    former = [date for date in dates if instead and date.start >= instead.end()]
    if instead and later and former:
        old = former[0] if former[0].year else replace(former[0], year=later[-1].year)
        try:
            longer = _COUNTERS[unit](old, later[-1])
        except QuantityInvalid:
            return None
        target = f"{end} of: {clause[: instead.start()].strip()}"
        return FactEdit(
            EditOperation.REPLACE, target, later[-1].text, former[0].text, Fraction(-longer if begins else longer), unit
        )
    for change in problem.conditional.changes:
        in_unit = bool(change.unit) and change.unit.lower().split()[0].rstrip("s") == unit and change.amount.denominator == 1
        if in_unit and change.how in (ChangeKind.LATER, ChangeKind.MORE):
            amount = -change.amount if begins and change.how is ChangeKind.LATER else change.amount
            return FactEdit(EditOperation.SHIFT, f"{end} of: {clause}", change.text, "", amount, unit)
    return None


def _stated_length(problem: EditProblem, unit: str) -> Iterator[tuple[FactCandidate, int]]:
    """Yield the likeliest length that a passage states in the unit."""
    wish = fact_requirements(problem.conditional.clause, problem.conditional.main, AnswerType.NUMBER, unit)
    lengths = {
        candidate: candidate.fact.value
        for candidate in candidate_facts(problem.passages, wish)
        if isinstance(candidate.fact.value, Quantity) and candidate.fact.value.sort is Sort.DURATION
    }
    able = [candidate for candidate, value in lengths.items() if value.unit.lower().rstrip("s").endswith(unit)]
    for choice in rank_facts(able, edit_weights().choice[EditFamily.NUMBER])[:1]:
        value = choice.fact.value
        if isinstance(value, Quantity) and value.value.denominator == 1:
            yield choice, int(value.value)


def _length_between_dates(problem: EditProblem, unit: str) -> Iterator[tuple[FactCandidate, int]]:
    """Yield the length of the likeliest period that a passage states by its two ends: "from 1952 to 1956"."""
    wish = fact_requirements(problem.conditional.clause, problem.conditional.main, AnswerType.DATE)
    lengths: dict[int, int] = {}
    able = []
    for first, last in pairwise(candidate_facts(problem.passages, wish)):
        beginning, ending = first.fact.value, last.fact.value
        together = first.fact.start == last.fact.start or 0 < last.fact.start - first.fact.end < 40
        if together and isinstance(beginning, Date) and isinstance(ending, Date) and 0 < beginning.year <= ending.year:
            try:
                length = _COUNTERS[unit](beginning, ending)
            except QuantityInvalid:
                continue
            if length > 0:
                able.append(first)
                lengths[id(first.fact)] = length
    for choice in rank_facts(able, edit_weights().choice[EditFamily.DATE])[:1]:
        yield choice, lengths[id(choice.fact)]

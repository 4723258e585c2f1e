"""Queries over a series: the difference between its ends, the count of its members, and how long an edited period lasts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.edit_script import EditOperation, EditProblem, EditSolution, FactEdit, build_solution
from kgqa.edits.fact_ranking import FactCandidate, candidate_facts, fact_requirements, fact_weights, rank_facts
from kgqa.edits.fact_table import counted_noun_stems, stem_rarity
from kgqa.edits.value_arithmetic import plain_number_text
from kgqa.edits.value_edits import EditFamily, moves_beginning
from kgqa.errors import QuantityInvalid
from kgqa.quantities.dates import days_between, months_between, years_between
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_changes import ChangeKind
from kgqa.quantities.quantity_parser import dates_in
from kgqa.questions.conditional_parser import ConditionalMood, TextSpan
from kgqa.readers.numeric.passage_tokens import content_word_stems, stem_overlap

_APART = re.compile(r"(?i)\b(?:difference|gap|distance|apart|ahead of|behind)\b")
_LOW, _HIGH = r"\b(?:first|bottom|lowest|western|northern)\b", r"\b(?:last|top|highest|eastern|southern)\b"
_BOTH_ENDS = re.compile(rf"(?i)\b\w+(?:ern)?most\b.*\b\w+most\b|{_LOW}.*{_HIGH}|{_HIGH}.*{_LOW}|\bends\b")
_ITEM = r"(?:[^\W_][\w’'.\-]*)(?:\s[\w’'.&\-]+){0,5}?"
_LIST = re.compile(
    rf"{_ITEM}(?:\s?,\s{_ITEM})+,?\s(?:and|or|as well as)\s{_ITEM}(?=[.,;:()]|\s(?:in|were|was|who|which|that|are)\b|$)"
)
_BREAK = re.compile(r"\s?,\s(?:and\s|or\s)?|\s(?:and|or|as well as)\s")
_HOW_MANY = re.compile(r"(?i)\b(?:how many|(?:number|total|count) of)\b")
_JOINS = re.compile(r"(?i)\b(?:join|add|includ|appoint|invit|becom|became)\w*")
_LASTS = re.compile(r"(?i)\bhow\s+(?:long|many\s+(?P<unit>day|week|month|year|decade)s?)\b|\b(?:duration|length|period|term)\b")
_INSTEAD = re.compile(r"(?i)\b(?:instead of|rather than|and not|, not)\b")
_COUNTERS = {"day": days_between, "month": months_between, "year": years_between}


def solve_series_ends(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the difference between the ends of a series of n members, which is n - 1 steps."""
    clause, main = problem.conditional.clause, problem.conditional.main
    if not _APART.search(main) or not _BOTH_ENDS.search(f"{main} , {clause}"):
        return
    stems = content_word_stems(problem.question)
    rarity = stem_rarity(problem.passages)
    scored = []
    for passage, fact in problem.facts():
        value = fact.value
        if not isinstance(value, Quantity) or value.sort is not Sort.CARDINAL or value.value < 2 or value.value.denominator != 1:
            continue
        nouns = counted_noun_stems(fact, passage, 4)
        if stems.intersection(nouns) or ("zon" in nouns and "tim" in stems):
            near = sum(rarity.get(stem, 0.0) for stem in stems & content_word_stems(passage.sentence_text(fact.start)))
            scored.append((near, value.value - 1, fact, passage))
    if scored:
        _, steps, fact, passage = max(scored, key=lambda entry: entry[0])
        answer = plain_number_text(steps)
        edits = (FactEdit(EditOperation.FORCE, clause, fact.text),)
        consequence = f"{fact.text} in a series: the ends are {answer} steps apart"
        yield build_solution("fence posts", (0.85,), answer, passage, fact, edits, consequence, exact=True)


def solve_member_count(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the number of members of a listed series after the "if" removed members, or added a member."""
    conditional, clause = problem.conditional, problem.conditional.clause
    counts = problem.answer_type is AnswerType.NUMBER and _HOW_MANY.search(conditional.main)
    if not counts or conditional.changes or conditional.mood is ConditionalMood.OPEN:
        return
    stems = content_word_stems(clause)
    rarity = stem_rarity(problem.passages)
    solutions = []
    listings = [(passage, match) for passage in problem.passages for match in _LIST.finditer(passage.text)]
    for passage, match in listings:
        members = [member.strip() for member in _BREAK.split(match[0])]
        absent = [member for member in members if _is_named(member, stems)]
        start = passage.sentences[passage.sentence_at(match.start())][0]
        near = sum(rarity.get(stem, 0.0) for stem in stems & content_word_stems(passage.text[start : match.end()]))
        if len(members) > 2 and conditional.negated and 0 < len(absent) < len(members):
            count, operation, value = len(members) - len(absent), EditOperation.REMOVE, ", ".join(absent)
        elif len(members) > 2 and not conditional.negated and not absent and near and _JOINS.search(clause):
            count, operation, value = len(members) + 1, EditOperation.ADD, clause
        else:
            continue
        edits = (FactEdit(operation, f"members: {match[0]}", value, f"{len(members)} members"),)
        rule, signals, consequence = f"members: {operation.value}", (min(1.0, near / 2),), f"{len(members)} → {count}"
        solution = build_solution(rule, signals, str(count), passage, TextSpan(*match.span()), edits, consequence)
        solutions.append((near, solution))
    if solutions:
        yield max(solutions, key=lambda entry: entry[0])[1]


def _is_named(member: str, stems: frozenset[str]) -> bool:
    """Return whether the "if" names a member; the words before its name in the first member do not count."""
    return stem_overlap(content_word_stems(" ".join(member.split()[-2:])), stems) == 1.0


def solve_duration(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield how long a period lasts after one of its ends was shifted, or set to another date ("1910 instead of 1908")."""
    lasts = _LASTS.search(problem.conditional.main) if problem.answer_type in (AnswerType.NUMBER, AnswerType.AGE) else None
    unit = (lasts["unit"] or "year").lower() if lasts else ""
    change = _edit_of_end(problem, unit) if unit in _COUNTERS else None
    if lasts is None or change is None:
        return
    edit, longer = change
    for choice, length in (*_stated_length(problem, unit), *_length_between_dates(problem, unit)):
        if length + longer < 0:
            continue
        count = f"{length + longer:,}"
        answer = count if lasts["unit"] else f"{count} {unit}{'' if count == '1' else 's'}"
        edits = (replace(edit, former=edit.former or choice.fact.text),)
        consequence = f"{length} {unit}s and {longer:+d} {unit}s"
        yield build_solution("lasting", (choice.probability,), answer, choice.passage, choice.fact, edits, consequence)
        return


def _edit_of_end(problem: EditProblem, unit: str) -> tuple[FactEdit, int] | None:
    """Return the edit of the beginning or the end of a period, and by how much the period grows, in the unit."""
    clause = problem.conditional.clause
    begins = moves_beginning(clause)
    end = "beginning" if begins else "end"
    instead = _INSTEAD.search(clause)
    if instead is not None:
        dates = dates_in(clause)
        later = [date for date in dates if date.end <= instead.start()]
        former = [date for date in dates if date.start >= instead.end()]
        if later and former:
            old = former[0] if former[0].year else replace(former[0], year=later[-1].year)
            try:
                longer = _COUNTERS[unit](old, later[-1])
            except QuantityInvalid:
                return None
            target = f"{end} of: {clause[: instead.start()].strip()}"
            edit = FactEdit(EditOperation.REPLACE, target, later[-1].text, former[0].text)
            return edit, -longer if begins else longer
    for change in problem.conditional.changes:
        in_unit = bool(change.unit) and change.unit.lower().split()[0].rstrip("s") == unit and change.amount.denominator == 1
        if in_unit and change.how in (ChangeKind.LATER, ChangeKind.MORE):
            edit = FactEdit(EditOperation.SHIFT, f"{end} of: {clause}", change.text)
            return edit, int(-change.amount if begins and change.how is ChangeKind.LATER else change.amount)
    return None


def _stated_length(problem: EditProblem, unit: str) -> Iterator[tuple[FactCandidate, int]]:
    wish = fact_requirements(problem.conditional.clause, problem.conditional.main, AnswerType.NUMBER, unit)
    able = []
    for candidate in candidate_facts(problem.passages, wish):
        value = candidate.fact.value
        if isinstance(value, Quantity) and value.sort is Sort.DURATION and value.unit.lower().rstrip("s").endswith(unit):
            able.append(candidate)
    for choice in rank_facts(able, fact_weights(EditFamily.NUMBER))[:1]:
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
    for choice in rank_facts(able, fact_weights(EditFamily.DATE))[:1]:
        yield choice, lengths[id(choice.fact)]

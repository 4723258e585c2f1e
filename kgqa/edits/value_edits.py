"""Edits of one value: the likeliest fact of the passages is shifted, scaled, ranked, reduced or reverted, and answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from kgqa.edits.answer_type import DATE_TYPES, NUMBER_TYPES, AnswerType
from kgqa.edits.cue_patterns import CUES
from kgqa.edits.edit_script import EditOperation, EditProblem, EditSolution, FactEdit, build_solution
from kgqa.edits.fact_ranking import (
    FactCandidate,
    FactRequirements,
    candidate_facts,
    fact_requirements,
    fact_weights,
    rank_facts,
)
from kgqa.edits.fact_table import ParsedPassage
from kgqa.edits.value_arithmetic import (
    change_number,
    date_text,
    number_text,
    plain_number_text,
    shift_date,
    signed_amount_text,
)
from kgqa.quantities.arithmetic import add_quantities
from kgqa.quantities.dates import WEEKDAYS
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_changes import MONEY_PATTERN, TIME_UNITS, ChangeKind, QuantityChange
from kgqa.quantities.quantity_format import format_quantity
from kgqa.quantities.units import unit_of
from kgqa.questions.conditional_parser import ConditionalMood, ConditionalQuestion, TextSpan
from kgqa.readers.numeric.passage_tokens import content_word_stems, passage_tokens

FactValue = Quantity | Date


class EditFamily(StrEnum):
    """Edits that look for the same sort of fact, and share the weights by which it is chosen."""

    DATE = "date"
    NUMBER = "number"
    FORMER_DATE = "former date"
    FORMER_NUMBER = "former number"
    LESS = "less"


class EditStep(NamedTuple):
    """One operation on a value: `apply` gives the value in the edited world, `None` where the fact does not fit."""

    operation: EditOperation
    apply: Callable[[FactValue], FactValue | None]
    text: str = ""


@dataclass(frozen=True, slots=True)
class ValueEdit:
    """What is done to a fact, one step after the other, and what the answer says of it.

    `rule` names the sort of edit, `unit` and `change_text` are what the question says of it, `precise` says that the fact must be
    a day, and `event` has the words of the event whose date it is, where the question names another one than its own.
    `other_edits` are done to facts of which the answer does not speak.
    """

    family: EditFamily
    rule: str
    steps: tuple[EditStep, ...]
    answer_type: AnswerType
    main: str
    unit: str = ""
    change_text: str = ""
    precise: bool = False
    event: str = ""
    other_edits: tuple[tuple[AnswerType, ValueEdit], ...] = ()

    def result(self, value: FactValue) -> str | None:
        """Return the answer in the edited world, `None` where the edit does not apply to the value."""
        made: FactValue | None = value
        for step in self.steps:
            made = None if made is None else step.apply(made)
        if isinstance(made, Date):
            asks_month = self.family is EditFamily.DATE and self.answer_type is AnswerType.MONTH
            if asks_month and _MONTH_AND_YEAR.search(self.main):
                return date_text(replace(made, day=0), AnswerType.DATE) if made.month else None
            return date_text(made, self.answer_type)
        if made is None or not isinstance(value, Quantity):
            return None
        if self.answer_type is AnswerType.TIME:
            return format_quantity(replace(made, text=""), value)
        if self.family is not EditFamily.NUMBER:
            digits = number_text(made.value, value)
            return digits if self.family is EditFamily.LESS else self._with_unit(digits, value)
        numbered = _NUMBERED.search(self.main) is not None
        if made.upper is not None and not _LOWER.search(self.main):
            if _UPPER.search(self.main):
                return number_text(made.upper, value, self.answer_type, numbered)
            ends = number_text(made.value, value), number_text(made.upper, value)
            return None if None in ends else f"{ends[0]}-{ends[1]}"
        return self._with_unit(number_text(made.value, value, self.answer_type, numbered), value)

    def _with_unit(self, digits: str | None, value: Quantity) -> str | None:
        """Return a number with its unit, where the question leaves the unit open: "how long" and not "how many years"."""
        unit = value.unit
        if digits is not None and value.sort is Sort.MONEY and unit and not MONEY_PATTERN.search(self.main):
            return f"{unit.lstrip('US')}{digits}" if value.text.startswith(unit) else f"{digits} {unit}"
        measure = unit_of(unit) if unit and value.sort in (Sort.CARDINAL, Sort.DURATION) else None
        if digits is None or measure is None or _HOW_MANY.search(self.main):
            return digits
        if any(len(word.text) > 2 and unit_of(word.text) is not None for word in passage_tokens(self.main)):
            return digits
        several = {"foot": "feet"}.get(unit, f"{unit}{'es' if unit.endswith('ch') else 's'}")
        plural = digits != "1" and len(unit) > 2 and unit_of(several) == measure
        return f"{digits} {several if plural else unit}"


_STARTS = CUES["starts"]
_ENDS = re.compile(r"(?i)\b(?:end|conclud|clos|ceas|retir|finish|died|stop|remain|last|continu|stay|serv)\w*")
_BEHIND = re.compile(r"(?i)\b(?:after|following|from|before|prior|prior to)$")
_UNDO = CUES["undo"]
_FORMER = CUES["former state"]
_MONTH_AND_YEAR = re.compile(r"\band (?:the )?year\b|\bissue\b")
_NUMBERED = re.compile(r"(?i)\b(?:number|draft|overall)\b")
_UPPER = re.compile(r"(?i)\b(?:maximum|upper|highest|at most|up to|most|longest|largest)\b")
_LOWER = re.compile(r"(?i)\b(?:minimum|lower|lowest|at least|least|shortest|smallest)\b")
_GONE = CUES["member gone"]
_NEGATED_DELAY = re.compile(r"(?i)(?:\bnot\b|n['’]t\b|\bnever\b|\bno\b)[^,]*$")
_OF_EVENT = CUES["of event"]
_KEEPS = re.compile(r"(?i)\b(?:kept|retain\w*|maintain\w*|remain\w*|stayed|stuck|still|continued|preserved)\b")
_CAUSE_AWAY = CUES["cause of delay"]
_HOW_MANY = re.compile(r"(?i)\b(?:how many|number of|how old|age)\b")
_SPAN = re.compile(r"(?i)\b(?:how (?:long|many|much)|duration|length|age|period|term)\b")
_OFTEN = re.compile(r"(?i)\bas (?:often|frequently|fast|quickly)\b")
_SPAN_UNIT = re.compile(r"(?i)\bhow (?:long|many (?:seconds|minutes|hours|days|weeks|months|years)|much time)\b")
_PLANNED = CUES["plan"]
_HINDERED = CUES["hindrance"]
"""What was meant to be, and what says that something came between."""
_HOW_MEASURED = re.compile(r"(?i)\bhow (tall|high|wide|deep|far|heavy|light)\b")
_LABEL_YEAR = re.compile(r"\b(?:in|of|for) (\d{4})\b")
_YEAR_BEHIND = re.compile(r"(?:\s[a-z]+){0,2}\s(?:in|of|for) (?P<year>\d{4})\b")
_COMPARED = re.compile(
    r"(?:\s\w+)?\s(?:more|fewer|less|taller|shorter|longer|higher|lower|wider|deeper|heavier|older|younger|later|earlier)\b"
)
"""What stands behind the difference of two amounts, which is none of the two."""
_WHOLE_BEFORE = re.compile(r"\d of (?:the|its|his|her|their) $")
"""What stands before the whole of which an amount is a part: "14 of the 30 seats"."""
_ALL_OF = re.compile(r"(?i)\b(?:total|all|altogether|overall|there (?:be|have been))\b")
_WHOLE_LENGTH = re.compile(r"(?i)\bfor (?:only|just)\b")
"""What says that a length is all of it, and not by how much it changes."""
_BORN = re.compile(r"(?i)\bborn\b|\bbirth\b")
_DAYS_IN_UNIT = {"day": 1, "week": 7}
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})\b")
MAX_FACTS_TRIED = 3
"""At most so many facts are tried."""


def moves_beginning(clause: str) -> bool:
    """Return whether a clause moves the beginning of a period, and not its end."""
    return _STARTS.search(clause) is not None or (_ENDS.search(clause) is None and re.search(r"\bdelay", clause) is not None)


def _undoes_change(conditional: ConditionalQuestion) -> bool:
    """Return whether a question takes back a change of plan, or names a former state: "had not been postponed", "as planned"."""
    clause, main = conditional.clause, conditional.main
    return _UNDO.search(clause) is not None or _FORMER.search(f"{clause} , {main}") is not None


def is_reversion(conditional: ConditionalQuestion) -> bool:
    """Return whether a question goes back to an earlier state: it undoes a change, takes an event away or keeps a state."""
    return _undoes_change(conditional) or conditional.negated or _KEEPS.search(conditional.clause) is not None


def value_edit(conditional: ConditionalQuestion, answer_type: AnswerType) -> ValueEdit | None:
    """Return the edit that fits the "if" and the answer type; an open "if" ("if it is") reverts nothing."""
    if conditional.changes:
        return _edit_of_changes(conditional, answer_type)
    if conditional.mood is ConditionalMood.OPEN:
        return None
    undone = _undoes_change(conditional)
    if undone or (conditional.negated and _CAUSE_AWAY.search(conditional.clause)):
        return revert_edit(conditional, answer_type) if undone or answer_type in DATE_TYPES else None
    if conditional.negated and answer_type is AnswerType.NUMBER and _GONE.search(conditional.clause):
        steps = (EditStep(EditOperation.REMOVE, _without_one, "−1"),)
        return ValueEdit(EditFamily.LESS, "less", steps, answer_type, conditional.main)
    return None


def revert_edit(conditional: ConditionalQuestion, answer_type: AnswerType) -> ValueEdit | None:
    """Return the edit that goes back to a date or number as it was first stated; `None` for other answers."""
    if answer_type not in DATE_TYPES | NUMBER_TYPES:
        return None
    family = EditFamily.FORMER_DATE if answer_type in DATE_TYPES else EditFamily.FORMER_NUMBER
    steps = (EditStep(EditOperation.REVERT, lambda value: value),)
    return ValueEdit(family, family.value, steps, answer_type, conditional.main)


def _without_one(value: FactValue) -> FactValue | None:
    if isinstance(value, Quantity) and value.sort is Sort.CARDINAL and value.value > 1:
        return replace(value, value=value.value - 1)
    return None


def _edit_of_changes(conditional: ConditionalQuestion, answer_type: AnswerType) -> ValueEdit | None:
    """Return the edit of the changes of what the question asks for.

    Of several, those of one thing follow each other ("gained five members and then lost two"); else the one counts whose
    condition shares most words with the main clause.
    """
    changes = sorted(conditional.changes, key=lambda entry: entry.start)
    edits = [(change, edit) for change in changes if (edit := _edit_of_change(change, answer_type, conditional)) is not None]
    if not edits:
        return None
    if len(conditional.conditions) == 1:
        return next((edit for change, edit in edits if change is conditional.changes[0]), edits[0][1])
    conditions = [conditional.condition_of(change) for change, _ in edits]
    if len(edits) > 1 and not any(has_subject for _, has_subject in conditions[1:]):
        made, used = replace(edits[0][1], steps=tuple(step for _, edit in edits for step in edit.steps)), edits
    else:
        about = content_word_stems(conditional.main)
        shared = [len(about & {word.stem for word in passage_tokens(text)}) for text, _ in conditions]
        used = [edits[shared.index(max(shared))]]
        made = used[0][1]
    other_edits = []
    for change in conditional.changes:
        if all(change is not used_change for used_change, _ in used):
            kinds = (AnswerType.DATE, AnswerType.NUMBER, AnswerType.MONEY)
            possible = ((kind, _edit_of_change(change, kind, conditional)) for kind in kinds)
            other_edits += [(kind, edit) for kind, edit in possible if edit is not None][:1]
    return replace(made, other_edits=tuple(other_edits))


def _edit_of_change(change: QuantityChange, answer_type: AnswerType, conditional: ConditionalQuestion) -> ValueEdit | None:
    """Return the edit of one change, where it changes what the question asks for."""
    if answer_type in DATE_TYPES:
        return _date_edit(change, answer_type, conditional)
    if answer_type is AnswerType.TIME:
        return _time_edit(change, conditional)
    amount = _signed_amount(change, answer_type, conditional) if answer_type in NUMBER_TYPES else None
    if amount is None:
        return None

    def apply(value: FactValue) -> FactValue | None:
        return change_number(value, change, amount) if isinstance(value, Quantity) else None

    text = f"×{float(amount):g}" if change.how is ChangeKind.TIMES else signed_amount_text(amount, change.unit)
    steps = (EditStep(_operation_of_change(change, amount), apply, text),)
    rule = f"number: {change.how.value}"
    return ValueEdit(EditFamily.NUMBER, rule, steps, answer_type, conditional.main, change.unit, change.text)


def _date_edit(change: QuantityChange, answer_type: AnswerType, conditional: ConditionalQuestion) -> ValueEdit | None:
    """Return the shift of a date by a change: "two years later", or "for an additional two years"."""
    unit, amount = change.unit, change.amount
    if _WHOLE_LENGTH.search(change.text):
        return None
    if change.how is ChangeKind.MORE:
        unit = _first_noun(unit)
    if change.how is not ChangeKind.LATER and (change.how is not ChangeKind.MORE or unit not in TIME_UNITS):
        return None
    if _NEGATED_DELAY.search(conditional.clause[: change.start]):
        amount = -amount  # "had not been delayed by a year"
    event = _OF_EVENT.match(conditional.clause[change.end :]) if _BEHIND.search(change.text) else None

    def apply(value: FactValue) -> FactValue | None:
        return shift_date(value, amount, unit) if isinstance(value, Date) else None

    return ValueEdit(
        EditFamily.DATE,
        "date: later",
        (EditStep(EditOperation.SHIFT, apply, signed_amount_text(amount, unit)),),
        answer_type,
        conditional.main,
        change_text=change.text,
        precise=unit in ("day", "week", "fortnight"),
        event=event["event"] if event else "",
    )


def _time_edit(change: QuantityChange, conditional: ConditionalQuestion) -> ValueEdit | None:
    """Return the shift of a time of day by a change: "two hours later"."""
    if change.how is not ChangeKind.LATER or change.unit not in ("minute", "hour"):
        return None

    def apply(value: FactValue) -> FactValue | None:
        moved = isinstance(value, Quantity) and value.sort is Sort.TIME
        return add_quantities(value, Quantity(change.amount, Sort.DURATION, change.unit)) if moved else None  # type: ignore[arg-type]

    steps = (EditStep(EditOperation.SHIFT, apply, signed_amount_text(change.amount, change.unit)),)
    return ValueEdit(EditFamily.NUMBER, "number: later", steps, AnswerType.TIME, conditional.main, change_text=change.text)


def _first_noun(unit: str) -> str:
    noun = unit.lower().split()[0].rstrip("s") if unit else ""
    return "century" if noun == "centurie" else noun


def _signed_amount(change: QuantityChange, answer_type: AnswerType, conditional: ConditionalQuestion) -> Fraction | None:
    """Return by how much a change moves a number that is the answer; `None` where it changes no such number.

    What starts later lasts less long, who is born later is younger, and who does something later is older then.
    """
    if change.how is ChangeKind.TIMES and _OFTEN.search(conditional.clause) and _SPAN_UNIT.search(conditional.main):
        return 1 / change.amount if change.amount else None  # what happens twice as often lasts half as long
    if change.how is ChangeKind.PLACES and answer_type not in (AnswerType.RANK, AnswerType.NUMBER):
        return None
    if change.how is not ChangeKind.LATER or answer_type is AnswerType.RANK:
        return change.amount
    if answer_type is AnswerType.AGE:
        return -change.amount if _BORN.search(conditional.clause) else change.amount
    if not _SPAN.search(conditional.main):
        return None
    return -change.amount if _STARTS.search(conditional.clause) else change.amount


def _operation_of_change(change: QuantityChange, amount: Fraction) -> EditOperation:
    """Return what a change does: members and other things are added or removed, measures shifted or scaled, places ranked."""
    if change.how in (ChangeKind.TIMES, ChangeKind.PLACES):
        return EditOperation.SCALE if change.how is ChangeKind.TIMES else EditOperation.RANK
    noun = _first_noun(change.unit)
    measured = not noun or noun in TIME_UNITS or unit_of(noun) is not None
    if measured or change.how is ChangeKind.LATER or MONEY_PATTERN.search(change.text):
        return EditOperation.SHIFT
    return EditOperation.ADD if amount > 0 else EditOperation.REMOVE


def solve_value(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the solutions by an edit of one fact: shift, scale, rank, remove one, revert to the first plan."""
    edit = value_edit(problem.conditional, problem.answer_type) or _unhindered_plan(problem)
    if edit is None:
        return
    ranking = _rank_facts_for_edit(problem, edit)
    if not ranking:
        yield from _solve_uncounted_one(problem, edit)
        yield from _solve_undated_weekday(problem, edit)
    for choice in ranking[:MAX_FACTS_TRIED]:
        answer = edit.result(choice.fact.value)
        if answer is None:
            continue
        fact, edits = choice.fact, _fact_edits(problem, edit, choice, answer)
        consequence = f"{_fact_text(choice)} → {answer}" if _fact_text(choice) != answer else ""
        signals = (choice.probability, *choice.features)
        solution = build_solution(edit.rule, signals, answer, choice.passage, fact, edits, consequence)
        if edit.family is EditFamily.FORMER_DATE and isinstance(fact.value, Date):
            later = [entry.fact for entry in ranking if isinstance(entry.fact.value, Date) and entry.fact.value > fact.value]
            solution = replace(solution, denied=tuple((entry.passage, entry.start, entry.end) for entry in later))
        yield solution


def _unhindered_plan(problem: EditProblem) -> ValueEdit | None:
    """Return the edit that reverts to a plan, where a passage states that what the "if" removes hindered the plan."""
    conditional = problem.conditional
    if conditional.changes or not conditional.negated or conditional.mood is ConditionalMood.OPEN:
        return None
    hindrance = content_word_stems(conditional.clause)
    following = 1 if problem.answer_type in DATE_TYPES else 0
    came_between = any(_came_between(hindrance, passage, following) for passage in problem.passages)
    return revert_edit(conditional, problem.answer_type) if came_between else None


def _came_between(hindrance: frozenset[str], passage: ParsedPassage, following: int) -> bool:
    """Return whether a passage states that something with these words came between a plan and what happened.

    It stands behind the plan, in its sentence or in the `following` ones, beside a word such as "but" or "postponed".
    """
    for at, (start, end) in enumerate(passage.sentences):
        plan = _PLANNED.search(passage.text, start, end)
        behind = [passage.text[plan.end() : end]] if plan is not None else []
        behind += [passage.text[low:high] for low, high in passage.sentences[at + 1 : at + 1 + following]] if behind else []
        for place, text in enumerate(behind):
            cue = _HINDERED.search(text)
            why = text[cue.end() :] if cue is not None and not place else text
            if cue is not None and 2 * len(hindrance & content_word_stems(why)) >= len(hindrance):
                return True
    return False


def requirements_of_edit(problem: EditProblem, edit: ValueEdit) -> FactRequirements:
    """Return what the fact must fit that an edit applies to."""
    if edit.event:
        return fact_requirements(edit.event, "", problem.answer_type, edit.unit, edit.precise)
    clause, main = problem.conditional.clause, problem.conditional.main
    return fact_requirements(clause, main, problem.answer_type, edit.unit, edit.precise, edit.change_text)


def _rank_facts_for_edit(problem: EditProblem, edit: ValueEdit) -> tuple[FactCandidate, ...]:
    """Return the facts that an edit applies to, likeliest first: those of a measure that the question names, where it names one.

    Of spans of time the number often stands alone ("aged 91").
    """
    requirements = requirements_of_edit(problem, edit)
    candidates = candidate_facts(problem.passages, requirements, problem.candidates)
    able = [candidate for candidate in candidates if edit.result(candidate.fact.value) is not None]
    units = [*requirements.units, unit_of(edit.unit.split()[0]) if edit.unit else None]
    measures = {unit.measures for unit in units if unit is not None} - {"time", "months"}
    how = _HOW_MEASURED.search(problem.conditional.main) if edit.family in (EditFamily.NUMBER, EditFamily.FORMER_NUMBER) else None
    if how is not None and not measures:
        measure = {"heavy": "mass", "light": "mass"}.get(how[1].lower(), "length")
        measures = {measure} & {candidate.fact.unit.measures for candidate in able if candidate.fact.unit}
    if measures:
        able = [candidate for candidate in able if candidate.fact.unit and candidate.fact.unit.measures in measures]
    if edit.family is EditFamily.NUMBER:
        able = [item for item in able if not _COMPARED.match(item.passage.text, item.fact.end)] or able
        if not _ALL_OF.search(problem.question):
            able = [item for item in able if not _WHOLE_BEFORE.search(item.passage.text[: item.fact.start])] or able
    return rank_facts(_labelled_by_year(problem, edit, able), fact_weights(edit.family))


def _labelled_by_year(problem: EditProblem, edit: ValueEdit, able: Sequence[FactCandidate]) -> Sequence[FactCandidate]:
    """Return the numbers of the year that a question names, where some stand with it: "15 in 1946 and 24 in 1955"."""
    years = set(_LABEL_YEAR.findall(problem.question)) if edit.family is not EditFamily.DATE else set()
    labelled = []
    for candidate in able:
        text = candidate.passage.text
        behind = _YEAR_BEHIND.match(text, candidate.fact.end)
        if isinstance(candidate.fact.value, Quantity) and behind is not None and behind["year"] in years:
            labelled.append(candidate)
    return labelled if len(years) == 1 and labelled else able


def _fact_text(choice: FactCandidate) -> str:
    return choice.fact.value.text or choice.fact.text


def _fact_edits(problem: EditProblem, edit: ValueEdit, choice: FactCandidate, answer: str) -> list[FactEdit]:
    """Return the edits of the fact, one a step, and of the facts of which the answer does not speak."""
    target = _edit_target(problem, "date" if isinstance(choice.fact.value, Date) else "")
    edits, value, former = [], choice.fact.value, _fact_text(choice)
    for step in edit.steps:
        reverts = step.operation is EditOperation.REVERT
        edits.append(FactEdit(step.operation, target, answer if reverts else step.text, "" if reverts else former))
        value = step.apply(value) or value
        former = f"{value.year}" if isinstance(value, Date) else plain_number_text(value.value)
    for answer_type, other_edit in edit.other_edits:
        ranking = _rank_facts_for_edit(replace(problem, answer_type=answer_type), other_edit)
        target, step = f"“{other_edit.change_text}” in: {problem.conditional.clause}", other_edit.steps[0]
        edits.append(FactEdit(step.operation, target, step.text, _fact_text(ranking[0]) if ranking else ""))
    return edits


def _solve_uncounted_one(problem: EditProblem, edit: ValueEdit) -> Iterator[EditSolution]:
    """Yield the result of an edit of one thing that a sentence states without a number: "one more time"."""
    counts = edit.family is EditFamily.NUMBER and problem.answer_type is AnswerType.NUMBER
    answer = edit.result(Quantity(Fraction(1))) if counts and edit.unit and not unit_of(edit.unit) else None
    if answer is None:
        return
    stems = content_word_stems(problem.question)
    sentences = [(passage, TextSpan(*span)) for passage in problem.passages for span in passage.sentences]
    near = [len(stems & content_word_stems(span.of(passage.text))) for passage, span in sentences]
    if max(near) < 2:
        return
    passage, span = sentences[near.index(max(near))]
    edits = [FactEdit(step.operation, _edit_target(problem), step.text, "one, which is not counted") for step in edit.steps]
    signals = (max(near) / len(stems),)
    yield build_solution("number: one", signals, answer, passage, span, edits, f"one is told of → {answer}")


def _solve_undated_weekday(problem: EditProblem, edit: ValueEdit) -> Iterator[EditSolution]:
    """Yield the day of the week that is so many days from one that a passage names without its date."""
    days = [change.amount * _DAYS_IN_UNIT[change.unit] for change in problem.conditional.changes if change.unit in _DAYS_IN_UNIT]
    stems = content_word_stems(problem.question)
    asks_day = edit.family is EditFamily.DATE and problem.answer_type in (AnswerType.WEEKDAY, AnswerType.DATE)
    weekdays = [
        (len(stems & content_word_stems(passage.text[start:end])), passage, match)
        for passage in problem.passages if asks_day and len(days) == 1 and days[0].denominator == 1
        for start, end in passage.sentences
        for match in _WEEKDAY.finditer(passage.text, start, end)
    ]  # fmt: skip
    if not weekdays:
        return
    near, passage, match = max(weekdays, key=lambda item: item[0])
    answer = WEEKDAYS[(WEEKDAYS.index(match[0]) + int(days[0])) % 7]
    edits = [FactEdit(step.operation, _edit_target(problem, "day"), step.text, match[0]) for step in edit.steps]
    signals = (near / max(1, len(stems)),)
    yield build_solution(edit.rule, signals, answer, passage, TextSpan(*match.span()), edits, f"{match[0]} → {answer}")


def _edit_target(problem: EditProblem, sort: str = "") -> str:
    """Return a few words for what is edited: the sort of fact, of what the "if" is about."""
    sort = sort or ("place" if problem.answer_type is AnswerType.RANK else "number")
    words = problem.conditional.clause.split()
    return f"{sort} of: {' '.join(words[:10])}{'…' if len(words) > 10 else ''}"

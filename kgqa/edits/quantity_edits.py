"""Edits of one value, as functions from the fact to the answer: shift, scale, rank, remove one, revert."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from kgqa.edits.answer_type import DATE_TYPES, NUMBER_TYPES, AnswerType
from kgqa.edits.edit_script import EditOperation
from kgqa.edits.edited_values import (
    EditStep,
    FactValue,
    change_number_step,
    date_text,
    number_text,
    range_text,
    revert_step,
    shift_date_step,
)
from kgqa.edits.passage_tokens import passage_tokens
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_changes import TIME_UNITS, ChangeKind, QuantityChange
from kgqa.quantities.units import unit_of
from kgqa.questions.conditional import ConditionalMood, ConditionalQuestion


class EditFamily(StrEnum):
    """Plans that look for the same sort of fact, and share the weights by which it is chosen."""

    DATE = "date"
    NUMBER = "number"
    FORMER_DATE = "former date"
    FORMER_NUMBER = "former number"
    LESS = "less"


@dataclass(frozen=True, slots=True)
class QuantityEdit:
    """What is done to the fact: the steps one after the other, then `say` gives the answer, from the fact and what it became.

    `rule` names the sort of plan, `said` is what the question says of the edits, `precise` that the fact must be a day,
    and `event` the words of the event whose date it is, where the question names another one than its own. `others` are what
    is done to other facts, of which the answer does not speak.
    """

    family: EditFamily
    rule: str
    steps: tuple[EditStep, ...]
    say: Callable[[FactValue, FactValue], str | None]
    unit: str = ""
    change_text: str = ""
    precise: bool = False
    event: str = ""
    other_edits: tuple[tuple[AnswerType, QuantityEdit], ...] = ()

    def result(self, value: FactValue) -> str | None:
        """Return the answer in the edited world, `None` where the fact does not bear it."""
        made = value
        for step in self.steps:
            after = step.apply(made)
            if after is None:
                return None
            made = after
        return self.say(value, made)


_STARTS = re.compile(
    r"\b(?:born|start|began|begin|begun|found|establish|open|launch|join|arriv|debut|commenc|found|creat|"
    r"form|built|construct|took office)\w*\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\b(?:end|conclud|clos|ceas|retir|finish|died|stop|remain|last|continu|stay|serv)\w*", re.IGNORECASE)
_BEHIND = re.compile(r"\b(?:after|following|from|before|prior|prior to)$", re.IGNORECASE)
_UNDO = re.compile(
    r"\b(?:n['’]t|not|never|no|without)\b[^,]*\b(?:postpon|delay|resched|push|move|mov|chang|cancel|"
    r"interrupt|set back|setback|renam|alter|"
    r"revis|reduc|increas|expand|extend|shorten|cut|brought forward|advanc|enlarg|held up|disrupt|"
    r"affect|halt|suspend|defer|exceed|lower|rais)\w*"
    r"|n['’]t\b[^,]*\b(?:postpon|delay|resched|push|mov|chang|cancel|interrupt|set back|setback|renam|"
    r"alter|revis|reduc|increas|expand|extend|"
    r"shorten|cut|brought forward|advanc|enlarg|held up|disrupt|affect|halt|suspend|defer|exceed|lower|rais)\w*",
    re.IGNORECASE,
)
_FORMER = re.compile(
    r"\b(?:original(?:ly)?|initial(?:ly)?|first (?:planned|scheduled|intended|proposed)|as (?:first |"
    r"previously |already )?(?:planned|scheduled|intended|expected|announced|proposed)|"
    r"(?:planned|scheduled|intended|expected|anticipated|proposed|slated|projected) (?:release|date|"
    r"opening|time|schedule|launch|premiere|completion|budget|cost|number)|"
    r"(?:according to|on|as per|per|to) (?:its |the |their |his |her )?(?:plan|schedule|time)\b|on "
    r"schedule|on time|(?:previously|formerly))\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\b(?:number|draft|overall)\b", re.IGNORECASE)
_UPPER = re.compile(r"\b(?:maximum|upper|highest|at most|up to|most|longest|largest)\b", re.IGNORECASE)
_LOWER = re.compile(r"\b(?:minimum|lower|lowest|at least|least|shortest|smallest)\b", re.IGNORECASE)
_GONE = re.compile(
    r"\b(?:exist\w*|been part of|been a part of|joined|withdrawn|withdrew|been included|been a member|"
    r"had an? |have an? |established|approved|been born|been built|won)\b",
    re.IGNORECASE,
)
_NEGATED_DELAY = re.compile(r"(?:\bnot\b|n['’]t\b|\bnever\b|\bno\b)[^,]*$", re.IGNORECASE)
_OF_EVENT = re.compile(
    r"^\s*(?!(?:its|their|his|her|the|that)?\s*(?:original|actual|initial|real|true|scheduled|planned|"
    r"than|date)\b|than\b|it |they |he |she |$)(?P<event>[^,]{12,})",
    re.IGNORECASE,
)
_KEEPS = re.compile(r"\b(?:kept|retain\w*|maintain\w*|remain\w*|stayed|stuck|still|continued|preserved)\b", re.IGNORECASE)
_CAUSE_AWAY = re.compile(
    r"\b(?:covid|corona|pandemic|strike|delay|rain|snow|weather|injur|hurricane|storm|war|attack|illness)\w*", re.IGNORECASE
)


def moves_beginning(clause: str) -> bool:
    """Return whether a clause moves the beginning of a period, and not its end."""
    return _STARTS.search(clause) is not None or (_ENDS.search(clause) is None and re.search(r"\bdelay", clause) is not None)


def possible_edits(conditional: ConditionalQuestion, answer_type: AnswerType) -> Iterator[QuantityEdit]:
    """Yield the edits that fit the "if" and the answer type, the likeliest first.

    An open "if" ("if it is") reverts nothing.
    """
    made = _edit_of_changes(conditional, answer_type)
    if made is not None:
        yield made
        return
    open_ = conditional.mood is ConditionalMood.OPEN
    undone = undoes_change(conditional) and not open_
    if not conditional.changes and (undone or (conditional.negated and not open_ and _CAUSE_AWAY.search(conditional.clause))):
        if answer_type in DATE_TYPES:
            yield _revert_edit(EditFamily.FORMER_DATE, answer_type, conditional)
        elif answer_type in NUMBER_TYPES and undone:
            yield _revert_edit(EditFamily.FORMER_NUMBER, answer_type, conditional)
    elif (
        not conditional.changes
        and conditional.negated
        and not open_
        and answer_type is AnswerType.NUMBER
        and _GONE.search(conditional.clause)
    ):
        yield _remove_one_edit()


def original_plan_edit(conditional: ConditionalQuestion, answer_type: AnswerType) -> QuantityEdit | None:
    """Return the plan that goes back to what was meant to be, where what hindered it is taken away; `None` where none can."""
    if conditional.changes or not conditional.negated or conditional.mood is ConditionalMood.OPEN:
        return None
    if answer_type in DATE_TYPES:
        return _revert_edit(EditFamily.FORMER_DATE, answer_type, conditional)
    return _revert_edit(EditFamily.FORMER_NUMBER, answer_type, conditional) if answer_type in NUMBER_TYPES else None


def _edit_of_changes(conditional: ConditionalQuestion, answer_type: AnswerType) -> QuantityEdit | None:
    """Return the plan of the changes that bear on what is sought.

    Of several, those of one thing follow each other ("gained five members and then lost two"); else the one counts that is said
    of what the main clause asks for.
    """
    plans_of = [
        (change, _edit_of_change(change, answer_type, conditional))
        for change in sorted(conditional.changes, key=lambda entry: entry.start)
    ]
    bearing = [(change, plan) for change, plan in plans_of if plan is not None]
    if not bearing:
        return None
    if len(conditional.conditions) == 1:
        return next((plan for change, plan in bearing if change is conditional.changes[0]), bearing[0][1])
    bearing_conditions = [(conditional.condition_of(change), change, plan) for change, plan in bearing]
    if len(bearing_conditions) > 1 and all(not own for (_, own), _, _ in bearing_conditions[1:]):
        plan, used = (
            replace(bearing_conditions[0][2], steps=tuple(step for *_, plan in bearing_conditions for step in plan.steps)),
            [entry[1] for entry in bearing_conditions],
        )
    else:
        about = {word.stem for word in passage_tokens(conditional.main) if word.is_content_word}
        _, change, plan = max(
            bearing_conditions, key=lambda entry: len(about & {word.stem for word in passage_tokens(entry[0][0])})
        )
        used = [change]
    other_edits = []
    for change in conditional.changes:
        for kind in (AnswerType.DATE, AnswerType.NUMBER, AnswerType.MONEY) if change not in used else ():
            other_edit = _edit_of_change(change, kind, conditional)
            if other_edit is not None:
                other_edits.append((kind, other_edit))
                break
    return replace(plan, other_edits=tuple(other_edits))


def _edit_of_change(change: QuantityChange, answer_type: AnswerType, conditional: ConditionalQuestion) -> QuantityEdit | None:
    """Return the plan of one change, where it bears on what is sought."""
    if answer_type in DATE_TYPES:
        step = _as_date_change(change)
        return _date_edit(change, step, answer_type, conditional) if step else None
    return _number_edit(change, answer_type, conditional) if answer_type in NUMBER_TYPES else None


def undoes_change(conditional: ConditionalQuestion) -> bool:
    """Tell whether a question takes back a change of plan, or names a former state: "had not been postponed", "as planned"."""
    return (
        _UNDO.search(conditional.clause) is not None or _FORMER.search(f"{conditional.clause} , {conditional.main}") is not None
    )


def is_reversion(conditional: ConditionalQuestion) -> bool:
    """Tell whether a question goes back to an earlier state: it undoes a change, or takes an event away or keeps a state."""
    return undoes_change(conditional) or conditional.negated or _KEEPS.search(conditional.clause) is not None


def _as_date_change(change: QuantityChange) -> QuantityChange | None:
    """Return a change as one of a date: as it is, or "for an additional ten years" as ten years later."""
    if change.how is ChangeKind.LATER:
        return change
    unit = change.unit.lower().split()[0].rstrip("s") if change.unit else ""
    unit = {"centurie": "century"}.get(unit, unit)
    if change.how is ChangeKind.MORE and unit in TIME_UNITS:
        return QuantityChange(ChangeKind.LATER, change.amount, unit, change.text, change.start, change.end)
    return None


def _date_edit(
    change: QuantityChange, step: QuantityChange, answer_type: AnswerType, conditional: ConditionalQuestion
) -> QuantityEdit:
    amount = step.amount
    if _NEGATED_DELAY.search(conditional.clause[: change.start]):
        amount = -amount  # "had not been delayed by a year"
    event = _OF_EVENT.match(conditional.clause[change.end :]) if _BEHIND.search(change.text) else None
    both = answer_type is AnswerType.MONTH and re.search(r"\band (?:the )?year\b|\bissue\b", conditional.main) is not None

    def say(_value: FactValue, made: FactValue) -> str | None:
        if not isinstance(made, Date) or (both and not made.month):
            return None
        return date_text(replace(made, day=0), AnswerType.DATE) if both else date_text(made, answer_type)

    return QuantityEdit(
        EditFamily.DATE,
        "date: later",
        (shift_date_step(amount, step.unit),),
        say,
        "",
        change.text,
        step.unit in ("day", "week", "fortnight"),
        event["event"] if event else "",
    )


def _number_edit(change: QuantityChange, answer_type: AnswerType, conditional: ConditionalQuestion) -> QuantityEdit | None:
    amount = _signed_amount(change, answer_type, conditional)
    if amount is None:
        return None
    numbered = _NUMBERED.search(conditional.main) is not None
    upper, lower = _UPPER.search(conditional.main) is not None, _LOWER.search(conditional.main) is not None

    def say(value: FactValue, made: FactValue) -> str | None:
        if not isinstance(value, Quantity) or not isinstance(made, Quantity):
            return None
        if made.upper is not None and not lower:
            if upper:
                return number_text(made.upper, value, answer_type, numbered)
            return range_text(made.value, made.upper, value)
        return _with_unit(number_text(made.value, value, answer_type, numbered), value, conditional)

    return QuantityEdit(
        EditFamily.NUMBER, f"number: {change.how.value}", (change_number_step(change, amount),), say, change.unit, change.text
    )


def _with_unit(digits: str | None, value: Quantity, conditional: ConditionalQuestion) -> str | None:
    """Return a number with its unit of measure, where the question leaves it open: "how long" is asked, not "how many years"."""
    measure = unit_of(value.unit) if value.unit and value.sort in (Sort.CARDINAL, Sort.DURATION) else None
    if digits is None or measure is None or _HOW_MANY.search(conditional.main):
        return digits
    if any(len(word.text) > 2 and unit_of(word.text) is not None for word in passage_tokens(conditional.main)):
        return digits
    several = {"foot": "feet"}.get(value.unit, f"{value.unit}{'es' if value.unit.endswith('ch') else 's'}")
    plural = digits != "1" and len(value.unit) > 2 and unit_of(several) == measure
    return f"{digits} {several if plural else value.unit}"


_HOW_MANY = re.compile(r"\b(?:how many|number of|how old|age)\b", re.IGNORECASE)
_SPAN_ASKED = re.compile(r"\b(?:how (?:long|many|much)|duration|length|age|period|term)\b", re.IGNORECASE)


def _signed_amount(change: QuantityChange, answer_type: AnswerType, conditional: ConditionalQuestion) -> Fraction | None:
    """Return by how much a change moves a number that is sought; `None` where it does not bear on one.

    What starts later lasts less long, and who is born later is younger.
    """
    if change.how is ChangeKind.PLACES and answer_type not in (AnswerType.RANK, AnswerType.NUMBER):
        return None
    if change.how is not ChangeKind.LATER or answer_type is AnswerType.RANK:
        return change.amount
    if answer_type is not AnswerType.AGE and not _SPAN_ASKED.search(conditional.main):
        return None
    return -change.amount if _STARTS.search(conditional.clause) else change.amount


def _revert_edit(family: EditFamily, answer_type: AnswerType, conditional: ConditionalQuestion) -> QuantityEdit:
    def say(value: FactValue, _made: FactValue) -> str | None:
        return (
            date_text(value, answer_type)
            if isinstance(value, Date)
            else _with_unit(number_text(value.value, value), value, conditional)
        )

    return QuantityEdit(family, family.value, (revert_step(),), say)


def _remove_one_edit() -> QuantityEdit:
    def apply(value: FactValue) -> FactValue | None:
        able = isinstance(value, Quantity) and value.sort is Sort.CARDINAL and value.value > 1
        return replace(value, value=value.value - 1) if able and isinstance(value, Quantity) else None

    def say(value: FactValue, made: FactValue) -> str | None:
        return number_text(made.value, value) if isinstance(value, Quantity) and isinstance(made, Quantity) else None

    return QuantityEdit(EditFamily.LESS, "less", (EditStep(EditOperation.REMOVE, apply, "−1", Fraction(-1)),), say)

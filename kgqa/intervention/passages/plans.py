"""Plans: what an "if" does to the one fact that it touches, as a function from that fact to the answer, before it is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from kgqa.intervention.passages.asked import COUNTED, DATED, Sought
from kgqa.intervention.passages.changes import SPANS, Change, How
from kgqa.intervention.passages.script import Edit, Operation
from kgqa.intervention.passages.supposition import Supposition
from kgqa.intervention.passages.world import amount_in, moved_by, said_date, said_number, said_range
from kgqa.quantities.model import Date, Quantity, Sort

Value = Quantity | Date


class Family(StrEnum):
    """Plans that look for the same sort of fact, and share the weights by which it is chosen."""

    DATE = "date"
    NUMBER = "number"
    FORMER_DATE = "former date"
    FORMER_NUMBER = "former number"
    LESS = "less"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is done to the fact: `result` gives the answer in the edited world, `None` where the fact does not bear it.

    `said` is what the question says of the edit, `precise` that the fact must be a day, and
    `event` the words of the event whose date it is, where the question names another one than its own.
    """

    family: Family
    operation: Operation
    result: Callable[[Value], str | None]
    edit: Callable[[Value, str], Edit]
    unit: str = ""
    said: str = ""
    precise: bool = False
    event: str = ""


_STARTS = re.compile(
    r"\b(?:born|start|began|begin|found|establish|open|launch|join|arriv|debut|commenc|found|creat|"
    r"form|built|construct|took office)\w*\b",
    re.IGNORECASE,
)
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
_MONEY = re.compile(r"[$€£¥]|\b(?:dollar|euro|pound|cent|yen|rupee|mark|franc|shilling|RMB|yuan)s?\b", re.IGNORECASE)
_LARGE = re.compile(r"\d{4}|thousand|million|billion|trillion|\d,\d", re.IGNORECASE)
_NUMBERED = re.compile(r"\b(?:number|draft|overall)\b", re.IGNORECASE)
_UPPER = re.compile(r"\b(?:maximum|upper|highest|at most|up to|most|longest|largest)\b", re.IGNORECASE)
_LOWER = re.compile(r"\b(?:minimum|lower|lowest|at least|least|shortest|smallest)\b", re.IGNORECASE)
_GONE = re.compile(
    r"\b(?:exist\w*|been part of|been a part of|joined|withdrawn|withdrew|been included|been a member|"
    r"had an? |have an? |established|approved|been born|been built)\b",
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


def plans(asked: Supposition, sought: Sought) -> Iterator[Plan]:
    """Yield the plans that fit what is supposed and what is sought, the likeliest first; none where no script fits."""
    if sought in DATED:
        for change in asked.changes:
            step = _as_span(change)
            if step is not None:
                yield _dated(change, step, sought, asked)
                return
    if sought in COUNTED or sought is Sought.YEAR:
        for change in asked.changes:
            plan = _counted(change, sought, asked)
            if plan is not None:
                yield plan
                return
    undone = undoes(asked)
    if not asked.changes and (undone or (asked.negated and _CAUSE_AWAY.search(asked.clause))):
        if sought in DATED:
            yield _former(Family.FORMER_DATE, sought)
        elif sought in COUNTED and undone:
            yield _former(Family.FORMER_NUMBER, sought)
    elif not asked.changes and asked.negated and sought is Sought.NUMBER and _GONE.search(asked.clause):
        yield _one_less()


def undoes(asked: Supposition) -> bool:
    """Tell whether a question takes back a change of plan, or names a former state: "had not been postponed", "as planned"."""
    return _UNDO.search(asked.clause) is not None or _FORMER.search(f"{asked.clause} , {asked.main}") is not None


def is_reversion(asked: Supposition) -> bool:
    """Tell whether a question goes back to an earlier state: it undoes a change, or takes an event away or keeps a state."""
    return undoes(asked) or asked.negated or _KEEPS.search(asked.clause) is not None


def _as_span(change: Change) -> Change | None:
    """Return a change as one of a date: as it is, or "for an additional ten years" as ten years later."""
    if change.how is How.LATER:
        return change
    unit = change.unit.lower().split()[0].rstrip("s") if change.unit else ""
    unit = {"centurie": "century"}.get(unit, unit)
    if change.how is How.MORE and unit in SPANS:
        return Change(How.LATER, change.amount, unit, change.text, change.start, change.end)
    return None


def _signed(amount: Fraction, unit: str) -> str:
    number = f"{amount}" if amount.denominator == 1 else f"{float(amount):g}"
    sign = "+" if amount > 0 else ""
    return f"{sign}{number}{f' {unit}' if unit else ''}".replace("-", "−")


def _dated(change: Change, step: Change, sought: Sought, asked: Supposition) -> Plan:
    amount = step.amount
    if _NEGATED_DELAY.search(asked.clause[: change.start]):
        amount = -amount  # "had not been delayed by a year"
    event = _OF_EVENT.match(asked.clause[change.end :]) if _BEHIND.search(change.text) else None
    both = sought is Sought.MONTH and re.search(r"\band (?:the )?year\b|\bissue\b", asked.main) is not None

    def result(value: Value) -> str | None:
        if not isinstance(value, Date):
            return None
        moved = moved_by(value, amount, step.unit)
        if both and moved is not None:
            moved = replace(moved, day=0)
        return None if moved is None else said_date(moved, Sought.DATE if both else sought)

    def edit(value: Value, _answer: str) -> Edit:
        return Edit(Operation.SHIFT, "", _signed(amount, step.unit), value.text, amount, step.unit)

    return Plan(
        Family.DATE,
        Operation.SHIFT,
        result,
        edit,
        "",
        change.text,
        step.unit in ("day", "week", "fortnight"),
        event["event"] if event else "",
    )


def _counted(change: Change, sought: Sought, asked: Supposition) -> Plan | None:
    amount = _amount(change, sought, asked)
    if amount is None:
        return None
    money = _MONEY.search(change.text) is not None
    numbered = _NUMBERED.search(asked.main) is not None
    upper, lower = _UPPER.search(asked.main) is not None, _LOWER.search(asked.main) is not None

    def result(value: Value) -> str | None:
        if not isinstance(value, Quantity):
            return None
        ends = [None if end is None else _made(change, amount, end, value, money) for end in (value.value, value.upper)]
        low, high = ends
        if low is None:
            return None
        if high is not None and not lower:
            return said_number(high, value, sought, numbered) if upper else said_range(low, high, value)
        return said_number(low, value, sought, numbered)

    def edit(value: Value, _answer: str) -> Edit:
        said = f"×{float(amount):g}" if change.how is How.TIMES else _signed(amount, change.unit)
        return Edit(_OPERATIONS[change.how], "", said, value.text, amount, change.unit)

    return Plan(Family.NUMBER, _OPERATIONS[change.how], result, edit, change.unit, change.text)


_OPERATIONS = {How.MORE: Operation.SHIFT, How.TIMES: Operation.SCALE, How.PLACES: Operation.RANK, How.LATER: Operation.SHIFT}
_SPAN_ASKED = re.compile(r"\b(?:how (?:long|many|much)|duration|length|age|period|term)\b", re.IGNORECASE)


def _amount(change: Change, sought: Sought, asked: Supposition) -> Fraction | None:
    """Return by how much a change moves a number that is sought; `None` where it does not bear on one.

    What starts later lasts less long, and who is born later is younger.
    """
    if sought is Sought.YEAR or (change.how is How.PLACES and sought not in (Sought.RANK, Sought.NUMBER)):
        return None
    if change.how is not How.LATER or sought is Sought.RANK:
        return change.amount
    if sought is not Sought.AGE and not _SPAN_ASKED.search(asked.main):
        return None
    return -change.amount if _STARTS.search(asked.clause) else change.amount


def _made(change: Change, amount: Fraction, number: Fraction, value: Quantity, money: bool) -> Fraction | None:
    """Return a number under a change, in the unit of the quantity that it is an end of."""
    if change.how is How.TIMES:
        return number * amount
    if change.how is How.PLACES:
        return number + amount
    step = amount_in(value, amount, change.unit, money)
    if step is None:
        return None
    if value.scale > 2 and abs(step) * 1000 < abs(value.value) and not change.unit and not _LARGE.search(change.text):
        step *= 10**value.scale  # "increased by 1" of "3.5 million"
    return number + step


def _former(family: Family, sought: Sought) -> Plan:
    def result(value: Value) -> str | None:
        if isinstance(value, Date):
            return said_date(value, sought)
        return said_number(value.value, value)

    def edit(value: Value, answer: str) -> Edit:
        return Edit(Operation.REVERT, "", answer, "")

    return Plan(family, Operation.REVERT, result, edit)


def _one_less() -> Plan:
    def result(value: Value) -> str | None:
        return (
            said_number(value.value - 1, value)
            if isinstance(value, Quantity) and value.sort is Sort.CARDINAL and value.value > 1
            else None
        )

    def edit(value: Value, _answer: str) -> Edit:
        return Edit(Operation.REMOVE, "", "−1", value.text, Fraction(-1))

    return Plan(Family.LESS, Operation.REMOVE, result, edit)

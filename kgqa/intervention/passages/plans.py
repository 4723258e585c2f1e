"""Plans: what an "if" does to the one fact that it touches, as a function from that fact to the answer, before it is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from kgqa.intervention.passages.asked import COUNTED, DATED, Sought
from kgqa.intervention.passages.changes import SPANS, Change
from kgqa.intervention.passages.forms import How
from kgqa.intervention.passages.script import Operation
from kgqa.intervention.passages.steps import Step, Value, counted, dated, former
from kgqa.intervention.passages.supposition import Mood, Supposition
from kgqa.intervention.passages.words import words
from kgqa.intervention.passages.world import said_date, said_number, said_range
from kgqa.quantities.model import Date, Quantity, Sort
from kgqa.quantities.units import unit_of


class Family(StrEnum):
    """Plans that look for the same sort of fact, and share the weights by which it is chosen."""

    DATE = "date"
    NUMBER = "number"
    FORMER_DATE = "former date"
    FORMER_NUMBER = "former number"
    LESS = "less"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is done to the fact: the steps one after the other, then `say` gives the answer, from the fact and what it became.

    `rule` names the sort of plan, `said` is what the question says of the edits, `precise` that the fact must be a day,
    and `event` the words of the event whose date it is, where the question names another one than its own. `others` are what
    is done to other facts, of which the answer does not speak.
    """

    family: Family
    rule: str
    steps: tuple[Step, ...]
    say: Callable[[Value, Value], str | None]
    unit: str = ""
    said: str = ""
    precise: bool = False
    event: str = ""
    others: tuple[tuple[Sought, Plan], ...] = ()

    def result(self, value: Value) -> str | None:
        """Return the answer in the edited world, `None` where the fact does not bear it."""
        made = value
        for step in self.steps:
            after = step.apply(made)
            if after is None:
                return None
            made = after
        return self.say(value, made)


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


def plans(asked: Supposition, sought: Sought) -> Iterator[Plan]:
    """Yield the plans that fit what is supposed and what is sought, the likeliest first; none where no script fits.

    What is told as open ("if it is") takes nothing back; only what is contrary to fact or imagined does.
    """
    made = _changed(asked, sought)
    if made is not None:
        yield made
        return
    open_ = asked.mood is Mood.OPEN
    undone = undoes(asked) and not open_
    if not asked.changes and (undone or (asked.negated and not open_ and _CAUSE_AWAY.search(asked.clause))):
        if sought in DATED:
            yield _former(Family.FORMER_DATE, sought, asked)
        elif sought in COUNTED and undone:
            yield _former(Family.FORMER_NUMBER, sought, asked)
    elif not asked.changes and asked.negated and not open_ and sought is Sought.NUMBER and _GONE.search(asked.clause):
        yield _one_less()


def as_planned(asked: Supposition, sought: Sought) -> Plan | None:
    """Return the plan that goes back to what was meant to be, where what hindered it is taken away; `None` where none can."""
    if asked.changes or not asked.negated or asked.mood is Mood.OPEN:
        return None
    if sought in DATED:
        return _former(Family.FORMER_DATE, sought, asked)
    return _former(Family.FORMER_NUMBER, sought, asked) if sought in COUNTED else None


def _changed(asked: Supposition, sought: Sought) -> Plan | None:
    """Return the plan of the changes that bear on what is sought.

    Of several, those of one thing follow each other ("gained five members and then lost two"); else the one counts that is said
    of what the main clause asks for.
    """
    plans_of = [(change, _of(change, sought, asked)) for change in sorted(asked.changes, key=lambda one: one.start)]
    bearing = [(change, plan) for change, plan in plans_of if plan is not None]
    if not bearing:
        return None
    if len(asked.conditions) == 1:
        return next((plan for change, plan in bearing if change is asked.changes[0]), bearing[0][1])
    told = [(asked.condition_of(change), change, plan) for change, plan in bearing]
    if len(told) > 1 and all(not own for (_, own), _, _ in told[1:]):
        plan, used = replace(told[0][2], steps=tuple(step for *_, plan in told for step in plan.steps)), [one[1] for one in told]
    else:
        about = {word.stem for word in words(asked.main) if word.telling}
        _, change, plan = max(told, key=lambda one: len(about & {word.stem for word in words(one[0][0])}))
        used = [change]
    others = []
    for change in asked.changes:
        for kind in (Sought.DATE, Sought.NUMBER, Sought.MONEY) if change not in used else ():
            other = _of(change, kind, asked)
            if other is not None:
                others.append((kind, other))
                break
    return replace(plan, others=tuple(others))


def _of(change: Change, sought: Sought, asked: Supposition) -> Plan | None:
    """Return the plan of one change, where it bears on what is sought."""
    if sought in DATED:
        step = _as_span(change)
        return _dated(change, step, sought, asked) if step else None
    return _counted(change, sought, asked) if sought in COUNTED else None


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


def _dated(change: Change, step: Change, sought: Sought, asked: Supposition) -> Plan:
    amount = step.amount
    if _NEGATED_DELAY.search(asked.clause[: change.start]):
        amount = -amount  # "had not been delayed by a year"
    event = _OF_EVENT.match(asked.clause[change.end :]) if _BEHIND.search(change.text) else None
    both = sought is Sought.MONTH and re.search(r"\band (?:the )?year\b|\bissue\b", asked.main) is not None

    def say(_value: Value, made: Value) -> str | None:
        if not isinstance(made, Date) or (both and not made.month):
            return None
        return said_date(replace(made, day=0), Sought.DATE) if both else said_date(made, sought)

    return Plan(
        Family.DATE,
        "date: later",
        (dated(amount, step.unit),),
        say,
        "",
        change.text,
        step.unit in ("day", "week", "fortnight"),
        event["event"] if event else "",
    )


def _counted(change: Change, sought: Sought, asked: Supposition) -> Plan | None:
    amount = _amount(change, sought, asked)
    if amount is None:
        return None
    numbered = _NUMBERED.search(asked.main) is not None
    upper, lower = _UPPER.search(asked.main) is not None, _LOWER.search(asked.main) is not None

    def say(value: Value, made: Value) -> str | None:
        if not isinstance(value, Quantity) or not isinstance(made, Quantity):
            return None
        if made.upper is not None and not lower:
            if upper:
                return said_number(made.upper, value, sought, numbered)
            return said_range(made.value, made.upper, value)
        return _with_unit(said_number(made.value, value, sought, numbered), value, asked)

    return Plan(Family.NUMBER, f"number: {change.how.value}", (counted(change, amount),), say, change.unit, change.text)


def _with_unit(said: str | None, value: Quantity, asked: Supposition) -> str | None:
    """Return a number with its unit of measure, where the question leaves it open: "how long" is asked, not "how many years"."""
    measure = unit_of(value.unit) if value.unit and value.sort in (Sort.CARDINAL, Sort.DURATION) else None
    if said is None or measure is None or _HOW_MANY.search(asked.main):
        return said
    if any(len(word.text) > 2 and unit_of(word.text) is not None for word in words(asked.main)):
        return said
    several = {"foot": "feet"}.get(value.unit, f"{value.unit}{'es' if value.unit.endswith('ch') else 's'}")
    plural = said != "1" and len(value.unit) > 2 and unit_of(several) == measure
    return f"{said} {several if plural else value.unit}"


_HOW_MANY = re.compile(r"\b(?:how many|number of|how old|age)\b", re.IGNORECASE)
_SPAN_ASKED = re.compile(r"\b(?:how (?:long|many|much)|duration|length|age|period|term)\b", re.IGNORECASE)


def _amount(change: Change, sought: Sought, asked: Supposition) -> Fraction | None:
    """Return by how much a change moves a number that is sought; `None` where it does not bear on one.

    What starts later lasts less long, and who is born later is younger.
    """
    if change.how is How.PLACES and sought not in (Sought.RANK, Sought.NUMBER):
        return None
    if change.how is not How.LATER or sought is Sought.RANK:
        return change.amount
    if sought is not Sought.AGE and not _SPAN_ASKED.search(asked.main):
        return None
    return -change.amount if _STARTS.search(asked.clause) else change.amount


def _former(family: Family, sought: Sought, asked: Supposition) -> Plan:
    def say(value: Value, _made: Value) -> str | None:
        return said_date(value, sought) if isinstance(value, Date) else _with_unit(said_number(value.value, value), value, asked)

    return Plan(family, family.value, (former(),), say)


def _one_less() -> Plan:
    def apply(value: Value) -> Value | None:
        able = isinstance(value, Quantity) and value.sort is Sort.CARDINAL and value.value > 1
        return replace(value, value=value.value - 1) if able and isinstance(value, Quantity) else None

    def say(value: Value, made: Value) -> str | None:
        return said_number(made.value, value) if isinstance(value, Quantity) and isinstance(made, Quantity) else None

    return Plan(Family.LESS, "less", (Step(Operation.REMOVE, apply, "−1", Fraction(-1)),), say)

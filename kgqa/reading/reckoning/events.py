"""Things that are told with a measure and a name: "Elam got a 23-yard field goal"; who did the longest, and who did most."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from kgqa.quantities.model import Quantity
from kgqa.reading.reckoning.labels import find_person
from kgqa.reading.reckoning.operands import PassageNumbers, operand_stems

_KINDS = {
    "field goal": ("field goal", "fg"),
    "touchdown": ("touchdown", "td"),
    "pass": ("pass",),
    "run": ("run", "rush"),
    "kick": ("field goal",),
}
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "overtime": 5}


@dataclass(frozen=True, slots=True)
class MeasuredEvent:
    """A measured thing, and the name of whom it is told, with its place."""

    measure: Quantity
    name: str
    start: int
    end: int


def measured_events(phrase: str, numbers: PassageNumbers) -> list[MeasuredEvent]:
    """Return the things of a passage of the kind that a phrase names ("touchdown pass", "field goals in the first half")."""
    wanted = [
        forms
        for word, forms in _KINDS.items()
        if word in phrase.lower() or any(f" {form}" in f" {phrase.lower()}" for form in forms)
    ]
    if not wanted and _scoring().search(phrase):
        wanted = [(*_KINDS["field goal"], *_KINDS["touchdown"])]
    if not wanted:
        return []
    quarters = _asked_quarters(phrase)
    matching_events = []
    for quantity in numbers.quantities:
        if quantity.unit not in ("yard", "yards") or (quarters and _quarter(numbers.text, quantity.start) not in quarters):
            continue
        behind = _clause(numbers.text, quantity.end)
        if all(any(form in behind for form in forms) for forms in wanted) and not _is_missed(numbers.text, quantity):
            name = find_person(numbers.text, quantity, phrase)
            matching_events.append(MeasuredEvent(quantity, *(name or ("", quantity.start, quantity.end))))
    return matching_events


def most_frequent_event(candidates: Sequence[MeasuredEvent], *, least: bool) -> tuple[MeasuredEvent, int] | None:
    """Return the first thing of the name that has most of them, or fewest, with how many; `None` where several have as many."""
    counts = Counter(event.name for event in candidates if event.name)
    ordered = counts.most_common()[:: -1 if least else 1]
    if not ordered or (len(ordered) > 1 and ordered[0][1] == ordered[1][1]):
        return None
    return next(event for event in candidates if event.name == ordered[0][0]), ordered[0][1]


def is_event_of(event: MeasuredEvent, phrase: str) -> bool:
    """Tell whether the name of a thing shares its last word with a phrase."""
    name = operand_stems(event.name)
    return bool(name) and name[-1] in operand_stems(phrase)


def _clause(text: str, place: int) -> str:
    """Return what stands behind a measure, up to where the next clause begins; "a 23-yard and a 19-yard field goal" have one."""
    behind = text[place : place + 90]
    ended = _clause_end().search(behind)
    return (behind[: ended.start()] if ended else behind).lower()


def _is_missed(text: str, quantity: Quantity) -> bool:
    near = text[max(0, quantity.start - 45) : quantity.end + 45].lower()
    return any(word in near for word in ("missed", "blocked", "no good", "failed", "wide right", "wide left"))


def _quarter(text: str, place: int) -> int:
    """Return the quarter that was told last before a place, 0 where none was."""
    mentions = list(_quarters().finditer(text, 0, place))
    return _QUARTERS.get((mentions[-1][1] or "overtime").lower(), 0) if mentions else 0


def _asked_quarters(phrase: str) -> tuple[int, ...]:
    lower = phrase.lower()
    for word, number in _QUARTERS.items():
        if f"{word} quarter" in lower:
            return (number,)
        if f"{word} half" in lower:
            return (1, 2) if number == 1 else (3, 4)
    return ()


@cache
def _scoring() -> re.Pattern[str]:
    return re.compile(r"\b(?:points?|scor\w+)\b", re.IGNORECASE)


@cache
def _quarters() -> re.Pattern[str]:
    return re.compile(r"\b(first|second|third|fourth|1st|2nd|3rd|4th) quarter\b|\b[Ii]n overtime\b", re.IGNORECASE)


@cache
def _clause_end() -> re.Pattern[str]:
    return re.compile(r"[.;]|, (?:while|but|and|as|then|before)\b| (?:while|but|before|after|as|for the)\b")

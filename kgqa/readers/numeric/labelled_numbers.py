"""Numbers with their labels and names: the label in a list, the person of a measure ("Elam got a 23-yard field goal")."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from graph.text.segmentation import sentence_end
from kgqa.quantities.quantity import Quantity, Sort
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES
from kgqa.readers.numeric.operands import PassageNumbers, operand_stems

_PERSON = r"(?:[A-Z]\. ?)*[A-Z][a-z][\w'’-]*(?: (?:[A-Z]\. ?)*[A-Z][\w’-]*[a-z][\w’-]*)*"
_NAME = re.compile(rf"\b{_PERSON}")
_TO_NAME = re.compile(rf"\bto\b(?: [a-z]+| [A-Z]{{2}}| former| \d+ers)* ({_PERSON})")
_BY_NAME = re.compile(rf"\b(?:by|from)\b(?: [a-z]+| [A-Z]{{1,2}})* ({_PERSON})")
_BEFORE_RECEIVER = re.compile(r"\b(?:WR|TE|RB|FB|receiver|end|back|hits?|hitting|found|finding|with|to)\s+$")
_NO_NAMES = frozenset(
    "The In With After However But And Then On At For Week During Late Early Later NFL This That He She It They".split()
)
_LABEL_BEHIND = NUMERIC_CUES["label behind"]
_LABEL_BEFORE = re.compile(r"(?:^|[,;:.)]|\band\b|\bare\b|\bis\b|\bin\b)\s*(?:and |the )*([^,;:.()]+?)\s*$")
_LABEL_BEHIND_PARENTHESES = re.compile(r"\) (?:under|age|aged|from|between|over|were|who|of)\b")
"""For example "5,841 people (25.3%) under age 18"."""
_COMMON_LABEL_WORDS = re.compile(r" (?:people|years old|year olds?|residing|living)\b.*$")
"""The words that belong to all labels of a list: "Polish people", "45 to 64 years old"."""
_SCORING = re.compile(r"\b(?:points?|scor\w+)\b", re.IGNORECASE)
_QUARTER = re.compile(r"\b(first|second|third|fourth|1st|2nd|3rd|4th) quarter\b|\b[Ii]n overtime\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[.;]|, (?:while|but|and|as|then|before)\b| (?:while|but|before|after|as|for the)\b")
_KINDS = {
    "field goal": ("field goal", "fg"),
    "touchdown": ("touchdown", "td"),
    "pass": ("pass",),
    "run": ("run", "rush"),
    "kick": ("field goal",),
}
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "overtime": 5}
_MISSED = ("missed", "blocked", "no good", "failed", "wide right", "wide left")


class LabelledQuantity(NamedTuple):
    """A number with the label that it has in a list, or the name that it belongs to, and where that stands."""

    quantity: Quantity
    label: str
    start: int
    end: int


def labelled_lists(numbers: PassageNumbers) -> list[list[LabelledQuantity]]:
    """Return the runs of numbers of one sort that stand in one sentence, each number with its label."""
    groups: list[list[LabelledQuantity]] = []
    last: Quantity | None = None
    members = [
        number
        for number in numbers.quantities
        if number.sort in (Sort.PERCENT, Sort.MONEY) or (number.sort is Sort.CARDINAL and not number.unit)
    ]
    percents = [number for number in members if number.sort is Sort.PERCENT]
    for quantity in percents if len(percents) >= 3 else members:
        between = numbers.text[last.end : quantity.start] if last is not None else ""
        if last is None or last.sort is not quantity.sort or sentence_end("labels").search(between):
            groups.append([])
        groups[-1].append(_label_quantity(numbers.text, quantity))
        last = quantity
    return groups


def _label_quantity(text: str, quantity: Quantity) -> LabelledQuantity:
    """Return a number with its label: what stands behind it up to a comma, or before it where it stands in parentheses."""
    opened = text[max(0, quantity.start - 1) : quantity.start] == "("
    if opened and not _LABEL_BEHIND_PARENTHESES.match(text, quantity.end):
        offset, nowhere = max(0, quantity.start - 80), quantity.start
        match = _LABEL_BEFORE.search(text[offset : quantity.start - 1])
    else:
        offset, nowhere = 0, quantity.end
        match = _LABEL_BEHIND.match(text, quantity.end)
    if match is None:
        return LabelledQuantity(quantity, "", nowhere, nowhere)
    label, start = _COMMON_LABEL_WORDS.sub("", match[1]), offset + match.start(1)
    return LabelledQuantity(quantity, label, start, start + len(label))


def measured_events(phrase: str, numbers: PassageNumbers) -> list[LabelledQuantity]:
    """Return the things of a passage of the kind that a phrase names ("touchdown pass", "field goals in the first half").

    Each is a measure in yards with the name of the person that it belongs to, empty where there is none.
    """
    wanted = [
        forms
        for word, forms in _KINDS.items()
        if word in phrase.lower() or any(f" {form}" in f" {phrase.lower()}" for form in forms)
    ]
    if not wanted and _SCORING.search(phrase):
        wanted = [(*_KINDS["field goal"], *_KINDS["touchdown"])]
    if not wanted:
        return []
    text, quarters = numbers.text, _wanted_quarters(phrase)
    events = []
    for quantity in numbers.quantities:
        if quantity.unit not in ("yard", "yards"):
            continue
        # The last quarter that is named before the measure.
        *_, quarter = "", *(match[1] or "overtime" for match in _QUARTER.finditer(text, 0, quantity.start))
        if quarters and _QUARTERS.get(quarter.lower()) not in quarters:
            continue
        # Up to where the next clause begins: "a 23-yard and a 19-yard field goal" have one.
        clause = _CLAUSE_END.split(text[quantity.end : quantity.end + 90], maxsplit=1)[0].lower()
        near = text[max(0, quantity.start - 45) : quantity.end + 45].lower()
        if all(any(form in clause for form in forms) for forms in wanted) and not any(word in near for word in _MISSED):
            name = _find_person(text, quantity, phrase)
            events.append(LabelledQuantity(quantity, *(name or ("", quantity.start, quantity.end))))
    return events


def most_frequent_event(candidates: Sequence[LabelledQuantity], *, least: bool) -> tuple[LabelledQuantity, int] | None:
    """Return the first thing of the name that has most of them, or fewest, with how many; `None` where several have as many."""
    counts = Counter(event.label for event in candidates if event.label)
    ordered = counts.most_common()[:: -1 if least else 1]
    if not ordered or (len(ordered) > 1 and ordered[0][1] == ordered[1][1]):
        return None
    return next(event for event in candidates if event.label == ordered[0][0]), ordered[0][1]


def is_event_of(event: LabelledQuantity, phrase: str) -> bool:
    """Tell whether the name of a thing shares its last word with a phrase."""
    name = operand_stems(event.label)
    return bool(name) and name[-1] in operand_stems(phrase)


def _wanted_quarters(phrase: str) -> tuple[int, ...]:
    lower = phrase.lower()
    for word, number in _QUARTERS.items():
        if f"{word} quarter" in lower:
            return (number,)
        if f"{word} half" in lower:
            return (1, 2) if number == 1 else (3, 4)
    return ()


def _find_person(text: str, quantity: Quantity, phrase: str) -> tuple[str, int, int] | None:
    """Return the full name that a number belongs to, and its place: the name before it, or behind it the receiver of a pass."""
    opened = max((match.end() for match in sentence_end("labels").finditer(text, 0, quantity.start)), default=0)
    closed = sentence_end("labels").search(text, quantity.end)
    closing = closed.start() if closed else len(text)
    throws = any(word in phrase.lower() for word in ("threw", "throw", "quarterback", "qb", "passer"))
    if not throws:
        behind = _TO_NAME.search(text, quantity.end, min(closing, quantity.end + 110))
        if behind is not None and "pass" not in text[quantity.end : behind.start() + 1].lower():
            behind = None
        behind = behind or _BY_NAME.search(text, quantity.end, min(closing, quantity.end + 60))
        if behind is not None and "yard" not in text[quantity.end : behind.start()]:
            return _surnames(text).get(behind[1], behind[1]), behind.start(1), behind.end(1)
    taken = {match.start(1) for match in _TO_NAME.finditer(text, opened, quantity.start)} if throws else set()
    for match in reversed(list(_NAME.finditer(text, opened, quantity.start))):
        known = " " in match[0] or match[0] in _surnames(text)
        takes = throws and _BEFORE_RECEIVER.search(text, max(0, match.start() - 12), match.start()) is not None
        if known and match[0].split()[0] not in _NO_NAMES and match.start() not in taken and not takes:
            return _surnames(text).get(match[0], match[0]), match.start(), match.end()
    return None


@lru_cache(maxsize=8)
def _surnames(text: str) -> dict[str, str]:
    """Return the last names of the persons of a passage, each with its full name as the passage first has it."""
    surnames: dict[str, str] = {}
    for match in _NAME.finditer(text):
        words = match[0].split()
        if len(words) > 1 and words[0] not in _NO_NAMES:
            surnames.setdefault(words[-1], match[0])
    return surnames

"""Numbers with their labels and names: the label in a list, the person of a measure ("Elam got a 23-yard field goal")."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from graph.text.sentences import sentence_end
from kgqa.quantities.quantity import Quantity, Sort
from kgqa.readers.numeric.operands import PassageNumbers, operand_stems


@dataclass(frozen=True, slots=True)
class LabelledQuantity:
    """A number of a list with its label, and where the label stands."""

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
        groups[-1].append(label_quantity(numbers.text, quantity))
        last = quantity
    return groups


def label_quantity(text: str, quantity: Quantity) -> LabelledQuantity:
    """Return a number with its label: what stands behind it up to a comma, or before it where it stands in parentheses."""
    opened = text[max(0, quantity.start - 1) : quantity.start] == "("
    if opened and not _goes_on().match(text, quantity.end):
        before = _before().search(text[max(0, quantity.start - 80) : quantity.start - 1])
        label = _bare_label(before[1]) if before else ""
        start = max(0, quantity.start - 80) + before.start(1) if before else quantity.start
        return LabelledQuantity(quantity, label, start, start + len(label))
    match = _behind().match(text, quantity.end)
    if match is None:
        return LabelledQuantity(quantity, "", quantity.end, quantity.end)
    label = _bare_label(match[1])
    return LabelledQuantity(quantity, label, match.start(1), match.start(1) + len(label))


def _bare_label(label: str) -> str:
    """Return a label without the words that belong to all of a list: "Polish people", "45 to 64 years old"."""
    return _common().sub("", label)


def find_person(text: str, quantity: Quantity, phrase: str) -> tuple[str, int, int] | None:
    """Return the full name that a number belongs to, and its place: the name before it, or behind it the receiver of a pass."""
    opened = max((match.end() for match in sentence_end("labels").finditer(text, 0, quantity.start)), default=0)
    closed = sentence_end("labels").search(text, quantity.end)
    closing = closed.start() if closed else len(text)
    throws = any(word in phrase.lower() for word in ("threw", "throw", "quarterback", "qb", "passer"))
    if not throws:
        behind = _to_name().search(text, quantity.end, min(closing, quantity.end + 110))
        if behind is not None and "pass" not in text[quantity.end : behind.start() + 1].lower():
            behind = None
        behind = behind or _by_name().search(text, quantity.end, min(closing, quantity.end + 60))
        if behind is not None and "yard" not in text[quantity.end : behind.start()]:
            return _full_name(text, behind[1]), behind.start(1), behind.end(1)
    taken = {match.start(1) for match in _to_name().finditer(text, opened, quantity.start)} if throws else set()
    for match in reversed(list(_name().finditer(text, opened, quantity.start))):
        first = match[0].split()[0]
        known = " " in match[0] or match[0] in _surnames(text)
        takes = throws and _taker().search(text, max(0, match.start() - 12), match.start()) is not None
        if known and first not in _NO_NAMES and match.start() not in taken and not takes:
            return _full_name(text, match[0]), match.start(), match.end()
    return None


def _full_name(text: str, name: str) -> str:
    """Return the full name of a last name that stands alone, as the passage first has it."""
    return name if " " in name else _surnames(text).get(name, name)


@lru_cache(maxsize=8)
def _surnames(text: str) -> dict[str, str]:
    """Return the last names of the persons of a passage, each with its full name."""
    surnames: dict[str, str] = {}
    for match in _name().finditer(text):
        words = match[0].split()
        if len(words) > 1 and words[0] not in _NO_NAMES:
            surnames.setdefault(words[-1], match[0])
    return surnames


_NO_NAMES = frozenset(
    "The In With After However But And Then On At For Week During Late Early Later NFL This That He She It They".split()
)
_PERSON = r"(?:[A-Z]\. ?)*[A-Z][a-z][\w'’-]*(?: (?:[A-Z]\. ?)*[A-Z][\w’-]*[a-z][\w’-]*)*"


@cache
def _name() -> re.Pattern[str]:
    return re.compile(rf"\b{_PERSON}")


@cache
def _taker() -> re.Pattern[str]:
    """Find what stands before the name of who takes a pass."""
    return re.compile(r"\b(?:WR|TE|RB|FB|receiver|end|back|hits?|hitting|found|finding|with|to)\s+$")


@cache
def _to_name() -> re.Pattern[str]:
    return re.compile(rf"\bto\b(?: [a-z]+| [A-Z]{{2}}| former| \d+ers)* ({_PERSON})")


@cache
def _by_name() -> re.Pattern[str]:
    return re.compile(rf"\b(?:by|from)\b(?: [a-z]+| [A-Z]{{1,2}})* ({_PERSON})")


@cache
def _behind() -> re.Pattern[str]:
    lead = r"\s*(?:\((?:[^()]*)\)|\))?\s*(?:of (?:the )?(?:population|people|residents|households)\s+)?"
    lead += r"(?:(?:were|was|are|is|from|who|aged|being|of|had|those)\s+)*"
    return re.compile(lead + r"([^,.;()]+?)(?=\s*(?:,? and [\d.]+ ?%|[,;(]|\.(?:\s|$)|$))")


@cache
def _goes_on() -> re.Pattern[str]:
    """Find that the label stands behind the parentheses: "5,841 people (25.3%) under age 18"."""
    return re.compile(r"\) (?:under|age|aged|from|between|over|were|who|of)\b")


@cache
def _common() -> re.Pattern[str]:
    return re.compile(r" (?:people|years old|year olds?|residing|living)\b.*$")


@cache
def _before() -> re.Pattern[str]:
    return re.compile(r"(?:^|[,;:.)]|\band\b|\bare\b|\bis\b|\bin\b)\s*(?:and |the )*([^,;:.()]+?)\s*$")


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
    """A measured thing, and the name that it belongs to, with its place."""

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
    """Return the last quarter that is named before a place, 0 where none is."""
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

"""What stands beside a number: its label in a list of numbers, and the name of whom it is told."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from kgqa.quantities.model import Quantity, Sort
from kgqa.reading.reckoning.operands import PassageNumbers


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
        if last is None or last.sort is not quantity.sort or _sentence_end().search(between):
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
    """Return the full name of whom a number is told, and its place: the one before it, or behind it who took a pass."""
    opened = max((match.end() for match in _sentence_end().finditer(text, 0, quantity.start)), default=0)
    closed = _sentence_end().search(text, quantity.end)
    sentence_end = closed.start() if closed else len(text)
    throws = any(word in phrase.lower() for word in ("threw", "throw", "quarterback", "qb", "passer"))
    if not throws:
        behind = _to_name().search(text, quantity.end, min(sentence_end, quantity.end + 110))
        if behind is not None and "pass" not in text[quantity.end : behind.start() + 1].lower():
            behind = None
        behind = behind or _by_name().search(text, quantity.end, min(sentence_end, quantity.end + 60))
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
    """Return the full name of a last name that is told alone, as the passage has it first."""
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
def _sentence_end() -> re.Pattern[str]:
    return re.compile(r"(?<![A-Z])[.!?](?=\s+[A-Z\"]|$)")


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

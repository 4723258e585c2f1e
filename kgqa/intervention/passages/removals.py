"""Events taken out of a row of dated ones: who would have been the last, the first or the next one without that of another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kgqa.intervention.passages.asked import Sought
from kgqa.intervention.passages.names import Name, names, stems_of
from kgqa.intervention.passages.problem import Problem, Solution, solution
from kgqa.intervention.passages.script import Edit, Operation, Script
from kgqa.intervention.passages.successions import LIGHT, Kind, Turn, act, same, turns
from kgqa.intervention.passages.words import stem, words
from kgqa.quantities.model import Date, Quantity, Sort
from kgqa.quantities.reading import read
from kgqa.quantities.spelling import BELOW_HUNDRED, ORDINALS

ORDERS = {
    "last": r"last|latest|most recent(?:ly)?|final",
    "first": r"first|earliest",
    "next": r"next",
    "previous": r"previous(?:ly)?|preceding",
    "only": r"only(?: one)?|sole",
}
"""The places in a row that can be asked for, besides the second, third and so on from its beginning."""
_TAIL = r"(?=(?:\s[\w’'\-]+){0,5}?(?:\s(?:to|who|that|before|after|by|until|till|in|since|between|of|from|up|during)\b|$))"
_ORDER = re.compile(
    rf"\b(?:{'|'.join(f'(?P<{name}>{said})' for name, said in ORDERS.items())}|(?P<nth>[a-z]+|\d+(?:st|nd|rd|th)))\b{_TAIL}",
    re.IGNORECASE,
)
BOUNDS = {
    "before": r"before|prior to|earlier than|ahead of",
    "until": r"until|till|up to|by(?: the end of)?",
    "after": r"after|following|later than",
    "since": r"since|from",
    "between": r"between",
    "in": r"in|during|of|within",
}
"""How a date bounds a row."""
_BOUND = re.compile(
    rf"\b(?:{'|'.join(f'(?P<{name}>{said})' for name, said in BOUNDS.items())})\s(?:the\s(?:year\s|end of\s)?)?$", re.IGNORECASE
)
_GONE = re.compile(
    r"\b(?:withdr[ae]w\w*|disqualif\w*|dropped out|removed|excluded|stripped|lost|retired)\b|^without\b|^but for\b", re.IGNORECASE
)
_VERB = re.compile(r"(?:\b(?:not|never)|n['’]t)\s+(?:have\s+|ever\s+)?(?:(?:been|be)\s+)?(?P<verb>[a-z]+)\b", re.IGNORECASE)
_TO = re.compile(r"\bto\s(?:have\s)?(?:been\s|be\s)?(?P<verb>[a-z]+)\b|\b(?:have)\s(?:been\s)?(?P<past>[a-z]+)\b", re.IGNORECASE)
_RECIPIENT = re.compile(r"\b(?:by|to)\s(?:the\s)?$", re.IGNORECASE)
_WOMEN, _MEN = (
    re.compile(rf"\b(?:{said})\b", re.IGNORECASE) for said in ("woman|women|female|she|her|hers", "man|men|male|he|his|him")
)


class Within(NamedTuple):
    """The part of a row that is asked of, as its first and its last date, and how the question says it."""

    low: Date | None = None
    high: Date | None = None
    open_low: bool = False
    open_high: bool = False
    said: str = ""

    def has(self, date: Date) -> bool:
        """Tell whether a date is in it, each bound as precise as it is told."""
        if self.low is not None:
            mine, bound = _as(date, self.low), _key(self.low)
            if mine < bound or (self.open_low and mine == bound):
                return False
        if self.high is not None:
            mine, bound = _as(date, self.high), _key(self.high)
            if mine > bound or (self.open_high and mine == bound):
                return False
        return True


def removed(problem: Problem) -> Iterator[Solution]:
    """Yield who has the place in a row of dated events that is asked for, after the event of one was taken out of it."""
    asked = problem.asked
    order = _order(asked.main)
    if problem.sought is not Sought.NAME or order is None or asked.changes or not (asked.negated or _GONE.search(asked.clause)):
        return
    for who in _candidates(asked.clause):
        rest = f"{asked.clause.replace(who.text, ' ')} . {asked.main}"
        row = turns(problem.passages, _kind(asked.clause, who, asked.main, rest))
        gone = _of(row, who, asked.clause)
        if gone:
            made = _read_off(problem, row, gone, *order)
            if made is not None:
                yield made
            return


def _order(main: str) -> tuple[str, int] | None:
    """Return the place that a main clause asks for, with its number where it is counted from the beginning."""
    if re.search(r"\b(?:not|never)\b|n['’]t\b", main):
        return None
    for match in _ORDER.finditer(main):
        if match["nth"] is None:
            return str(match.lastgroup), 1
        said = match["nth"].lower()
        digits = re.match(r"\d+(?=st|nd|rd|th)", said)
        place = int(digits[0]) if digits else BELOW_HUNDRED.get(ORDINALS.get(said, ""), 0)
        if place > 1:
            return "first", place
    return None


def _candidates(clause: str) -> Sequence[Name]:
    """Return the names whose event a clause may deny: one that something was done by or went to, then its first."""
    found = [name for name in names(clause) if name.stems]
    late = [name for name in found[1:] if _RECIPIENT.search(clause[: name.start])]
    return (*late, *found[:1])


def _kind(clause: str, who: Name, main: str, rest: str) -> Kind:
    """Return which events a question is on: by the verb that is denied and that of the main clause, and by their nouns."""
    verbs = [match["verb"] for match in [_VERB.search(clause)] if match is not None]
    verbs += re.findall(r"\b([a-z]+ing)\b", clause) if not verbs else []
    verbs += [match["verb"] or match["past"] for match in _TO.finditer(main)]
    acts = frozenset(act(verb) for verb in verbs if stem(verb) not in ("the", "a", "an") and verb.lower() != "been")
    acts |= {act(word.text) for word in words(main) if act(word.text) != word.stem}
    behind = re.compile(r"\b(?:after|before)\s(?:the\s)?$", re.IGNORECASE)
    kept = {one for name in names(main) if behind.search(main[: name.start]) for one in name.stems}
    return Kind(acts or LIGHT, stems_of(rest), (stems_of(rest) | acts) - kept - who.stems)


def _of(row: Sequence[Turn], who: Name, clause: str) -> list[Turn]:
    """Return the events of one that a clause denies: that of the date which it tells, else all of them."""
    own = [one for one in row if same(one.holder, who)]
    told = list(_dates(clause))
    return [one for one in own if not told or any(_as(one.date, date) == _key(date) for date, *_ in told)]


def _dates(text: str) -> Iterator[tuple[Date, Date, int, int]]:
    """Yield the dates, decades and centuries of a text with their first and last year or day, and their places."""
    for item in read(text, ranges=False):
        if isinstance(item, Date) and item.year:
            yield item, item, item.start, item.end
        elif isinstance(item, Quantity) and item.sort is Sort.YEAR and int(item.value):
            yield Date(int(item.value)), Date(int(item.value)), item.start, item.end
        elif isinstance(item, Quantity) and item.sort in (Sort.DECADE, Sort.CENTURY):
            century = item.sort is Sort.CENTURY
            low = int(item.value - 1) * 100 + 1 if century else int(item.value)
            yield Date(low), Date(low + (99 if century else 9)), item.start, item.end


def _within(main: str, row: Sequence[Turn]) -> Within:
    """Return the bounds that a main clause sets by dates, or by one of the row ("after Senna")."""
    found = Within()
    marks = [(low, high, start, end) for low, high, start, end in _dates(main)]
    for name in names(main):
        of = [one for one in row if same(one.holder, name)]
        if len(of) == 1:
            marks.append((of[0].date, of[0].date, name.start, name.end))
    marks.sort(key=lambda mark: mark[2])
    for place, (low, high, start, end) in enumerate(marks):
        bound = _BOUND.search(main[:start])
        if bound is None:
            continue
        how, said = bound.lastgroup, f"{found.said} {main[bound.start() : end]}".strip()
        if how in ("before", "until"):
            found = found._replace(high=low if how == "before" else high, open_high=how == "before", said=said)
        elif how in ("after", "since"):
            found = found._replace(low=high if how == "after" else low, open_low=how == "after", said=said)
        elif how == "between" and place + 1 < len(marks):
            found = Within(low, marks[place + 1][1], said=main[bound.start() : marks[place + 1][3]])
        elif how == "in":
            found = Within(low, high, said=said)
    return found


def _read_off(problem: Problem, row: Sequence[Turn], gone: Sequence[Turn], order: str, place: int) -> Solution | None:
    """Return who has the place in what is left; `None` where nobody has it, two have, or the same one as before."""
    main = problem.asked.main
    within = _within(main, row)
    if order in ("next", "previous") and not within.said:
        date = gone[0].date
        within = Within(low=date, open_low=True) if order == "next" else Within(high=date, open_high=True)
    there = [one for one in row if within.has(one.date) and not _other_sex(one, main)]
    left = [one for one in there if one not in gone]
    backwards = order in ("last", "previous")
    ranked = left[::-1] if backwards else left
    if len(ranked) < place or (order == "only" and len({one.holder.stems for one in left}) > 1):
        return None
    first = ranked[place - 1]
    if any(same(one.holder, first.holder) for one in gone):
        return None
    if sum(_key(one.date) == _key(first.date) and not same(one.holder, first.holder) for one in left):
        return None
    former = (there[::-1] if backwards else there)[place - 1]
    sure = 0.5 if order not in ("next", "previous", "only") and same(former.holder, first.holder) else 0.9
    edits = tuple(Edit(Operation.REMOVE, f"event of {one.holder.text}", "", one.fact.text) for one in gone)
    told = [f"{one.holder.text} {one.fact.text} → gone" for one in gone]
    others = ", ".join(f"{one.holder.text} {one.fact.text}" for one in left)
    told.append(f"left {within.said}".rstrip() + f": {others}")
    name = first.holder
    return solution(name.text, first.passage, name.start, name.end, Script(edits), "row: remove", (sure,), "; ".join(told))


def _other_sex(one: Turn, main: str) -> bool:
    """Tell whether a question asks for a woman, or a man, and the sentence of an event tells of the other."""
    said = one.passage.sentence_of(one.fact)
    women, men = (pattern.search(main) is not None for pattern in (_WOMEN, _MEN))
    other = _MEN if women and not men else _WOMEN if men and not women else None
    own = _WOMEN if women else _MEN
    return other is not None and other.search(said) is not None and own.search(said) is None


def _key(date: Date) -> tuple[int, int, int]:
    return date.year, date.month, date.day


def _as(date: Date, other: Date) -> tuple[int, int, int]:
    """Return a date as precise as another one is."""
    return date.year, date.month if other.month else 0, date.day if other.day else 0

"""Numbers that stand with a name: in its sentence, and not on the other side of another name that is asked about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise

from kgqa.quantities.model import Quantity
from kgqa.reading.reckoning.operands import Numbers, Word, stem, stems

Span = tuple[int, int]
_POINTERS = frozenset(stem(word) for word in ("those", "these", "that", "ones"))


def names(phrases: Sequence[str], numbers: Numbers) -> list[frozenset[str]] | None:
    """Return the words of each phrase that name its thing and no other's; `None` where not every phrase has a name.

    A name has a capital in the phrase, or wherever the passage has it, save at the beginning of a sentence. Where the thing is
    ("Poles in Riga") is not its name.
    """
    proper = _proper(numbers)
    of_phrases = []
    for phrase in phrases:
        capitals = proper.union(stem(word) for word in _capital().findall(phrase))
        pieces = [capitals.intersection(stems(piece)) for piece in _where().split(phrase)]
        of_phrases.append(next((piece for piece in pieces if piece), frozenset()))
    own = [
        of_phrase.difference(*(other for place, other in enumerate(of_phrases) if place != at))
        for at, of_phrase in enumerate(of_phrases)
    ]
    return own if len(own) > 1 and all(own) else None


def bare(phrases: Sequence[str], named: Sequence[frozenset[str]], shared: str) -> tuple[list[str], str]:
    """Return the phrases and what they share: names only, where one of them is a name and nothing more ("votes for A than B")."""
    if not any(name.issuperset({*stems(phrase)} - _POINTERS) for phrase, name in zip(phrases, named, strict=True)):
        return list(phrases), shared
    said = frozenset[str]().union(*named)
    common = " ".join(word for phrase in (shared, *phrases) for word in phrase.split() if not said & set(stems(word)))
    return [" ".join(sorted(name)) for name in named], common


def standing(named: Sequence[frozenset[str]], allowed: Sequence[Quantity], numbers: Numbers) -> list[list[list[Quantity]]]:
    """Return the ways in which numbers can stand with names, each with the numbers of every name.

    A sentence that tells all names in one manner ("A got 271 and B 266", "A and B got 271 and 266 respectively") is a way of
    its own; the last way is all the numbers that stand in a sentence with a name, and with no other name between.
    """
    ways: list[list[list[Quantity]]] = []
    anywhere: list[list[Quantity]] = [[] for _ in named]
    for begin, end in sentences(numbers.text):
        here = [quantity for quantity in allowed if begin <= quantity.start < end]
        if not here:
            continue
        inside = [word for word in numbers.words if begin <= word.start < end]
        marks = [_marks(name, inside) for name in named]
        told = _in_turn(numbers.text[begin:end], begin, here, marks) or _alike(numbers.text, here, marks)
        if told is not None:
            ways.append([[one] for one in told])
        for place, own in enumerate(marks):
            others = [word for at, several in enumerate(marks) if at != place for word in several]
            open_to = [quantity for quantity in here if any(_open(quantity, mark, others) for mark in own)]
            anywhere[place] += open_to if told is None else [told[place]]
    return [*ways, anywhere]


def together(chosen: Sequence[Quantity], text: str) -> bool:
    """Tell whether numbers stand in one sentence."""
    return any(all(begin <= quantity.start < end for quantity in chosen) for begin, end in sentences(text))


def _marks(name: frozenset[str], inside: Sequence[Word]) -> list[Word]:
    """Return the words of a sentence that name a thing: where most of the name's words stand together."""
    found = [
        (len({other.stem for other in inside[max(0, place - 2) : place + 3]} & name), word)
        for place, word in enumerate(inside)
        if word.stem in name
    ]
    return [word for most, word in found if most == max(found, key=lambda one: one[0])[0]]


def _alike(text: str, here: Sequence[Quantity], marks: Sequence[Sequence[Word]]) -> list[Quantity] | None:
    """Return the numbers of names that each stand directly behind their number, or each before it, but not both."""
    if not all(marks):
        return None
    behind = [_next_to(text, here, own, ahead=True) for own in marks]
    before = [_next_to(text, here, own, ahead=False) for own in marks]
    sound = [way for way in (behind, before) if None not in way and len({one.start for one in way if one}) == len(marks)]
    return [one for one in sound[0] if one] if len(sound) == 1 else None


def _next_to(text: str, here: Sequence[Quantity], marks: Sequence[Word], ahead: bool) -> Quantity | None:
    """Return the number that stands next to a name with no comma and no "and" between, behind it (`ahead`) or before it."""
    for mark in marks if not ahead else reversed(marks):
        if ahead:
            near = next((one for one in here if one.start >= mark.end), None)
        else:
            near = next((one for one in reversed(here) if one.end <= mark.start), None)
        if near is None:
            continue
        between = text[mark.end : near.start] if ahead else text[near.end : mark.start]
        if not _parted().search(between):
            return near
    return None


@lru_cache(maxsize=8)
def sentences(text: str) -> tuple[Span, ...]:
    """Return where the sentences of a text begin and end; an initial ("George W. Bush") ends none."""
    ends = [0, *(match.end() for match in _end().finditer(text)), len(text)]
    return tuple(pairwise(ends))


def _open(quantity: Quantity, mark: Word, others: Sequence[Word]) -> bool:
    """Tell whether no other name stands between a number and a name."""
    low, high = sorted((quantity.start, mark.start))
    return not any(low < other.start < high for other in others)


def _in_turn(sentence: str, begin: int, here: Sequence[Quantity], marks: Sequence[Sequence[Word]]) -> list[Quantity] | None:
    """Return the numbers of names that are listed like them: "A, B and C had 3, 4 and 5 respectively"."""
    if not _respectively().search(sentence) or not all(marks):
        return None
    listed = _rows([(quantity.start - begin, quantity.end - begin) for quantity in here], sentence)
    for row in _series().finditer(sentence):
        parts = [(begin + row.start() + start, begin + row.start() + end) for start, end in _pieces(row[0])]
        places = [_place_of(own, parts) for own in marks]
        for numbers in listed:
            if len(numbers) == len(parts) and None not in places and len(set(places)) == len(places):
                return [here[numbers[place]] for place in places if place is not None]
    return None


def _place_of(marks: Sequence[Word], parts: Sequence[Span]) -> int | None:
    return next((place for place, part in enumerate(parts) for mark in marks if part[0] <= mark.start < part[1]), None)


def _rows(spans: Sequence[Span], sentence: str) -> list[list[int]]:
    """Return the places of numbers that stand in a row, with no more than commas, "and" and two words between them."""
    rows: list[list[int]] = []
    for place, span in enumerate(spans):
        joined = place and _joint().fullmatch(sentence, spans[place - 1][1], span[0])
        if joined:
            rows[-1].append(place)
        else:
            rows.append([place])
    return rows


def _pieces(row: str) -> list[Span]:
    """Return where the things of a row stand, which commas and "and" part."""
    ends = [(match.start(), match.end()) for match in _parting().finditer(row)]
    begins = [0, *(end for _, end in ends)]
    return list(zip(begins, [*(start for start, _ in ends), len(row)], strict=True))


def _proper(numbers: Numbers) -> frozenset[str]:
    """Return the words that a passage writes with a capital wherever they stand within a sentence."""
    begins = {begin for begin, _ in sentences(numbers.text)}
    high: set[str] = set()
    low: set[str] = set()
    for word in numbers.words:
        if word.start in begins:
            continue
        (high if numbers.text[word.start].isupper() else low).add(word.stem)
    return frozenset(high - low)


@cache
def _capital() -> re.Pattern[str]:
    return re.compile(r"\b[^\W\d_a-zß-öø-ÿ][^\W\d_]+")


@cache
def _where() -> re.Pattern[str]:
    return re.compile(r"\b(?:in|at|on|of|from|during|for|according)\b", re.IGNORECASE)


@cache
def _end() -> re.Pattern[str]:
    return re.compile(r"(?<!\b[A-Z])(?<!\bMr)(?<!\bDr)(?<!\bSt)[.!?;][\"”’)]*\s+")


@cache
def _respectively() -> re.Pattern[str]:
    return re.compile(r"\brespectively\b", re.IGNORECASE)


_THING = r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3}?"


@cache
def _series() -> re.Pattern[str]:
    return re.compile(rf"[A-Z][\w.'’-]*(?: [\w.'’-]+){{0,3}}?(?:, {_THING})*,? and (?:the )?[\w.'’-]+(?: [A-Z][\w.'’-]*)*")


@cache
def _parting() -> re.Pattern[str]:
    return re.compile(r",? and |, ")


@cache
def _parted() -> re.Pattern[str]:
    return re.compile(r"[,;:]|\b(?:and|but|while|whereas|to|than)\b")


@cache
def _joint() -> re.Pattern[str]:
    return re.compile(r"(?: [\w-]+){0,2}?(?:,| and|, and)(?: [^\W\d_][\w-]*)? ?[$€£]?")

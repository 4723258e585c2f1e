"""Who has which value: names of a passage with their heights, counts or prices, by what is measured."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kgqa.intervention.passages.facts import Fact, Reading, counted_stems
from kgqa.intervention.passages.names import Name, alike, names, stems_of
from kgqa.quantities.model import Quantity, Sort
from kgqa.quantities.units import Unit, unit_of

_BETWEEN = re.compile(r";|,\s(?:and|while|whereas|but|followed by)\s|\bwhile\b|\bwhereas\b")
_BEFORE = re.compile(r"\b(?:in|at|on|of|from|by|for|near|to|than|across|through|over)\s(?:the\s|an?\s)?$", re.IGNORECASE)
_POINTS_BACK = re.compile(r"^[\"“(]*(?:It|Its|He|His|She|Her|They|Their|This|That|The)\b")
_ELIDED = re.compile(r"^\s*(?:[.,;:)]|and\b|or\b|while\b|$)")


@dataclass(frozen=True, slots=True, eq=False)
class Holder:
    """A name with a value in the first unit of its measure, where it stands, and how well its words fit what is asked."""

    name: Name
    value: Fraction
    fact: Fact
    passage: Reading
    fit: int = 0


@dataclass(frozen=True, slots=True)
class _Told:
    """A value with its measure: "length", "money", or what is counted ("count gold medal"), and its unit, told or left out."""

    fact: Fact
    measure: str
    unit: Unit | None


def holders(passages: Sequence[Reading], said: frozenset[str]) -> dict[str, list[Holder]]:
    """Return the names that have a value, by what is measured; of several values of a name the one that `said` fits best."""
    of: dict[str, list[Holder]] = {}
    for passage in passages:
        found = names(passage.text)
        told = list(_told(passage))
        for at, one in enumerate(told):
            earlier = [
                other.fact.end for other in told[:at] if other.measure == one.measure and other.fact.sentence == one.fact.sentence
            ]
            name, start = _owner(passage, one.fact, found, max(earlier, default=0))
            if name is None:
                continue
            name = full_name(name, found)
            value = one.fact.value
            assert isinstance(value, Quantity)
            factor = one.unit.factor if one.unit is not None else Fraction(1)
            fit = len(said & (stems_of(passage.text[start : one.fact.end + 25]) - name.stems))
            _put(of.setdefault(one.measure, []), Holder(name, value.value * factor, one.fact, passage, fit))
    return of


def _put(there: list[Holder], made: Holder) -> None:
    """Add a value, or put it in the place of a worse one of the same name."""
    for at, one in enumerate(there):
        if alike(made.name.stems, one.name.stems) > 0.5 or alike(one.name.stems, made.name.stems) > 0.5:
            if made.fit > one.fit:
                there[at] = made
            return
    there.append(made)


def _told(passage: Reading) -> Iterator[_Told]:
    """Yield the values of a passage with their measures; one without unit or noun is of the measure of the one before it."""
    before: _Told | None = None
    for fact in passage.facts:
        value = fact.value
        if not isinstance(value, Quantity) or value.sort in (Sort.ORDINAL, Sort.TIME, Sort.CENTURY):
            continue
        if value.spelt and value.value == 1:
            continue  # "one of 9.6 million"
        nouns = counted_stems(fact, passage)
        unit = unit_of(value.unit) if value.unit and value.sort is not Sort.MONEY else None
        if value.sort in (Sort.MONEY, Sort.PERCENT):
            measure = value.sort.value
        elif unit is not None:
            measure = unit.measures
        elif (
            before is not None and before.fact.sentence == fact.sentence and _ELIDED.match(passage.text[fact.end : fact.end + 8])
        ):
            measure, unit = before.measure, before.unit
        elif nouns:
            measure = f"count {' '.join(nouns[:2])}"
        else:
            continue
        before = _Told(fact, measure, unit)
        yield before


def _owner(passage: Reading, fact: Fact, found: Sequence[Name], earlier: int) -> tuple[Name | None, int]:
    """Return the name that a value belongs to, and where the words begin that are on it.

    It is the last name before a bracket in which the value stands, else the first of its clause, rather one that follows no
    preposition; where there is none, and the sentence points back, the first of the sentence before; else the first behind it.
    """
    start, end = passage.sentences[fact.sentence]
    found = [without_value(name, fact) for name in found if name.stems and not fact.start <= name.start < fact.end]

    def behind_preposition(name: Name) -> bool:
        return _BEFORE.search(passage.text[start : name.start]) is not None

    bracket = passage.text.rfind("(", start, fact.start)
    if bracket > passage.text.rfind(")", start, fact.start):
        ahead = [name for name in found if max(start, earlier) <= name.start and name.end <= bracket]
        if ahead:
            name = max(ahead, key=lambda name: (not behind_preposition(name), name.start))
            return name, name.start
    text = passage.text[start : fact.start]
    cuts = [start + place.end() for place in _BETWEEN.finditer(text)]
    for low in (max([start, earlier, *cuts]), max(start, earlier)):
        inside = [name for name in found if low <= name.start and name.end <= fact.start]
        if inside:
            return min(inside, key=lambda name: (behind_preposition(name), name.start)), low
    if fact.sentence and not earlier and _POINTS_BACK.match(text):
        low, high = passage.sentences[fact.sentence - 1]
        return next((name for name in found if low <= name.start < high), None), start
    return next((name for name in found if fact.end <= name.start < end), None), fact.start


def full_name(name: Name, found: Sequence[Name]) -> Name:
    """Return the longer form of a name of one word, where the passage has one that ends with it ("Phelps")."""
    longer = (one for one in found if one.text.endswith(f" {name.text}") and len(one.text.split()) <= 3)
    return name if " " in name.text else next(longer, name)


def without_value(name: Name, fact: Fact) -> Name:
    """Return a name without the value that stands at its end ("China 26")."""
    if not name.start < fact.start < name.end:
        return name
    text = name.text[: fact.start - name.start].rstrip()
    return Name(text, name.start, name.start + len(text), stems_of(text))

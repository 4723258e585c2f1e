"""Which fact of a passage an "if" is about: how well each fits the question, by features whose weights are fitted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from kgqa.intervention.passages.asked import COUNTED, Sought
from kgqa.intervention.passages.events import kinds_of
from kgqa.intervention.passages.facts import Fact, Reading, rarity
from kgqa.intervention.passages.parts import counted_by, verbs_of
from kgqa.intervention.passages.words import stem, words
from kgqa.quantities.model import Date, Quantity, Sort
from kgqa.quantities.reading import read
from kgqa.quantities.units import Unit, unit_of
from kgqa.reading.model import Candidate, Kind

FEATURES = (
    "overlap",  # how much of what the question says stands in the fact's sentence
    "near",  # how near to the fact it stands
    "nearest",  # how near the next word of the question stands
    "event",  # a word of the same kind of event stands near
    "event_gap",  # how far away that is
    "told",  # the value stands in the question
    "noun",  # the number counts what the question asks for
    "noun_head",  # ... right behind the number
    "sort",  # the fact is of the sort that is asked for
    "fine",  # the date is as precise as the answer must be
    "day",  # the date has a day
    "first",  # it is the first fact of its sort
    "place",  # how early it stands
    "repeated",  # how often the value stands in the passages
    "read",  # the probability that a reader gives the place
    "original",  # words of a former state or plan stand before it in its sentence
    "planned",  # such words stand near before it
    "until",  # words of a new state stand right before it
    "changed",  # a change of plan is told behind it
    "done",  # what happened then is told as done
    "range",  # it is an end of a range
    "bracket",  # it stands in brackets
    "one",  # the number is one, or a fraction
    "inherited",  # its year stands elsewhere
    "verb",  # a verb of the question stands near
    "alien",  # a word of another kind of event stands nearest
    "unit",  # the unit is one that the question names
    "named",  # the number is part of a name ("Route 51")
    "total",  # it is said to be all ("a total of 33")
)
"""The features in the order of the weights."""

_FORMER = re.compile(
    r"\b(?:original(?:ly)?|initial(?:ly)?|first|former(?:ly)?|previously|at first|early|scheduled|"
    r"planned|intended|slated|supposed|"
    r"due|set|expected|expecting|anticipated|projected|proposed|was to|were to|meant|aimed|hoped|"
    r"announced|from|instead of|rather than|"
    r"prior to|before|tentatively|targeted)\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:original(?:ly)?|initial(?:ly)?|scheduled|planned|intended|slated|supposed|due|set|expected|"
    r"anticipated|projected|proposed|"
    r"was to|were to|meant|aimed|hoped|tentative(?:ly)?|targeted|instead of|rather than|from|estimated)\b[^.;]{0,60}$",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"^[^.;]{0,60}\b(?:but|however|before|postponed|delayed|rescheduled|moved|pushed|until|though|"
    r"although|to|changed|then|later|reduced|"
    r"extended|increased|cancelled|canceled|due to|because)\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\b(?:was|were|finally|eventually|actually|later|been)\s+(?:\w+ly\s+)?(?:released|opened|"
    r"published|held|completed|launched|aired|played|inaugurated|"
    r"premiered|postponed|delayed|rescheduled|moved|pushed|announced|pushed back)\b[^.;]{0,40}$|"
    r"\b(?:opened|aired|premiered|debuted|launched|began)\s+(?:on|in)\s*$",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"\b(?:total(?:ing|led|ling)?(?: of)?|all|altogether|overall|consist\w*|compris\w*|contain\w*|"
    r"includ\w*|has|have|had|were|are)\s+(?:\w+\s)?$",
    re.IGNORECASE,
)
_NAMED = re.compile(r"[A-Z][\w’'\-]*[\s\-]$|[#/]$|[\"“][^\"“”]{0,30}$")
_LATTER = re.compile(
    r"\b(?:to|until|till|postponed|delayed|rescheduled|moved|pushed|changed|actual(?:ly)?|"
    r"eventual(?:ly)?|finally|instead|now|later|"
    r"brought forward|extended|bumped|shifted|new|but|before being|however)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
_COUNTING = re.compile(
    r"\b(?:how\s+many|how\s+much|(?:number|count|total|tally|amount|sum)\s+(?:of|for))\s+((?:[\w’'\-]+\s*){1,5})", re.IGNORECASE
)
_BEFORE_COUNT = re.compile(r"((?:[\w’'\-]+\s+){1,3})(?:count|total|tally|number)\b", re.IGNORECASE)
_AUXILIARY = frozenset("would could will should did does do is are was were have has had be been it they he she".split())


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a fact must fit: the stems of the question, what is counted, its kinds of event, its values, and its verbs."""

    sought: Sought
    stems: frozenset[str]
    nouns: frozenset[str]
    kinds: frozenset[str]
    told: frozenset[object]
    units: frozenset[Unit]
    precise: bool
    verbs: frozenset[str] = frozenset()


def wanted(clause: str, main: str, sought: Sought, unit: str = "", precise: bool = False, left_out: str = "") -> Wanted:
    """Return what a fact must fit for a question with these clauses; `unit` is what a change adds, `left_out` how it is said."""
    said = words(f"{clause.replace(left_out, ' ') if left_out else clause} . {main}")
    nouns: set[str] = set()
    for pattern in (_COUNTING, _BEFORE_COUNT):
        for found in pattern.finditer(main):
            taken = []
            for word in found[1].split():
                if word.lower() in _AUXILIARY:
                    break
                taken.append(word)
            nouns |= {stem(word) for word in taken}
    nouns |= {word.stem for word in words(unit) if word.telling}
    told: set[object] = set()
    for item in read(f"{clause.replace(left_out, ' ') if left_out else clause} . {main}"):
        told |= {item.value} if isinstance(item, Quantity) else set()
        if isinstance(item, Date):
            told |= {item, item.year}
    telling = [word for word in said if word.telling]
    return Wanted(
        sought,
        frozenset(word.stem for word in telling),
        frozenset(nouns) - {stem(word) for word in ("the", "of", "a", "total", "new", "time", "in", "for", "and")},
        frozenset(kind for word in said for kind in kinds_of(word.stem)),
        frozenset(told),
        frozenset(measure for word in words(main) if len(word.text) > 2 and (measure := unit_of(word.text)) is not None),
        precise,
        verbs_of(clause, main),
    )


def features(
    fact: Fact, passage: Reading, asked: Wanted, weights: dict[str, float], same: int, rank: int, share: float
) -> tuple[float, ...]:
    """Return the features of a fact, in the order of `FEATURES`.

    `weights` is the rarity of each stem, `same` how often the value stands in the passages, `rank` the place among the facts
    that are considered, `share` the probability that a reader gives to it.
    """
    here = [word for word, place in zip(passage.words, passage.places, strict=True) if place == fact.sentence]
    centre = next((at for at, word in enumerate(here) if word.start >= fact.start), len(here))
    matched: dict[str, int] = {}
    for at, word in enumerate(here):
        if word.stem in asked.stems and not fact.start <= word.start < fact.end:
            matched[word.stem] = min(matched.get(word.stem, 999), abs(at - centre))
    whole = sum(weights.get(one, 0.0) for one in asked.stems) or 1.0
    overlap = sum(weights[one] for one in matched) / whole
    near = sum(weights[one] * exp(-gap / 5) for one, gap in matched.items())
    gaps = [abs(at - centre) for at, word in enumerate(here) if kinds_of(word.stem) & asked.kinds]
    gap = min(gaps, default=99)
    others = [abs(at - centre) for at, word in enumerate(here) if (kinds := kinds_of(word.stem)) and not kinds & asked.kinds]
    behind = counted_by(fact, passage, asked.verbs) or () if isinstance(fact.value, Quantity) else ()
    unit = {stem(word) for word in fact.value.unit.split()} if isinstance(fact.value, Quantity) else set()
    start = passage.sentences[fact.sentence][0]
    before, just = passage.text[start : fact.start], passage.text[max(start, fact.start - 40) : fact.start]
    verbs = [
        at
        for at, word in enumerate(here)
        if word.stem in asked.stems and word.text.endswith(("ed", "ing")) and abs(at - centre) <= 8
    ]
    value = fact.value
    number = value if isinstance(value, Quantity) else None
    day = value.day if isinstance(value, Date) else 0
    measure = None if number is None else unit_of(number.unit)
    told = value.value in asked.told if isinstance(value, Quantity) else value in asked.told or value.year in asked.told
    return (
        overlap,
        near,
        exp(-min(matched.values(), default=99) / 5),
        float(gap <= 6),
        exp(-gap / 5),
        float(told),
        len((set(behind) | unit) & asked.nouns) / max(1, len(asked.nouns)),
        float(bool(({*behind[:2]} | unit) & asked.nouns)),
        float(_fits(value, asked.sought)),
        float(_fine(value, asked)),
        float(day > 0),
        float(rank == 0),
        1 / (1 + rank),
        min(same, 4) / 4,
        share,
        float(_FORMER.search(before) is not None),
        float(_PLANNED.search(before) is not None),
        float(_LATTER.search(just) is not None),
        float(_CHANGED.search(passage.text[fact.end : fact.end + 100]) is not None),
        float(_DONE.search(before) is not None),
        float(fact.last),
        float("(" in just and ")" not in just[just.rfind("(") :]),
        float(number is not None and number.value <= 1),
        float(fact.inherited),
        float(bool(verbs)),
        float(bool(others) and min(others) < gap),
        float(measure is not None and measure in asked.units),
        float(number is not None and not unit and number.sort is Sort.CARDINAL and _NAMED.search(just) is not None),
        float(number is not None and _TOTAL.search(just) is not None),
    )


def _fits(value: Quantity | Date, sought: Sought) -> bool:
    if isinstance(value, Date):
        return sought not in COUNTED
    return {
        Sought.MONEY: value.sort is Sort.MONEY,
        Sought.PERCENT: value.sort is Sort.PERCENT,
        Sought.RANK: value.sort is Sort.ORDINAL,
        Sought.TIME: value.sort is Sort.TIME,
        Sought.NUMBER: value.sort in (Sort.CARDINAL, Sort.DURATION),
        Sought.AGE: value.sort in (Sort.CARDINAL, Sort.DURATION),
    }.get(sought, False)


def _fine(value: Quantity | Date, asked: Wanted) -> bool:
    if isinstance(value, Quantity):
        return bool(value.unit) or value.value > 12
    if asked.precise or asked.sought is Sought.WEEKDAY:
        return value.day > 0
    return value.month > 0 if asked.sought in (Sought.MONTH, Sought.DATE) else True


def eligible(value: Quantity | Date, sought: Sought) -> bool:
    """Tell whether a fact can be what an answer of this sort is reckoned from."""
    if isinstance(value, Date):
        return sought in (Sought.YEAR, Sought.DECADE, Sought.CENTURY, Sought.MONTH, Sought.DATE, Sought.WEEKDAY) and (
            bool(value.month) or sought is not Sought.MONTH
        )
    if sought in COUNTED:
        return value.sort in (Sort.CARDINAL, Sort.ORDINAL, Sort.PERCENT, Sort.MONEY, Sort.DURATION) and (
            sought is not Sought.MONEY or value.sort in (Sort.MONEY, Sort.CARDINAL)
        )
    return sought is Sought.TIME and value.sort is Sort.TIME


@dataclass(frozen=True, slots=True)
class Choice:
    """A fact with its passage, its features, and how likely it is the one that is meant among all that could be."""

    fact: Fact
    passage: Reading
    features: tuple[float, ...]
    probability: float = 0.0


def considered(passages: Sequence[Reading], asked: Wanted, candidates: Sequence[Candidate] = ()) -> tuple[Choice, ...]:
    """Return the facts that an answer could be reckoned from, with their features, in the order in which they stand."""
    weights = rarity(passages)
    pairs = [
        (fact, one)
        for one in passages
        for fact in one.facts
        if eligible(fact.value, asked.sought) and counted_by(fact, one, asked.verbs) is not None
    ]
    values = [_key(fact.value) for fact, _ in pairs]
    return tuple(
        Choice(fact, one, features(fact, one, asked, weights, values.count(_key(fact.value)), rank, _share(fact, candidates)))
        for rank, (fact, one) in enumerate(pairs)
    )


def chosen(choices: Sequence[Choice], weights: Sequence[float]) -> tuple[Choice, ...]:
    """Return the choices with their probabilities, likeliest first; of facts with one value the likeliest with all."""
    if not choices:
        return ()
    scores = [sum(weight * feature for weight, feature in zip(weights, one.features, strict=True)) for one in choices]
    top = max(scores)
    shares = [exp(score - top) for score in scores]
    whole = sum(shares)
    of_value: dict[object, tuple[float, float, Choice]] = {}
    for one, share in zip(choices, shares, strict=True):
        key = _key(one.fact.value)
        sofar, best, choice = of_value.get(key, (0.0, -1.0, one))
        of_value[key] = (sofar + share, max(best, share), one if share > best else choice)
    ranked = [Choice(one.fact, one.passage, one.features, share / whole) for share, _, one in of_value.values()]
    return tuple(sorted(ranked, key=lambda one: -one.probability))


def _key(value: Quantity | Date) -> object:
    return (value.year, value.month, value.day) if isinstance(value, Date) else (value.value, value.sort is Sort.MONEY)


def _share(fact: Fact, candidates: Sequence[Candidate]) -> float:
    """Return the probability that readers give to the place of a fact: as the operand, or as the answer before the edit."""
    return sum(
        one.score
        for one in candidates
        if one.kind in (Kind.NUMBER, Kind.SPAN)
        and one.passage == fact.passage
        and one.start is not None
        and one.end is not None
        and one.start < fact.end
        and fact.start < one.end
    )

"""Which number of a passage each phrase of a question means: a log-linear model over the ways to give each phrase a number.

The features of a way are how the words of each phrase stand to its number (directly behind, ahead, in its clause, in its
sentence, nearness), what else stands there, and how the numbers stand to each other. scripts/fit/fit_operands.py fits the
weights.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from graph.text.segmentation import adjoining_spans
from kgqa.calibration.linear_model import load_fitted_model, softmax
from kgqa.quantities.quantity import Quantity, Sort
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES
from kgqa.readers.numeric.operands import PassageNumbers, PassageWord, operand_stem, operand_stems

_POINTERS = frozenset(operand_stem(word) for word in ("those", "these", "that", "ones"))
_THING = r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3}?"
_CAPITAL = re.compile(r"\b[^\W\d_a-zß-öø-ÿ][^\W\d_]+")
_PLACE_WORDS = re.compile(r"\b(?:in|at|on|of|from|during|for|according)\b", re.IGNORECASE)
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
_SERIES = re.compile(rf"[A-Z][\w.'’-]*(?: [\w.'’-]+){{0,3}}?(?:, {_THING})*,? and (?:the )?[\w.'’-]+(?: [A-Z][\w.'’-]*)*")
_SEPARATOR = re.compile(r",? and |, ")
_CLAUSE_BREAK = re.compile(r"[,;:]|\b(?:and|but|while|whereas|to|than)\b")
_PRONOUN = re.compile(r"\s*(?:It|He|She|They|Its|His|Her|Their)\b")
_CLAUSE_JOINT = re.compile(r"[;:]|, (?:and|but|while|whereas)\b")
_ROW_JOINT = re.compile(r"(?: [\w-]+){0,2}?(?:,| and|, and)(?: [^\W\d_][\w-]*)? ?[$€£]?")


def distinctive_names(phrases: Sequence[str], numbers: PassageNumbers) -> list[frozenset[str]] | None:
    """Return the words of each phrase that name its thing and no other's; `None` where not every phrase has a name.

    A name has a capital in the phrase, or wherever the passage has it, save at the beginning of a sentence. Where the thing is
    ("Poles in Riga") is not its name.
    """
    proper = _proper_stems(numbers)
    of_phrases = []
    for phrase in phrases:
        capitals = proper.union(operand_stem(word) for word in _CAPITAL.findall(phrase))
        pieces = [capitals.intersection(operand_stems(piece)) for piece in _PLACE_WORDS.split(phrase)]
        of_phrases.append(next((piece for piece in pieces if piece), frozenset()))
    own = [
        of_phrase.difference(*(rival for place, rival in enumerate(of_phrases) if place != at))
        for at, of_phrase in enumerate(of_phrases)
    ]
    return own if len(own) > 1 and all(own) else None


def reduce_to_names(phrases: Sequence[str], phrase_names: Sequence[frozenset[str]], shared: str) -> tuple[list[str], str]:
    """Return the phrases and what they share: names only, where one of them is a name and nothing more ("votes for A than B")."""
    if not any(name.issuperset({*operand_stems(phrase)} - _POINTERS) for phrase, name in zip(phrases, phrase_names, strict=True)):
        return list(phrases), shared
    name_stems = frozenset[str]().union(*phrase_names)
    common = " ".join(
        word for phrase in (shared, *phrases) for word in phrase.split() if not name_stems & set(operand_stems(word))
    )
    return [" ".join(sorted(name)) for name in phrase_names], common


def quantities_by_name(
    phrase_names: Sequence[frozenset[str]], allowed: Sequence[Quantity], numbers: PassageNumbers
) -> list[list[list[Quantity]]]:
    """Return the ways in which numbers can stand with names, each with the numbers of every name.

    A sentence that gives all names in one construction ("A got 271 and B 266", "A and B got 271 and 266 respectively") is a way
    of its own; the last way is all the numbers that stand in a sentence with a name, and with no other name between.
    """
    ways: list[list[list[Quantity]]] = []
    anywhere: list[list[Quantity]] = [[] for _ in phrase_names]
    told_of: list[int] = []
    for begin, end in adjoining_spans(numbers.text, "names"):
        here = [quantity for quantity in allowed if begin <= quantity.start < end]
        inside = [word for word in numbers.words if begin <= word.start < end]
        marks = [_name_mentions(name, inside) for name in phrase_names]
        if not any(marks) and len(told_of) == 1 and _PRONOUN.match(numbers.text, begin):
            anywhere[told_of[0]] += here  # "It is 96 metres deep" goes on about the thing before
            continue
        told_of = [place for place, own in enumerate(marks) if own]
        if not here:
            continue
        aligned = None
        if all(marks):
            aligned = _listed_quantities(numbers.text[begin:end], begin, here, marks)
            aligned = aligned or _adjacent_quantities(numbers.text, here, marks)
        if aligned is not None:
            ways.append([[number] for number in aligned])
        for place, own in enumerate(marks):
            rivals = [word.start for at, several in enumerate(marks) if at != place for word in several]
            open_to = [quantity for quantity in here if any(_is_unobstructed(quantity, word, rivals) for word in own)]
            behind = [quantity for quantity in open_to if own and quantity.start > own[0].start]
            if behind and any(_CLAUSE_JOINT.search(numbers.text, quantity.end, own[0].start) for quantity in open_to):
                open_to = behind  # the number before the name ends the clause of another one
            anywhere[place] += open_to if aligned is None else [aligned[place]]
    return [*ways, anywhere]


def _is_unobstructed(quantity: Quantity, word: PassageWord, rivals: Sequence[int]) -> bool:
    low, high = sorted((quantity.start, word.start))
    return not any(low < rival < high for rival in rivals)


def _name_mentions(name: frozenset[str], inside: Sequence[PassageWord]) -> list[PassageWord]:
    """Return the words of a sentence that name a thing: where most of the name's words stand together."""
    mentions = [
        (len({neighbour.stem for neighbour in inside[max(0, place - 2) : place + 3]} & name), word)
        for place, word in enumerate(inside)
        if word.stem in name
    ]
    most = max((count for count, _ in mentions), default=0)
    return [word for count, word in mentions if count == most]


def _adjacent_quantities(text: str, here: Sequence[Quantity], marks: Sequence[Sequence[PassageWord]]) -> list[Quantity] | None:
    """Return the numbers of names that each stand directly behind their number, or each before it, but not both."""
    for strict in (True, False):
        ways = []
        for behind in (True, False):
            nearest = (_adjacent_quantity(text, here, mentions, behind, strict) for mentions in marks)
            way = [quantity for quantity in nearest if quantity is not None]
            if len({quantity.start for quantity in way}) == len(marks):
                ways.append(way)
        if ways:
            return ways[0] if len(ways) == 1 else None
    return None


def _adjacent_quantity(
    text: str, here: Sequence[Quantity], mentions: Sequence[PassageWord], behind: bool, strict: bool
) -> Quantity | None:
    """Return the number that stands next to a name, behind it or before it; if `strict`, with no comma and no "and" between."""
    for word in reversed(mentions) if behind else mentions:
        if behind:
            near = next((quantity for quantity in here if quantity.start >= word.end), None)
        else:
            near = next((quantity for quantity in reversed(here) if quantity.end <= word.start), None)
        between = text[min(word.end, near.end) : max(word.start, near.start)] if near is not None else ""
        if near is not None and not (strict and _CLAUSE_BREAK.search(between)):
            return near
    return None


def _listed_quantities(
    sentence: str, begin: int, here: Sequence[Quantity], marks: Sequence[Sequence[PassageWord]]
) -> list[Quantity] | None:
    """Return the numbers of names that are listed like them: "A, B and C had 3, 4 and 5 respectively"."""
    if not _RESPECTIVELY.search(sentence):
        return None
    number_rows = _number_rows(sentence, begin, here)
    for row in _SERIES.finditer(sentence):
        separators = (edge for match in _SEPARATOR.finditer(row[0]) for edge in match.span())
        edges = [begin + row.start() + edge for edge in (0, *separators, len(row[0]))]
        parts = list(zip(edges[::2], edges[1::2], strict=True))
        places = [
            next((place for place, (start, end) in enumerate(parts) for word in mentions if start <= word.start < end), None)
            for mentions in marks
        ]
        for numbers in number_rows:
            if len(numbers) == len(parts) and None not in places and len(set(places)) == len(places):
                return [numbers[place] for place in places if place is not None]
    return None


def _number_rows(sentence: str, begin: int, here: Sequence[Quantity]) -> list[list[Quantity]]:
    """Return the numbers that stand in rows, with no more than commas, "and" and two words between them."""
    rows: list[list[Quantity]] = []
    for quantity in here:
        if rows and _ROW_JOINT.fullmatch(sentence, rows[-1][-1].end - begin, quantity.start - begin):
            rows[-1].append(quantity)
        else:
            rows.append([quantity])
    return rows


def _proper_stems(numbers: PassageNumbers) -> frozenset[str]:
    """Return the words that a passage writes with a capital wherever they stand within a sentence."""
    begins = {begin for begin, _ in adjoining_spans(numbers.text, "names")}
    inner = [word for word in numbers.words if word.start not in begins]
    capitals = {word.stem for word in inner if numbers.text[word.start].isupper()}
    return frozenset(capitals.difference(word.stem for word in inner if not numbers.text[word.start].isupper()))


OPERAND_LINKING = "operand_linking"
"""The name of the fitted model."""
_WIDTHS = (40, 24, 9, 6, 4, 3)
"""How many numbers of each phrase compete, by the number of phrases."""
_BREAK = re.compile(r"[,;:()]\s?|\.\s|\.$|\b(?:and|but|while|whereas|compared|with)\b")
_AGE_BOUND = NUMERIC_CUES["age bound"]
_RATE = re.compile(r"\bper\b|\bdensity\b|\baverage\b|\bevery\b|\beach\b")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_EVERY = re.compile(r"\b[Ee]very $")
_FAR = 3


class LinkedOperands(NamedTuple):
    """The number of each phrase, and the probability (0..1) of them, together with other ways that have the same numbers."""

    quantities: tuple[Quantity, ...]
    probability: float


class _Surroundings(NamedTuple):
    """The stems around a number: directly behind and ahead of it, in its clause and in its sentence, and where that begins."""

    behind: tuple[str, ...]
    ahead: tuple[str, ...]
    clause: frozenset[str]
    sentence: frozenset[str]
    at: int
    is_bound: bool
    is_rate: bool


class _Phrase(NamedTuple):
    """The stems of a phrase that no other has, those that others have as well, and those of the others alone."""

    own: frozenset[str]
    shared: frozenset[str]
    others: frozenset[str]
    head: str


def linked_ways(
    phrases: Sequence[str], members: Sequence[Quantity], numbers: PassageNumbers, wants: str, shared: str = ""
) -> Iterator[tuple[tuple[Quantity, ...], dict[str, float]]]:
    """Yield the ways to give each phrase one of the numbers, each with its features.

    A way is left out where no sentence of its numbers has anything that a phrase alone says.
    """
    names = distinctive_names(phrases, numbers)
    if names:
        phrases, shared = reduce_to_names(phrases, names, shared)
    parsed = _parse_phrases(phrases, shared)
    if names and not all(name & {word.stem for word in numbers.words} for name in names):
        return  # the passage does not name one of them
    *aligned, free = quantities_by_name(names, members, numbers) if names else [()]
    rows = [[quantity.start for several in way for quantity in several] for way in aligned]
    width = _WIDTHS[min(len(phrases), len(_WIDTHS)) - 1]
    ranked = []
    for phrase, text in zip(parsed, phrases, strict=True):
        near = {match.quantity.start: match.fit for match in numbers.best(text, members, shared)}
        scored = [(quantity, _phrase_features(phrase, quantity, numbers, wants, near)) for quantity in members]
        weights = load_fitted_model(OPERAND_LINKING).logistic()
        scored.sort(key=lambda entry: -weights.log_odds(entry[1]))
        ranked.append(scored[:width])
    for way in product(*ranked):
        quantities = tuple(quantity for quantity, _ in way)
        is_supported = any(own["own sentence"] > 0 for _, own in way) or not any(phrase.own for phrase in parsed)
        if len({quantity.start for quantity in quantities}) < len(quantities) or not is_supported:
            continue
        features: dict[str, float] = {}
        for _, own in way:
            features |= {name: features.get(name, 0.0) + value for name, value in own.items()}
        features.update(_joint_features(quantities, numbers))
        features["aligned"] = float([quantity.start for quantity in quantities] in rows)
        features["listed"] = features["aligned"] * float(_is_listed(quantities[0], numbers.text))
        features["named"] = float(bool(free) and all(quantity in own for quantity, own in zip(quantities, free, strict=False)))
        yield quantities, features


def _is_listed(quantity: Quantity, text: str) -> bool:
    """Return whether a number stands in a sentence that gives several things several numbers "respectively"."""
    begin, end = next(((low, high) for low, high in _sentences(text) if low <= quantity.start < high), (0, 0))
    return _RESPECTIVELY.search(text, begin, end) is not None


def link_operands(
    phrases: Sequence[str], groups: Sequence[Sequence[Quantity]], numbers: PassageNumbers, wants: str, shared: str = ""
) -> LinkedOperands | None:
    """Return the likeliest number of each phrase, all of one group of numbers; `None` where no group has enough numbers."""
    model = load_fitted_model(OPERAND_LINKING).logistic()
    ways = [
        (quantities, model.log_odds(features))
        for members in groups
        for quantities, features in linked_ways(phrases, members, numbers, wants, shared)
    ]
    if not ways:
        return None
    shares = softmax([score for _, score in ways])
    mass: dict[tuple[Fraction, ...], float] = {}
    for (quantities, _), share in zip(ways, shares, strict=True):
        values = tuple(quantity.value for quantity in quantities)
        mass[values] = mass.get(values, 0.0) + share
    best = max(range(len(ways)), key=shares.__getitem__)
    quantities = ways[best][0]
    return LinkedOperands(quantities, mass[tuple(quantity.value for quantity in quantities)])


def _parse_phrases(phrases: Sequence[str], shared: str) -> list[_Phrase]:
    stems = [operand_stems(phrase) for phrase in phrases]
    common = frozenset(operand_stems(shared))
    parsed = []
    for place, own in enumerate(stems):
        others = frozenset(stem for at, several in enumerate(stems) if at != place for stem in several)
        alone = frozenset(own) - others
        head = next((stem for stem in own if stem in alone), "")
        parsed.append(_Phrase(alone, (frozenset(own) & others) | common, others - frozenset(own), head))
    return parsed


@lru_cache(maxsize=64)
def _sentences(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(adjoining_spans(text, "names"))


def _surroundings(quantity: Quantity, numbers: PassageNumbers) -> _Surroundings:
    return _surroundings_of(numbers, quantity.start, quantity.end)


@lru_cache(maxsize=8)
def _value_starts(numbers: PassageNumbers) -> tuple[int, ...]:
    """Return where the numbers of a passage begin that are part of no label."""
    return tuple(item.start for item in numbers.quantities if not _is_label(item, numbers.text))


@lru_cache(maxsize=64)
def _sentence_stems(text: str, begin: int, end: int) -> frozenset[str]:
    return frozenset(operand_stems(text[begin:end]))


def _is_label(quantity: Quantity, text: str) -> bool:
    """Return whether a number is part of a label, as the ages and the years are in "26.5% from 25 to 44 in 2010"."""
    return (
        quantity.sort is Sort.YEAR or _YEAR.fullmatch(quantity.text) is not None or _is_bound(text, quantity.start, quantity.end)
    )


def _is_bound(text: str, start: int, end: int) -> bool:
    return _AGE_BOUND.search(f"{text[max(0, start - 22) : start]}#{text[end : end + 26]}") is not None


@lru_cache(maxsize=4096)
def _surroundings_of(numbers: PassageNumbers, start: int, end: int) -> _Surroundings:
    text, starts = numbers.text, _value_starts(numbers)
    spans = _sentences(text)
    at = max(0, bisect_left(spans, (start + 1,)) - 1)
    begin, close = spans[at]
    after, ahead_of = bisect_left(starts, end), bisect_left(starts, start)
    following = starts[after] if after < len(starts) else close
    before = starts[ahead_of - 1] if ahead_of else begin
    stop = _BREAK.search(text, end, min(close, following))
    behind_end = stop.start() if stop is not None else min(close, following)
    breaks = [match.end() for match in _BREAK.finditer(text, max(begin, before), start)]
    behind, ahead = text[end:behind_end], text[max([begin, before, *breaks]) : start]
    return _Surroundings(
        tuple(operand_stems(behind)),
        tuple(operand_stems(ahead)),
        frozenset(operand_stems(text[max(begin, before) : min(close, following)])),
        _sentence_stems(text, begin, close),
        at,
        _is_bound(text, start, end),
        _RATE.search(text[max(begin, start - 40) : start] + text[end : end + 25]) is not None,
    )


def _share(stems: frozenset[str], place: Sequence[str] | frozenset[str]) -> float:
    return len(stems & frozenset(place)) / len(stems) if stems else 0.0


def _phrase_features(
    phrase: _Phrase, quantity: Quantity, numbers: PassageNumbers, wants: str, near: Mapping[int, float]
) -> dict[str, float]:
    around = _surroundings(quantity, numbers)
    label = frozenset(around.behind) | frozenset(around.ahead)
    known = phrase.own | phrase.shared | phrase.others
    extra, extra_ahead = ([stem for stem in place if stem not in known] for place in (around.behind, around.ahead))
    number = operand_stems(quantity.text)[:1]
    years = {stem for stem in phrase.own | phrase.shared if _YEAR.fullmatch(stem)}
    is_percent = quantity.sort is Sort.PERCENT
    return {
        "near": near.get(quantity.start, 0.0),
        "own behind": _share(phrase.own, around.behind),
        "own ahead": _share(phrase.own, around.ahead),
        "own ahead, none behind": _share(phrase.own, around.ahead) * (not around.behind),
        "others ahead, none behind": _share(phrase.others, around.ahead) * (not around.behind),
        "own label": _share(phrase.own, label),
        "own clause": _share(phrase.own, around.clause),
        "own sentence": _share(phrase.own, around.sentence),
        "all own": float(bool(phrase.own) and phrase.own <= label),
        "shared behind": _share(phrase.shared, around.behind),
        "shared clause": _share(phrase.shared, around.clause),
        "shared sentence": _share(phrase.shared, around.sentence),
        "others behind": _share(phrase.others, around.behind),
        "others ahead": _share(phrase.others, around.ahead),
        "head behind": float(bool(around.behind) and around.behind[0] == phrase.head),
        "head ahead": float(bool(around.ahead) and around.ahead[-1] == phrase.head),
        "extra behind": min(4, len(extra)) / 4,
        "extra ahead": min(4, len(extra_ahead)) / 4,
        "percent wanted": float(wants == "percent" and is_percent),
        "percent unwanted": float(wants != "percent" and is_percent),
        "year": float(quantity.sort is Sort.YEAR or (not quantity.unit and bool(_YEAR.fullmatch(quantity.text)))),
        "bound": float(around.is_bound),
        "rate": float(around.is_rate),
        "every": float(_EVERY.search(numbers.text, max(0, quantity.start - 10), quantity.start) is not None),
        "every held": float(
            _EVERY.search(numbers.text, max(0, quantity.start - 10), quantity.start) is not None
            and bool(phrase.own & frozenset(around.behind[:2]))
        ),
        "in phrase": float(bool(number) and number[0] in known),
        "spelt": float(quantity.spelt),
        "year held": float(bool(years) and years <= around.clause),
        "year missed": float(bool(years) and not years & around.sentence),
    }


def _joint_features(quantities: Sequence[Quantity], numbers: PassageNumbers) -> dict[str, float]:
    around = [_surroundings(quantity, numbers) for quantity in quantities]
    places = [place.at for place in around]
    gaps = max(places) - min(places)
    first = quantities[0]
    return {
        "one sentence": float(gaps == 0),
        "next sentence": float(gaps == 1),
        "far": min(_FAR, gaps) / _FAR,
        "one unit": float(all(quantity.unit == first.unit and quantity.sort is first.sort for quantity in quantities)),
        "equal": float(len({quantity.value for quantity in quantities}) < len(quantities)),
        "like digits": float(all(("," in quantity.text) == ("," in first.text) for quantity in quantities)),
        "like points": float(all(("." in quantity.text) == ("." in first.text) for quantity in quantities)),
        "in order": float(list(quantities) == sorted(quantities, key=lambda quantity: quantity.start)),
    }

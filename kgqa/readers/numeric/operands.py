"""The numbers of a passage that a phrase can mean, scored by how close the words of the phrase stand to each number.

Also the answer that is computed from them.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from graph.text.segmentation import token_pattern
from graph.text.stems import stem
from graph.text.stop_words import STOP_WORDS
from kgqa.quantities.quantity import Quantity, Sort
from kgqa.quantities.quantity_parser import quantities_in

_STOP_WORDS = STOP_WORDS["operands"]
_BREAKS = {",": 1.0, ";": 1.5, ".": 4.0, "(": 0.7, ")": 0.7, ":": 0.5, "and": 0.3, "while": 1.0, "compared": 0.5}
_RATES = frozenset({"per", "density", "averag", "average", "size"})
_LINKS = frozenset({"with", "had", "has", "was", "is", "at", "to", "stood", "reach", "total", ":"})
_ENDS = frozenset({",", ".", ";", "(", ")", "and", "in"})
_DECAY = 0.35

Assignment = tuple[tuple[Quantity, ...], float]
"""A number for each of several phrases, and the mean fit."""


class PassageWord(NamedTuple):
    """A word, a numeral or a sign of a passage: its stem, and its place."""

    stem: str
    start: int
    end: int


class OperandMatch(NamedTuple):
    """A number that a phrase may mean; `fit` is the share of the phrase's words that stand by it, weighed by distance."""

    quantity: Quantity
    fit: float


class NumericAnswer(NamedTuple):
    """A computed answer: its text, how well its numbers fit the question (0..1), the steps, and its place in the passage."""

    text: str
    fit: float
    trace: tuple[str, ...]
    start: int | None = None
    end: int | None = None


def answer_from_phrase(phrase: str, text: str, fit: float, trace: tuple[str, ...]) -> NumericAnswer:
    """Return a phrase of the question as the passage has it, where it has it."""
    place = text.lower().find(phrase.lower())
    if place < 0:
        return NumericAnswer(phrase, fit, trace)
    return NumericAnswer(text[place : place + len(phrase)], fit, trace, place, place + len(phrase))


class PassageNumbers:
    """The numbers of a passage and the words between them."""

    def __init__(self, text: str, quantities: Sequence[Quantity] | None = None) -> None:
        self.text = text
        self.quantities = quantities_in(text, ranges=False) if quantities is None else quantities
        self.words = passage_words(text)
        self._counts = Counter(word.stem for word in self.words)
        self._starts = [word.start for word in self.words]
        self._spread: dict[tuple[int, bool], dict[str, float]] = {}

    def best(self, phrase: str, allowed: Sequence[Quantity], shared: str = "") -> list[OperandMatch]:
        """Return the allowed numbers that a phrase may mean, the best fit first; the words of `shared` count a third."""
        wanted = dict.fromkeys(operand_stems(phrase), 1.0)
        wanted |= {stem: 0.34 for stem in operand_stems(shared) if stem not in wanted}
        rarity = {stem: 1.0 / (1.0 + math.log1p(count)) for stem in wanted if (count := self._counts[stem])}
        weights = {stem: weight * rarity.get(stem, 0.6) for stem, weight in wanted.items()}
        total = sum(weights.values())
        if not total:
            return []
        matches = []
        for quantity in allowed:
            near = self._nearness(quantity)
            fit = sum(weight * near.get(stem, 0.0) for stem, weight in weights.items()) / total
            # A rate is so many for each of something: "88 people per square mile", "an average size of 2.4".
            behind = self.text[quantity.end : quantity.end + 30].split(",")[0].lower()
            before = self.text[max(0, quantity.start - 30) : quantity.start].lower()
            is_rate = " per " in behind or "density" in before or "average" in before
            if is_rate and not weights.keys() & _RATES:
                fit *= 0.6
            if fit > 0:
                matches.append(OperandMatch(quantity, fit))
        return sorted(matches, key=lambda match: (-match.fit, match.quantity.start))

    def assigned(
        self, phrases: Sequence[str], allowed: Sequence[Quantity], shared: str = "", standing: Sequence[Sequence[Quantity]] = ()
    ) -> Assignment | None:
        """Return a number of its own for each phrase, those that fit best together, and the mean fit; `None` if one has none.

        `standing` has the numbers that each phrase can mean at all; where it is empty, any number is possible.
        """
        width = 5 if len(phrases) < 4 else 3
        stated = {stem for phrase in phrases for stem in operand_stems(phrase) if stem[:1].isdigit()}
        if stated:
            allowed = [quantity for quantity in allowed if stated.isdisjoint(map(operand_stem, quantity.text.split()[:1]))]
        own: Sequence[Sequence[Quantity]] = [allowed] * len(phrases)
        if standing:
            starts = {quantity.start for quantity in allowed}
            own = [[quantity for quantity in meant if quantity.start in starts] for meant in standing]
        candidates = [self.best(phrase, own[place], shared)[:width] for place, phrase in enumerate(phrases[:6])]
        if not candidates or not all(candidates):
            return None
        ways = (way for way in product(*candidates) if len({match.quantity.start for match in way}) == len(way))
        best = max(ways, key=lambda way: sum(match.fit for match in way) / len(way), default=None)
        return None if best is None else (tuple(match.quantity for match in best), sum(match.fit for match in best) / len(best))

    def holds(self, phrase: str) -> bool:
        """Return whether the passage has every number of a phrase, such as a year."""
        return all(self._counts[stem] for stem in operand_stems(phrase) if stem[:1].isdigit())

    def _nearness(self, quantity: Quantity) -> dict[str, float]:
        """Return how near each word stands to a number, 1 beside it; what separates them counts more than how far it is."""
        key = (quantity.start, quantity.sort is Sort.PERCENT)
        if key not in self._spread:
            same_sort = {rival.start for rival in self.quantities if rival.sort is quantity.sort}
            rival_starts = same_sort - {quantity.start}
            after = bisect_left(self._starts, quantity.end)
            before = bisect_left(self._starts, quantity.start) - 1
            near = {word.stem: 1.0 for word in self.words[before + 1 : after]}
            opened = before >= 0 and self._labelled_before(before, after)
            self._walk(near, range(after, min(len(self.words), after + 60)), rival_starts, 0.6 if opened else 0.0)
            self._walk(near, range(before, max(-1, before - 60), -1), rival_starts, 0.0 if opened else 0.35)
            self._spread[key] = near
        return self._spread[key]

    def _labelled_before(self, before: int, after: int) -> bool:
        """Tell whether what a number is of stands before it: "Italian (13.6%)", "Cahul with 28,763, Soroca with 22,196"."""
        link = self.words[before].stem
        closed = after >= len(self.words) or self.words[after].stem in _ENDS
        dated = link in ("on", "in", "until", "by") and before > 0 and self.words[before - 1].stem not in _BREAKS
        return link == "(" or ((link in _LINKS or dated) and closed)

    def _walk(self, near: dict[str, float], places: range, rival_starts: set[int], cost: float) -> None:
        for place in places:
            word = self.words[place]
            cost += _BREAKS.get(word.stem, 0.07) + (1.2 if word.start in rival_starts else 0.0)
            if cost > 9:
                return
            near[word.stem] = max(math.exp(-_DECAY * cost), near.get(word.stem, 0.0))


def passage_words(text: str) -> list[PassageWord]:
    """Return the words, numerals and signs of a text, as they are compared."""
    return [PassageWord(operand_stem(match[0]), match.start(), match.end()) for match in token_pattern("operands").finditer(text)]


def operand_stems(phrase: str) -> list[str]:
    """Return the content words of a phrase, normalised for comparison."""
    return [word.stem for word in passage_words(phrase) if word.stem not in _STOP_WORDS and word.stem[:1].isalnum()]


@lru_cache(maxsize=1 << 15)
def operand_stem(word: str) -> str:
    """Return the form in which a word is compared: in lower case, without the endings of plurals, of verbs and of peoples."""
    lower = word.lower().replace(",", "") if word[:1].isdigit() else word.lower()
    if lower.isdigit() or len(lower) < 4 or not lower.isalpha():
        return lower
    return stem(lower, "operands")

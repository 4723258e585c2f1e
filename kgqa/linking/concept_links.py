"""Concept links: the ways to read a phrase of a question as concepts, and pairs of them, best first and computed lazily."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import takewhile

LinkPair = tuple["ConceptLink", "ConceptLink"]
SURE_LINK = 0.8
"""The least score of a reading that an answer need not mention."""
NARROWER, BROADER, SPELLING, EVERYDAY, NEAR_CLAIM = "narrower", "broader", "spelling", "everyday name", "in a claim near to it"
"""How a phrase was read, where the answer depends on it."""


@dataclass(frozen=True, slots=True)
class ConceptLink:
    """The concepts that a phrase is taken to mean: `how` says by which step, `score` (0..1) how sure that is.

    `constraint` are the words of the phrase that the concepts do not have, so that an answer is about more than was asked:
    "lower" where "lower back pain" is read as "back pain". `alternatives` are at most three names that it could mean as well.
    """

    phrase: str
    concepts: tuple[str, ...]
    score: float
    how: str
    constraint: str = ""
    alternatives: tuple[str, ...] = ()


def drops_name(link: ConceptLink, question: str) -> bool:
    """Return whether a wider reading leaves a proper name out: the Russian Revolution is no revolution at large."""
    names = proper_names(link.phrase, question) if link.how == BROADER else []
    return not set(names).isdisjoint(link.constraint.lower().split())


def proper_names(phrase: str, question: str) -> list[str]:
    """Return the words of proper names of a phrase, in lower case, but for those of places behind "in".

    Such a word has a capital; the first word of the question has one in any case.
    """
    words = phrase.split()[1 if question.startswith(phrase) else 0 :]
    return [word.removesuffix("'s").lower() for word in takewhile(lambda word: word != "in", words) if word[:1].isupper()]


def pair_links(causes: Iterable[ConceptLink], effects: Iterable[ConceptLink]) -> Iterator[LinkPair]:
    """Yield pairs of readings by the product of their scores, highest first; never two that share a concept.

    Of each cause only its next best effect waits, and no reading is looked up before a pair needs it.
    """
    cause_stream, effect_stream = _LinkStream(causes), _LinkStream(effects)
    waiting: list[tuple[float, int, int, ConceptLink, ConceptLink]] = []
    next_places = [(0, 0)]
    while next_places or waiting:
        for cause_place, effect_place in next_places:
            cause = cause_stream.at(cause_place)
            effect = effect_stream.at(effect_place) if cause else None
            if cause and effect:
                heappush(waiting, (-cause.score * effect.score, cause_place, effect_place, cause, effect))
        next_places = []
        if waiting:
            _, cause_place, effect_place, cause, effect = heappop(waiting)
            if set(cause.concepts).isdisjoint(effect.concepts):
                yield cause, effect
            next_places = [(cause_place, effect_place + 1), *([] if effect_place else [(cause_place + 1, 0)])]


class _LinkStream:
    def __init__(self, readings: Iterable[ConceptLink]) -> None:
        self._rest = iter(readings)
        self._known: list[ConceptLink] = []

    def at(self, place: int) -> ConceptLink | None:
        """Return the reading at a place, or `None` behind the last one."""
        while place >= len(self._known):
            reading = next(self._rest, None)
            if reading is None:
                return None
            self._known.append(reading)
        return self._known[place]

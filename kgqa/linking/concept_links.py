"""Concept links: the ways to read a phrase of a question as concepts, and pairs of them, best first and computed lazily.

A link can name alternatives: senses that the titles of sources distinguish, and the next links.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import islice
from typing import overload

from graph.protocols import GraphView
from graph.text.normalise import surface_name


@dataclass(frozen=True, slots=True)
class ConceptLink:
    """The concepts that a phrase is taken to mean: `how` says by which step, `score` (0..1) how sure that is.

    `constraint` are the words of the phrase that the concepts do not have, so that an answer is about more than was asked:
    "lower" where "lower back pain" is read as "back pain". `others` are at most three names that it could have meant as well.
    """

    phrase: str
    concepts: tuple[str, ...]
    score: float
    how: str
    constraint: str = ""
    alternatives: tuple[str, ...] = ()


def describe_link(reading: ConceptLink) -> str:
    """Return how a phrase was read, in a clause: "'severe migraines' read as 'migraine' (without 'severe')"."""
    names = [f"'{name}'" for name in reading.concepts[:3]]
    more = len(reading.concepts) - len(names)
    last = f"{more} more" if more else names.pop()
    listing = f"{', '.join(names)} and {last}" if names else last
    how = {
        "exact": "",
        "alias": "another name for it",
        "acronym": "what the letters stand for" if len(reading.phrase) < len(reading.concepts[0]) else "its abbreviation",
        "same words": "the same words",
        "synonym": "another word for it",
        "same stems": "other forms of the words",
        "core": f"'{reading.constraint}' matters little",
        "direction": "the same in other words",
        "occurrence": "that it happens",
        "narrower": "kinds of it",
        "broader": f"in general, not only '{reading.constraint}'",
        "embedding": "nearest in meaning, a guess",
        "spelling": "taken for a slip of the pen",
    }.get(reading.how, reading.how)
    suffix = f"; it could also mean {', '.join(reading.alternatives)}" if reading.alternatives else ""
    return f"'{reading.phrase}' read as {listing}" + (f" ({how})" if how else "") + suffix


LinkPair = tuple[ConceptLink, ConceptLink]


class LinkPairs(Sequence[LinkPair]):
    """Pairs of readings by the product of their scores, highest first; never two that share a concept.

    It can be walked as often as one likes, each pair being looked up once; only `len` and slices look everything up.
    """

    def __init__(self, causes: Iterable[ConceptLink], effects: Iterable[ConceptLink]) -> None:
        self._causes = _LinkStream(causes)
        self._effects = _LinkStream(effects)
        self._known: list[LinkPair] = []
        self._rest = self._best_first()

    def __iter__(self) -> Iterator[LinkPair]:
        """Iterate over the pairs, those that are known first."""
        place = 0
        while place < len(self._known) or self._more():
            yield self._known[place]
            place += 1

    @overload
    def __getitem__(self, place: int) -> LinkPair: ...

    @overload
    def __getitem__(self, place: slice) -> list[LinkPair]: ...

    def __getitem__(self, place: int | slice) -> LinkPair | list[LinkPair]:
        """Return one pair, having looked up no more than those before it, or a list of them."""
        if isinstance(place, slice) or place < 0:
            return list(iter(self))[place]
        while place >= len(self._known) and self._more():
            pass
        return self._known[place]

    def __len__(self) -> int:
        """Return how many pairs there are, having looked up all."""
        return len(list(iter(self)))

    def __bool__(self) -> bool:
        """Return whether there is any pair."""
        return bool(self._known) or self._more()

    def _more(self) -> bool:
        pair = next(self._rest, None)
        if pair is not None:
            self._known.append(pair)
        return pair is not None

    def _best_first(self) -> Iterator[LinkPair]:
        """Iterate over the pairs, best first: of each cause only its next best effect waits."""
        waiting: list[tuple[float, int, int, ConceptLink, ConceptLink]] = []
        self._wait(waiting, 0, 0)
        while waiting:
            _, cause_place, effect_place, cause, effect = heappop(waiting)
            if not set(cause.concepts) & set(effect.concepts):
                yield cause, effect
            self._wait(waiting, cause_place, effect_place + 1)
            if not effect_place:
                self._wait(waiting, cause_place + 1, 0)

    def _wait(self, waiting: list[tuple[float, int, int, ConceptLink, ConceptLink]], cause_place: int, effect_place: int) -> None:
        cause = self._causes.at(cause_place)
        effect = None if cause is None else self._effects.at(effect_place)
        if cause is not None and effect is not None:
            heappush(waiting, (-cause.score * effect.score, cause_place, effect_place, cause, effect))


class _LinkStream:
    """Readings that are looked up as far as they are asked for."""

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


_MOST_ALTERNATIVES = 3
_CLAIMS_LOOKED_AT = 20
_NEAR_SHARE = 0.8
"""A later link is an alternative where its score is at least this share of the chosen one's."""


def with_alternatives(reading: ConceptLink, view: GraphView, later: Iterable[ConceptLink] = ()) -> ConceptLink:
    """Return a reading with at most three names that its phrase could have meant as well, for an explanation.

    First the senses that the titles of sources distinguish ("depression (mood)", "depression (economics)"), where there are two
    or more; then concepts of the `later` readings whose score is near.
    """
    senses = list(dict.fromkeys(_senses(reading.concepts[0], view)))
    near = (link.concepts[0] for link in later if link.score >= _NEAR_SHARE * reading.score and link.concepts != reading.concepts)
    names = dict.fromkeys((*reading.alternatives, *(senses if len(senses) > 1 else ()), *near))
    return replace(
        reading, alternatives=tuple(islice((name for name in names if name not in reading.concepts), _MOST_ALTERNATIVES))
    )


def _senses(name: str, view: GraphView) -> Iterator[str]:
    """Iterate over the titles of a concept's best sources that are its name with a sense in brackets, in lower case."""
    for edge in (*view.effects(name)[:_CLAIMS_LOOKED_AT], *view.causes(name)[:_CLAIMS_LOOKED_AT]):
        for record in view.evidence(edge.claim):
            title = surface_name(record.source.title)
            if title.startswith(f"{name} (") and title.endswith(")"):
                yield title

"""The readings of two phrases together, surest first, none looked up before it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import overload

from graph.protocols import GraphView
from kgqa.linking.reading import ConceptLink

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
        waiting: list[tuple[float, int, int]] = []
        self._wait(waiting, 0, 0)
        while waiting:
            _, cause_place, effect_place = heappop(waiting)
            cause, effect = self._causes.at(cause_place), self._effects.at(effect_place)
            assert cause is not None
            assert effect is not None
            if not set(cause.concepts) & set(effect.concepts):
                yield cause, effect
            self._wait(waiting, cause_place, effect_place + 1)
            if not effect_place:
                self._wait(waiting, cause_place + 1, 0)

    def _wait(self, waiting: list[tuple[float, int, int]], cause_place: int, effect_place: int) -> None:
        cause = self._causes.at(cause_place)
        effect = None if cause is None else self._effects.at(effect_place)
        if cause is not None and effect is not None:
            heappush(waiting, (-cause.score * effect.score, cause_place, effect_place))


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


def pair_links(link: Callable[[str, GraphView], Iterable[ConceptLink]], cause: str, effect: str, view: GraphView) -> LinkPairs:
    """Return the readings of two phrases together as `link` reads them."""
    return LinkPairs(link(cause, view), link(effect, view))

"""The readings of two phrases together, surest first, none looked up before it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import overload

from graph.protocols import GraphView
from kgqa.linking.reading import Reading

Pair = tuple[Reading, Reading]


class Pairs(Sequence[Pair]):
    """Pairs of readings by the product of their scores, highest first; never two that share a concept.

    It can be walked as often as one likes, each pair being looked up once; only `len` and slices look everything up.
    """

    def __init__(self, causes: Iterable[Reading], effects: Iterable[Reading]) -> None:
        self._causes = _Stream(causes)
        self._effects = _Stream(effects)
        self._known: list[Pair] = []
        self._rest = self._found()

    def __iter__(self) -> Iterator[Pair]:
        """Iterate over the pairs, those that are known first."""
        place = 0
        while place < len(self._known) or self._more():
            yield self._known[place]
            place += 1

    @overload
    def __getitem__(self, place: int) -> Pair: ...

    @overload
    def __getitem__(self, place: slice) -> list[Pair]: ...

    def __getitem__(self, place: int | slice) -> Pair | list[Pair]:
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

    def _found(self) -> Iterator[Pair]:
        """Iterate over the pairs, best first: of each cause only its next best effect waits."""
        waiting: list[tuple[float, int, int]] = []
        self._wait(waiting, 0, 0)
        while waiting:
            _, one, other = heappop(waiting)
            cause, effect = self._causes.at(one), self._effects.at(other)
            assert cause is not None
            assert effect is not None
            if not set(cause.concepts) & set(effect.concepts):
                yield cause, effect
            self._wait(waiting, one, other + 1)
            if not other:
                self._wait(waiting, one + 1, 0)

    def _wait(self, waiting: list[tuple[float, int, int]], one: int, other: int) -> None:
        cause = self._causes.at(one)
        effect = None if cause is None else self._effects.at(other)
        if cause is not None and effect is not None:
            heappush(waiting, (-cause.score * effect.score, one, other))


class _Stream:
    """Readings that are looked up as far as they are asked for."""

    def __init__(self, readings: Iterable[Reading]) -> None:
        self._rest = iter(readings)
        self._known: list[Reading] = []

    def at(self, place: int) -> Reading | None:
        """Return the reading at a place, or `None` behind the last one."""
        while place >= len(self._known):
            reading = next(self._rest, None)
            if reading is None:
                return None
            self._known.append(reading)
        return self._known[place]


def pairs_by(link: Callable[[str, GraphView], Iterable[Reading]], cause: str, effect: str, view: GraphView) -> Pairs:
    """Return the readings of two phrases together as `link` reads them."""
    return Pairs(link(cause, view), link(effect, view))

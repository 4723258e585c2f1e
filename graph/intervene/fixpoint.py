"""The least fixpoint of what holds in a region, component by component, in whatever it is reckoned: probabilities or samples."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from graph.algorithms.components import strong_components
from graph.intervene.region import Region, RegionLink

FixpointValue = TypeVar("FixpointValue")


@dataclass(frozen=True, slots=True)
class Algebra(Generic[FixpointValue]):
    """What a fixpoint is reckoned in: when something holds, as a value, and how values are put together.

    A circle is gone round at most `sweeps` times, and, where it runs through a prevention, bounded at most `rounds` times.
    """

    never: FixpointValue
    always: FixpointValue
    both: Callable[[FixpointValue, FixpointValue], FixpointValue]
    either: Callable[[FixpointValue, FixpointValue], FixpointValue]
    without: Callable[[FixpointValue, FixpointValue], FixpointValue]
    same: Callable[[FixpointValue, FixpointValue], bool]
    sweeps: int
    rounds: int


class FixpointBounds(NamedTuple, Generic[FixpointValue]):
    """When each concept holds at least and at most; the two differ only where a circle runs through a prevention."""

    low: dict[str, FixpointValue]
    high: dict[str, FixpointValue]


@dataclass(frozen=True, slots=True)
class Fixpoint(Generic[FixpointValue]):
    """A concept holds where it is given or a link from one that holds is there, and no preventing link from one that holds is.

    A circle that runs through a prevention is bounded from both sides by the alternating fixpoint (Van Gelder 1993): at most that
    holds which follows if as little as possible prevents, and the other way round.
    """

    region: Region
    algebra: Algebra[FixpointValue]
    strength: Callable[[str, RegionLink], FixpointValue]

    def bounds(self) -> FixpointBounds[FixpointValue]:
        """Return when each concept holds: causes first, and components of several concepts until nothing changes."""
        region, never = self.region, self.algebra.never
        links = {name: [(link, self.strength(name, link)) for link in into] for name, into in region.links.items()}
        low, high = dict.fromkeys(links, never), dict.fromkeys(links, never)
        for names in strong_components(links, lambda name: [link.cause for link in region.links[name]]):
            inside = set(names)
            turns = any(link.prevents and link.cause in inside for name in names for link in region.links[name])
            for _ in range(self.algebra.rounds if turns else 1):
                higher = self._raise_to_fixpoint(names, links, high, low)
                lower = self._raise_to_fixpoint(names, links, low, high)
                if not higher and not lower:
                    break
        return FixpointBounds(low, high)

    def _raise_to_fixpoint(
        self,
        names: Collection[str],
        links: Mapping[str, list[tuple[RegionLink, FixpointValue]]],
        driving: dict[str, FixpointValue],
        preventing: Mapping[str, FixpointValue],
    ) -> bool:
        """Bring `driving` to its least fixpoint inside a component; return whether that is another one than before."""
        same = self.algebra.same
        before = {name: driving[name] for name in names}
        driving.update(dict.fromkeys(names, self.algebra.never))
        for _ in range(self.algebra.sweeps if len(before) > 1 else 1):
            last = {name: driving[name] for name in names}
            for name in names:
                driving[name] = self._concept_value(name, links, driving, preventing)
            if all(same(driving[name], last[name]) for name in names):
                break
        return not all(same(driving[name], before[name]) for name in names)

    def _concept_value(
        self,
        name: str,
        links: Mapping[str, list[tuple[RegionLink, FixpointValue]]],
        driving: Mapping[str, FixpointValue],
        preventing: Mapping[str, FixpointValue],
    ) -> FixpointValue:
        """Return when a concept holds, from when its causes do."""
        algebra = self.algebra
        held = algebra.always if name in self.region.given else algebra.never
        barred = algebra.never
        for link, strength in links[name]:
            if link.prevents:
                barred = algebra.either(barred, algebra.both(strength, preventing[link.cause]))
            else:
                held = algebra.either(held, algebra.both(strength, driving[link.cause]))
        return algebra.without(held, barred)

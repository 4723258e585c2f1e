"""The least fixpoint of what holds in a region, component by component, in whatever it is reckoned: probabilities or samples.

The probability of an effect in one world: by noisy-or, and by sampling which claims are true.

A claim is true with its belief, independently of others. A concept that is not given holds where a true claim says that something
that holds brings it about, and no true claim says that something that holds prevents it. Of concepts that cause one another in a
circle the least fixpoint is taken: a circle does not hold itself up. What a circle through a prevention leaves open counts half.

`noisy_or` (Pearl 1988, section 4.3.2) takes the causes of each concept for independent. It is exact where no two routes share a
claim; else, without preventions, it is never too low. `sampled` is right on average on every graph.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import reduce
from math import sqrt
from operator import and_, or_
from typing import Generic, NamedTuple, TypeVar

from graph.algorithms.reachability import strong_components
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
        algebra = self.algebra
        held = algebra.always if name in self.region.given else algebra.never
        barred = algebra.never
        for link, strength in links[name]:
            if link.prevents:
                barred = algebra.either(barred, algebra.both(strength, preventing[link.cause]))
            else:
                held = algebra.either(held, algebra.both(strength, driving[link.cause]))
        return algebra.without(held, barred)


TOLERANCE = 1e-7
"""The least change of a probability for which noisy-or goes round a circle once more."""

SAMPLES = 2000
"""How many samples are taken unless another number is asked for; the interval of 95 % is then at most .045 wide."""

_DIGITS = 40
_Z_95 = 1.96

_PROBABILITIES: Algebra[float] = Algebra(
    never=0.0,
    always=1.0,
    both=lambda first, second: first * second,
    either=lambda first, second: first + second - first * second,
    without=lambda first, second: first * (1.0 - second),
    same=lambda first, second: abs(first - second) <= TOLERANCE,
    sweeps=1000,
    rounds=8,
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The probability of an effect, 0..1: by noisy-or, and by sampling with its 95 % interval."""

    noisy_or: float
    sampled: float
    low: float
    high: float


def estimate_probability(region: Region, seed: int = 0, samples: int = SAMPLES) -> Estimate:
    """Return the probability that any effect of a region holds."""
    share = sample_probability(region, seed, samples)
    return Estimate(noisy_or(region), share, *wilson_95_interval(share, samples))


def noisy_or(region: Region) -> float:
    """Return the probability, 0..1, by noisy-or; circles are gone round until nothing changes by more than `TOLERANCE`."""
    settled = Fixpoint(region, _PROBABILITIES, lambda _, link: link.belief).bounds()
    return sum(reduce(_PROBABILITIES.either, (bound[name] for name in region.effects), 0.0) for bound in settled) / 2


def sample_probability(region: Region, seed: int = 0, samples: int = SAMPLES) -> float:
    """Return the share, 0..1, of samples in which an effect holds.

    A sample is a bit. Each claim is drawn from a generator of its own, so that worlds that share claims share draws, and the
    same seed gives the same share in every store.
    """
    many = len(region.links) + 1
    sets: Algebra[int] = Algebra(0, (1 << samples) - 1, and_, or_, lambda first, second: first & ~second, int.__eq__, many, many)
    settled = Fixpoint(region, sets, lambda effect, link: _draw_samples(effect, link, seed, samples)).bounds()
    return sum(reduce(or_, (bound[name] for name in region.effects), 0).bit_count() for bound in settled) / (2 * samples)


def wilson_95_interval(share: float, samples: int) -> tuple[float, float]:
    """Return the 95 % interval of a share that was found in so many samples (Wilson 1927)."""
    spread = _Z_95 * _Z_95 / samples
    middle = (share + spread / 2) / (1 + spread)
    half = _Z_95 * sqrt(share * (1 - share) / samples + spread / (4 * samples)) / (1 + spread)
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def _draw_samples(effect: str, link: RegionLink, seed: int, samples: int) -> int:
    """Return the samples in which a claim is true, as bits.

    A uniform number is drawn digit by digit for all samples at once; the claim is true where it is below the belief. So a higher
    belief makes the claim true in the same samples and in more.
    """
    below, equal = 0, (1 << samples) - 1
    left = link.belief
    if left >= 1.0:
        return equal
    draws = random.Random("\0".join((str(seed), link.cause, effect, str(link.prevents))).encode("utf-8", "surrogatepass"))
    for _ in range(_DIGITS):
        if not left or not equal:
            break
        left *= 2
        digits = draws.getrandbits(samples)
        if left >= 1.0:
            left -= 1.0
            below |= equal & ~digits
            equal &= digits
        else:
            equal &= ~digits
    return below

"""Belief in a claim, from the independent groups of evidence for and against it.

The belief model of INDRA (Gyori et al. 2017) for each kind of source: k groups of one kind are wrong with a probability of
systematic + random_1 * ... * random_k, and kinds err independently. Each group has the random error of the rule that found it.
docs/belief.md shows how the errors were measured.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum
from math import prod

from graph.belief.priors import ErrorRates, Priors, shipped_priors
from graph.model import Ground, Stance

HEDGED_WEIGHT = 0.25
CONTESTED_SHARE = 0.25
FOR = frozenset({Stance.ASSERTED, Stance.HEDGED})
AGAINST = frozenset({Stance.NEGATED})


class Standing(StrEnum):
    """The position of all evidence of a claim together."""

    SUPPORTED = "supported"
    REFUTED = "refuted"
    CONTESTED = "contested"
    UNKNOWN = "unknown"


def trust(grounds: Sequence[Ground], stances: Collection[Stance], priors: Priors | None = None) -> float:
    """Return the probability, 0..1, that at least one of the groups with one of `stances` was read correctly; 0 for no group.

    A hedged group counts as a quarter of a group: its random error is raised to the power of a quarter.
    """
    priors = priors or shipped_priors()
    kinds: dict[str, ErrorRates] = {}
    for ground in grounds:
        if ground.stance in stances:
            kind, errors = _most_trusted(ground, priors)
            random = kinds[kind].random if kind in kinds else 1.0
            kinds[kind] = ErrorRates(errors.systematic, random * errors.random ** _weight_of(ground))
    return 1.0 - prod(min(1.0, errors.systematic + errors.random) for errors in kinds.values())


def belief(grounds: Sequence[Ground], priors: Priors | None = None) -> float:
    """Return the belief in a claim, 0..1; without `priors` those of the package are used.

    If a claim is also denied, either the denials are misread, or both sides were read correctly; then the belief is the share of
    the groups that assert it.
    """
    asserted = trust(grounds, FOR, priors)
    if asserted == 0.0:
        return 0.0
    denied = trust(grounds, AGAINST, priors)
    support, against = group_weight(grounds, FOR), group_weight(grounds, AGAINST)
    return asserted * (1.0 - denied * against / (support + against))


def group_weight(grounds: Sequence[Ground], stances: Collection[Stance]) -> float:
    """Return the number of groups with one of `stances`; a hedged group counts as a quarter."""
    return sum(_weight_of(ground) for ground in grounds if ground.stance in stances)


def ground_precision(ground: Ground, priors: Priors | None = None) -> float:
    """Return the precision, 0..1, of a single group of evidence like those of `ground`."""
    _, errors = _most_trusted(ground, priors or shipped_priors())
    return 1.0 - errors.systematic - errors.random


def classify_standing(support: float, against: float) -> Standing:
    """Return the standing that the groups for and against a claim give it.

    A claim is contested if the smaller side has at least a quarter of the groups.
    """
    if support == against == 0:
        return Standing.UNKNOWN
    if min(support, against) / (support + against) >= CONTESTED_SHARE:
        return Standing.CONTESTED
    return Standing.SUPPORTED if support > against else Standing.REFUTED


def _weight_of(ground: Ground) -> float:
    return ground.groups * (HEDGED_WEIGHT if ground.stance is Stance.HEDGED else 1.0)


def _most_trusted(ground: Ground, priors: Priors) -> tuple[str, ErrorRates]:
    """Return the kind of source and the error rates of the reading of a group with the smallest error."""
    candidates = ((kind, priors.errors(kind, rule)) for kind, rule in ground.readings)
    return min(candidates, key=lambda pair: (pair[1].systematic + pair[1].random, pair[0]))

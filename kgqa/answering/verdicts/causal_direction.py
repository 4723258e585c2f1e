"""In which direction two things cause each other, by the roles that they have among all claims: a seldom cause, a seldom effect.

Where only "lightning causes thunder" is claimed, thunder may still cause lightning: things that bring about one another are not
rare, and no graph is complete. But thunder is an effect in nearly all claims about it, and a cause in next to none. Of 59 claims
of the starter graph whose ends have `MIN_ROLE_ODDS` or more for the direction that is claimed, the reverse is false of 54; of 51
others, of 34 (docs/judgements/reversed-claims.tsv).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from typing import NamedTuple

from graph.algorithms.reachability import AllowedEdges
from graph.protocols import GraphView
from graph.topology import DRIVING_LINKS

MIN_ROLE_ODDS = 1.5
"""The least log-odds of the roles of two things for their direction to be told by these alone."""
ONE_WAY_PROBABILITIES = (0.67, 0.92)
"""How probably the reverse of a claim is false where the log-odds of the roles are below `MIN_ROLE_ODDS`, and from there on."""


class DrivingCounts(NamedTuple):
    """In how many claims that can drive something some concepts are the cause, and in how many the effect."""

    as_cause: int
    as_effect: int


def count_roles(names: Iterable[str], view: GraphView) -> DrivingCounts:
    """Return the role counts of some concepts together."""
    topology = view.topology()
    arrows = AllowedEdges(topology, DRIVING_LINKS)
    numbers = {number for name in names if (number := topology.number(name)) is not None}
    return DrivingCounts(*(sum(len(arrows.beyond(number, forward=way)) for number in numbers) for way in (True, False)))


def role_log_odds(causes: Iterable[str], effects: Iterable[str], view: GraphView) -> float:
    """Return the log-odds that `causes` are rather the cause, and `effects` rather the effect; 0 for no difference."""
    cause, effect = count_roles(causes, view), count_roles(effects, view)
    return log((cause.as_cause + 1) / (cause.as_effect + 1)) + log((effect.as_effect + 1) / (effect.as_cause + 1))

"""How two concepts are joined by others: the chains from one to the other, and what causes both."""

from __future__ import annotations

from collections.abc import Sequence

from graph.links import Links
from graph.mining.words import words
from graph.model import Edge, Path
from graph.protocols import GraphView
from kgqa.answering.proposition import CAUSING_LINKS

_MAX_LENGTH = 3


def chains(view: GraphView, ends: tuple[Sequence[str], Sequence[str]], limit: int, links: Links) -> list[tuple[float, Path]]:
    """Return the chains of two and three steps from one of the causes to one of the effects with their validities, best first."""
    from graph.algorithms.paths import best_paths
    from kgqa.answering.validity import by_validity

    if not ends[0] or not ends[1]:
        return []
    found = best_paths(view, ends[0], ends[1], _MAX_LENGTH, limit, links)
    return by_validity([path for path in found if len(path.edges) > 1], view)


def common_cause(view: GraphView, ends: tuple[Sequence[str], Sequence[str]]) -> tuple[Edge, Edge] | None:
    """Return the best pair of believed edges from one concept to both the cause and the effect; `None` where there is none.

    Names that say nothing ("condition") are no common cause.
    """
    from graph.algorithms.shared import common_causes

    if not ends[0] or not ends[1]:
        return None
    shared = common_causes(view, *ends, 1, 5, CAUSING_LINKS)
    named = (one.paths for one in shared if one.concept not in words("vague"))
    return next(((one.edges[0], other.edges[0]) for one, other in named), None)

"""How two concepts are joined by others: the chains from one to the other, and what causes both."""

from __future__ import annotations

from collections.abc import Sequence

from graph.links import Links
from graph.mining.words import word_list
from graph.model import Edge, Path
from graph.protocols import GraphView
from kgqa.answering.proposition import CAUSING_LINKS

_CHAIN_LENGTH = 3


def scored_chains(
    view: GraphView, ends: tuple[Sequence[str], Sequence[str]], limit: int, links: Links
) -> list[tuple[float, Path]]:
    """Return the chains of two and three steps from one of the causes to one of the effects with their validities, best first."""
    from graph.algorithms.paths import best_paths
    from kgqa.answering.validity import rank_by_validity

    if not ends[0] or not ends[1]:
        return []
    paths = best_paths(view, ends[0], ends[1], _CHAIN_LENGTH, limit, links)
    return rank_by_validity([path for path in paths if len(path.edges) > 1], view)


def best_common_cause(view: GraphView, ends: tuple[Sequence[str], Sequence[str]]) -> tuple[Edge, Edge] | None:
    """Return the best pair of believed edges from one concept to both the cause and the effect; `None` where there is none.

    Names that say nothing ("condition") are no common cause.
    """
    from graph.algorithms.shared import common_causes

    if not ends[0] or not ends[1]:
        return None
    shared = common_causes(view, *ends, 1, 5, CAUSING_LINKS)
    pairs = (item.paths for item in shared if item.concept not in word_list("vague"))
    return next(((item.edges[0], second.edges[0]) for item, second in pairs), None)

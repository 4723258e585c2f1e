"""Feedback loops through a concept: what it comes to bear on itself by, and whether that keeps it going or holds it back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graph.algorithms.chains import best_chains
from graph.algorithms.paths import SCORE_DIGITS, paths_of_chains
from graph.links import ACTING_LINKS, LESSENING_LINKS, Links
from graph.model import Path
from graph.protocols import GraphView
from graph.transitivity import DEFAULT_TRANSITIVITY, Transitivity

_SELF_CLAIM_LENGTH = 2
"""What a concept says of itself is two chains at most, one of each sign, of two concepts each."""


@dataclass(frozen=True, slots=True)
class FeedbackLoop:
    """A path from a concept back to itself; `reinforcing` where an even number of its edges lessens, else it is balancing."""

    path: Path
    reinforcing: bool


def feedback_loops(
    view: GraphView,
    names: Iterable[str],
    max_length: int = 4,
    limit: int = 5,
    links: Links = ACTING_LINKS,
    transitivity: Transitivity = DEFAULT_TRANSITIVITY,
) -> Sequence[FeedbackLoop]:
    """Return up to `limit` loops of at most `max_length` edges through any of some concepts, best score first.

    A loop starts and ends at its concept and passes no other concept twice; its score is that of the path. Loops of the same
    concepts and of different signs, over parallel edges, are two. A loop through two of the concepts is listed once. A claim of a
    concept about itself is no loop.
    """
    topology = view.topology()
    loops: list[FeedbackLoop] = []
    rounds: set[tuple[frozenset[tuple[str, str]], bool]] = set()
    for name in dict.fromkeys(names):
        number = topology.number(name)
        if number is None:
            continue
        wanted = limit + _SELF_CLAIM_LENGTH
        candidates = best_chains(topology, (number,), (number,), max_length, wanted, links, transitivity, LESSENING_LINKS.mask())
        chains = [chain for chain in candidates if len(chain.nodes) > _SELF_CLAIM_LENGTH]
        for path in paths_of_chains(view, topology, chains, limit, transitivity):
            reinforcing = sum((edge.claim.relation, edge.claim.polarity) in LESSENING_LINKS.kinds for edge in path.edges) % 2 == 0
            around = frozenset((edge.cause, edge.effect) for edge in path.edges), reinforcing
            if around not in rounds:
                rounds.add(around)
                loops.append(FeedbackLoop(path, reinforcing))
    loops.sort(key=lambda loop: (-round(loop.path.score, SCORE_DIGITS), loop.path.concepts, not loop.reinforcing))
    return loops[:limit]

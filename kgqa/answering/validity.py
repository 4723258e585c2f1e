"""How probably a chain of claims is valid: that its first cause really leads to its last effect, step by step.

Claims that are each true need not make a chain: "a siege leads to starvation" and "starvation led to the surrender of the tribe"
do not meet, "diabetes causes problems" and "problems cause pain" say nothing. A chain is valid if its cause is passed on at every
junction of two claims; how probably it is, a logistic model tells from the features of the junction
(`kgqa.answering.junctions`). The model was fitted on 720 judged chains of two and three steps (docs/paths.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import exp

from graph.model import Edge, Path
from graph.protocols import GraphView, Topology
from kgqa.answering.junctions import Junction, junction_features

MIN_VALIDITY = 0.82
"""The least validity of a chain that is shown as an answer: of the judged chains, four in five that reach it are valid."""

CHAINS_JUDGED = 30
"""So many chains, best score first, are judged; the likeliest of them is nearly always the likeliest of a hundred."""

VALIDITY_WEIGHTS = Junction(
    gathered=0.591,
    lone=-0.829,
    strong=0.279,
    vague=-3.301,
    plural=0.033,
    general=-0.722,
    very_general=-1.449,
    specific=0.976,
    unlike=-0.521,
    long_effect=-0.378,
    vague_ends=-1.710,
    repeated=-3.719,
    returned=0.378,
    event=-1.054,
    goal=-2.856,
)
"""What each feature adds to the log-odds that a cause is passed on, as scripts/fit_validity.py fits and prints it."""

VALIDITY_BIAS = 0.736


def chain_validity(path: Path, view: GraphView) -> float:
    """Return how probably a chain of two or more steps is valid, 0..1; of a single claim, the belief in it."""
    return _path_validity(path, view.topology())


def rank_by_validity(paths: Iterable[Path], view: GraphView) -> list[tuple[float, Path]]:
    """Return paths with their validities, the likeliest first; equally likely ones stay in their order."""
    topology = view.topology()
    return sorted(((_path_validity(path, topology), path) for path in paths), key=lambda pair: -pair[0])


def junction_validity(before: Edge, after: Edge, topology: Topology) -> float:
    """Return how probably a cause is passed on where two claims meet, 0..1."""
    features = junction_features(before, after, topology)
    odds = VALIDITY_BIAS + sum(weight * value for weight, value in zip(VALIDITY_WEIGHTS, features, strict=True))
    return 1.0 / (1.0 + exp(-odds))


def _path_validity(path: Path, topology: Topology) -> float:
    if len(path.edges) == 1:
        return path.edges[0].belief
    probability = 1.0
    for before, after in pairwise(path.edges):
        probability *= junction_validity(before, after, topology)
    return probability

"""The validity of a chain of claims: the probability that its first cause leads to its last effect, step by step.

True claims need not make a chain: "a siege leads to starvation" and "starvation led to the surrender of the tribe" are about
different events, "diabetes causes problems" and "problems cause pain" say nothing. A chain is valid if the cause is passed on at
every junction of two claims, A → M and M → C. A logistic model gives the probability of each junction; it was fitted on 720
judged chains of two and three steps (docs/paths.md, models/chain_validity.json). Its features say how sure it is that both claims
are about the same M, as something that happens in general; none depends on the size of the graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from math import log10, prod
from pathlib import Path as File
from typing import NamedTuple

from graph.model import Edge, Path, Relation, Stance, Strength
from graph.protocols import GraphView, Topology
from graph.text.normalise import head_place, singular
from graph.text.stems import prefix_stems
from graph.text.stop_words import STOP_WORDS
from graph.topology import ACTING_LINKS
from kgqa.answering.findings import was_set_by_hand
from kgqa.calibration.linear_model import load_fitted_model

GATHERED_SOURCES = frozenset({"causenet", "clueweb12", "conceptnet"})
"""Kinds of sources that hold what many texts say, so that a claim is about a thing in general."""

_GENERAL, _VERY_GENERAL = 10, 50
_ACTING = ACTING_LINKS.mask()


class Junction(NamedTuple):
    """The features of two claims A → M and M → C; each grows with what it is called after.

    `gathered`, `lone` and `strong` count the claims that a gathering of many texts has, that a single source states, or none, and
    that are worded "causes". M is `vague` where it says nothing by itself ("problems"), `plural` ("symptoms" are now these and
    now those), `specific` with several words ("nerve damage"), an `event` such as "death" (which one, and whose, the claims need
    not agree on). `general` is how many kinds of M WordNet has, as a power of ten above ten, `very_general` the same above fifty.
    `unlike` says that both claims have a sense, of the titles of their pages, and no bit of it in common; `repeated` that M and C
    share a word; `returned` that C acts on M, too; `goal` that the second claim tells what M is for or what it motivates,
    somebody's aim on one occasion. `long_effect` counts the words of C above two, at most four; `vague_ends` how many of A and C
    are vague.
    """

    gathered: float
    lone: float
    strong: float
    vague: float
    plural: float
    general: float
    very_general: float
    specific: float
    unlike: float
    long_effect: float
    vague_ends: float
    repeated: float
    returned: float
    event: float
    goal: float


def junction_features(before: Edge, after: Edge, topology: Topology) -> Junction:
    """Return the features of two claims, the effect of the first being the cause of the second."""
    first, middle, last = before.cause, before.effect, after.effect
    kinds = log10(max(_GENERAL, count_kinds(middle)) / _GENERAL)
    words = middle.split()
    return Junction(
        gathered=sum(map(is_gathered, (before, after))),
        lone=sum(edge.support <= 1 and not was_set_by_hand(edge) for edge in (before, after)),
        strong=sum(edge.claim.relation is Relation.CAUSES and edge.strength is Strength.CAUSES for edge in (before, after)),
        vague=is_vague_name(middle),
        plural=words[-1] != singular(words[-1]),
        general=kinds,
        very_general=max(0.0, kinds - log10(_VERY_GENERAL / _GENERAL)),
        specific=" " in middle,
        unlike=bool(before.sense and after.sense and not before.sense & after.sense),
        long_effect=min(4, max(0, len(last.split()) - 2)),
        vague_ends=is_vague_name(first) + is_vague_name(last),
        repeated=not name_stems(middle).isdisjoint(name_stems(last)),
        returned=_acts_on(topology, last, middle),
        event=singular(words[head_place(words, "chains")]) in _junction_tables().events,
        goal=after.claim.relation in (Relation.MOTIVATES, Relation.IS_FOR),
    )


def is_gathered(edge: Edge) -> bool:
    """Return whether a gathering of many texts has the claim of an edge, or somebody has set it."""
    asserting = (ground for ground in edge.grounds if ground.stance is Stance.ASSERTED)
    return was_set_by_hand(edge) or any(kind in GATHERED_SOURCES for ground in asserting for kind, _ in ground.readings)


def is_vague_name(name: str) -> bool:
    """Return whether a name is a word that says nothing by itself."""
    vague = _junction_tables().vague
    return name in vague or (" " not in name and singular(name) in vague)


def count_kinds(name: str) -> int:
    """Return how many kinds of what a name stands for WordNet has; 0 where it has fewer than ten, or not the name."""
    counts = _junction_tables().counts
    return counts.get(name) or counts.get(singular(name), 0)


def name_stems(name: str) -> set[str]:
    """Return the stems of the words of a name that say something."""
    return prefix_stems(singular(word) for word in name.replace("-", " ").split() if word not in STOP_WORDS["chains"])


def _acts_on(topology: Topology, cause: str, effect: str) -> bool:
    source, target = topology.number(cause), topology.number(effect)
    if source is None or target is None:
        return False
    row = topology.outgoing(source)
    places = (place for place, end in enumerate(row.ends) if end == target)
    return any(row.beliefs[place] > ACTING_LINKS.above and _ACTING[row.kinds[place]] for place in places)


class _JunctionTables(NamedTuple):
    vague: frozenset[str]
    events: frozenset[str]
    counts: dict[str, int]


@cache
def _junction_tables() -> _JunctionTables:
    table = File(__file__).with_name("data").joinpath("generality.tsv").read_text(encoding="ascii")
    (_, vague), (_, events), *lines = (line.split("\t") for line in table.splitlines())
    counts = {noun.replace("_", " "): int(number) for number, nouns in lines for noun in nouns.split(" ")}
    return _JunctionTables(frozenset(vague.split(" ")), frozenset(events.split(" ")), counts)


ScoredPath = tuple[float, Path]
"""A path with its validity, 0..1."""
MIN_VALIDITY = 0.82
"""The least validity of a chain that is shown as an answer: of the judged chains, four in five that reach it are valid."""
_MIN_SHORT_VALIDITY = 0.6
"""The same of a chain of two steps as an explanation: of 49 judged ones from here on 41 are valid, of three steps a third."""
_LEAST_COHERENT, _DOUBT_IN_ONE_TEXT = 0.2, 0.1
"""From which validity on a chain gains by being told in one text, and the share of the doubt about it that is then left.

Of 35 judged ones of three steps, with a validity of .2 to .82, 34 are valid; of the others of such a validity a third is.
"""
CHAINS_JUDGED = 30
"""So many chains, best score first, are judged; the likeliest of them is nearly always the likeliest of a hundred."""
CHAIN_VALIDITY = "chain_validity"
"""The name of the fitted model, which scripts/fit/fit_validity.py fits."""


def chain_validity(path: Path, view: GraphView) -> float:
    """Return how probably a chain of two or more steps is valid, 0..1; of a single claim, the belief in it."""
    return rank_by_validity([path], view)[0][0]


def explains(validity: float, path: Path) -> bool:
    """Return whether a chain is likely enough to be valid to be shown as an explanation; a verdict asks for `MIN_VALIDITY`."""
    return validity >= (_MIN_SHORT_VALIDITY if len(path.edges) <= 2 else MIN_VALIDITY)


def rank_by_validity(paths: Iterable[Path], view: GraphView) -> list[ScoredPath]:
    """Return paths with their validities, the likeliest first; equally likely ones stay in their order.

    A chain that one text tells is far likelier to be valid than one that is joined from unrelated texts.
    """
    topology = view.topology()
    scored: list[ScoredPath] = []
    for path in paths:
        validity = junction_validity(path, topology)
        if len(path.edges) > 1 and validity >= _LEAST_COHERENT and is_told_in_one_text(path, view):
            validity = 1.0 - _DOUBT_IN_ONE_TEXT * (1.0 - validity)
        scored.append((validity, path))
    return sorted(scored, key=lambda pair: -pair[0])


def is_told_in_one_text(path: Path, view: GraphView) -> bool:
    """Return whether one text states all claims of a chain."""
    texts: set[tuple[str, str]] = set()
    for place, edge in enumerate(path.edges):
        sources = (record.source for record in view.evidence(edge.claim))
        own = {(source.title, source.url) for source in sources if source.title or source.url}
        texts = texts & own if place else own
        if not texts:
            return False
    return True


def junction_validity(path: Path, topology: Topology) -> float:
    """Return how probably all claims of a path are about the same things, 0..1, whoever tells them."""
    if len(path.edges) == 1:
        return path.edges[0].belief
    model = load_fitted_model(CHAIN_VALIDITY).logistic()
    junctions = (junction_features(before, after, topology) for before, after in pairwise(path.edges))
    return prod(model.probability(junction._asdict()) for junction in junctions)

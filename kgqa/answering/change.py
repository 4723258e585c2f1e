"""What a world changes for an effect, in words: routes, concepts and probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from graph.intervene import Presence
from graph.intervene.support import PREVENTING_LINKS
from graph.links import DRIVING_LINKS, Links
from graph.model import Path, Relation
from graph.protocols import GraphView
from kgqa.answering.entries import Listing
from kgqa.answering.findings import format_path
from kgqa.answering.wording import join_phrases
from kgqa.intervention.settings import EDGE_ARROW, InterventionWorld
from kgqa.model import AnswerChange

if TYPE_CHECKING:
    from graph.intervene.probability import Estimate

MAX_ROUTE_LENGTH = 3
"""How many edges a route has at most, and how far away the causes are that a probability is reckoned on."""

_NAMES_SHOWN = 5


def route_change(
    before: GraphView, world: InterventionWorld, sources: Sequence[str], effects: Sequence[str], relation: Relation, limit: int
) -> AnswerChange:
    """Return what a world changes for how some concepts lead to, or prevent, others (forms of one name, the first one shown)."""
    from graph.intervene.worlds import compare_worlds

    contrast = compare_worlds(before, world.view, effects, sources, route_links(relation), MAX_ROUTE_LENGTH, limit)
    changed = AnswerChange(
        format_paths(contrast.lost), format_paths(contrast.gained), format_paths(contrast.surviving), world=world.name
    )
    return replace(changed, effect=effects[0], given=(sources[0],), chances=contrast.chances)


def name_change(before: Listing | None, after: Listing | None) -> AnswerChange:
    """Return what a world changes in a list."""
    old, new = (listing.names if listing else [] for listing in (before, after))
    known, left = frozenset(old), frozenset(new)
    return AnswerChange(
        lost=tuple(name for name in old if name not in left),
        gained=tuple(name for name in new if name not in known),
        surviving=tuple(name for name in new if name in known),
    )


def with_chances(
    changed: AnswerChange, before: GraphView, world: InterventionWorld, effects: Sequence[str], left: Listing | None
) -> AnswerChange:
    """Return a change with how probable the effect is if only what is set, and the best cause that is left, are there.

    What is set present is given in its own world only. A change that changes nothing stays without a probability.
    """
    from graph.intervene.region import RegionBound
    from graph.intervene.worlds import effect_probabilities

    changed = replace(changed, world=world.name)
    set_concepts = [applied.target.split(EDGE_ARROW)[0] for applied in world.applied if applied.value != Presence.PRESENT]
    sources = [name for name in world.touched if name not in effects]
    supposed = {name for reading in world.read for name in reading.concepts}
    entries = (entry for part in left.parts for entry in part.entries) if left is not None else ()
    other_causes = (entry.finding.path.edges[0].cause for entry in entries)
    best = list(islice((name for name in other_causes if name not in supposed), 1))
    both = effect_probabilities(
        before, world.view, effects, list(dict.fromkeys((*sources, *best))), RegionBound(MAX_ROUTE_LENGTH)
    )
    if both.before == both.after and not changed.lost and not changed.gained:
        return changed
    given = tuple(name for name in dict.fromkeys((*set_concepts, *best)) if name not in effects)
    return replace(changed, effect=effects[0], given=given, chances=both)


def route_links(relation: Relation) -> Links:
    """Return the links of a route that answers a question about `relation`."""
    return Links(PREVENTING_LINKS.kinds, 0.5) if relation is Relation.PREVENTS else DRIVING_LINKS


def format_paths(paths: Sequence[Path]) -> tuple[str, ...]:
    """Return paths in short: "smoking → lung cancer → death"."""
    return tuple(map(format_path, paths))


def change_lines(change: AnswerChange | None, limit: int) -> tuple[str, ...]:
    """Return what is lost and what is gained, a line each, for the trace."""
    if change is None:
        return ()
    return tuple(
        f"{word}: {name}" for word, names in (("lost", change.lost), ("gained", change.gained)) for name in names[:limit]
    )


def word_change(change: AnswerChange) -> Iterator[str]:
    """Yield lines that tell a change."""
    same = change.chances is None or change.chances.before == change.chances.after
    if same and not change.lost and not change.gained and change.surviving:
        yield "nothing is lost or gained"
    for word, names in (("lost", change.lost), ("gained", change.gained), ("left", change.surviving)):
        if names:
            more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
            names_text = ", ".join(names[:_NAMES_SHOWN]) if more else join_phrases(names)
            yield f"{word}: {names_text}{more}"
    if change.chances is not None:
        figures = f"{word_chance(change.chances.before)} as it is, {word_chance(change.chances.after)} with {change.world}"
        given = f"{join_phrases(change.given)} alone" if change.given else "nothing else"
        yield f"probability of {change.effect}, given {given}: {figures}"
        if not change.chances.complete:
            yield f"reckoned on the best routes, of {change.chances.concepts} concepts and up to {change.chances.length} steps"


def word_chance(estimate: Estimate) -> str:
    """Return a probability with its interval: "0.98 (0.97 to 0.99)"."""
    return f"{estimate.sampled:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"

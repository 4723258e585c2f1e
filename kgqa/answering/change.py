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
from kgqa.answering.findings import arrows
from kgqa.answering.wording import listed
from kgqa.intervention.settings import ARROW, World
from kgqa.model import Change

if TYPE_CHECKING:
    from graph.intervene.probability import Estimate

MAX_LENGTH = 3
"""How many edges a route has at most, and how far away the causes are that a probability is reckoned on."""

_SHOWN = 5


def change(
    before: GraphView, world: World, sources: Sequence[str], effects: Sequence[str], relation: Relation, limit: int
) -> Change:
    """Return what a world changes for how some concepts lead to, or prevent, others (forms of one name, the first one shown)."""
    from graph.intervene.worlds import difference

    one = difference(before, world.view, effects, sources, links_for(relation), MAX_LENGTH, limit)
    changed = Change(routes(one.lost), routes(one.gained), routes(one.surviving), world=world.name)
    return replace(changed, effect=effects[0], given=(sources[0],), chances=one.chances)


def names_changed(before: Listing | None, after: Listing | None) -> Change:
    """Return what a world changes in a list."""
    old, new = (listing.names if listing else [] for listing in (before, after))
    known, left = frozenset(old), frozenset(new)
    return Change(
        lost=tuple(name for name in old if name not in left),
        gained=tuple(name for name in new if name not in known),
        surviving=tuple(name for name in new if name in known),
    )


def contrasted(changed: Change, before: GraphView, world: World, effects: Sequence[str], left: Listing | None) -> Change:
    """Return a change with how probable the effect is if only what is set, and the best cause that is left, are there.

    What is set present is given in its own world only. A change that changes nothing stays without a probability.
    """
    from graph.intervene.region import Bound
    from graph.intervene.worlds import chances

    changed = replace(changed, world=world.name)
    shown = [one.target.split(ARROW)[0] for one in world.applied if one.value != Presence.PRESENT]
    sources = [name for name in world.touched if name not in effects]
    supposed = {name for reading in world.read for name in reading.concepts}
    entries = (entry for part in left.parts for entry in part.entries) if left is not None else ()
    others = (entry.finding.path.edges[0].cause for entry in entries)
    best = list(islice((name for name in others if name not in supposed), 1))
    both = chances(before, world.view, effects, list(dict.fromkeys((*sources, *best))), Bound(MAX_LENGTH))
    if both.before == both.after and not changed.lost and not changed.gained:
        return changed
    given = tuple(name for name in dict.fromkeys((*shown, *best)) if name not in effects)
    return replace(changed, effect=effects[0], given=given, chances=both)


def links_for(relation: Relation) -> Links:
    """Return the links of a route that answers a question about `relation`."""
    return Links(PREVENTING_LINKS.kinds, 0.5) if relation is Relation.PREVENTS else DRIVING_LINKS


def routes(paths: Sequence[Path]) -> tuple[str, ...]:
    """Return paths in short: "smoking → lung cancer → death"."""
    return tuple(map(arrows, paths))


def named_changes(one: Change | None, limit: int) -> tuple[str, ...]:
    """Return what is lost and what is gained, a line each, for the trace."""
    if one is None:
        return ()
    return tuple(f"{word}: {name}" for word, names in (("lost", one.lost), ("gained", one.gained)) for name in names[:limit])


def told(one: Change) -> Iterator[str]:
    """Yield lines that tell a change."""
    same = one.chances is None or one.chances.before == one.chances.after
    if same and not one.lost and not one.gained and one.surviving:
        yield "nothing is lost or gained"
    for word, names in (("lost", one.lost), ("gained", one.gained), ("left", one.surviving)):
        if names:
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            shown = ", ".join(names[:_SHOWN]) if more else listed(names)
            yield f"{word}: {shown}{more}"
    if one.chances is not None:
        figures = f"{chance(one.chances.before)} as it is, {chance(one.chances.after)} with {one.world}"
        given = f"{listed(one.given)} alone" if one.given else "nothing else"
        yield f"probability of {one.effect}, given {given}: {figures}"
        if not one.chances.complete:
            yield f"reckoned on the best routes, of {one.chances.concepts} concepts and up to {one.chances.length} steps"


def chance(one: Estimate) -> str:
    """Return a probability with its interval: "0.98 (0.97 to 0.99)"."""
    return f"{one.sampled:.2f} ({one.low:.2f} to {one.high:.2f})"

"""What stands and falls in an edited graph: a concept stands while something that stands can bring it about.

The graph as it is describes what can be, so that all of it stands, and only what descends from an edit can fall. A concept that
no claim explains stands by itself; any other one needs a cause that stands: the least fixpoint, in which concepts that cause one
another in a circle do not hold themselves up. Claims that prevent or merely associate hold nothing up, and beliefs do not matter
as long as they are more than 0: how much is left is a question of probability.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from graph.intervene.edits import Presence
from graph.links import ACTING_LINKS, DRIVING_LINKS, LESSENING_LINKS, Links
from graph.protocols import Row

if TYPE_CHECKING:
    from graph.intervene.arrows import EditedTopology

SUPPORTING_LINKS = Links(DRIVING_LINKS.kinds)
"""What can bring its effect about, however little it is believed."""

PREVENTING_LINKS = Links(ACTING_LINKS.kinds & LESSENING_LINKS.kinds)
"""What makes less of its effect."""

_SUPPORTING_MASK = SUPPORTING_LINKS.mask()

_PREFETCHED_ROWS = 16
"""How many rows a distant store is told of that may be asked for next. The least believed causes are looked at first: they are
joined to less, and soon one without causes is met."""


def supporting_ends(row: Row) -> Iterator[int]:
    """Yield the far ends of the edges of a row that can bring their effect about, most believed first."""
    for end, belief, kind in zip(row.ends, row.beliefs, row.kinds, strict=True):
        if belief <= 0.0:
            return
        if _SUPPORTING_MASK[kind]:
            yield end


def fallen_concepts(world: EditedTopology) -> frozenset[int]:
    """Return the concepts that are absent or that nothing holds up any more; the walk goes only where something falls."""
    gone = {number for number, setting in world.forced.items() if setting is Presence.ABSENT}
    standing = {number for number, setting in world.forced.items() if setting is Presence.PRESENT}
    threatened = [
        *world.edited_concepts(),
        *(end for number in gone for end in supporting_ends(world.below(number, forward=True))),
    ]
    world.prepare(threatened, forward=False)
    while threatened:
        number = threatened.pop()
        if number in gone or number in standing:
            continue
        falling = _falling_with(world, number, gone, standing)
        gone |= falling
        world.prepare(falling, forward=True)
        threatened.extend(end for concept in falling for end in supporting_ends(world.below(concept, forward=True)))
        threatened.extend(end for concept in falling for end in supporting_ends(world.outgoing(concept)))
    return frozenset(gone)


def _falling_with(world: EditedTopology, number: int, gone: set[int], standing: set[int]) -> set[int]:
    """Return what falls with a concept, itself included, or nothing where it stands, which is then noted.

    The walk goes back along causes until one stands. Where there is none, every concept met can only be held up by others met:
    those that do not descend from an edit stand as they did, and what they lead to.
    """
    causes: dict[int, list[int]] = {}
    waiting = [number]
    while waiting:
        here = waiting.pop()
        if here in causes:
            continue
        if here in standing or not any(True for _ in supporting_ends(world.below(here, forward=False))):
            standing.update((here, number))
            return set()
        causes[here] = [end for end in supporting_ends(world.incoming(here)) if end not in gone]
        waiting.extend(causes[here])
        world.prepare(causes[here][-_PREFETCHED_ROWS:], forward=False)
    edited = set(world.edited_concepts())
    descending = {
        concept
        for concept in causes
        if concept in edited or any(end in gone for end in supporting_ends(world.below(concept, forward=False)))
    }
    unaffected = causes.keys() - _reachable_effects(causes, descending)
    held = _reachable_effects(causes, unaffected)
    standing |= held
    return causes.keys() - held


def _reachable_effects(causes: dict[int, list[int]], start: Iterable[int]) -> set[int]:
    """Return `start` and everything that it leads to among these concepts."""
    effects: dict[int, list[int]] = {}
    for effect, before in causes.items():
        for end in before:
            effects.setdefault(end, []).append(effect)
    reached = set(start)
    waiting = list(reached)
    while waiting:
        fresh = set(effects.get(waiting.pop(), ())) - reached
        reached |= fresh
        waiting.extend(fresh)
    return reached

"""What is said to be so because of what is supposed before it ("and, because of that, not B"): whether the graph knows that."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from graph.intervene import Presence
from graph.protocols import GraphView
from kgqa.answering.pulls import bearing
from kgqa.intervention.settings import Part, World
from kgqa.model import Condition


def following(view: GraphView, world: World) -> Iterator[str]:
    """Yield a line for each supposition that is said to follow from the one before it; it is applied all the same."""
    for before, part in pairwise(world.parts):
        if not (isinstance(part.setting, Condition) and part.setting.follows):
            continue
        cause, effect = before.reading.concepts[0], part.reading.concepts[0]
        said = f"that this follows from '{cause}'"
        alone = World(world.view, (), (), (before,))
        found = bearing(view, alone, [part.reading], 1) if _can_follow(before, part) else None
        if found is None:
            yield f"{said}: the graph knows no way from {cause} to {effect}; it was supposed as it was said"
        elif found.less is (part.setting.presence is Presence.ABSENT or part.takes):
            yield f"{said}: the graph knows it, too ({found.leading.told[0]})"
        else:
            yield f"{said}: the graph rather knows the opposite ({found.leading.told[0]}); it was supposed as it was said"


def _can_follow(before: Part, part: Part) -> bool:
    return part.effect is None and not set(before.concepts) & set(part.concepts)

"""What is said to be so because of what is supposed before it ("and, because of that, not B"): whether the graph knows that."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from graph.intervene import Presence
from graph.protocols import GraphView
from kgqa.answering.pulls import find_influences
from kgqa.intervention.settings import AppliedSetting, InterventionWorld
from kgqa.model import Condition


def check_follows(view: GraphView, world: InterventionWorld) -> Iterator[str]:
    """Yield a line for each supposition that is said to follow from the one before it; it is applied all the same."""
    for before, part in pairwise(world.parts):
        if not (isinstance(part.setting, Condition) and part.setting.follows):
            continue
        cause, effect = before.reading.concepts[0], part.reading.concepts[0]
        statement = f"that this follows from '{cause}'"
        alone = InterventionWorld(world.view, (), (), (before,))
        influence_set = find_influences(view, alone, [part.reading], 1) if _can_follow(before, part) else None
        if influence_set is None:
            yield f"{statement}: the graph knows no way from {cause} to {effect}; it was supposed as it was said"
        elif influence_set.less is (part.setting.presence is Presence.ABSENT or part.takes):
            yield f"{statement}: the graph knows it, too ({influence_set.leading.route_texts[0]})"
        else:
            yield f"{statement}: the graph rather knows the opposite ({influence_set.leading.route_texts[0]}); it was supposed as it was said"


def _can_follow(before: AppliedSetting, part: AppliedSetting) -> bool:
    return part.effect is None and not set(before.concepts) & set(part.concepts)

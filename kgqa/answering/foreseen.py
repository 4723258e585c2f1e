"""What would follow in a supposed world where no effect is named: what there is more of, less of, and what has no cause left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from graph.links import DRIVING_LINKS
from graph.model import Relation
from kgqa.answering.change import named_changes
from kgqa.answering.contracts import Side
from kgqa.answering.counterfactual import applied_lines, undecided
from kgqa.answering.evidence import cited
from kgqa.answering.findings import edge_finding
from kgqa.answering.listing import find_as, read_as, refusal, wanted_edges
from kgqa.answering.prospects import GRADED
from kgqa.answering.wording import counted, listed, sentence
from kgqa.intervention.settings import Part, World
from kgqa.model import Answer, Change, Finding, Route
from kgqa.request import Request


class _Bearing(NamedTuple):
    """What one supposition makes more of, and what less of."""

    more: Sequence[Finding]
    less: Sequence[Finding]


def everything_foreseen(request: Request, world: World) -> Answer:
    """Answer for everything that is supposed to change bears on: what it makes more of, and what it makes less of."""
    limit = request.limit
    found = [_effects(request, world, part) for part in world.parts]
    driven = _distinct(one for bears in found for one in bears.more)
    held = _distinct(one for bears in found for one in bears.less)
    findings = tuple(sorted((*driven, *held), key=lambda one: -one.confidence))[:limit]
    if not findings:
        names = listed([f"'{part.reading.phrase}'" for part in world.parts])
        phrase = world.parts[0].reading.phrase
        return undecided(refusal(request.question, request.kind, f"what depends on {names}", phrase, request.view))
    cutting = any(part.cuts for part in world.parts)
    own = {name for part in world.parts for name in part.concepts}
    named = {one.text: one for one in (*driven, *held)}
    bare = [one for one in named.values() if _is_bare(one, world)] if cutting else []
    farther = sorted(world.view.gone - own - {one.text for one in bare})
    others = {name: _others(name, world) for name in list(named)[:limit] if name not in {one.text for one in bare}}
    sides = [("less", held), ("more", driven)] if world.parts[0].takes else [("more", driven), ("less", held)]
    parts = [f"{word} likely: {listed([one.text for one in side[:limit]])}" for word, side in sides if side]
    parts += [f"no known cause would be left of {listed([one.text for one in bare[:limit]])}"] if bare else []
    parts += [GRADED] if any(part.graded for part in world.parts) else []
    supporting, denying = cited(request.view, dict.fromkeys(edge for one in findings for edge in one.path.edges), each=2)
    changed = Change(lost=(*(one.text for one in bare), *farther), surviving=tuple(others), world=world.name) if cutting else None
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.INTERVENTION_GRAPH,
        answer=findings[0].text,
        sentence=sentence("; ".join(parts)),
        findings=findings,
        confidence=findings[0].confidence,
        evidence=supporting,
        against=denying,
        interventions=world.applied,
        change=changed,
        trace=(
            *applied_lines(world),
            *(read_as(one) for one in world.read),
            *(f"{name}: {counted(left, 'other cause')} left" for name, left in others.items() if cutting),
            *named_changes(changed, limit),
        ),
    )


def _effects(request: Request, world: World, part: Part) -> _Bearing:
    """Return what a supposition makes more of, and less of: with what is taken away it is the other way round."""
    if part.effect is not None:
        where, ends = request.view if part.takes else world.view, set(part.effect.concepts)
        between = [edge for name in part.concepts for edge in where.effects(name) if edge.effect in ends]
        named = [replace(edge_finding(edge), text=edge.effect) for edge in between if edge.belief > DRIVING_LINKS.above]
        more = [one for one in named if DRIVING_LINKS.allow(one.path.edges[0])]
        less = [one for one in named if one not in more]
    else:
        driven = find_as(request.view, part.reading, Relation.CAUSES, Side.EFFECTS)
        held = find_as(request.view, part.reading, Relation.PREVENTS, Side.EFFECTS)
        more = [one for one in driven.findings if all(map(DRIVING_LINKS.allow, one.path.edges))] if driven else []
        less = [one for one in held.findings if all(edge.belief > DRIVING_LINKS.above for edge in one.path.edges)] if held else []
    return _Bearing(less, more) if part.takes else _Bearing(more, less)


def _distinct(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings, one for each name."""
    found: dict[str, Finding] = {}
    for one in findings:
        found.setdefault(one.text, one)
    return list(found.values())


def _is_bare(one: Finding, world: World) -> bool:
    """Return whether nothing holds up an effect in a world."""
    return all(edge.effect in world.view.gone for edge in one.path.edges)


def _others(name: str, world: World) -> int:
    """Return how many causes a concept has in a world."""
    return len(wanted_edges(world.view.causes(name), Relation.CAUSES, Side.CAUSES))

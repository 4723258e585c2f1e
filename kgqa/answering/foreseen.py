"""What would follow in a supposed world where no effect is named: what there is more of, less of, and what has no cause left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from graph.links import DRIVING_LINKS
from graph.model import Relation
from kgqa.answering.change import change_lines
from kgqa.answering.contracts import Side
from kgqa.answering.counterfactual import as_undecided, supposition_lines
from kgqa.answering.evidence import cite_evidence
from kgqa.answering.findings import edge_finding
from kgqa.answering.listing import edges_for_relation, listing_for_relation, refuse_phrase, trace_link
from kgqa.answering.prospects import GRADED_NOTE
from kgqa.answering.wording import as_sentence, count_noun, join_phrases
from kgqa.intervention.settings import AppliedSetting, InterventionWorld
from kgqa.model import Answer, AnswerChange, Finding, Route
from kgqa.request import Request


class _PartConsequences(NamedTuple):
    """What one supposition makes more of, and what less of."""

    more: Sequence[Finding]
    less: Sequence[Finding]


def answer_consequences(request: Request, world: InterventionWorld) -> Answer:
    """Answer for everything that is supposed to change bears on: what it makes more of, and what it makes less of."""
    limit = request.limit
    consequences = [_part_consequences(request, world, part) for part in world.parts]
    driven = _distinct_by_text(item for bears in consequences for item in bears.more)
    held = _distinct_by_text(item for bears in consequences for item in bears.less)
    findings = tuple(sorted((*driven, *held), key=lambda item: -item.confidence))[:limit]
    if not findings:
        names = join_phrases([f"'{part.reading.phrase}'" for part in world.parts])
        phrase = world.parts[0].reading.phrase
        return as_undecided(refuse_phrase(request.question, request.kind, f"what depends on {names}", phrase, request.view))
    cutting = any(part.cuts for part in world.parts)
    own = {name for part in world.parts for name in part.concepts}
    by_name = {item.text: item for item in (*driven, *held)}
    bare = [item for item in by_name.values() if _has_no_cause_left(item, world)] if cutting else []
    farther = sorted(world.view.gone - own - {item.text for item in bare})
    cause_counts = {
        name: _count_causes(name, world) for name in list(by_name)[:limit] if name not in {item.text for item in bare}
    }
    sides = [("less", held), ("more", driven)] if world.parts[0].takes else [("more", driven), ("less", held)]
    parts = [f"{word} likely: {join_phrases([item.text for item in side[:limit]])}" for word, side in sides if side]
    parts += [f"no known cause would be left of {join_phrases([item.text for item in bare[:limit]])}"] if bare else []
    parts += [GRADED_NOTE] if any(part.graded for part in world.parts) else []
    supporting, denying = cite_evidence(
        request.view, dict.fromkeys(edge for item in findings for edge in item.path.edges), each=2
    )
    changed = (
        AnswerChange(lost=(*(item.text for item in bare), *farther), surviving=tuple(cause_counts), world=world.name)
        if cutting
        else None
    )
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.INTERVENTION_GRAPH,
        answer=findings[0].text,
        sentence=as_sentence("; ".join(parts)),
        findings=findings,
        confidence=findings[0].confidence,
        evidence=supporting,
        against=denying,
        interventions=world.applied,
        change=changed,
        trace=(
            *supposition_lines(world),
            *(trace_link(item) for item in world.read),
            *(f"{name}: {count_noun(left, 'other cause')} left" for name, left in cause_counts.items() if cutting),
            *change_lines(changed, limit),
        ),
    )


def _part_consequences(request: Request, world: InterventionWorld, part: AppliedSetting) -> _PartConsequences:
    """Return what a supposition makes more of, and less of: with what is taken away it is the other way round."""
    if part.effect is not None:
        where, ends = request.view if part.takes else world.view, set(part.effect.concepts)
        between = [edge for name in part.concepts for edge in where.effects(name) if edge.effect in ends]
        findings = [replace(edge_finding(edge), text=edge.effect) for edge in between if edge.belief > DRIVING_LINKS.above]
        more = [finding for finding in findings if DRIVING_LINKS.allow(finding.path.edges[0])]
        less = [finding for finding in findings if finding not in more]
    else:
        driven = listing_for_relation(request.view, part.reading, Relation.CAUSES, Side.EFFECTS)
        held = listing_for_relation(request.view, part.reading, Relation.PREVENTS, Side.EFFECTS)
        more = [finding for finding in driven.findings if all(map(DRIVING_LINKS.allow, finding.path.edges))] if driven else []
        less = (
            [finding for finding in held.findings if all(edge.belief > DRIVING_LINKS.above for edge in finding.path.edges)]
            if held
            else []
        )
    return _PartConsequences(less, more) if part.takes else _PartConsequences(more, less)


def _distinct_by_text(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings, one for each name."""
    by_text: dict[str, Finding] = {}
    for finding in findings:
        by_text.setdefault(finding.text, finding)
    return list(by_text.values())


def _has_no_cause_left(finding: Finding, world: InterventionWorld) -> bool:
    """Return whether nothing holds up an effect in a world."""
    return all(edge.effect in world.view.gone for edge in finding.path.edges)


def _count_causes(name: str, world: InterventionWorld) -> int:
    """Return how many causes a concept has in a world."""
    return len(edges_for_relation(world.view.causes(name), Relation.CAUSES, Side.CAUSES))

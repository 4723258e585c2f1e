"""Answers to "If X were gone, what would happen to Y?": the same question asked of two worlds, and the difference."""

from __future__ import annotations

from dataclasses import replace

from graph.algorithms.paths import best_paths
from graph.intervene import Presence
from graph.model import Relation
from graph.protocols import GraphView
from kgqa.answering.chain import drives
from kgqa.answering.evidence import cited
from kgqa.answering.findings import path_finding
from kgqa.answering.listing import Listing, Side, find, read_as, refusal, wanted_edges
from kgqa.answering.wording import counted, listed, sentence
from kgqa.errors import ConceptUnknown
from kgqa.intervention.settings import apply
from kgqa.linking.linker import readings
from kgqa.model import Answer, Condition, QuestionType, Route, Semantic, Verdict

MAX_LENGTH = 3


def answer_counterfactual(question: str, kind: QuestionType, view: GraphView, limit: int) -> Answer:
    """Answer what the "if" of the question changes for its effect, or, where it names none, for what X causes."""
    condition = kind.slots.condition
    if condition is None:
        return refusal(question, kind, "what is supposed", question, view)
    try:
        if kind.slots.effect is None:
            return _all_effects(question, kind, view, condition, limit)
        return _one_effect(question, kind, view, condition, kind.slots.effect, limit)
    except ConceptUnknown:
        return refusal(question, kind, f"what depends on '{condition.target}'", condition.target, view)


def _one_effect(question: str, kind: QuestionType, view: GraphView, condition: Condition, effect: str, limit: int) -> Answer:
    """Answer for one effect: which routes to it are lost, and which causes of it survive."""
    overlay, applied, read = apply(view, (condition,))
    for reading in readings(effect, view):
        if reading.how == "spelling" or set(reading.concepts) & set(read[0].concepts):
            continue
        lost = best_paths(view, read[0].concepts, reading.concepts, MAX_LENGTH, limit, drives)
        if lost:
            break
    else:
        return refusal(question, kind, f"that '{effect}' depends on '{condition.target}'", effect, view)
    before = find(view, reading.phrase, Relation.CAUSES, Side.CAUSES)
    after = find(overlay, reading.phrase, Relation.CAUSES, Side.CAUSES)
    surviving = [one.text for one in after.findings] if after else []
    target = read[0].concepts[0]
    what = reading.concepts[0]
    gone = condition.presence is Presence.ABSENT
    supporting, denying = cited(view, dict.fromkeys(edge for path in lost for edge in path.edges), each=2)
    route = " → ".join(lost[0].concepts)
    if not gone:
        answer, text = "more likely", f"{what} would become more likely, by way of {route}"
    elif surviving:
        rest = f"{counted(len(surviving), 'other cause')} of it would remain, such as {listed(surviving[:3])}"
        answer, text = "less likely", f"{what} would become less likely, since {route} is cut; but {rest}"
    else:
        answer, text = "no known cause left", f"{what} would lose its only known cause, {target}"
    asked = kind.semantic is Semantic.VERIFICATION
    verdict = (Verdict.YES if surviving or not gone else Verdict.NO) if asked else None
    finding = replace(path_finding(lost[0], reading.score * read[0].score), text=verdict.value if verdict else answer)
    return Answer(
        question=question,
        type=kind,
        route=Route.INTERVENTION_GRAPH,
        answer=finding.text,
        verdict=verdict,
        sentence=sentence(text),
        findings=(finding,),
        confidence=finding.confidence,
        evidence=supporting,
        against=denying,
        interventions=applied,
        trace=(
            *(read_as(one) for one in read),
            read_as(reading),
            f"as it is: {what} is caused by {world(before)}",
            f"with {target} {condition.presence.value}: {what} is caused by {world(after)}",
            *(f"{'lost' if gone else 'driven'}: {' → '.join(path.concepts)}" for path in lost),
        ),
    )


def _all_effects(question: str, kind: QuestionType, view: GraphView, condition: Condition, limit: int) -> Answer:
    """Answer for everything that the supposed concept causes: what loses its only cause, and what has others."""
    overlay, applied, read = apply(view, (condition,))
    listing = find(view, condition.target, Relation.CAUSES, Side.EFFECTS)
    if listing is None:
        return refusal(question, kind, f"what depends on '{condition.target}'", condition.target, view)
    findings = tuple(one for one in listing.findings if all(drives(edge) for edge in one.path.edges))[:limit]
    if not findings:
        return refusal(question, kind, f"what depends on '{condition.target}'", condition.target, view)
    others = {one.text: len(wanted_edges(overlay.causes(one.text), Relation.CAUSES, Side.CAUSES)) for one in findings}
    supporting, denying = cited(view, (edge for one in findings for edge in one.path.edges), each=2)
    gone = condition.presence is Presence.ABSENT
    names = listed([one.text for one in findings[:5]])
    return Answer(
        question=question,
        type=kind,
        route=Route.INTERVENTION_GRAPH,
        answer=findings[0].text,
        sentence=sentence(f"{'less' if gone else 'more'} likely: {names}"),
        findings=findings,
        confidence=findings[0].confidence,
        evidence=supporting,
        against=denying,
        interventions=applied,
        trace=(
            *(read_as(one) for one in read),
            *(f"{name}: {counted(left, 'other cause')} left" for name, left in others.items() if gone),
        ),
    )


def world(listing: Listing | None) -> str:
    """Return what causes something in one of the two worlds, for the trace."""
    if listing is None:
        return "nothing that the graph knows"
    shown = listed([one.text for one in listing.findings[:4]])
    return f"{counted(len(listing.findings), 'concept')}, first {shown}"

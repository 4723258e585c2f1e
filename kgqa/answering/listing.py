"""Answers that list concepts: the causes of something, its effects, what prevents it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from graph.mining.words import words
from graph.model import Edge, Polarity, Relation
from graph.normalize import concept_name
from graph.protocols import GraphView
from kgqa.answering.evidence import cited
from kgqa.answering.findings import edge_finding, was_set
from kgqa.answering.wording import counted, listed, sentence
from kgqa.linking.linker import Reading, near_names, readings
from kgqa.model import Answer, Finding, Missing, QuestionType, Route, Semantic
from kgqa.request import Request

SURE = 0.8
"""The least score of a reading that an answer need not mention."""

_LOOKED_AT = 60
"""How many of the best findings are ranked by their sources."""


class Side(Enum):
    """Which end of the edges the answers stand at."""

    CAUSES = "causes"
    EFFECTS = "effects"


@dataclass(frozen=True, slots=True)
class Listing:
    """The concepts found on one side of a reading, best first, with how the phrase was read."""

    reading: Reading
    findings: tuple[Finding, ...]


def is_prevention(edge: Edge) -> bool:
    """Return whether the cause of an edge makes less of its effect."""
    return edge.claim.relation is Relation.PREVENTS or edge.claim.polarity is Polarity.DECREASES


def wanted_edges(edges: Iterable[Edge], relation: Relation, side: Side) -> list[Edge]:
    """Return the believed edges that answer a question about `relation`.

    A question for what prevents takes the edges that decrease. Every other question for causes leaves them out; a question for
    effects keeps them, since less of something is an effect too. Motives and enabling conditions answer "what causes", too; what
    is used for a thing does not.
    """
    believed = [edge for edge in edges if edge.belief > 0.0]
    if relation is Relation.PREVENTS:
        return [edge for edge in believed if is_prevention(edge)]
    if side is Side.CAUSES:
        believed = [edge for edge in believed if not is_prevention(edge)]
        if relation is not Relation.IS_FOR:
            believed = [edge for edge in believed if edge.claim.relation is not Relation.IS_FOR]
    exact = [edge for edge in believed if edge.claim.relation is relation]
    return exact if exact and relation not in (Relation.CAUSES, Relation.ASSOCIATED) else believed


def find(view: GraphView, phrase: str, relation: Relation, side: Side) -> Listing | None:
    """Return what the first reading of `phrase` that has any wanted edge leads to; `None` where none has."""
    listings = (find_as(view, reading, relation, side) for reading in readings(phrase, view))
    return next((listing for listing in listings if listing is not None), None)


def find_as(view: GraphView, reading: Reading, relation: Relation, side: Side) -> Listing | None:
    """Return what a reading leads to; `None` where it has no wanted edge."""
    edges = [edge for name in reading.concepts for edge in (view.causes(name) if side is Side.CAUSES else view.effects(name))]
    findings = _findings(view, wanted_edges(edges, relation, side), reading, side)
    return Listing(reading, findings) if findings else None


def _findings(view: GraphView, edges: Iterable[Edge], reading: Reading, side: Side) -> tuple[Finding, ...]:
    """Return one finding for each concept at the far end, forms of one name together, most believed first.

    Names that say nothing ("condition") and associations come last. Among equals come first those that an article about the
    very concept names, then the stronger wording.
    """
    grouped: dict[str, list[Edge]] = {}
    for edge in edges:
        far = edge.cause if side is Side.CAUSES else edge.effect
        if far not in reading.concepts:
            grouped.setdefault(concept_name(far) or far, []).append(edge)
    ranked = []
    for name, group in grouped.items():
        best = max(group, key=lambda edge: (edge.belief, -edge.strength.rank))
        support = sum(edge.support for edge in group)
        finding = replace(edge_finding(best), text=name, confidence=best.belief * reading.score, support=support)
        ranked.append(
            (
                name in words("vague") or finding.relation is Relation.ASSOCIATED,
                -round(finding.confidence, 2),
                -finding.support,
                name,
                finding,
                group,
            )
        )
    ranked.sort(key=lambda row: row[:4])
    topical = {row[3] for row in ranked[:_LOOKED_AT] if _topical(view, row[5], reading)}
    ranked.sort(key=lambda row: (*row[:3], row[3] not in topical, row[4].strength.rank, row[3]))
    return tuple(row[4] for row in ranked)


def _topical(view: GraphView, edges: Iterable[Edge], reading: Reading) -> bool:
    """Return whether an article about one of the concepts of the reading is among the sources of the edges."""
    titles = (concept_name(record.source.title) for edge in edges for record in view.evidence(edge.claim))
    return not {concept_name(name) for name in reading.concepts}.isdisjoint(titles)


def answer_listing(request: Request) -> Answer:
    """Answer a question that asks for causes or for effects, whichever slot it fills."""
    question, kind, view, limit = request.question, request.kind, request.view, request.limit
    side = Side.EFFECTS if kind.slots.effect is None else Side.CAUSES
    phrase = (kind.slots.cause if side is Side.EFFECTS else kind.slots.effect) or ""
    listing = find(view, phrase, kind.slots.relation, side)
    if listing is None:
        return refusal(question, kind, f"the {side.value} of '{phrase}'", phrase, view)
    findings = listing.findings[:limit]
    supporting, denying = cited(view, (edge for one in findings for edge in one.path.edges))
    return Answer(
        question=question,
        type=kind,
        route=Route.GRAPH,
        answer=findings[0].text,
        sentence=_wording(listing, kind, side, findings),
        findings=findings,
        confidence=findings[0].confidence,
        evidence=supporting,
        against=denying,
        trace=(read_as(listing.reading), f"{counted(len(listing.findings), 'concept')} found, {len(findings)} shown"),
    )


def _wording(listing: Listing, kind: QuestionType, side: Side, findings: Sequence[Finding]) -> str:
    """Return the list in a sentence."""
    subject = listing.reading.concepts[0]
    best = listed([f"{one.text} ({_about(one, side)})" for one in findings[:5]])
    if kind.slots.relation is Relation.PREVENTS:
        heading = f"what prevents or reduces {subject}" if side is Side.CAUSES else f"what {subject} prevents or reduces"
    elif side is Side.EFFECTS:
        heading = f"effects of {subject}"
    else:
        heading = {
            Semantic.PURPOSE: "purposes behind",
            Semantic.GOAL: "reasons for",
            Semantic.ENABLEMENT: "conditions for",
        }.get(kind.semantic or Semantic.CAUSE, "causes of")
        heading = f"{heading} {subject}"
    loosely = f" ('{listing.reading.phrase}' was read so: {listing.reading.how})" if listing.reading.score < SURE else ""
    only_linked = all(one.relation is Relation.ASSOCIATED for one in findings)
    return sentence(f"{'only linked to it, not stated as ' if only_linked else ''}{heading}{loosely}: {best}")


_CHANGED = {Polarity.INCREASES: "more of it, ", Polarity.DECREASES: "less of it, "}


def _about(finding: Finding, side: Side) -> str:
    """Return what stands in brackets behind a finding: the direction of an effect that grows or shrinks, and its sources."""
    changed = _CHANGED.get(finding.polarity, "") if side is Side.EFFECTS else ""
    if not finding.support and was_set(finding.path.edges[0]):
        return f"{changed}as it was set"
    return changed + (counted(finding.support, "source") if finding.support else "only with a hedge")


def read_as(reading: Reading) -> str:
    """Return how a phrase was read, for the trace."""
    return f"'{reading.phrase}' read as {listed([repr(name) for name in reading.concepts[:4]])} ({reading.how})"


def refusal(question: str, kind: QuestionType, what: str, phrase: str, view: GraphView) -> Answer:
    """Return the answer "unknown": what is missing, and whether the phrase itself is unknown to the graph."""
    reading = next(readings(phrase, view), None)
    if reading is None:
        where = f"no concept of the graph is called '{phrase}'"
    elif reading.how == "spelling":
        where = f"no concept of the graph is called '{phrase}'; near: {', '.join(near_names(phrase, view))}"
    else:
        where = f"the graph knows '{reading.concepts[0]}', but holds no such claim; mine texts about it with kgqa mine"
    return Answer(
        question=question,
        type=kind,
        route=Route.NONE,
        sentence=sentence(f"unknown: the graph does not say {what}; {where}"),
        missing=(Missing(what, where),),
    )

"""Answers and types as the JSON objects of the command line's contract: fields that do not apply are null or empty."""

from __future__ import annotations

from typing import Any

from graph.model import Edge, Evidence
from kgqa.model import Answer, Cited, Finding, QuestionType, Slots


def type_record(kind: QuestionType) -> dict[str, Any]:
    """Return the type of a question."""
    return {
        "semantic": kind.semantic,
        "pragmatic": kind.pragmatic,
        "attributes": list(kind.attributes),
        "slots": _slots(kind.slots),
        "confidence": round(kind.confidence, 4),
        "rules": list(kind.rules),
    }


def answer_record(answer: Answer, url: str, digest: str, elapsed_ms: float, identifier: object = None) -> dict[str, Any]:
    """Return an answer with the graph it comes from; `elapsed_ms` is the time that answering took."""
    return {
        "id": identifier,
        "question": answer.question,
        "type": type_record(answer.type),
        "route": answer.route,
        "verdict": answer.verdict,
        "answer": answer.answer,
        "sentence": answer.sentence,
        "answers": [_finding(one) for one in answer.findings],
        "confidence": round(answer.confidence, 4),
        "evidence": [evidence_record(one) for one in answer.evidence],
        "against": [evidence_record(one) for one in answer.against],
        "presuppositions": [],
        "interventions": [
            {"operation": one.operation, "target": one.target, "value": one.value, "from": one.source}
            for one in answer.interventions
        ],
        "trace": list(answer.trace),
        "missing": [{"what": one.what, "where": one.where} for one in answer.missing],
        "cypher": None,
        "elapsed_ms": round(elapsed_ms, 3),
        "graph": {"url": url, "digest": digest},
    }


def edge_record(edge: Edge) -> dict[str, Any]:
    """Return an edge with all that it carries."""
    return {
        "cause": edge.cause,
        "effect": edge.effect,
        "relation": edge.claim.relation,
        "polarity": edge.claim.polarity,
        "strength": edge.strength,
        "belief": round(edge.belief, 4),
        "support": edge.support,
        "against": edge.against,
        "hedged": edge.hedged,
    }


def evidence_record(cited: Cited) -> dict[str, Any]:
    """Return an evidence record with the claim that it bears on."""
    evidence = cited.evidence
    claim = {"cause": cited.claim.cause, "effect": cited.claim.effect, "relation": cited.claim.relation}
    return {
        "text": evidence.text,
        "stance": evidence.stance,
        "rule": evidence.rule,
        "context": evidence.slots(),
        "source": _source(evidence),
        "claim": claim,
    }


def _source(evidence: Evidence) -> dict[str, Any]:
    """Return where an evidence record stands."""
    source = evidence.source
    return {
        "kind": source.kind,
        "title": source.title or None,
        "page_id": source.page_id or None,
        "url": source.url or None,
        "section": evidence.section or None,
        "start": evidence.start,
        "end": evidence.end,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    """Return one of the answers."""
    return {
        "text": finding.text,
        "confidence": round(finding.confidence, 4),
        "relation": finding.relation,
        "polarity": finding.polarity,
        "strength": finding.strength,
        "support": finding.support,
        "path": [
            {"cause": edge.cause, "effect": edge.effect, "relation": edge.claim.relation, "belief": round(edge.belief, 4)}
            for edge in finding.path.edges
        ],
    }


def _slots(slots: Slots) -> dict[str, Any]:
    """Return the slots of a question."""
    condition = slots.condition
    return {
        "cause": slots.cause,
        "effect": slots.effect,
        "relation": slots.relation,
        "condition": None
        if condition is None
        else {"text": condition.text, "target": condition.target, "value": condition.presence},
    }

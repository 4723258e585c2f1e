"""Answers and types as the JSON objects of the command line's contract: fields that do not apply are null or empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from graph.model import Edge, Source, Stance, by_slot
from kgqa.answer_model import (
    Answer,
    AnswerChange,
    CitedEvidence,
    Excerpt,
    Finding,
    MissingInformation,
    PassageAnswer,
    Presupposition,
    Route,
)
from kgqa.question import Condition, QuestionType, Slots

if TYPE_CHECKING:
    from graph.intervene.effect_probability import EffectProbabilities
    from graph.mining.miner import MinedClaim
    from kgqa import record_schema as schema


def type_record(kind: QuestionType) -> schema.TypeRecord:
    """Return the type of a question."""
    return {
        "semantic": kind.semantic,
        "pragmatic": kind.intent,
        "pragmatic_subtype": kind.pragmatic,
        "attributes": list(kind.attributes),
        "slots": _slots_record(kind.slots),
        "confidence": round(kind.confidence, 4),
        "mood": None if kind.mood is None else round(kind.mood, 4),
        "pragmatic_confidence": round(kind.pragmatic_confidence, 4),
        "scores": {name: round(score, 4) for name, score in kind.scores},
        "pragmatic_scores": {name: round(score, 4) for name, score in kind.pragmatic_scores},
        "rules": list(kind.rules),
    }


def answer_record(
    answer: Answer,
    url: str | None = None,
    digest: str | None = None,
    elapsed_ms: float | None = None,
    identifier: object = None,
    cypher: str | None = None,
) -> schema.AnswerRecord:
    """Return an answer with the graph it comes from, where that is given; `elapsed_ms` is the time that answering took."""
    findings = [_finding_record(item) for item in answer.findings]
    read = [_passage_answer_record(item) for item in answer.read]
    split = answer.separation
    separation: schema.SeparationRecord | None = split and {
        "slot": split.slot,
        "supporting": list(split.supporting),
        "denying": list(split.denying),
    }
    cited = [evidence_record(item) for item in answer.evidence]
    excerpts = [_excerpt_record(item) for item in dict.fromkeys(item.excerpt for item in answer.read) if item is not None]
    reader_first = answer.route in (Route.READER, Route.INTERVENTION_PASSAGE)
    return {
        "id": identifier,
        "question": answer.question,
        "type": type_record(answer.type),
        "route": answer.route,
        "verdict": answer.verdict,
        "answer": answer.answer,
        "sentence": answer.sentence,
        "answers": [*read, *findings] if reader_first else [*findings, *read],
        "confidence": round(answer.confidence, 4),
        "evidence": [*excerpts, *cited] if reader_first else [*cited, *excerpts],
        "against": [evidence_record(item) for item in answer.against],
        "presuppositions": [_presupposition_record(item) for item in answer.presuppositions],
        "interventions": [
            {"operation": item.operation, "target": item.target, "value": item.value, "from": item.source}
            for item in answer.interventions
        ],
        "difference": None if answer.change is None else _change_record(answer.change),
        "connection": answer.connection,
        "flips": [{"without": list(item.without), "becomes": item.becomes} for item in answer.flips],
        "separation": separation,
        "notes": list(answer.notes),
        "trace": list(answer.trace),
        "missing": [*map(_missing_record, answer.missing)],
        "cypher": cypher,
        "elapsed_ms": None if elapsed_ms is None else round(elapsed_ms, 3),
        "graph": {"url": url, "digest": digest},
    }


def _change_record(change: AnswerChange) -> schema.DifferenceRecord:
    chances = change.chances
    probability = None if chances is None else chances_record(change.effect, change.given, chances)
    lost, gained, surviving = map(list, (change.lost, change.gained, change.surviving))
    return {"lost": lost, "gained": gained, "surviving": surviving, "probability": probability}


def chances_record(effect: str, given: Sequence[str], chances: EffectProbabilities) -> schema.ChancesRecord:
    """Return how probable an effect is in two worlds, and what that was computed from."""
    return {
        "of": effect,
        "given": list(given),
        "before": {name: round(value, 4) for name, value in asdict(chances.before).items()},
        "after": {name: round(value, 4) for name, value in asdict(chances.after).items()},
        "samples": chances.samples,
        "seed": chances.seed,
        "concepts": chances.concepts,
        "length": chances.length,
        "complete": chances.complete,
    }


def edge_record(edge: Edge) -> schema.EdgeRecord:
    """Return an edge with its belief and counts."""
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


def mined_claim_record(mined_claim: MinedClaim) -> schema.MinedClaimRecord:
    """Return a claim of a sentence as `kgqa extract` prints it; spans are characters of the sentence, end exclusive."""
    claim, judgement = mined_claim.claim, mined_claim.judgement
    judged = None if judgement is None else round(judgement.right, 2)
    return {
        "cause": claim.cause,
        "effect": claim.effect,
        "cause_span": list(mined_claim.cause_span),
        "effect_span": list(mined_claim.effect_span),
        "cue_span": list(mined_claim.cue_span),
        "relation": claim.relation,
        "polarity": claim.polarity,
        "strength": mined_claim.rule.strength,
        "stance": mined_claim.stance,
        "context": by_slot(mined_claim.context),
        "rule": mined_claim.rule.id,
        "judged": judged,
    }


def evidence_record(cited: CitedEvidence) -> schema.EvidenceRecord:
    """Return an evidence record with the claim that it is about."""
    claim, evidence = cited
    return {
        "text": evidence.text,
        "stance": evidence.stance,
        "rule": evidence.rule,
        "context": evidence.slots(),
        "source": _source_record(evidence.source, evidence.section, evidence.start, evidence.end),
        "claim": {"cause": claim.cause, "effect": claim.effect, "relation": claim.relation},
        "marked": None,
    }


def _excerpt_record(excerpt: Excerpt) -> schema.EvidenceRecord:
    return {
        "text": excerpt.text,
        "stance": Stance.ASSERTED,
        "rule": excerpt.rule,
        "context": {},
        "source": _source_record(excerpt.source, "", excerpt.start, excerpt.end),
        "claim": None,
        "marked": None if excerpt.marked is None else list(excerpt.marked),
    }


def _missing_record(item: MissingInformation) -> schema.MissingRecord:
    places: list[schema.GapPlaceRecord] = [
        {
            "kind": place.kind,
            "text": place.text,
            "probability": None if place.probability is None else round(place.probability, 4),
            "anchor": place.anchor or None,
            "offset": place.offset,
            "sentence": place.sentence,
        }
        for place in item.places
    ]
    return {"what": item.what, "where": item.where, "slot": item.slot or None, "type": item.type or None, "places": places}


def _presupposition_record(item: Presupposition) -> schema.PresuppositionRecord:
    return {
        "text": item.text,
        "trigger": item.trigger,
        "start": item.start,
        "end": item.end,
        "status": item.status,
        "probability": None if item.probability is None else round(item.probability, 4),
        "critical": item.critical,
        "correction": item.correction_sentence,
        "evidence": [*map(evidence_record, item.evidence), *map(_excerpt_record, item.excerpts)],
    }


def _source_record(source: Source, section: str, start: int | None, end: int | None) -> schema.EvidenceSourceRecord:
    return {
        "kind": source.kind,
        "title": source.title or None,
        "page_id": source.page_id or None,
        "url": source.url or None,
        "section": section or None,
        "start": start,
        "end": end,
    }


def _passage_answer_record(read: PassageAnswer) -> schema.FindingRecord:
    return {
        "text": read.text,
        "confidence": round(read.confidence, 4),
        "relation": None,
        "polarity": None,
        "strength": None,
        "support": int(read.excerpt is not None),
        "merged": [],
        "path": [],
    }


def _finding_record(finding: Finding) -> schema.FindingRecord:
    return {
        "text": finding.text,
        "confidence": round(finding.confidence, 4),
        "relation": finding.relation,
        "polarity": finding.polarity,
        "strength": finding.strength,
        "support": finding.support,
        "merged": list(finding.merged),
        "path": [
            {"cause": edge.cause, "effect": edge.effect, "relation": edge.claim.relation, "belief": round(edge.belief, 4)}
            for edge in finding.path.edges
        ],
    }


def _condition_record(condition: Condition) -> schema.ConditionRecord:
    return {
        "text": condition.text,
        "target": condition.target,
        "value": condition.value,
        "effect": condition.effect,
        "also": [_condition_record(item) for item in condition.also],
        "joined": condition.joined,
    }


def _slots_record(slots: Slots) -> schema.SlotsRecord:
    condition = slots.condition
    return {
        "cause": slots.cause,
        "effect": slots.effect,
        "relation": slots.relation,
        "condition": None if condition is None else _condition_record(condition),
        "outcome": slots.outcome,
        "population": slots.population,
        "place": slots.place,
        "time": slots.time,
        "comparison": slots.comparison,
        "options": None
        if slots.options is None
        else {"slot": slots.options.slot, "phrases": list(slots.options.phrases), "joined": slots.options.joined},
    }

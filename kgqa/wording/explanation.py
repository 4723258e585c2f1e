"""How an answer was decided, in lines: what `kgqa ask --explain` prints and the web page shows, and the remarks on a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from graph.belief.belief import ground_precision
from graph.belief.curation import read_curation
from graph.model import (
    AS_CAUSE_SLOT,
    AS_EFFECT_SLOT,
    JUDGED_SLOT,
    NAMES_SLOT,
    READ_SLOT,
    SPECIFIC_SLOT,
    Edge,
    Evidence,
    Ground,
    Stance,
)
from kgqa.answer_model import Answer, ConfidenceSignals, PresuppositionStatus
from kgqa.question import Condition, QuestionType
from kgqa.wording.claim_clauses import claim_clause, count_noun, join_phrases

_STANCE_VERBS = {Stance.ASSERTED: ("asserts", "assert"), Stance.NEGATED: ("denies", "deny"), Stance.HEDGED: ("hedges", "hedge")}
_UNSHOWN_SLOTS = frozenset({NAMES_SLOT, AS_CAUSE_SLOT, AS_EFFECT_SLOT})
_PHRASE_SLOTS = frozenset({"population", "place", "time", "dose", "condition"})
"""Slots whose words say by themselves what they are: "in adults"."""
SOURCE_COLLECTIONS = {
    "causenet": "CauseNet, without a sentence",
    "clueweb12": "CauseNet, without a sentence",
    "conceptnet": "ConceptNet, without a sentence",
}
"""Collections whose entries have no sentence: those that an answer rests on are one source in print."""
_CONFIDENCE_WORDS = ((0.9, "very high"), (0.7, "high"), (0.4, "moderate"), (0.2, "low"), (0.0, "very low"))
_RIVALS = 2
"""How many other classes of a question an explanation shows, each with its score."""
_LEAST_SCORE = 0.005
"""The least score of a class that is shown."""

ExplanationPart = tuple[str, list[str]]
"""The heading of a part of an explanation, and its lines."""


def confidence_text(confidence: float) -> str:
    """Return a confidence as a word and a number: "high (0.83)"."""
    word = next((word for least, word in _CONFIDENCE_WORDS if confidence >= least), _CONFIDENCE_WORDS[-1][1])
    return f"{word} ({confidence:.2f})"


def source_counts(edge: Edge) -> str:
    """Return how many sources say what an edge says, deny it, and hedge: "3 sources, 1 against, 2 hedged"."""
    counts = (
        (count_noun(edge.support, "source"), edge.support),
        (f"{edge.against} against", edge.against),
        (f"{edge.hedged} hedged", edge.hedged),
    )
    return ", ".join(text for text, number in counts if number) or "no source"


def mark_text(evidence: Evidence) -> str:
    """Return "marked wrong by Ada, 2026-11-29" for a record that is the mark of a person, else an empty text."""
    curation = read_curation(evidence)
    return "" if curation is None else f"marked {curation.mark} by {curation.curator}, {curation.time[:10]}"


def context_remarks(evidence: Evidence) -> Iterator[str]:
    """Yield what the context of a record tells a reader."""
    unshown = _UNSHOWN_SLOTS | ({JUDGED_SLOT} if any(slot == READ_SLOT for slot, _ in evidence.context) else set())
    yield from (_context_remark(slot, words) for slot, words in evidence.context if slot not in unshown)


def _context_remark(slot: str, words: str) -> str:
    """Return what a slot of a record's context tells a reader."""
    if slot in (READ_SLOT, SPECIFIC_SLOT):
        return "read" if slot == READ_SLOT else words
    return words if slot in _PHRASE_SLOTS else f"{slot}: {words}"


def belief_reasons(edge: Edge) -> str:
    """Return what the belief in an edge rests on: "belief 0.95 that a causes b: 2 sources assert it (wikipedia, ...)"."""
    grounds = "; ".join(map(_evidence_reason, edge.grounds)) or "nothing asserts or denies it"
    return f"belief {edge.belief:.2f} that {claim_clause(edge)}: {grounds}"


def _evidence_reason(ground: Ground) -> str:
    ways = " or ".join(", ".join(filter(None, pair)) for pair in ground.readings).replace("\t", ", judged ")
    manner = f"{ways}, right" if ways else "right"
    does = _STANCE_VERBS[ground.stance][ground.groups > 1]
    return f"{count_noun(ground.groups, 'source')} {does} it ({manner} in {ground_precision(ground):.2f})"


def explain_answer(answer: Answer) -> Iterator[ExplanationPart]:
    """Yield the headings of the explanation with their lines, in the order in which things were decided."""
    yield "How the question was understood", list(_question_lines(answer.type))
    yield "How it was answered", [f"route: {answer.route}", *answer.trace]
    listed = [item for item in answer.presuppositions if item.status is PresuppositionStatus.UNKNOWN or item.excerpts]
    if listed:
        yield "What the question takes for granted besides", [f"{item.text} ({item.trigger}: {item.status})" for item in listed]
    edges = dict.fromkeys(edge for finding in answer.findings for edge in finding.path.edges)
    if edges:
        yield "What is believed, and why", [belief_reasons(edge) for edge in edges]
    if answer.answer is not None or answer.confidence > 0.0:
        yield "How sure the answer is", list(_confidence_lines(answer))


def _question_lines(kind: QuestionType) -> Iterator[str]:
    attributes = f", {', '.join(kind.attributes)}" if kind.attributes else ""
    rules = ", ".join(kind.rules) or "no rule"
    yield f"type: {kind.semantic or 'not causal'}{attributes} ({kind.confidence:.2f}; {rules})"
    yield from _rival_line("other types", kind.scores, kind.semantic)
    if kind.pragmatic or kind.intent:
        yield f"what is wanted: {', '.join(filter(None, (kind.pragmatic, kind.intent)))} ({kind.pragmatic_confidence:.2f})"
        yield from _rival_line("or else", kind.pragmatic_scores, kind.pragmatic)
    slots = kind.slots
    named_slots = ("cause", "effect", "population", "place", "time", "comparison")
    filled = ", ".join(f"{name} = '{value}'" for name in named_slots if (value := getattr(slots, name)))
    yield f"slots: {filled or 'none'}"
    yield f"asked for: {slots.relation}"
    if slots.options is not None:
        joined = {"or": "one of", "and": "all of", "then": "each from the one before"}[slots.options.joined]
        phrases = join_phrases([repr(phrase) for phrase in slots.options.phrases])
        yield f"options for the {slots.options.slot}, {joined}: {phrases}"
    if slots.condition is not None:
        yield f"if: {_condition_text(slots.condition)}"
    if slots.outcome is not None:
        yield f"asked of the effect: {slots.outcome}"
    if kind.mood is not None:
        yield f"mood: {kind.mood:.2f} (from 0, taken for so, to 1, only supposed)"


def _condition_text(condition: Condition) -> str:
    """Return what an "if" supposes: "'smoking' absent and 'radon' absent", "'coffee' → 'gout' present"."""
    parts = [f"'{part.target}'{f' → {part.effect!r}' if part.effect else ''} {part.value}" for part in condition.each]
    return f" {condition.joined} ".join(parts)


def _rival_line(heading: str, scores: Sequence[tuple[str, float]], chosen: object) -> Iterator[str]:
    """Yield the classes that were not chosen, most probable first, with their scores; nothing where all scores are tiny."""
    rivals = [f"{name} {score:.2f}" for name, score in scores if name != chosen and score >= _LEAST_SCORE][:_RIVALS]
    if rivals:
        yield f"{heading}: {', '.join(rivals)}"


def _confidence_lines(answer: Answer) -> Iterator[str]:
    yield f"confidence: {confidence_text(answer.confidence)}"
    signals = answer.signals
    if replace(signals, doubtful=False) == ConfidenceSignals():
        return
    yield f"how the question was understood: {answer.type.confidence:.2f}; how its phrases were read: {signals.link:.2f}"
    counts = [f"{count_noun(signals.support, 'independent source')} for it"]
    counts += [f"{signals.against} against"] if signals.against else []
    counts += [f"{signals.hedged} hedged"] if signals.hedged else []
    yield f"belief in what it rests on: {signals.belief:.2f}, {', '.join(counts)}"
    if signals.steps:
        yield f"reached in {count_noun(signals.steps, 'step')}"
    if signals.connection is not None:
        yield f"connection: {signals.connection}"
    if signals.agreement:
        yield f"share of the other ways to an answer that come to the same: {signals.agreement:.2f}"

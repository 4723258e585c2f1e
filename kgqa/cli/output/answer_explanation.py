"""Every decision from a question to its answer, as lines for people: what `kgqa ask --explain` prints besides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgqa.answer_model import Answer, ConfidenceSignals
from kgqa.cli.output.answer_text import belief_reasons, confidence_text
from kgqa.question import Condition, QuestionType
from kgqa.wording.claim_clauses import count_noun, join_phrases

_RIVALS = 2
"""How many other classes are shown, each with what it scored."""
_LEAST_SCORE = 0.005
"""The least score that is shown."""

ExplanationPart = tuple[str, list[str]]


def explain_answer(answer: Answer) -> Iterator[ExplanationPart]:
    """Yield the headings of the explanation with their lines, in the order in which things were decided."""
    yield "How the question was understood", list(_question_lines(answer.type))
    yield "How it was answered", [f"route: {answer.route}", *answer.trace]
    edges = dict.fromkeys(edge for finding in answer.findings for edge in finding.path.edges)
    if edges:
        yield "What is believed, and why", [belief_reasons(edge) for edge in edges]
    if answer.answer is not None or answer.confidence > 0.0:
        yield "How sure the answer is", list(_confidence_lines(answer))


def _question_lines(kind: QuestionType) -> Iterator[str]:
    """Yield how a question was typed and what was taken from it."""
    attributes = f", {', '.join(kind.attributes)}" if kind.attributes else ""
    rules = ", ".join(kind.rules) or "no rule"
    yield f"type: {kind.semantic or 'not causal'}{attributes} ({kind.confidence:.2f}; {rules})"
    yield from _rival_line("other types", kind.scores, kind.semantic)
    if kind.pragmatic or kind.intent:
        pragmatic_text = " of ".join(filter(None, (kind.pragmatic, kind.intent if kind.pragmatic else None))) or str(kind.intent)
        yield f"what is wanted: {pragmatic_text.replace(' of ', ', ')} ({kind.pragmatic_confidence:.2f})"
        yield from _rival_line("or else", kind.pragmatic_scores, kind.pragmatic)
    slots = kind.slots
    named_slots = ("cause", "effect", "population", "place", "time", "comparison")
    filled = ", ".join(f"{name} = '{value}'" for name in named_slots if (value := getattr(slots, name)))
    yield f"slots: {filled or 'none'}"
    yield f"asked for: {slots.relation}"
    if slots.options is not None:
        joined = "one of" if slots.options.joined == "or" else "all of"
        phrases = join_phrases([repr(phrase) for phrase in slots.options.phrases])
        yield f"options for the {slots.options.slot}, {joined}: {phrases}"
    if slots.condition is not None:
        yield f"if: {condition_text(slots.condition)}"
    if slots.outcome is not None:
        yield f"asked of the effect: {slots.outcome}"
    if kind.mood is not None:
        yield f"mood: {kind.mood:.2f} (from 0, taken for so, to 1, only supposed)"


def condition_text(condition: Condition) -> str:
    """Return what an "if" supposes: "'smoking' absent and 'radon' absent", "'coffee' → 'gout' present"."""
    parts = [
        f"'{conjunct.target}'{f' → {conjunct.effect!r}' if conjunct.effect else ''} {conjunct.value}"
        for conjunct in condition.each
    ]
    return f" {condition.joined} ".join(parts)


def _rival_line(heading: str, scores: Sequence[tuple[str, float]], chosen: object) -> Iterator[str]:
    """Yield the classes that were not chosen, likeliest first, with their scores; nothing where there are none to speak of."""
    rivals = [f"{name} {score:.2f}" for name, score in scores if name != chosen and score >= _LEAST_SCORE][:_RIVALS]
    if rivals:
        yield f"{heading}: {', '.join(rivals)}"


def _confidence_lines(answer: Answer) -> Iterator[str]:
    """Yield what the confidence was reckoned from."""
    yield f"confidence: {confidence_text(answer.confidence)}"
    signals = answer.signals
    if signals == ConfidenceSignals():
        return
    yield f"how the question was understood: {answer.type.confidence:.2f}; how its phrases were read: {signals.link:.2f}"
    yield f"belief in what it rests on: {signals.belief:.2f}, {_independent_sources(signals)}"
    if signals.steps:
        yield f"reached in {count_noun(signals.steps, 'step')}"
    if signals.connection is not None:
        yield f"connection: {signals.connection}"
    if signals.agreement:
        yield f"share of the other ways to an answer that come to the same: {signals.agreement:.2f}"


def _independent_sources(signals: ConfidenceSignals) -> str:
    """Return how many independent sources stand on each side."""
    sides = [f"{count_noun(signals.support, 'independent source')} for it"]
    sides += [f"{signals.against} against"] if signals.against else []
    sides += [f"{signals.hedged} hedged"] if signals.hedged else []
    return ", ".join(sides)

"""`kgqa type`: say how a question is understood."""

from __future__ import annotations

from collections.abc import Iterator

from kgqa.cli.arguments import options as cli
from kgqa.cli.output.terminal import say, say_json
from kgqa.pipeline import check_question
from kgqa.question import QuestionType, Slots
from kgqa.questions.classifier import classify, explain_classification
from kgqa.questions.question_rules import LexicalMode
from kgqa.record import type_record

_MARGIN = 12
_SHOWN = 0.02
"""A class less probable than this is not shown."""
_MOST_SHOWN = 3


@cli.command('kgqa type "Does smoking cause lung cancer?"', "type")
def type_question(
    question: str = cli.phrase_argument("question", "QUESTION"),
    lexical: LexicalMode = cli.choice_option(
        "--lexical", ["paper", "released"], "How R1 to R7 are read.  [paper]", show_default=False
    ),
    json: bool = cli.json_option,
) -> None:
    """Say how a question is understood.

    Prints its semantic and pragmatic type, its slots, the rules that matched, and why it was so decided.
    """
    text = check_question(question)
    kind = classify(text, lexical)
    if json:
        say_json({"question": text, **type_record(kind), "why": list(explain_classification(text))})
        return
    reasons = (("why:" if place == 0 else "", reason) for place, reason in enumerate(explain_classification(text)))
    rows = (*_class_rows(kind), *_slot_rows(kind.slots), *_rule_rows(kind, lexical))
    for heading, value in (*((f"{heading}:", value) for heading, value in rows), *reasons):
        say(heading.ljust(_MARGIN) + value, "", " " * _MARGIN)


def _class_rows(kind: QuestionType) -> Iterator[tuple[str, str]]:
    yield "semantic", f"{kind.semantic or 'not causal'} ({kind.confidence:.2f}){_alternatives(kind.scores, str(kind.semantic))}"
    if kind.semantic is not None:
        name = (kind.intent or "not sure enough") + (f": {kind.pragmatic}" if kind.pragmatic else "")
        others = _alternatives(kind.pragmatic_scores, str(kind.pragmatic))
        yield "pragmatic", f"{name} ({kind.pragmatic_confidence:.2f}){others}"
    yield "attributes", ", ".join(kind.attributes) or "none"


def _alternatives(scores: tuple[tuple[str, float], ...], label: str) -> str:
    alternatives = [f"{name} {score:.2f}" for name, score in scores if name not in (label, "not causal") and score >= _SHOWN]
    return f"; else {', '.join(alternatives[:_MOST_SHOWN])}" if alternatives else ""


def _slot_rows(slots: Slots) -> Iterator[tuple[str, str]]:
    yield "cause", slots.cause or "none"
    yield "effect", slots.effect or "none"
    yield "relation", slots.relation
    yield from ((name, words) for name in ("population", "place", "time", "comparison") if (words := getattr(slots, name)))
    if slots.options:
        yield "options", f"{slots.options.slot}: {f' {slots.options.joined} '.join(slots.options.phrases)}"
    if slots.condition:
        parts = (f"{part.target}{f' → {part.effect}' if part.effect else ''} is {part.value}" for part in slots.condition.each)
        yield "if", f" {slots.condition.joined} ".join(parts)
    if slots.outcome:
        yield "asks", slots.outcome


def _rule_rows(kind: QuestionType, lexical: LexicalMode) -> Iterator[tuple[str, str]]:
    """Yield the rules of the typology that matched, and R1 to R7 in their mode."""
    yield "rules", ", ".join(name for name in kind.rules if "." in name) or "none"
    yield "R1 to R7", f"{lexical}: {', '.join(name for name in kind.rules if '.' not in name) or 'none'}"

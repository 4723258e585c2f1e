"""`kgqa type`: say how a question is understood."""

from __future__ import annotations

from collections.abc import Iterator

import click

from kgqa.cli.arguments.options import json_option, phrase_argument
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


@click.command("type", epilog='Example: kgqa type "Does smoking cause lung cancer?"')
@phrase_argument("question", "QUESTION")
@click.option("--lexical", type=click.Choice(["paper", "released"]), default="paper", help="How R1 to R7 are read.  [paper]")
@json_option
def type_question(question: str, lexical: LexicalMode, json: bool) -> None:
    """Say how a question is understood.

    Prints its semantic and pragmatic type, its slots, the rules that matched, and why it was so decided.
    """
    text = check_question(question)
    kind = classify(text, lexical)
    if json:
        say_json({"question": text, **type_record(kind), "why": list(explain_classification(text))})
        return
    for heading, value in (*_class_rows(kind), *_slot_rows(kind.slots), *_rule_rows(kind, lexical)):
        say(f"{heading}:".ljust(_MARGIN) + value, "", " " * _MARGIN)
    heading = "why:"
    for reason in explain_classification(text):
        say(heading.ljust(_MARGIN) + reason, "", " " * _MARGIN)
        heading = ""


def _class_rows(kind: QuestionType) -> Iterator[tuple[str, str]]:
    """Yield the classes with their probabilities, and the attributes."""
    yield "semantic", f"{kind.semantic or 'not causal'} ({kind.confidence:.2f}){_alternatives(kind.scores, str(kind.semantic))}"
    if kind.semantic is not None:
        intent = kind.intent or "not sure enough"
        subtype = f": {kind.pragmatic}" if kind.pragmatic else ""
        yield (
            "pragmatic",
            f"{intent}{subtype} ({kind.pragmatic_confidence:.2f}){_alternatives(kind.pragmatic_scores, str(kind.pragmatic))}",
        )
    yield "attributes", ", ".join(kind.attributes) or "none"


def _alternatives(scores: tuple[tuple[str, float], ...], label: str) -> str:
    """Return the other classes that come into question."""
    alternatives = [f"{name} {score:.2f}" for name, score in scores if name not in (label, "not causal") and score >= _SHOWN]
    return f"; else {', '.join(alternatives[:_MOST_SHOWN])}" if alternatives else ""


def _slot_rows(slots: Slots) -> Iterator[tuple[str, str]]:
    """Yield cause, effect and relation, and what else is filled."""
    yield "cause", slots.cause or "none"
    yield "effect", slots.effect or "none"
    yield "relation", slots.relation
    for name in ("population", "place", "time", "comparison"):
        if getattr(slots, name):
            yield name, getattr(slots, name)
    if slots.options:
        yield "options", f"{slots.options.slot}: {f' {slots.options.joined} '.join(slots.options.phrases)}"
    if slots.condition:
        joined = f" {slots.condition.joined} "
        yield (
            "if",
            joined.join(
                f"{conjunct.target}{f' → {conjunct.effect}' if conjunct.effect else ''} is {conjunct.value}"
                for conjunct in slots.condition.each
            ),
        )
    if slots.outcome:
        yield "asks", slots.outcome


def _rule_rows(kind: QuestionType, lexical: LexicalMode) -> Iterator[tuple[str, str]]:
    """Yield the rules of the typology that matched, and R1 to R7 in their mode."""
    own = [name for name in kind.rules if "." in name]
    yield "rules", ", ".join(own) or "none"
    yield "R1 to R7", f"{lexical}: {', '.join(name for name in kind.rules if '.' not in name) or 'none'}"

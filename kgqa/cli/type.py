"""`kgqa type`: say how a question is understood."""

from __future__ import annotations

from collections.abc import Iterator

import click

from kgqa.cli.options import in_json, phrase
from kgqa.cli.terminal import say, say_json
from kgqa.model import QuestionType, Slots
from kgqa.pipeline import checked
from kgqa.record import type_record
from kgqa.typology.classifier import classify, grounds
from kgqa.typology.lexical import Mode

_MARGIN = 12
_SHOWN = 0.02
"""A class less probable than this is not shown."""
_MOST_SHOWN = 3


@click.command("type", epilog='Example: kgqa type "Does smoking cause lung cancer?"')
@phrase("question", "QUESTION")
@click.option("--lexical", type=click.Choice(["paper", "released"]), default="paper", help="How R1 to R7 are read.  [paper]")
@in_json
def type_question(question: str, lexical: Mode, json: bool) -> None:
    """Say how a question is understood.

    Prints its semantic and pragmatic type, its slots, the rules that matched, and why it was so decided.
    """
    text = checked(question)
    kind = classify(text, lexical)
    if json:
        say_json({"question": text, **type_record(kind), "why": list(grounds(text))})
        return
    for heading, value in (*_types(kind), *_slots(kind.slots), *_rules(kind, lexical)):
        say(f"{heading}:".ljust(_MARGIN) + value, "", " " * _MARGIN)
    heading = "why:"
    for reason in grounds(text):
        say(heading.ljust(_MARGIN) + reason, "", " " * _MARGIN)
        heading = ""


def _types(kind: QuestionType) -> Iterator[tuple[str, str]]:
    """Yield the classes with their probabilities, and the attributes."""
    yield "semantic", f"{kind.semantic or 'not causal'} ({kind.confidence:.2f}){_others(kind.scores, str(kind.semantic))}"
    if kind.semantic is not None:
        told = kind.intent or "not sure enough"
        subtype = f": {kind.pragmatic}" if kind.pragmatic else ""
        yield (
            "pragmatic",
            f"{told}{subtype} ({kind.pragmatic_confidence:.2f}){_others(kind.pragmatic_scores, str(kind.pragmatic))}",
        )
    yield "attributes", ", ".join(kind.attributes) or "none"


def _others(scores: tuple[tuple[str, float], ...], told: str) -> str:
    """Return the other classes that come into question."""
    others = [f"{name} {score:.2f}" for name, score in scores if name not in (told, "not causal") and score >= _SHOWN]
    return f"; else {', '.join(others[:_MOST_SHOWN])}" if others else ""


def _slots(slots: Slots) -> Iterator[tuple[str, str]]:
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
            joined.join(f"{one.target}{f' → {one.effect}' if one.effect else ''} is {one.value}" for one in slots.condition.each),
        )
    if slots.outcome:
        yield "asks", slots.outcome


def _rules(kind: QuestionType, lexical: Mode) -> Iterator[tuple[str, str]]:
    """Yield the rules of the typology that matched, and R1 to R7 in their mode."""
    own = [name for name in kind.rules if "." in name]
    yield "rules", ", ".join(own) or "none"
    yield "R1 to R7", f"{lexical}: {', '.join(name for name in kind.rules if '.' not in name) or 'none'}"

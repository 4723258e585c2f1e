"""`kgqa type`: say how a question is understood."""

from __future__ import annotations

import click

from kgqa.cli.options import in_json, phrase
from kgqa.cli.record import type_record
from kgqa.cli.terminal import say, say_json
from kgqa.pipeline import checked
from kgqa.typology.classifier import classify

_MARGIN = 12


@click.command("type", epilog='Example: kgqa type "Does smoking cause lung cancer?"')
@phrase("question", "QUESTION")
@in_json
def type_question(question: str, json: bool) -> None:
    """Say how a question is understood.

    Prints its type, its slots, and the rules that matched.
    """
    text = checked(question)
    kind = classify(text)
    if json:
        say_json({"question": text, **type_record(kind)})
        return
    condition = kind.slots.condition
    rows = {
        "semantic": f"{kind.semantic or 'not causal'} ({kind.confidence:.2f})",
        "attributes": ", ".join(kind.attributes) or "none",
        "cause": kind.slots.cause or "none",
        "effect": kind.slots.effect or "none",
        "relation": kind.slots.relation,
        "if": f"{condition.target} is {condition.presence}" if condition else "none",
        "rules": ", ".join(kind.rules) or "none",
    }
    for heading, value in rows.items():
        say(f"{heading}:".ljust(_MARGIN) + value, "", " " * _MARGIN)

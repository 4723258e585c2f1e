"""`kgqa type`: say how a question is understood."""

from __future__ import annotations

from typing import Annotated

import typer

from kgqa.cli.options import Json
from kgqa.cli.record import type_record
from kgqa.cli.terminal import say, say_json
from kgqa.pipeline import checked
from kgqa.typology.classifier import classify


def type_question(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help='For instance "Does smoking cause lung cancer?".')],
    json: Json = False,
) -> None:
    """Say how a question is understood: its type, its slots, and the rules that matched."""
    text = checked(question)
    kind = classify(text)
    if json:
        say_json({"question": text, **type_record(kind)})
        return
    say(f"semantic:   {kind.semantic or 'not causal'} ({kind.confidence:.2f})")
    say(f"attributes: {', '.join(kind.attributes) or 'none'}")
    say(f"cause:      {kind.slots.cause or 'none'}")
    say(f"effect:     {kind.slots.effect or 'none'}")
    say(f"relation:   {kind.slots.relation}")
    if kind.slots.condition is not None:
        say(f"if:         {kind.slots.condition.target} is {kind.slots.condition.presence}")
    say(f"rules:      {', '.join(kind.rules) or 'none'}")

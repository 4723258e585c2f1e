"""`kgqa replay`: answer the question of a receipt again, and name what has changed since."""

from __future__ import annotations

import re

import click

from kgqa.cli.arguments import options as cli
from kgqa.cli.output.terminal import say, say_json
from kgqa.receipt import IngredientChange, read_receipt, replay_receipt

_DIGEST = re.compile(r"\b([0-9a-f]{12})[0-9a-f]{20,}\b")
"""A digest, of which people are shown the first digits."""


@cli.command("kgqa replay receipt.json")
def replay(
    context: click.Context,
    receipt: str = cli.argument("receipt", "FILE", callback=cli.require_argument),
    graph: str | None = cli.option("-g --graph", "URL", "The graph to ask. Default: that of the receipt."),
    json: bool = cli.json_option,
) -> None:
    """Answer the question of a receipt again, and say what has changed.

    FILE was written by 'kgqa ask --receipt'. The exit code is 0 where the answer has the same bytes and nothing that it was made
    of has changed, else 1.
    """
    result = replay_receipt(read_receipt(receipt), graph)
    if json:
        changes = [{"kind": item.ingredient.kind, "name": item.ingredient.name, **_values(item)} for item in result.changes]
        say_json({"same": result.is_same, "changed": changes})
    else:
        for change in result.changes:
            say(f"{change.ingredient}: {_change_text(change)}", "", "  ")
        bytes_text = "the same bytes" if result.is_same else "other bytes"
        reason = "" if result.is_same or result.changes else ", though nothing that the receipt names has changed"
        say(f"{bytes_text}{reason}")
    if result.changes or not result.is_same:
        context.exit(1)


def _values(change: IngredientChange) -> dict[str, str | None]:
    return {"was": change.was, "is": change.now}


def _change_text(change: IngredientChange) -> str:
    was, now = (None if value is None else _DIGEST.sub(r"\1", value) for value in (change.was, change.now))
    return f"is {now or 'not used'}, was {was or 'not used'}"

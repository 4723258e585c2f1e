"""`kgqa replay`: answer the questions of receipts again, and name what has changed since."""

from __future__ import annotations

import re
from pathlib import Path

import click

from graph.errors import InputUnreadable
from kgqa.cli.arguments import options as cli
from kgqa.cli.output.terminal import count_text, say, say_json
from kgqa.receipt import IngredientChange, Replay, read_receipt

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

    FILE was written by 'kgqa ask --receipt'; or it is a folder, such as 'kgqa evaluate --receipts' writes, and its receipts are
    replayed one by one. The exit code is 0 where the answer has the same bytes and nothing that it was made of has changed,
    else 1.
    """
    from kgqa.evaluation.prediction_receipts import PredictionReplayer

    is_folder = Path(receipt).is_dir()
    paths = sorted(map(str, Path(receipt).glob("*.json"))) if is_folder else [receipt]
    if not paths:
        raise InputUnreadable(receipt, "the folder has no receipt, no file that ends in .json")
    same = 0
    with PredictionReplayer(graph) as replayer:
        for path in paths:
            result = replayer.replay(read_receipt(path))
            same += result.is_same and not result.changes
            if json:
                say_json({**({"receipt": Path(path).name} if is_folder else {}), **_replay_record(result)})
            elif not is_folder or not result.is_same or result.changes:
                if is_folder:
                    say(Path(path).name)
                _say_replay(result)
    if is_folder and not json:
        say(f"{same:,} of {count_text(len(paths), 'receipt')} replay to the same bytes, and nothing has changed")
    if same < len(paths):
        context.exit(1)


def _replay_record(result: Replay) -> dict[str, object]:
    changes = [
        {"kind": item.ingredient.kind, "name": item.ingredient.name, "was": item.was, "is": item.now} for item in result.changes
    ]
    return {"same": result.is_same, "changed": changes}


def _say_replay(result: Replay) -> None:
    for change in result.changes:
        say(f"{change.ingredient}: {_change_text(change)}", "", "  ")
    bytes_text = "the same bytes" if result.is_same else "other bytes"
    reason = "" if result.is_same or result.changes else ", though nothing that the receipt names has changed"
    say(f"{bytes_text}{reason}")


def _change_text(change: IngredientChange) -> str:
    was, now = (None if value is None else _DIGEST.sub(r"\1", value) for value in (change.was, change.now))
    return f"is {now or 'not used'}, was {was or 'not used'}"

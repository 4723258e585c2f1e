"""Which command takes a file that has come: known by what it holds."""

from __future__ import annotations

import re
from pathlib import Path

from graph.errors import GraphError
from graph.sources.streams import open_input

_TABLE_SUFFIXES = (".csv", ".tsv")
_COMMAND_SIGNATURES = (
    (re.compile(rb'\s*\{\s*"causal_relation"'), "load causenet"),
    (re.compile(rb'\s*\{[^\n]*"cause"[^\n]*"effect"|\s*\{[^\n]*"effect"[^\n]*"cause"'), "load jsonl"),
    (re.compile(rb"/a/\[/r/"), "load conceptnet"),
)
_HEAD_LENGTH = 1 << 13


def loading_command(path: Path) -> str:
    """Return the command, such as "load causenet", that takes a file; "mine" for texts and for what nothing is known of."""
    try:
        with open_input(str(path)) as stream:
            head, title = stream.peek(_HEAD_LENGTH), stream.title
    except GraphError:
        return "mine"
    if title.endswith(_TABLE_SUFFIXES):
        return "load csv"
    return next((command for sign, command in _COMMAND_SIGNATURES if sign.match(head)), "mine")

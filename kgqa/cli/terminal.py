"""What commands print: answers to stdout, everything else to stderr."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Mapping
from typing import Any

WIDTH = 80


def say(text: str = "", indent: str = "", hanging: str | None = None) -> None:
    """Print text to stdout, wrapped at 80 columns or the width of a narrower terminal."""
    width = min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns)
    after = indent if hanging is None else hanging
    lines = textwrap.wrap(printable(text), width, initial_indent=indent, subsequent_indent=after, break_on_hyphens=False)
    print("\n".join(lines) if lines else "")


def note(text: str) -> None:
    """Print a note to stderr."""
    print(f"kgqa: {printable(text)}", file=sys.stderr)


def say_json(record: Mapping[str, Any]) -> None:
    """Print one JSON object on a line of its own."""
    print(json.dumps(record, ensure_ascii=not _is_unicode(), default=str))


def bold(text: str) -> str:
    """Return text in bold where stdout is a terminal that has not asked for none (NO_COLOR)."""
    return f"\x1b[1m{text}\x1b[0m" if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else text


def printable(text: str) -> str:
    """Return text without control characters: what is mined must not steer the terminal; lone surrogates are replaced."""
    clean = "".join(_shown(character) for character in text)
    return clean if _is_unicode() else clean.encode("ascii", "replace").decode("ascii")


def _shown(character: str) -> str:
    """Return a character as it may be printed."""
    return character if character.isprintable() else " " if character.isspace() else "�"


def _is_unicode() -> bool:
    """Return whether stdout takes any character."""
    return (sys.stdout.encoding or "ascii").lower().replace("-", "").startswith("utf")

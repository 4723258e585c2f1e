"""What commands print: answers to stdout, everything else to stderr."""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from kgqa.json_text import json_text, without_credentials

WIDTH = 80
_WIDEST = 120
"""The longest lines that are printed, however wide the terminal is: longer ones are hard to read."""
_PASSWORD = re.compile(r"(?<=//)([^/\s@:]*):[^/\s@]*@")
_JOINERS = "\u200c\u200d"
_SOFT_HYPHEN = "\u00ad"
_IN_ASCII = str.maketrans({"→": "->", "“": '"', "”": '"', "’": "'", "…": "...", "–": "-", "—": "-"})


def say(text: str = "", indent: str = "", hanging: str | None = None) -> None:
    """Print text to stdout, wrapped at the width of the terminal, at most 120, else at 80; a narrow one has narrow indents."""
    print("\n".join(_wrap_lines(text, indent, hanging)))


def say_verbatim(text: str) -> None:
    """Print text to stdout line by line as it is, however long: something to copy."""
    print("\n".join(map(printable_text, text.split("\n"))))


def say_boldly(text: str, indent: str = "") -> None:
    """Print text to stdout, in bold on a terminal where NO_COLOR is not set."""
    plain = not sys.stdout.isatty() or bool(os.environ.get("NO_COLOR"))
    print("\n".join(line if plain else f"\x1b[1m{line}\x1b[0m" for line in _wrap_lines(text, indent)))


def note(text: str) -> None:
    """Print a note to stderr, without the passwords of addresses; an error of stderr is ignored."""
    _print_stderr(f"kgqa: {text}")


def remedy(command: str) -> None:
    """Print what to try to stderr, where there is something."""
    if command:
        _print_stderr(f"      try: {command}")


def say_counts(heading: str, counts: Counter[str], most: int = 8) -> None:
    """Print the largest of some counts to stdout on one line, and how many more there are; nothing where there are none."""
    if counts:
        more = f", and {len(counts) - most:,} more" if len(counts) > most else ""
        say(f"{heading}: {', '.join(f'{name} {number:,}' for name, number in counts.most_common(most))}{more}", "", "  ")


def say_json(record: Mapping[str, Any]) -> None:
    """Print one JSON object on a line of its own."""
    print(json_line(record))


def json_line(record: Mapping[str, Any]) -> str:
    """Return a JSON object as it is printed, in ASCII where stdout has no more."""
    return json_text(record, ascii_only=not _is_unicode())


def printable_text(text: str) -> str:
    """Return text without the control characters that steer a terminal, lone surrogates, and credentials in addresses."""
    clean = without_credentials("".join(_printable_character(character) for character in text))
    return clean if _is_unicode() else clean.translate(_IN_ASCII).encode("ascii", "replace").decode("ascii")


def shell_quote(text: str) -> str:
    """Return text as one word of a shell command: bare where that will do, in double quotes, else in single ones."""
    if re.fullmatch(r"[\w@%+=:,./-]+", text) and not text.startswith("-"):
        return text
    return "'" + text.replace("'", "'\"'\"'") + "'" if re.search(r'["$`\\!]', text) else f'"{text}"'


def count_text(count: int, noun: str) -> str:
    """Return a count with its noun, in the plural unless it is one: "1,234 claims"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _print_stderr(line: str) -> None:
    with suppress(OSError):
        print(_PASSWORD.sub(r"\1:...@", printable_text(line)), file=sys.stderr)


def _wrap_lines(text: str, indent: str = "", hanging: str | None = None) -> list[str]:
    """Return the lines of a paragraph; words that are longer than a line, such as addresses, are left whole."""
    width = min(_WIDEST, _terminal_width())
    after = indent if hanging is None else hanging
    indents = indent[: width // 4], after[: width // 4]
    wrapper = textwrap.TextWrapper(width, *indents, break_long_words=False, break_on_hyphens=False)
    return wrapper.wrap(printable_text(text)) or [""]


def _terminal_width() -> int:
    # `shutil.get_terminal_size` does the same, but imports every compression of the standard library.
    with suppress(ValueError):
        if (columns := int(os.environ.get("COLUMNS", ""))) > 0:
            return columns
    with suppress(AttributeError, ValueError, OSError):
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or WIDTH  # type: ignore[union-attr]
    return WIDTH


def _printable_character(character: str) -> str:
    if character.isprintable() or character in _JOINERS:
        return character
    return " " if character.isspace() else "" if character == _SOFT_HYPHEN else "\ufffd"


def _is_unicode() -> bool:
    return (sys.stdout.encoding or "ascii").lower().replace("-", "").startswith("utf")

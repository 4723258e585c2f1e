r"""How texts stand in Neo4j: as they are, but for the few that it cannot keep or cannot index.

Neo4j keeps text that is UTF-8. Text that holds lone surrogates is marked with U+10FFFF, with `\ud83d` for a surrogate and `\\`
for a backslash; so is text that begins with that mark itself. No two texts are kept alike, and marked ones sort behind others.

An index takes values of up to about 8 kB. A name that is longer than 1,000 characters is known by the first of them and the
hash of the whole, which stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import TypeVar

from graph.model import stable_hash

Item = TypeVar("Item")
Key = tuple[bool, bytes]

MARK = "\U0010ffff"
LONGEST_NAME = 1000
_ODD = re.compile("[\\\\\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(\\|u[0-9a-f]{4})")


def escape_text(text: str) -> str:
    """Return `text` as it is kept."""
    if text.isascii():
        return text
    if not text.startswith(MARK):
        try:
            text.encode()
        except UnicodeEncodeError:
            pass
        else:
            return text
    return MARK + _ODD.sub(lambda match: "\\\\" if match[0] == "\\" else f"\\u{ord(match[0]):04x}", text)


def unescape_text(value: object) -> str:
    """Return the text that is kept as `value`; raises `ValueError` where it is none. No value is the empty text."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    if not value.startswith(MARK):
        return value
    return _ESCAPE.sub(lambda match: "\\" if match[1] == "\\" else chr(int(match[1][1:], 16)), value[1:])


def escape_or_none(text: str) -> str | None:
    """Return `text` as it is kept where no value stands for the empty text."""
    return escape_text(text) if text else None


def name_key_and_whole(name: str) -> tuple[str, str | None]:
    """Return what a name is known by, and the whole of it where that is not the same."""
    whole = escape_text(name)
    return (whole, None) if len(whole) <= LONGEST_NAME else (whole[:LONGEST_NAME] + stable_hash((name,)), whole)


def unescape_name(name: object, whole: object) -> str:
    """Return the name that is kept as these two."""
    return unescape_text(name if whole is None else whole)


def text_order(text: str) -> Key:
    """Return what texts are sorted by in every store: their code points, those with lone surrogates behind all others."""
    try:
        return False, text.encode()
    except UnicodeEncodeError:
        return True, text.encode("utf-8", "surrogatepass")


def sort_by_name(items: Iterable[Item], known_by: Callable[[Item], str], name: Callable[[Item], str]) -> Iterator[Item]:
    """Yield items that come sorted by what their names are known by in the order of the names themselves."""
    for _, group in groupby(items, key=lambda item: _sort_block(known_by(item))):
        several = list(group)
        yield from sorted(several, key=lambda item: text_order(name(item))) if len(several) > 1 else several


def _sort_block(known_by: str) -> str:
    """Return what is the same of names that may have to change places."""
    return MARK if known_by.startswith(MARK) else known_by[:LONGEST_NAME]

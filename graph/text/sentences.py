"""Where sentences begin and end in plain text: a fast splitter, so that only sentences with a cue are ever parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ABBREVIATIONS = frozenset(
    "v mr mrs ms dr prof st sr jr gen col lt sgt capt cmdr rev hon gov sen rep pres vs etc al fig figs no nos vol pp p ch ed eds "
    "approx ca c cf e.g i.e eg ie viz inc ltd co corp dept univ assn bros est jan feb mar apr jun jul aug sep sept oct nov dec "
    "mt ft u.s u.k u.n a.m p.m b.c a.d d.c ph.d m.d u.s.a b c.e b.c.e art sect sec op cit trans ser var spp sp subsp".split()
)
_SENTENCE_END = re.compile(r"(?<![.!?])[.!?]++[\"'”’)\]]*+(?:(?=\s++[\"'“‘(\[]*+[A-Z0-9])|\s*+$)|\n++")
_LAST_WORD = re.compile(r"[^\s(\[\"“'‘]+$")


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield `(start, end)` of each sentence of `text`, end exclusive, without surrounding white space.

    A line break always ends a sentence; a full stop does not after an abbreviation or an initial.
    """
    start = 0
    for boundary in _SENTENCE_END.finditer(text):
        if boundary.group()[0] == "." and boundary.end() < len(text) and _is_abbreviation(text, boundary.start()):
            continue
        yield from _trimmed_span(text, start, boundary.end())
        start = boundary.end()
    yield from _trimmed_span(text, start, len(text))


def _is_abbreviation(text: str, stop: int) -> bool:
    """Return whether the full stop at `stop` belongs to the word before it."""
    word = _LAST_WORD.search(text, max(0, stop - 12), stop)
    if word is None:
        return False
    last = word.group()
    if last == "I" and text.endswith("War ", 0, word.start()):
        return False
    return (len(last) == 1 and last.isupper()) or last.lower() in _ABBREVIATIONS


def _trimmed_span(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the span without the white space at its ends, unless nothing is left."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end

"""Sentences and tokens of plain text: the splitter of the miner, and patterns with a row for every other use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

_ABBREVIATIONS = frozenset(
    "v mr mrs ms dr prof st sr jr gen col lt sgt capt cmdr rev hon gov sen rep pres vs etc al fig figs no nos vol pp p ch ed eds "
    "approx ca c cf e.g i.e eg ie viz inc ltd co corp dept univ assn bros est jan feb mar apr jun jul aug sep sept oct nov dec "
    "mt ft u.s u.k u.n a.m p.m b.c a.d d.c ph.d m.d u.s.a b c.e b.c.e art sect sec op cit trans ser var spp sp subsp".split()
)
_SENTENCE_END = re.compile(r"(?<![.!?])[.!?]++[\"'”’)\]]*+(?:(?=\s++[\"'“‘(\[]*+[A-Z0-9])|\s*+$)|\n++")
_LAST_WORD = re.compile(r"[^\s(\[\"“'‘]+$")


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield `(start, end)` of each sentence of `text`, end exclusive, without surrounding white space, in linear time.

    A line break always ends a sentence; a full stop after an abbreviation or an initial does not.
    """
    start = 0
    for boundary in _SENTENCE_END.finditer(text):
        if boundary.group()[0] == "." and boundary.end() < len(text) and _is_abbreviation(text, boundary.start()):
            continue
        yield from _trimmed_span(text, start, boundary.end())
        start = boundary.end()
    yield from _trimmed_span(text, start, len(text))


def _is_abbreviation(text: str, stop: int) -> bool:
    word = _LAST_WORD.search(text, max(0, stop - 12), stop)
    if word is None:
        return False
    last = word.group()
    if last == "I" and text.endswith("War ", 0, word.start()):
        return False
    return (len(last) == 1 and last.isupper()) or last.lower() in _ABBREVIATIONS


def _trimmed_span(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


SENTENCE_ENDS = {
    "facts": r"(?<=[.!?])[\"”’')\]]*\s+(?=[\"“‘'(\[]*[A-Z0-9])|\n\s*\n",
    "yes-no": r"(?<=[.!?;])[\"'’)\]]*\s+(?=[\"'‘“`(\[]*[A-Z0-9])|\n+",
    "baselines": r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]*[A-Z0-9])|\n+",
    "demonstrations": r"(?<=[.!?])\s+(?=[\"“A-Z0-9])",
    "names": r"(?<!\b[A-Z])(?<!\bMr)(?<!\bDr)(?<!\bSt)[.!?;][\"”’)]*\s+",
    "labels": r"(?<![A-Z])[.!?](?=\s+[A-Z\"]|$)",
    "passage parts": r"\n\s*\n|(?<=[.!?])[\"”’)\]]*\s+|\s+",
}
"""What separates or ends sentences, by use: edits of a passage, yes-no features, BM25 baselines, demonstrations for a chat model,
numbers by name, numbers with labels. "passage parts" has every place where a long text can be cut: paragraph, sentence, word.
"""
_ABBREVIATED = {
    "facts": r"(?:\b(?:[A-Z]|[Dd]r|[Mm]rs?|[Mm]s|[Ss]t|[Jj]r|[Ss]r|vs|[Nn]o|[Vv]ol|[Cc]a|[Cc]apt|[Gg]en|[Ll]t|"
    r"[Pp]t|[Ee]p|[Uu]\.S|approx)\.)$"
}
_LONGEST_ABBREVIATION = 8


@cache
def sentence_end(ends: str) -> re.Pattern[str]:
    """Return the compiled pattern of a row of `SENTENCE_ENDS`."""
    return re.compile(SENTENCE_ENDS[ends])


def separated_spans(text: str, ends: str) -> Iterator[tuple[int, int]]:
    """Yield the spans between the separators of a row of `SENTENCE_ENDS`; the last one only if it is not blank."""
    abbreviated = re.compile(_ABBREVIATED[ends]) if ends in _ABBREVIATED else None
    start = 0
    for separator in sentence_end(ends).finditer(text):
        stop = separator.start()
        if abbreviated and abbreviated.search(text, max(0, stop - _LONGEST_ABBREVIATION), stop):
            continue
        yield start, stop
        start = separator.end()
    if text[start:].strip():
        yield start, len(text)


@lru_cache(maxsize=8)
def adjoining_spans(text: str, ends: str) -> tuple[tuple[int, int], ...]:
    """Return spans that together cover a text, each up to the end of a separator of a row of `SENTENCE_ENDS`."""
    return tuple(pairwise([0, *(separator.end() for separator in sentence_end(ends).finditer(text)), len(text)]))


TOKENS = {
    "words": r"\w+",
    "long words": r"\w{4,}",
    "letters and digits": r"[^\W_]+",
    "hyphenated words": r"[\w'’-]+",
    "facts": r"[^\W_]+(?:['’.\-][^\W_]+)*",
    "operands": r"[0-9][0-9,]*(?:\.[0-9]+)?|[^\W\d_]+|[^\w\s]",
    "yes-no": r"[a-z]+(?:n['’]t)?|\d[\d,.]*\d|\d",
    "retrieval": r"\d+(?:,\d{3})+(?!\d)|[^\W_]+",
}
"""The pattern of a token: "facts" keep what a hyphen, a full stop or an apostrophe joins, "retrieval" keeps "1,000" whole."""


@cache
def token_pattern(tokens: str = "words") -> re.Pattern[str]:
    """Return the compiled pattern of a row of `TOKENS`."""
    return re.compile(TOKENS[tokens])


def text_tokens(text: str, tokens: str = "words") -> list[str]:
    """Return the tokens of a text in their order."""
    return token_pattern(tokens).findall(text)

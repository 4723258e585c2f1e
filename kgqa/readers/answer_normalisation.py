"""Normalisation of answers: no loose punctuation or articles at the ends, quotation marks and brackets in pairs."""

from __future__ import annotations

import re

from graph.text.segmentation import text_tokens

_LOOSE = " \t\r\n\f\v\u00a0\u2003.,;:!?-–—*|/\\_=~#'’`\""
_PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”", "‘": "’", "«": "»"}
_CLOSERS = {closer: opener for opener, closer in _PAIRS.items()}
_ARTICLE = re.compile(r"(?:the|an|a)\s+(?=\S)")
_HANGING = re.compile(r"\s+(?:the|an|a|and|or|of|in|on|at|to|by|with|for)$")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:(?:[A-Za-z]\.)+[A-Za-z]|[A-Z]|Jr|Sr|Inc|Ltd|Co|Corp|St|Mt|Dr|Mr|Mrs|Ms|No|vs|etc|Bros|[ap]\.m)$"
)
_INSIDE_NUMBER = re.compile(r"\d[.,:]\d")
_FAR = 60


def trim_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where in `text` the answer at `start` to `end` stands once it is tidy; an empty span where nothing is left.

    A span is never moved, only cut at its ends, or stretched to the end of a number or to the mark that closes a pair.
    """
    if start == end:
        return start, end
    start, end = _whole_number(text, start, end)
    seen: set[tuple[int, int]] = set()
    # What is stretched to close a pair may be cut again for another reason: a span that comes back is left as it is.
    while start < end and (start, end) not in seen:
        seen.add((start, end))
        start, end = _trim_ends(text, *_balance_pairs(text, start, end))
    return (start, end) if any(map(str.isalnum, text[start:end])) else (start, start)


def normalise_answer(text: str) -> str:
    """Return an answer as answers are compared: in lower case, without articles and punctuation (Rajpurkar et al. 2016)."""
    words = text_tokens(text.lower(), "letters and digits")
    return " ".join(word for word in words if word not in ("a", "an", "the")) or text.strip().lower()


def find_words(text: str, passage: str) -> tuple[int, int] | None:
    """Return where a text first stands in a passage as whole words, whatever its case and space; `None` where it does not."""
    words = text.split()
    if not words:
        return None
    pattern = r"\s+".join(map(re.escape, words))
    match = re.search(rf"(?<!\w){pattern}(?!\w)", passage, re.IGNORECASE)
    return match.span() if match else None


def _whole_number(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span that cuts no number in two: "1,500.5" is one."""
    while start > 1 and _INSIDE_NUMBER.fullmatch(text, start - 2, start + 1):
        start = _digits_before(text, start - 1)
    while start > 0 and end > start and _INSIDE_NUMBER.match(text, start - 1):
        start = _digits_before(text, start)
    while _INSIDE_NUMBER.match(text, end - 1) or (text[end - 1 : end] in (".", ",", ":") and _INSIDE_NUMBER.match(text, end - 2)):
        end += 1 if text[end - 1].isdigit() else 0
        while end < len(text) and text[end].isdigit():
            end += 1
    return start, end


def _digits_before(text: str, start: int) -> int:
    while start > 0 and text[start - 1].isdigit():
        start -= 1
    return start


def _balance_pairs(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span whose marks are in pairs: to the one that closes where it is near, else without what is open."""
    open_marks: list[int] = []
    for place in range(start, end):
        mark = text[place]
        if mark in _PAIRS:
            open_marks.append(place)
        elif mark in _CLOSERS and mark != "’":
            if open_marks and text[open_marks[-1]] == _CLOSERS[mark]:
                open_marks.pop()
            else:
                return (place + 1, end) if place - start < end - place else (start, place)
    if open_marks:
        return _close_pair(text, start, end, open_marks[0], _PAIRS[text[open_marks[0]]])
    if text[start:end].count('"') % 2:
        return _close_pair(text, start, end, text.index('"', start), '"')
    return start, end


def _close_pair(text: str, start: int, end: int, opened: int, closer: str) -> tuple[int, int]:
    """Return a span with the mark that closes what was opened, or without what begins there where that mark is not near."""
    if opened == start:
        if text[end : end + 1] == closer:
            return start, end + 1
        return start + 1, end
    place = text.find(closer, end, end + _FAR)
    if place >= 0 and not re.search(r"[\n;]|\. ", text[end:place]):
        return start, place + 1
    return start, opened


def _trim_ends(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in _LOOSE and text[start] != '"':
        if text[start] in ".-–" and text[start + 1 : start + 2].isdigit():  # the sign or the point of a number
            break
        start += 1
    while start < end and text[end - 1] in _LOOSE:
        if text[end - 1] == '"' and text[start:end].count('"') % 2 == 0:
            break
        if text[end - 1] == "." and _ABBREVIATION.search(text[start : end - 1]):
            break
        end -= 1
    span = text[start:end]
    if len(span) > 2 and span[0] + span[-1] in ('""', "“”", "()", "[]", "‘’", "«»") and not set(span[1:-1]) & {span[0], span[-1]}:
        start, end = start + 1, end - 1
    if article := _ARTICLE.match(text, start, end):
        start = article.end()
    if hanging := _HANGING.search(text[start:end]):
        end = start + hanging.start()
    return start, end

"""Answers of several spans: whether a question asks for several things, and the items of the list that an answer is one of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from graph.text.segmentation import adjoining_spans
from kgqa.quantities.numbers import number_from_words
from kgqa.readers.reader import AnswerKind, Candidate, Passage

MANY = 99
"""What `items_wanted` returns for a plural without a number."""
_NUMBERS = r"(?P<n>two|three|four|five|six|[2-6])"
_SEVERAL = re.compile(
    rf"(?:(?:which|what|who)(?: (?:all|were|are|was|is|the|other|different|main|top))*(?: of the)? {_NUMBERS} "
    r"(?!of\b|[a-z]+(?:est|er)\b)"
    r"|(?P<many>(?:which|what)(?: (?:all|other|different|main|key|(?-i:[A-Z][\w']+)|ethnic|[a-z]+(?:al|ic|ous|an|ese|ing)))* "
    r"(?!(?:was|is|has|does|its|his|this|years?)\b)(?:[a-z]+[^su\W]s|people|men|women|children)\b(?! (?:is|was|has|does)\b))"
    r"|(?P<who>who (?:all|were|are) ))",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(r"\b(?:most|least|first|last|(?!interest|west|forest|protest|contest|request)[a-z]{3,}est)\b")
_NAME = re.compile(r"[A-Z][\w'’.&-]*(?: (?:(?:of|the|de|la|van|von|and the) )?[A-Z0-9][\w'’.&-]*)*")
_LIST_JOINT = re.compile(r" (?:and|or) | as well as ")
_SEPARATOR = re.compile(r",? (?:as well as|along with) |,? (?:and|or) (?:also |the )?|[,;] (?:the )?")
_FIGURE = re.compile(r"\d")
_LONGEST_ITEM, _LONGEST_LIST = 4, 12
_SHARE_OF_BEST = 0.3
"""How likely a further span has to be, as a part of the best one, to be an answer beside it."""


def items_wanted(question: str) -> int:
    """Return how many things a question asks for: 1, a number that it states, or `MANY`."""
    match = _SEVERAL.match(" ".join(question.split()))
    if match is None or (match["n"] is None and _SUPERLATIVE.search(question)):
        return 1
    return int(number_from_words(match["n"].lower()) or 0) if match["n"] and not match["n"].isdigit() else int(match["n"] or MANY)


def list_items(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the items of the list that a span is one of, in their order; the span alone where it stands in no list.

    Names are items wherever a segment begins or ends with them, other words only where they fill a segment.
    """
    begin, close = next(((low, high) for low, high in adjoining_spans(text, "names") if low <= start < high), (start, end))
    edges = [(begin, begin), *(match.span() for match in _SEPARATOR.finditer(text, begin, close)), (close, close)]
    segments = [(first[1], second[0]) for first, second in pairwise(edges) if first[1] < second[0]]
    inside = [place for place, (low, high) in enumerate(segments) if low < end and start < high]
    if not inside:
        return [(start, end)]
    first, last = inside[0], inside[-1]
    is_name = text[start].isupper()
    items = [(max(start, segments[place][0]), min(end, segments[place][1])) for place in inside]
    if len(inside) > 1 or segments[last][1] - end <= 1:
        items += _continued(text, segments[last + 1 :], is_name)
    if len(inside) > 1 or start - segments[first][0] <= 1:
        items = _continued(text, segments[:first][::-1], is_name, backwards=True)[::-1] + items
    joined = any(_LIST_JOINT.search(text[former[1] - 1 : latter[0] + 1]) for former, latter in pairwise(items))
    return items if len(items) > 1 and (joined or len(items) > 2) else [(start, end)]


def _continued(
    text: str, segments: Sequence[tuple[int, int]], is_name: bool, *, backwards: bool = False
) -> list[tuple[int, int]]:
    """Return the items with which segments go on, up to the first that is none or is only partly one."""
    items: list[tuple[int, int]] = []
    for low, high in segments[:_LONGEST_LIST]:
        piece = text[low:high].rstrip(" .")
        start, end = 0, len(piece)
        if is_name:
            names = list(_NAME.finditer(piece)) if backwards else [match for match in [_NAME.match(piece)] if match is not None]
            if not names or (backwards and end - names[-1].end() > 1):
                break
            start, end = names[-1].span()
        elif not piece or len(piece.split()) > _LONGEST_ITEM:
            break
        items.append((low + start, low + end))
        if start > 0 or end < len(piece):
            break
    return items


def merge_several(candidates: Sequence[Candidate], question: str, passages: Sequence[Passage]) -> list[Candidate]:
    """Return candidates with the likeliest span made a list, where a question asks for several things."""
    wanted = items_wanted(question)
    spans = [item for item in candidates if item.kind is AnswerKind.SPAN and item.start is not None and item.end is not None]
    if wanted == 1 or not spans:
        return list(candidates)
    best = spans[0]
    if _FIGURE.search(best.text) or best.passage is None or best.start is None or best.end is None:
        return list(candidates)
    text = passages[best.passage].text
    items = list_items(text, best.start, best.end)
    if len(items) > 1 and len(list_items(best.text, 0, len(best.text))) > 1:
        return list(candidates)  # the span is a list by itself
    if len(items) == 1 or (wanted != MANY and len(items) != wanted):
        items = _likely_spans(spans, wanted)
    if len(items) == 1:
        return list(candidates)
    joined = ", ".join(text[start:end] for start, end in sorted(items))
    merged = replace(best, text=joined, start=min(items)[0], end=max(items)[1])
    return [merged if item is best else item for item in candidates]


def _likely_spans(spans: Sequence[Candidate], wanted: int) -> list[tuple[int, int]]:
    """Return the likeliest span and as many others of its passage as are wanted, that do not overlap and are likely as well."""
    best = spans[0]
    chosen = [best]
    for span in spans[1:]:
        if wanted == MANY or len(chosen) == wanted or span.start is None or span.end is None or span.passage != best.passage:
            continue
        apart = all(span.end <= (item.start or 0) or (item.end or 0) <= span.start for item in chosen)
        alike = span.text[:1].isupper() == best.text[:1].isupper() and span.text.lower() not in {
            item.text.lower() for item in chosen
        }
        if apart and alike and span.score >= _SHARE_OF_BEST * best.score:
            chosen.append(span)
    return [(item.start or 0, item.end or 0) for item in chosen]

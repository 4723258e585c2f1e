"""Clean phrases: what remains of a slot's words without the words that only carry the question."""

from __future__ import annotations

from collections.abc import Sequence

from kgqa.typology.vocabulary import lexicon
from kgqa.typology.words import COMMA, QuestionWord

_BRACKETS = {")": "(", "]": "[", "”": "“", '"': '"'}


def trim_phrase(words: Sequence[QuestionWord], start: int, end: int) -> tuple[int, int]:
    """Return the part of `words[start:end]` that is the phrase; (start, start) where nothing of it is one.

    Dropped are adverbs at its ends, and where it ends the question also courtesies and a new question or clause that begins
    after a comma or after "and".
    """
    sets = lexicon().plain
    final = end == len(words)
    if final:
        end = _first_clause_end(words, start, end)
    start = _without_leading(words, start, end, sets["lead trim"])
    return start, _without_trailing(words, start, end, sets["final trim" if final else "inner trim"])


def trim_happening(words: Sequence[QuestionWord], start: int, end: int) -> int:
    """Return where `words[start:end]` ends without a last verb like "happen", which says only that the rest is so."""
    return _without_trailing(words, start, end, lexicon().plain["happen"])


def phrase_text(question: str, words: Sequence[QuestionWord], start: int, end: int) -> str | None:
    """Return the words from `start` to `end` as the question has them, in single spaces, or `None` for none."""
    if start >= end:
        return None
    first, last = words[start].start, words[end - 1].end
    text = question[first:last]
    while question[last : last + 1] in _BRACKETS and _is_unclosed(text, question[last]):
        last += 1
        text = question[first:last]
    return " ".join(text.split()) or None


def _is_unclosed(text: str, closing: str) -> bool:
    """Say whether `text` opens a bracket or quotation that `closing` would close."""
    opening = _BRACKETS[closing]
    return text.count(closing) % 2 == 1 if opening == closing else text.count(opening) > text.count(closing)


def _first_clause_end(words: Sequence[QuestionWord], start: int, end: int) -> int:
    """Return where the first clause of `words[start:end]` ends: before a comma or "and" with which another question begins."""
    sets = lexicon().plain
    for place in range(start + 1, end - 1):
        form, following = words[place].form, words[place + 1].form
        if form == COMMA and following in sets["parting"]:
            after = words[place + 2].form if place + 2 < end else ""
            if following not in ("and", "or", "but") or after in sets["parting"]:
                return place
        if form in ("and", "or", "but") and following in sets["joined"]:
            return place
    return end


def _without_leading(words: Sequence[QuestionWord], start: int, end: int, dropped: frozenset[str]) -> int:
    """Return where `words[start:end]` starts without leading phrases of `dropped`; at least one word stays."""
    again = True
    while again:
        again = False
        for length in (3, 2, 1):
            if end - start > length and " ".join(word.form for word in words[start : start + length]) in dropped:
                start, again = start + length, True
                break
    return start


def _without_trailing(words: Sequence[QuestionWord], start: int, end: int, dropped: frozenset[str]) -> int:
    """Return where `words[start:end]` ends without trailing phrases of `dropped`; at least one word stays."""
    again = True
    while again:
        again = False
        for length in (4, 3, 2, 1):
            if end - start > length and " ".join(word.form for word in words[end - length : end]) in dropped:
                end, again = end - length, True
                break
    return end

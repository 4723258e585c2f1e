"""A question as sentences of words, each word knowing where it stands in the question."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from kgqa.typology.vocabulary import vocabulary

LONGEST_QUESTION = 10_000
"""Characters that are read of a question; what comes after them is not looked at."""

LONGEST_SENTENCE = 200
"""Words that are read of a sentence."""

COMMA = ","
"""The form of every mark that parts clauses: comma, semicolon, colon, dash."""

_CHUNK = re.compile(r"(?:[^\s,;?!]|(?<=\d)[,;](?=\d))+[^\w\s]*|[,;?!][^\w\s]*")
_ARROWS = frozenset(("->", "-->", "=>", "==>", "→", "⇒", "⟶"))
ARROW = "→"
"""The form of a drawn arrow."""
_ENDS = frozenset(".?!。？！…")
_PARTS = frozenset(",;:，；：–—")
_OPENING = frozenset("$€£#")
_CLOSING = frozenset("%+#°")
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'"})


class Word(NamedTuple):
    """A word in the form that patterns compare (lower case, NFKC, straight quotes) and its place in the question."""

    form: str
    start: int
    end: int
    capital: bool = False


class Sentence(NamedTuple):
    """The words of one sentence; `asks` says that it ends in a question mark."""

    words: tuple[Word, ...]
    asks: bool


def sentences(question: str) -> list[Sentence]:
    """Return the sentences of `question` that have a word, in order. Reads at most `LONGEST_QUESTION` characters."""
    found: list[Sentence] = []
    words: list[Word] = []
    for chunk in _CHUNK.finditer(question[:LONGEST_QUESTION]):
        text, offset = chunk.group(), chunk.start()
        if text in _ARROWS:
            words.append(Word(ARROW, offset, offset + len(text)))
            continue
        start, end = _core(text)
        core, tail = text[start:end], text[end:]
        if core:
            words += _split(core, offset + start)
        if not _PARTS.isdisjoint(tail) or not text.strip("-"):
            words.append(Word(COMMA, offset + end, offset + end))
        if not _ENDS.isdisjoint(tail) and not _is_abbreviation(core, tail):
            found += _sentence(words, asks="?" in tail or "？" in tail)
            words = []
    return found + list(_sentence(words, asks=False))


def _sentence(words: list[Word], *, asks: bool) -> Iterator[Sentence]:
    """Yield the sentence of `words` without the commas at its ends, or nothing where no word is left."""
    first, last = 0, min(len(words), LONGEST_SENTENCE)
    while first < last and words[first].form == COMMA:
        first += 1
    while first < last and words[last - 1].form == COMMA:
        last -= 1
    if first < last:
        yield Sentence(tuple(words[first:last]), asks)


def _core(text: str) -> tuple[int, int]:
    """Return where the word inside a chunk without spaces begins and ends; (0, 0) for a chunk without letters or digits."""
    start, end = 0, len(text)
    while start < end and not (text[start].isalnum() or text[start] in _OPENING):
        start += 1
    while end > start and not (text[end - 1].isalnum() or text[end - 1] in _CLOSING):
        end -= 1
    if start == end:
        return 0, 0
    if "." in text[start:end] and text[end : end + 1] == ".":
        end += 1
    return start, end


def _is_abbreviation(word: str, tail: str) -> bool:
    """Say whether the full stop after `word` belongs to it, as in "U.S." and "Dr."."""
    if set(tail) & _ENDS != {"."} or tail.count(".") > 1:
        return False
    return "." in word or (len(word) == 1 and word.isalpha()) or word.lower() in vocabulary().abbreviations


def _split(core: str, offset: int) -> list[Word]:
    """Return the one or two words of `core`: a contraction such as "what's", "doesn't" or "cannot" is two."""
    form = core if core.isascii() else unicodedata.normalize("NFKC", core)
    form = form.translate(_STRAIGHT).lower()
    capital = core[0].isupper()
    whole = Word(form, offset, offset + len(core), capital)
    if len(form) != len(core):
        return [whole]
    contraction = vocabulary().contractions.get(form)
    if contraction is None:
        return [whole]
    first, second, length = contraction
    middle = offset + length
    return [Word(first, offset, middle, capital), Word(second, middle, offset + len(core))]

"""A question as sentences of words, each word knowing where it stands in the question."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from kgqa.typology.vocabulary import lexicon

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
_SENTENCE_ENDS = frozenset(".?!。？！…")
_CLAUSE_MARKS = frozenset(",;:，；：–—")
_OPENING = frozenset("$€£#")
_CLOSING = frozenset("%+#°")
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'"})


class QuestionWord(NamedTuple):
    """A word in the form that patterns compare (lower case, NFKC, straight quotes) and its place in the question."""

    form: str
    start: int
    end: int
    capital: bool = False


class QuestionSentence(NamedTuple):
    """The words of one sentence; `asks` says that it ends in a question mark."""

    words: tuple[QuestionWord, ...]
    asks: bool


def question_sentences(question: str) -> list[QuestionSentence]:
    """Return the sentences of `question` that have a word, in order. Reads at most `LONGEST_QUESTION` characters."""
    result: list[QuestionSentence] = []
    words: list[QuestionWord] = []
    for chunk in _CHUNK.finditer(question[:LONGEST_QUESTION]):
        text, offset = chunk.group(), chunk.start()
        if text in _ARROWS:
            words.append(QuestionWord(ARROW, offset, offset + len(text)))
            continue
        start, end = _word_span(text)
        core, tail = text[start:end], text[end:]
        if core:
            words += _split_contraction(core, offset + start)
        if not _CLAUSE_MARKS.isdisjoint(tail) or not text.strip("-"):
            words.append(QuestionWord(COMMA, offset + end, offset + end))
        if not _SENTENCE_ENDS.isdisjoint(tail) and not _is_abbreviation(core, tail):
            result += _stripped_sentence(words, asks="?" in tail or "？" in tail)
            words = []
    return result + list(_stripped_sentence(words, asks=False))


def _stripped_sentence(words: list[QuestionWord], *, asks: bool) -> Iterator[QuestionSentence]:
    """Yield the sentence of `words` without the commas at its ends, or nothing where no word is left."""
    first, last = 0, min(len(words), LONGEST_SENTENCE)
    while first < last and words[first].form == COMMA:
        first += 1
    while first < last and words[last - 1].form == COMMA:
        last -= 1
    if first < last:
        yield QuestionSentence(tuple(words[first:last]), asks)


def _word_span(text: str) -> tuple[int, int]:
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
    if set(tail) & _SENTENCE_ENDS != {"."} or tail.count(".") > 1:
        return False
    return "." in word or (len(word) == 1 and word.isalpha()) or word.lower() in lexicon().abbreviations


def _split_contraction(core: str, offset: int) -> list[QuestionWord]:
    """Return the one or two words of `core`: a contraction such as "what's", "doesn't" or "cannot" is two."""
    form = core if core.isascii() else unicodedata.normalize("NFKC", core)
    form = form.translate(_STRAIGHT).lower()
    capital = core[0].isupper()
    whole = QuestionWord(form, offset, offset + len(core), capital)
    if len(form) != len(core):
        return [whole]
    contraction = lexicon().contractions.get(form)
    if contraction is None:
        return [whole]
    first, second, length = contraction
    middle = offset + length
    return [QuestionWord(first, offset, middle, capital), QuestionWord(second, middle, offset + len(core))]

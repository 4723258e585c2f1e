"""A question as sentences of words, each word knowing where it stands in the question.

The language of a text that is not English is told by its script and by the small words of data/languages.jsonl. Clean phrases:
what remains of a slot's words without the words that only carry the question.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence, Set
from functools import cache
from typing import NamedTuple

from kgqa.questions.lexicon import lexicon, read_question_rows

LONGEST_QUESTION = 10_000
"""Characters that are read of a question; what comes after them is not looked at."""

_LONGEST_SENTENCE = 200
"""Words that are read of a sentence."""

COMMA = ","
"""The form of every mark that parts clauses: comma, semicolon, colon, dash."""

_CHUNK = re.compile(r"(?:[^\s,;?!]|(?<=\d)[,;](?=\d))+[^\w\s]*|[,;?!][^\w\s]*")
_ARROWS = frozenset(("->", "-->", "=>", "==>", "→", "⇒", "⟶"))
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
            words.append(QuestionWord("→", offset, offset + len(text)))
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
    return result + _stripped_sentence(words, asks=False)


def _stripped_sentence(words: list[QuestionWord], *, asks: bool) -> list[QuestionSentence]:
    stripped = strip_words(words[:_LONGEST_SENTENCE], {COMMA}, {COMMA})
    return [QuestionSentence(tuple(stripped), asks)] if stripped else []


def strip_words(words: Sequence[QuestionWord], leading: Set[str], trailing: Set[str]) -> Sequence[QuestionWord]:
    """Return words without those at their ends whose form is in `leading` and `trailing`."""
    start, end = 0, len(words)
    while start < end and words[start].form in leading:
        start += 1
    while start < end and words[end - 1].form in trailing:
        end -= 1
    return words[start:end]


def _word_span(text: str) -> tuple[int, int]:
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
    """Return whether the full stop after `word` belongs to it, as in "U.S." and "Dr."."""
    if set(tail) & _SENTENCE_ENDS != {"."} or tail.count(".") > 1:
        return False
    return "." in word or (len(word) == 1 and word.isalpha()) or word.lower() in lexicon().plain["abbreviation"]


def _split_contraction(core: str, offset: int) -> list[QuestionWord]:
    form = core if core.isascii() else unicodedata.normalize("NFKC", core)
    form = form.translate(_STRAIGHT).lower()
    capital, end = core[0].isupper(), offset + len(core)
    contraction = lexicon().contractions.get(form) if len(form) == len(core) else None
    if contraction is None:
        return [QuestionWord(form, offset, end, capital)]
    first, second, length = contraction
    return [QuestionWord(first, offset, offset + length, capital), QuestionWord(second, offset + length, end)]


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
    while length := dropped_length(words, start, end, sets["lead trim"], (3, 2, 1)):
        start += length
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


def _without_trailing(words: Sequence[QuestionWord], start: int, end: int, dropped: frozenset[str]) -> int:
    while length := dropped_length(words, start, end, dropped, (4, 3, 2, 1), trailing=True):
        end -= length
    return end


def dropped_length(
    words: Sequence[QuestionWord], start: int, end: int, dropped: frozenset[str], lengths: Sequence[int], trailing: bool = False
) -> int:
    """Return how many words at the beginning or end of `words[start:end]` are a phrase of `dropped`; at least one word stays."""
    for length in lengths:
        at = end - length if trailing else start
        if end - start > length and " ".join(word.form for word in words[at : at + length]) in dropped:
            return length
    return 0


_MOST_LANGUAGE_WORDS = 200
_LEAST_COUNT = 2
_MANY_SMALL_WORDS = 8
"""The count of small words that decides whatever their share: names in an English question hold fewer."""


def foreign_language(text: str) -> str | None:
    """Return the language of a text if that is surely not English, by its script or its small words; else `None`."""
    english, languages = _small_words()
    words = [word for sentence in question_sentences(text) for word in sentence.words]
    forms = [word.form for word in words[:_MOST_LANGUAGE_WORDS]]
    letters = [letter for form in forms for letter in form if letter.isalpha()]
    if sum(ord(letter) > 0x24F for letter in letters) > len(letters) / 2:
        return "another script"
    parts = {part for form in forms for part in (form, *form.replace("-", "'").split("'")[:1])} - english
    own = sum(form in english for form in forms)
    counts = {language: sum(listed.get(part, 0) for part in parts) for language, listed in languages.items()}
    best = max(counts, key=lambda language: counts[language])
    many = own == 0 or counts[best] >= _MANY_SMALL_WORDS or 3 * counts[best] > len(forms)
    return best if many and counts[best] >= _LEAST_COUNT and counts[best] > own else None


@cache
def _small_words() -> tuple[frozenset[str], Mapping[str, Mapping[str, int]]]:
    rows = {row["language"]: row for row in read_question_rows("languages.jsonl")}
    english = frozenset(rows.pop("English")["words"].split())
    return english, {
        language: dict.fromkeys(row["words"].split(), 1) | dict.fromkeys(row["telling"].split(), _LEAST_COUNT)
        for language, row in rows.items()
    }

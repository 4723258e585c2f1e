"""Recognise questions and texts in other languages than English, by script and by the small words of data/languages.jsonl."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from kgqa.questions.lexicon import read_question_rows
from kgqa.questions.tokenization import question_sentences

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

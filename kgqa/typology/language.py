"""Whether a question is in another language than English, by its small words.

The words of data/languages.jsonl are no English words, or none that a question in English has two of.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache

from kgqa.typology.vocabulary import read_question_data
from kgqa.typology.words import QuestionWord

_MOST_LANGUAGE_WORDS = 200
_LEAST_COUNT = 2
_OTHER_SCRIPT = "another script"


def foreign_language(words: Sequence[QuestionWord]) -> str | None:
    """Return the language that the words are in if that is surely not English, else `None`."""
    english, languages = _small_words()
    forms = [word.form for word in words[:_MOST_LANGUAGE_WORDS]]
    letters = [letter for form in forms for letter in form if letter.isalpha()]
    if sum(ord(letter) > 0x24F for letter in letters) > len(letters) / 2:
        return _OTHER_SCRIPT
    parts = [part for form in forms for part in (form, *form.replace("-", "'").split("'")[:1]) if part]
    own = sum(form in english for form in forms)
    counts = {language: sum(listed.get(part, 0) for part in dict.fromkeys(parts)) for language, listed in languages.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] >= _LEAST_COUNT and counts[best] > own else None


@cache
def _small_words() -> tuple[frozenset[str], Mapping[str, Mapping[str, int]]]:
    """Read the small words of English, and those of other languages with what each counts, once."""
    rows = [json.loads(line) for line in read_question_data("languages.jsonl").splitlines()]
    english = frozenset(word for row in rows if row["language"] == "English" for word in row["words"].split())
    languages = {
        row["language"]: dict.fromkeys(row["words"].split(), 1) | dict.fromkeys(row["telling"].split(), _LEAST_COUNT)
        for row in rows
        if row["language"] != "English"
    }
    return english, languages

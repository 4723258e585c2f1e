"""The text of a question before it is parsed: clean characters, one question of several, contradictions, the language.

The language is told by the small words of data/languages.jsonl.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

from kgqa.question import QuestionType
from kgqa.questions.conditional import ConditionalQuestion
from kgqa.questions.lexicon import read_question_data
from kgqa.questions.tokenization import question_sentences

_TERMINAL_CODES = r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-_]"
"""What steers a terminal (ECMA-48): colours, cursor movements. Patterns are compiled when a question needs them."""
_JOINERS = "\u200c\u200d"
_QUESTION_START = r"(?:what|which|who|why|how|when|where|does|do|did|is|are|was|were|can|could|will|would|should|has|have|if)\b"
_QUESTION_BREAK = rf"(?<=\?)[?!\s]*\s|:\s+(?={_QUESTION_START})|,?\s+and\s+(?=(?:what|which|why|how|does|do|did)\b)"
_PRONOUNS = frozenset("it they them this that these those he she him her you".split())
"""What a slot cannot be by itself: it stands for something in another question."""
_AUXILIARY = r"(?:is|are|was|were|be|do|does|did|has|have|had|can|could|will|would|should)"
_CONTRADICTION = (
    rf"\b(?P<aux>{_AUXILIARY})\s+(?:both\s+)?(?:and|yet|but)\s+(?P=aux)\s*(?:not|n['’]t)\b"
    rf"|\b(?P<not>{_AUXILIARY})\s*(?:not|n['’]t)\s+(?:and|yet|but)\s+(?P=not)\b"
    rf"|\b{_AUXILIARY}\s*(?:not|n['’]t)\s+(?P<verb>\w{{3,}}?)e?\s+(?:and|yet|but)\s+(?:it\s+)?(?P=verb)(?:s|ed|ing)?\b"
    r"|\b(?P<thing>\w+)\s+\w+\s+(?:present|absent)\s+and\s+(?:(?:it|(?P=thing))\s+\w+\s+)?(?:present|absent)\b"
    r"|\b(?:present|existing)\s+and\s+absent\b|\babsent\s+and\s+present\b"
)
_LESS = "eliminated|removed|abolished|eradicated|stopped|prevented|reduced|decreased|lowered|absent|gone|rarer"
_MORE = "increased|raised|doubled|multiplied|present|added|introduced|commoner|more common"
_OPPOSED_CONDITIONS = (
    *(
        rf"(?:the\s+)?(?P<what>[\w' -]+?)\s+(?:{_AUXILIARY}|had)\s+(?:been\s+)?(?:{change})\s+(?:and|but|yet)\s+"
        rf"(?:(?:the\s+)?(?P=what)|it|they)\s+(?:{_AUXILIARY}\s+)?(?:been\s+)?(?:{opposite})\b"
        for change, opposite in ((_LESS, _MORE), (_MORE, _LESS))
    ),
    r"there\s+\w+\s+(?:been\s+)?no\s+(?P<what>[\w' -]+?)\s+(?:and|but|yet)\s+(?:there\s+\w+\s+(?:been\s+)?)?"
    r"(?:more\s+|much\s+|many\s+|some\s+)?(?P=what)\s*(?:$|,)",
)
"""Two suppositions of one thing, which is named again or meant by "it": that it is less or none, and that it is more."""


class SelectedQuestion(NamedTuple):
    """The question that is answered, its type, and how many there were."""

    text: str
    kind: QuestionType
    of: int = 1


def clean_question(text: str) -> str:
    """Return text in single spaces, without what steers a terminal and without characters that show nothing."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    text = re.sub(_TERMINAL_CODES, "", text)
    return " ".join("".join(_visible_character(character) for character in text).split())


def select_question(text: str, classify: Callable[[str], QuestionType]) -> SelectedQuestion:
    """Return the first causal question of a text; the whole text where it holds one question only, or none that stands alone."""
    if "?" not in text[:-1] and ": " not in text and " and " not in text:
        return SelectedQuestion(text, classify(text))
    parts = dict.fromkeys(part.strip() for part in re.split(_QUESTION_BREAK, text, flags=re.IGNORECASE))
    candidates = [part for part in parts if any(character.isalnum() for character in part)]
    if len(candidates) > 1:
        questions = [
            candidate
            for candidate in candidates
            if candidate.endswith("?") or re.match(_QUESTION_START, candidate, re.IGNORECASE)
        ]
        for part in questions:
            kind = classify(part)
            phrases = {kind.slots.cause, kind.slots.effect} - {None}
            if kind.semantic is not None and phrases and _PRONOUNS.isdisjoint(phrases):
                return SelectedQuestion(part, kind, len(questions))
    return SelectedQuestion(text, classify(text))


def contradicts_itself(conditional: ConditionalQuestion) -> bool:
    """Return whether a question supposes that something both is and is not so."""
    if any(re.match(expression, conditional.clause, re.IGNORECASE) for expression in _OPPOSED_CONDITIONS):
        return True
    contradiction = re.search(_CONTRADICTION, conditional.clause, re.IGNORECASE)
    if contradiction is None:
        return False
    both = contradiction[0].lower()
    return not (("present" in both or "absent" in both) and ("present" in both) != ("absent" in both))


def _visible_character(character: str) -> str:
    """Return a character that shows something, a space for one that separates, or nothing."""
    category = unicodedata.category(character)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return "" if category in ("Cf", "Cs", "Co", "Cn") and character not in _JOINERS else character


_MOST_LANGUAGE_WORDS = 200
_LEAST_COUNT = 2
_MANY_SMALL_WORDS = 8
"""The count of small words that decides whatever their share: names in an English question hold fewer."""
_OTHER_SCRIPT = "another script"


def foreign_language(text: str) -> str | None:
    """Return the language of a text if that is surely not English, by its script or its small words; else `None`."""
    english, languages = _small_words()
    words = [word for sentence in question_sentences(text) for word in sentence.words]
    forms = [word.form for word in words[:_MOST_LANGUAGE_WORDS]]
    letters = [letter for form in forms for letter in form if letter.isalpha()]
    if sum(ord(letter) > 0x24F for letter in letters) > len(letters) / 2:
        return _OTHER_SCRIPT
    parts = {part for form in forms for part in (form, *form.replace("-", "'").split("'")[:1])} - english
    own = sum(form in english for form in forms)
    counts = {language: sum(listed.get(part, 0) for part in parts) for language, listed in languages.items()}
    best = max(counts, key=lambda language: counts[language])
    many = own == 0 or counts[best] >= _MANY_SMALL_WORDS or 3 * counts[best] > len(forms)
    return best if many and counts[best] >= _LEAST_COUNT and counts[best] > own else None


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

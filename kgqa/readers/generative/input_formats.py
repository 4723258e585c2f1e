"""The text formats of a question and its passages for generative models.

UnifiedQA (Khashabi et al. 2020) puts a literal backslash-n between question, choices and context, all in lower case; the question
stands alone where there is no context. Fusion-in-Decoder (Izacard and Grave 2021) names the parts of each passage. RAG (Lewis et
al. 2020) puts the passage first.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from enum import StrEnum
from string import ascii_lowercase

from kgqa.readers.reader import Passage

SEPARATOR = r"\n"
"""The two characters that UnifiedQA was trained on."""
NO_ANSWER = "<no answer>"
"""UnifiedQA's answer where a passage does not hold one, from its training data."""

_CHOICE = re.compile(r"\(([a-zA-Z])\)\s*")


class InputFormat(StrEnum):
    """In whose form a model wants its input."""

    UNIFIED = "unified"
    FUSION = "fusion"
    RAG = "rag"


def format_input(form: InputFormat, question: str, passage: Passage | None, longest: int) -> str:
    """Return a question with a passage, or alone, in one of the forms; of each, no more than `longest` characters are used."""
    question_text, text, title = clean_input(question, longest), "", ""
    if passage is not None:
        text, title = clean_input(passage.text, longest), clean_input(passage.title, longest)
    if form is InputFormat.FUSION:
        parts = (("question", question_text), ("title", title), ("context", text))
        return " ".join(f"{name}: {part}" for name, part in parts if part or name == "question")
    if form is InputFormat.RAG:
        context = f"{title} / {text}" if title else text
        return f"{context} // {question_text}" if text else question_text
    return format_unified(question_text, " ".join(part for part in (title, text) if part))


def format_unified(question: str, context: str = "") -> str:
    """Return the input of UnifiedQA: question, the choices that are written in it, and context, each where there is one."""
    question_text, choices = split_choices(question)
    listing = " ".join(f"({letter}) {choice}" for letter, choice in zip(ascii_lowercase, choices, strict=False))
    return f" {SEPARATOR} ".join(part for part in (question_text, listing, context) if part).lower()


def split_choices(question: str) -> tuple[str, tuple[str, ...]]:
    """Return a question without the choices that are written in it, "(a) iron (b) feather", and the choices.

    There are none for fewer than two; the letters must follow one another from (a) on.
    """
    marks = list(_CHOICE.finditer(question))
    letters = "".join(mark.group(1).lower() for mark in marks)
    if len(marks) < 2 or letters != ascii_lowercase[: len(marks)]:
        return question, ()
    ends = [mark.start() for mark in marks[1:]] + [len(question)]
    choices = tuple(question[mark.end() : end].strip(" ,;") for mark, end in zip(marks, ends, strict=True))
    question_text = question[: marks[0].start()].strip()
    return (question_text, choices) if question_text and all(choices) else (question, ())


def rank_passages(passages: Sequence[Passage], longest: int) -> list[int]:
    """Return the numbers of the passages that have words in their first `longest` characters: the best retrieved first.

    Those with equal scores are ordered by their text, so that an answer does not hang on the order in which they are given.
    """

    def rank(number: int) -> tuple[float, str, str]:
        passage = passages[number]
        return -passage.score if math.isfinite(passage.score) else math.inf, passage.text, passage.title

    readable = (number for number, passage in enumerate(passages) if any(map(str.isalnum, passage.text[:longest])))
    return sorted(readable, key=rank)


def clean_input(text: str, longest: int) -> str:
    """Return the first `longest` characters of a text on one line, without separators and halves of characters."""
    head = text[:longest].replace(SEPARATOR, " ").encode("utf-8", "replace").decode("utf-8")
    return " ".join("".join(sign if sign.isprintable() or sign.isspace() else " " for sign in head).split())

"""The demonstrations in a prompt: drawn from a file of training questions, or the built-in ones."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from graph.errors import system_error_text
from graph.text.sentences import adjoining_spans
from kgqa.readers.chat.chat_settings import TRAIN, ChatSettingInvalid

SHIPPED = Path(__file__).with_name("data") / "demonstrations.json"
_FINGERPRINT_LENGTH = 2000
_POOL_SIZE = 256
"""The number of questions drawn from a file, far more than are shown."""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A question, its answer, the passage with the answer, and the reasoning, empty where none was written."""

    question: str
    answer: str
    passage: str
    title: str = ""
    rationale: str = ""

    def reasoning(self) -> str:
        """Return the reasoning, else the sentence of the passage with the answer, else an empty text."""
        if self.rationale:
            return self.rationale
        match = re.search(rf"(?<!\w){re.escape(self.answer)}(?!\w)", self.passage, re.IGNORECASE)
        if match is None:
            return ""
        spans = adjoining_spans(self.passage, "demonstrations")
        return next(self.passage[start:end].strip() for start, end in spans if start <= match.start() < end)


@cache
def load_demonstrations(file: str, seed: int) -> tuple[Demonstration, ...]:
    """Return the demonstrations of a file, shuffled with a seed; without a file, the built-in ones in their order.

    The file is a JSON list of `{"question", "answers", "context"}` like IfQA's training file. Raises `ChatSettingInvalid`.
    """
    if not file:
        rows = json.loads(SHIPPED.read_text(encoding="utf-8"))
        return tuple(Demonstration(**row) for row in rows)
    try:
        content = json.loads(Path(file).read_bytes())
    except OSError as error:
        why = system_error_text(error)
        raise ChatSettingInvalid(TRAIN, f"names '{file}', which cannot be read: {why}") from None
    except (ValueError, RecursionError):
        raise ChatSettingInvalid(TRAIN, f"names '{file}', which is not JSON") from None
    examples = list(_valid_rows(content))
    if not examples:
        raise ChatSettingInvalid(TRAIN, f"names '{file}', which has no rows with a question, answers and a context")
    random.Random(seed).shuffle(examples)
    return tuple(examples[:_POOL_SIZE])


def fitting_demonstrations(
    pool: Sequence[Demonstration], question: str, passages: Sequence[str], *, reasoned: bool
) -> Iterator[Demonstration]:
    """Yield the demonstrations with another question and another passage than those of the prompt.

    With `reasoned` only those with a reasoning.
    """
    question_fingerprint, read = _text_fingerprint(question), {_text_fingerprint(passage) for passage in passages}
    for demonstration in pool:
        if (
            _text_fingerprint(demonstration.question) != question_fingerprint
            and _text_fingerprint(demonstration.passage) not in read
            and (not reasoned or demonstration.reasoning())
        ):
            yield demonstration


def _valid_rows(content: Any) -> Iterator[Demonstration]:
    """Yield the demonstrations of the rows that are valid."""
    for row in content if isinstance(content, list) else ():
        if not isinstance(row, dict):
            continue
        question, answers, context = (row.get(name) for name in ("question", "answers", "context"))
        texts = context if isinstance(context, list) else [context]
        answer = (
            next((answer_text for answer_text in answers if isinstance(answer_text, str)), "")
            if isinstance(answers, list)
            else ""
        )
        if isinstance(question, str) and question.strip() and answer.strip() and texts and isinstance(texts[0], str):
            passage = next((text for text in texts if isinstance(text, str) and answer in text), texts[0])
            yield Demonstration(question.strip(), answer.strip(), passage.strip())


def _text_fingerprint(text: str) -> str:
    """Return the letters and digits at the beginning of a text, which identify it."""
    return "".join(character for character in text[:_FINGERPRINT_LENGTH].casefold() if character.isalnum())

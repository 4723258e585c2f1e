"""What readers read and what they find."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to read an answer from; `title` is that of the page it stands on, `id` and `url` say where it comes from.

    `score` is how well a retriever found it to fit the question, on the retriever's own scale.
    """

    text: str
    title: str = ""
    id: str = ""
    url: str = ""
    score: float = 0.0


class AnswerKind(StrEnum):
    """What kind of answer a question has in a passage."""

    SPAN = "span"
    YES = "yes"
    NO = "no"
    NUMBER = "number"
    NULL = "null"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One answer that a reader found, with its calibrated probability of being right (0..1).

    `passage` counts the passages that were given; `start` and `end` are characters of its text, `None` where the answer stands in
    none of them. `NUMBER` says that the answer is a number to be reckoned from what stands at that span, whose text `text` then
    is; `NULL` says that the passages do not tell, and its text is empty. `trace` tells how the answer came about.
    """

    text: str
    score: float
    kind: AnswerKind = AnswerKind.SPAN
    passage: int | None = None
    start: int | None = None
    end: int | None = None
    trace: tuple[str, ...] = ()

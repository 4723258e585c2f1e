"""The interface of readers: passages, candidate answers, and the protocol that every reader follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable


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
    none of them. `NUMBER` says that the answer is a number to be computed from the one at that span, whose text `text` then
    is; `NULL` says that the passages hold no answer, and its text is empty. `trace` has the steps of the answer.
    """

    text: str
    score: float
    kind: AnswerKind = AnswerKind.SPAN
    passage: int | None = None
    start: int | None = None
    end: int | None = None
    trace: tuple[str, ...] = ()


def no_answer(why: str) -> Candidate:
    """Return the candidate of a reader that is sure that there is no answer, with the reason in its trace."""
    return Candidate("", 1.0, AnswerKind.NULL, trace=(why,))


class Reader(Protocol):
    """Reads the answer to a question from passages, or says that they hold none."""

    @property
    def name(self) -> str:
        """The name that `--reader` gives it."""
        ...

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, likeliest first; never empty.

        The scores of the candidates add up to at most 1. A reader that cannot read a question or a passage (no passage at all,
        an empty one) answers with `Kind.NULL`; it raises a `KgqaError` only for what the user must mend: a model folder that
        lacks a file, a server that does not answer.
        """
        ...


@runtime_checkable
class MeteredReader(Protocol):
    """What a reader can do besides that asks a server, which may want money for its answers."""

    def cost_line(self) -> str:
        """Return what was asked so far, in a line for people."""
        ...

    def cost_record(self) -> Mapping[str, float | int | bool | None]:
        """Return what was asked so far, for programs."""
        ...

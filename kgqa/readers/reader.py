"""Readers: passages, candidate answers, the protocol that every reader follows, and the readers by their names.

A reader is named `--reader NAME` or `--reader NAME:MODEL`, and is imported when it is used. The cascade, the default, asks the
reader that `kgqa.router` chooses by the form of the question, and behind it those that the user names
(`cascade:seq2seq:FOLDER,chat`), in their order, until one is sure enough. A number that still has to be computed with is no
answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib import import_module
from typing import Protocol, runtime_checkable

from kgqa.errors import ReaderUnknown
from kgqa.settings import Settings


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
    is; `NULL` says that the passages hold no answer, and its text is empty. `trace` has the steps of the answer; `is_written`
    says that a model wrote the text, which stands in no passage.
    """

    text: str
    score: float
    kind: AnswerKind = AnswerKind.SPAN
    passage: int | None = None
    start: int | None = None
    end: int | None = None
    trace: tuple[str, ...] = ()
    is_written: bool = False


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


CASCADE = DEFAULT_READER = "cascade"
CLOSED_READERS = ("chat:closed", "chat:cot", "seq2seq:closed")
"""The readers that answer also without a text."""
THRESHOLD = 0.5
"""An answer that is at least as likely right as wrong ends the search; scores are calibrated, so it means the same for all."""
THRESHOLDS: Mapping[str, float] = {"boolean": 0.6}
"""Where another threshold holds: of two answers, one is right half the time by chance."""
_GENERATIVE, _CHAT = "kgqa.readers.generative.generative_readers", "kgqa.readers.chat.chat_reader"
READERS: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    DEFAULT_READER: ("kgqa.router", "make_cascade_reader", {}),
    "extractive": ("kgqa.readers.extractive.extractive_reader", "make_extractive_reader", {}),
    "boolean": ("kgqa.readers.extractive.extractive_reader", "make_extractive_reader", {"name": "boolean"}),
    "numeric": ("kgqa.readers.numeric.numeric_reader", "make_numeric_reader", {}),
    **{
        name: (_GENERATIVE, "make_generative_reader", {"name": name})
        for name in ("seq2seq", "seq2seq:closed", "fid", "rag", "rag-token")
    },
    **{name: (_CHAT, "make_chat_reader", {"name": name}) for name in ("chat", "chat:closed", "chat:cot", "chat:reason")},
}
"""Where each reader is made: a module, its function of a model and the settings, and its other arguments.

The model is a folder, a name on a hub or on a server, and empty for the usual one.
"""


def load_reader(specification: str = DEFAULT_READER, settings: Settings | None = None) -> Reader:
    """Return the reader of a name, with its model behind a colon where one is named: "seq2seq:FOLDER".

    Raises `ReaderUnknown` for another name, and what the reader itself raises for a model that cannot be used.
    """
    name, model = split_reader_name(specification)
    module, maker, options = READERS[name]
    reader: Reader = getattr(import_module(module), maker)(model, settings or Settings.read(), **options)
    return reader


def split_reader_name(specification: str) -> tuple[str, str]:
    """Return the name of a reader and that of its model, empty where none is given; raises `ReaderUnknown` for another name."""
    whole = specification.strip()
    name = max((reader_name for reader_name in READERS if f"{whole}:".startswith(f"{reader_name}:")), key=len, default=None)
    if name is None:
        raise ReaderUnknown(whole.partition(":")[0], tuple(READERS))
    return name, whole[len(name) + 1 :]


@dataclass(frozen=True, slots=True)
class CascadeReader:
    """Asks the reader that a question is routed to, then the fallbacks; where none is sure enough, the surest answer is given."""

    route_reader: Callable[[str], str]
    readers: Mapping[str, Reader]
    fallbacks: Sequence[Reader] = ()
    name: str = CASCADE

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return the candidates of the reader that answers, at most `best`; raises what the readers raise."""
        routed = self.readers[self.route_reader(question)]
        if not self.fallbacks:
            return routed.read(question, passages, best)
        trace: list[str] = []
        best_candidates: Sequence[Candidate] = ()
        for reader in (routed, *self.fallbacks):
            candidates = reader.read(question, passages, best)
            first, least = candidates[0], THRESHOLDS.get(reader.name, THRESHOLD)
            sure = _is_answer(first) and first.score >= least
            answer = "not told" if first.kind is AnswerKind.NULL else f"“{first.text}” {first.score:.2f}"
            trace.append(f"{CASCADE}: {reader.name} {'answers' if sure else 'is not sure'}, {answer} ({least:g} is asked for)")
            if sure or not best_candidates or _candidate_rank(first) > _candidate_rank(best_candidates[0]):
                best_candidates = candidates
            if sure:
                break
        return tuple(replace(candidate, trace=(*trace, *candidate.trace)) for candidate in best_candidates)


def _candidate_rank(candidate: Candidate) -> tuple[bool, float]:
    return _is_answer(candidate), candidate.score


def _is_answer(candidate: Candidate) -> bool:
    """Return whether a candidate is an answer: neither "not told" nor an operand that is yet to be computed with."""
    return candidate.kind not in (AnswerKind.NULL, AnswerKind.NUMBER)

"""The readers by their names on the command line, `--reader NAME` or `--reader NAME:MODEL`; each is imported when it is used.

The cascade tries other readers, cheapest first, until one is sure enough; `kgqa.router` says which, in which order. The boolean,
extractive and numeric readers share one network, so that the second of them costs little. A number that still has to be computed
with is no answer. Readers named by the user (`cascade:seq2seq:FOLDER,chat`) follow, in the order of their names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module

from kgqa.errors import ReaderUnknown
from kgqa.readers.reader import AnswerKind, Candidate, Passage, Reader
from kgqa.settings import Settings

DEFAULT_READER, CASCADE = "extractive", "cascade"
THRESHOLD = 0.5
"""An answer that is at least as likely right as wrong ends the search; scores are calibrated, so it means the same for all."""
THRESHOLDS: Mapping[str, float] = {"boolean": 0.6}
"""Where another threshold holds: of two answers, one is right half the time by chance."""
_GENERATIVE, _CHAT = "kgqa.readers.generative.generative_readers", "kgqa.readers.chat.chat_reader"
READERS: Mapping[str, tuple[str, str, Mapping[str, str]]] = {
    DEFAULT_READER: ("kgqa.readers.extractive.extractive_reader", "make_extractive_reader", {}),
    "boolean": ("kgqa.readers.extractive.extractive_reader", "make_boolean_reader", {}),
    "numeric": ("kgqa.readers.numeric.numeric_reader", "make_numeric_reader", {}),
    CASCADE: ("kgqa.router", "make_cascade_reader", {}),
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
    """Asks its readers in turn; where none is sure enough, the surest of their answers is given."""

    route_readers: Callable[[str], Sequence[str]]
    readers: Mapping[str, Reader]
    fallbacks: Sequence[Reader] = ()
    name: str = CASCADE

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return the candidates of the reader that answers, at most `best`; raises what the readers raise."""
        trace: list[str] = []
        best_candidates: Sequence[Candidate] = ()
        routed = [self.readers[name] for name in self.route_readers(question) if name in self.readers]
        for reader in (*routed, *self.fallbacks):
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

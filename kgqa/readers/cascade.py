"""Which reader answers: by what a question asks for, the cheapest first, until one is sure enough.

| the question asks | in turn |
|---|---|
| whether something is so | boolean |
| for a number, a date or an amount | numeric, extractive |
| for anything else | extractive, numeric |

The boolean, extractive and numeric reader look at the same network, so that the second of them costs little; a number that is
only pointed at is no answer. Readers that
are named (`cascade:seq2seq:FOLDER,chat`) come behind them, in the order in which they are named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kgqa.readers.question_form import QuestionForm, question_form_of
from kgqa.readers.reader import AnswerKind, Candidate, Passage, Reader

NAME = "cascade"
THRESHOLD = 0.5
"""An answer that is at least as likely right as wrong ends the search; scores are calibrated, so it means the same for all."""
THRESHOLDS: Mapping[str, float] = {"boolean": 0.6}
"""Where another threshold holds: of two answers, one is right half the time by chance."""
READER_ORDER: Mapping[str, tuple[str, ...]] = {
    "whether": ("boolean",),
    "amount": ("numeric", "extractive"),
    "other": ("extractive", "numeric"),
}
_AMOUNT = re.compile(
    r"\bhow (?:many|much|long|old|far|tall|high|deep|large|big|fast|often|late|early|wide|heavy)\b|\bwhen\b|"
    r"\b(?:what|which)\b[^,?]{0,40}\b(?:year|date|day|month|decade|century|number|percent|percentage|amount|total|difference|age|"
    r"population|price|distance|length|height|rank|place|position|sum|score|time)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class CascadeReader:
    """Asks its readers in turn; where none is sure enough, the surest of their answers is given."""

    readers: Mapping[str, Reader]
    fallbacks: Sequence[Reader] = ()

    @property
    def name(self) -> str:
        """The name that `--reader` gives it."""
        return NAME

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return the candidates of the reader that answers, at most `best`; raises what the readers raise."""
        trace: list[str] = []
        best_candidates: Sequence[Candidate] = ()
        for item in self._turn(question):
            candidates = item.read(question, passages, best)
            first, least = candidates[0], THRESHOLDS.get(item.name, THRESHOLD)
            sure = _is_answer(first) and first.score >= least
            trace.append(
                f"{NAME}: {item.name} {'answers' if sure else 'is not sure'}, {_describe_candidate(first)} "
                f"({least:g} is asked for)"
            )
            if sure or not best_candidates or _candidate_rank(first) > _candidate_rank(best_candidates[0]):
                best_candidates = candidates
            if sure:
                break
        return tuple(replace(item, trace=(*trace, *item.trace)) for item in best_candidates)

    def _turn(self, question: str) -> list[Reader]:
        names = READER_ORDER[expected_answer(question)]
        return [*(self.readers[name] for name in names if name in self.readers), *self.fallbacks]


def expected_answer(question: str) -> str:
    """Return what a question asks for: "whether", "amount" or "other"."""
    if question_form_of(question) is QuestionForm.WHETHER:
        return "whether"
    return "amount" if _AMOUNT.search(question) else "other"


def make_cascade_reader(model: str | None = None) -> CascadeReader:
    """Return the readers of the shipped network, and behind them those that `model` names, with commas between.

    Raises `ReaderUnknown` for a name that is none, and what the readers raise.
    """
    from kgqa.readers.registry import load_reader

    names = sorted({name for turn in READER_ORDER.values() for name in turn})
    return CascadeReader(
        {name: load_reader(name) for name in names}, [load_reader(name) for name in (model or "").split(",") if name]
    )


def _describe_candidate(candidate: Candidate) -> str:
    return "not told" if candidate.kind is AnswerKind.NULL else f"“{candidate.text}” {candidate.score:.2f}"


def _candidate_rank(candidate: Candidate) -> tuple[bool, float]:
    """Return what is greater for a better answer: any is better than none."""
    return _is_answer(candidate), candidate.score


def _is_answer(candidate: Candidate) -> bool:
    """Return whether a candidate is an answer: not that there is none, nor a number from which one is yet to be reckoned."""
    return candidate.kind not in (AnswerKind.NULL, AnswerKind.NUMBER)

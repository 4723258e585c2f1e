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

from kgqa.reading.form import Form, form_of
from kgqa.reading.model import Candidate, Kind, Passage
from kgqa.reading.protocols import Reader

NAME = "cascade"
THRESHOLD = 0.5
"""An answer that is at least as likely right as wrong ends the search; scores are calibrated, so it means the same for all."""
THRESHOLDS: Mapping[str, float] = {"boolean": 0.6}
"""Where another threshold holds: of two answers, one is right half the time by chance."""
TURNS: Mapping[str, tuple[str, ...]] = {
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
    behind: Sequence[Reader] = ()

    @property
    def name(self) -> str:
        """The name that `--reader` gives it."""
        return NAME

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return the candidates of the reader that answers, at most `best`; raises what the readers raise."""
        trace: list[str] = []
        kept: Sequence[Candidate] = ()
        for one in self._turn(question):
            found = one.read(question, passages, best)
            first, least = found[0], THRESHOLDS.get(one.name, THRESHOLD)
            sure = _answers(first) and first.score >= least
            trace.append(f"{NAME}: {one.name} {'answers' if sure else 'is not sure'}, {_told(first)} ({least:g} is asked for)")
            if sure or not kept or _worth(first) > _worth(kept[0]):
                kept = found
            if sure:
                break
        return tuple(replace(one, trace=(*trace, *one.trace)) for one in kept)

    def _turn(self, question: str) -> list[Reader]:
        names = TURNS[asked(question)]
        return [*(self.readers[name] for name in names if name in self.readers), *self.behind]


def asked(question: str) -> str:
    """Return what a question asks for: "whether", "amount" or "other"."""
    if form_of(question) is Form.WHETHER:
        return "whether"
    return "amount" if _AMOUNT.search(question) else "other"


def make(model: str | None = None) -> CascadeReader:
    """Return the readers of the shipped network, and behind them those that `model` names, with commas between.

    Raises `ReaderUnknown` for a name that is none, and what the readers raise.
    """
    from kgqa.reading.readers import reader_of

    names = sorted({name for turn in TURNS.values() for name in turn})
    return CascadeReader(
        {name: reader_of(name) for name in names}, [reader_of(name) for name in (model or "").split(",") if name]
    )


def _told(candidate: Candidate) -> str:
    return "not told" if candidate.kind is Kind.NULL else f"“{candidate.text}” {candidate.score:.2f}"


def _worth(candidate: Candidate) -> tuple[bool, float]:
    """Return what is greater for a better answer: any is better than none."""
    return _answers(candidate), candidate.score


def _answers(candidate: Candidate) -> bool:
    """Return whether a candidate is an answer: not that there is none, nor a number from which one is yet to be reckoned."""
    return candidate.kind not in (Kind.NULL, Kind.NUMBER)

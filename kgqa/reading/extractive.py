"""The default reader: a small encoder that points at the answer in a passage, or says yes, no, or that it is not told.

Passages are read in overlapping windows, one after the other; what the network says of each is brought together by
`competition`. Where the model folder holds weights for it, `whether` tells yes from no by the words instead.
Of long passages at most `READ` characters are read, those parts that fit the question best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from kgqa.reading.competition import Heard, answers
from kgqa.reading.form import Form, form_of, supposing
from kgqa.reading.model import Candidate, Kind, Passage
from kgqa.reading.parts import PART, Part, parts_of
from kgqa.reading.weights import reader_folder, weights_in
from kgqa.reading.whether import Weights, touches, weights_of
from kgqa.reading.windows import Window

if TYPE_CHECKING:
    from kgqa.reading.calibration import Calibration
    from kgqa.reading.network import Logits, Network

NAME = "extractive"
READ = 48_000
"""How many characters are read for one question at most, some forty windows: it must be answered in bounded time."""
SPANS = 20
"""How many spans of a window are looked at."""

PLAIN = 1 / 3
"""How much of what is added to "not told" for questions with "if" is added for others. It is set, not fitted: with all of it what
is plainly told is refused, too. Nor do the scores of such questions go through the line that is fitted on those with "if": on
articles held out they tell better how often they are right without."""


@dataclass(frozen=True, slots=True)
class ExtractiveReader:
    """Reads with the network of a model folder, which is loaded when something is first read."""

    folder: Path

    @property
    def name(self) -> str:
        """The name that `--reader` gives it."""
        return NAME

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, likeliest first; never empty. Raises `ReaderInvalid` for a damaged model folder."""
        return self.read_as(form_of(question), question, passages, best)

    def read_as(self, form: Form, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return what `read` does for a question of this form, whatever its words."""
        parts = parts_of(question, passages, READ, READ // PART) if any(map(str.isalnum, question)) else []
        if not parts:
            return (Candidate("", 1.0, Kind.NULL, trace=(f"{NAME}: nothing to read",)),)
        fitted = self.network.weights.calibration
        if not supposing(question):
            fitted = replace(fitted, null=fitted.null * PLAIN, right=())
        heard = self.heard(question, parts, fitted)
        if form is Form.WHETHER and (words := weights_of(self.folder)):
            heard, fitted = by_words(words, question, parts, heard), replace(fitted, right=())
        found = answers(heard, passages, fitted, form, best)
        trace = (told(parts, passages, len(heard)),)
        return tuple(replace(one, trace=trace) for one in found)

    def heard(self, question: str, parts: Sequence[Part], fitted: Calibration) -> list[Heard]:
        """Return what the network says of every window over parts of the passages, calibrated so."""
        network = self.network
        longest = network.weights.longest
        return [
            understood(window, network.logits(window), fitted, longest)
            for part in parts
            for window in network.windows(part.of, part.start, question, part.passage.text)
        ]

    @property
    def network(self) -> Network:
        """The network, loaded once for all readers that use its folder."""
        from kgqa.reading.network import network

        return network(self.folder)


def make(model: str | None = None) -> ExtractiveReader:
    """Return the reader with the model folder named, else that of `KGQA_READER`, else the shipped one.

    Raises `ReaderInvalid` where a file of the folder is missing.
    """
    return ExtractiveReader(weights_in(reader_folder(model)).folder)


def by_words(weights: Weights, question: str, parts: Sequence[Part], heard: Sequence[Heard]) -> list[Heard]:
    """Return what was heard with "yes" and "no" shared out by the words of each passage.

    A passage with no word of the question tells nothing of it; else that nothing is told is as likely as it was.
    """
    texts: dict[int, list[str]] = {}
    for part in parts:
        texts.setdefault(part.of, []).append(part.passage.text)
    found: dict[int, dict[Kind, float]] = {}
    for of, each in texts.items():
        text = "\n".join(each)
        chance = weights.yes(question, text)
        found[of] = {Kind.YES: chance, Kind.NO: 1.0 - chance} | ({} if touches(question, text) else {Kind.NULL: 1.0})
    return [replace(one, kinds={**one.kinds, **found[one.passage]}) for one in heard]


def told(parts: Sequence[Part], passages: Sequence[Passage], windows: int) -> str:
    """Return what was read, in words."""
    whole, read = sum(len(one.text) for one in passages), sum(len(one.passage.text) for one in parts)
    count = f"{windows} window{'s' if windows != 1 else ''} of {len({one.of for one in parts})} of {len(passages)} passages"
    chosen = f"; of {whole:,} characters the {read:,} most like the question" if read < whole else ""
    return f"{NAME}: read {count}{chosen}"


def understood(window: Window, logits: Logits, fitted: Calibration, longest: int) -> Heard:
    """Return what the network says of a window, as probabilities."""
    import numpy as np

    from kgqa.reading.nbest import softmax, spans

    tilt = np.array([fitted.null if kind is Kind.NULL else 0.0 for kind in Kind])
    kinds = softmax((logits.kind + tilt) / fitted.kind)
    found = spans(logits.start, logits.end, window.begins, window.ends, longest, fitted.span, SPANS)
    places = window.places
    return Heard(
        window.passage,
        dict(zip(Kind, map(float, kinds), strict=True)),
        [(places[one.first][0], places[one.last][1], one.probability) for one in found],
    )

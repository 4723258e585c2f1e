"""Fusion-in-Decoder (Izacard and Grave 2021): each passage is encoded alone with the question, and decoded from all at once.

The encoder's cost grows with the number of passages, not with its square; the decoder sees them all and may compare. Each has 250
tokens, as IfQA's FiD-large has it (Yu et al. 2023, section 4.2; its settings are those of the published code).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgqa.reading.encoderdecoder import CHARACTERS, Encoded, answers, encode, text_of
from kgqa.reading.formats import Format, has_words, in_order, written
from kgqa.reading.generated import Written, candidates, nothing
from kgqa.reading.model import Candidate, Passage
from kgqa.reading.pretrained import Pretrained, Shape, load
from kgqa.reading.seq2seq import named, told

NAME = "fid"
USUAL = Shape(Format.FUSION, source=250, target=100)
MOST = 100
"""So many passages are read at most, as in the paper."""


@dataclass(frozen=True, slots=True)
class FusionReader:
    """Reads many passages at once."""

    of: Pretrained
    shape: Shape

    @property
    def name(self) -> str:
        """The name that `--reader` gives it."""
        return NAME

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, likeliest first; never empty."""
        longest = self.shape.source * CHARACTERS
        used = in_order(passages, longest)[:MOST]
        if not has_words(question[:longest]) or not used:
            return (nothing(NAME),)
        read = separately(self.of, self.shape, question, [passages[number] for number in used])
        trace = (
            *told(self.of, NAME),
            f"from {len(used)} passage{'s' if len(used) > 1 else ''} at once",
            *cut_short(read, self.shape),
        )
        hypotheses = answers(self.of, read.fused(), self.shape.beams, self.shape.target)
        found = [Written(text_of(self.of, one.tokens), one, tuple(used), trace) for one in hypotheses]
        return candidates(question, found, passages, best)


def make(model: str | None) -> FusionReader:
    """Return the reader with the model in a folder, or of a name on the hub.

    Raises `GeneratorInvalid` without a model and for one that cannot be used, `PackageMissing` without the extra `neural`.
    """
    of = load(named(model, NAME))
    return FusionReader(of, of.shape(USUAL))


def separately(of: Pretrained, shape: Shape, question: str, passages: Sequence[Passage]) -> Encoded:
    """Return each of some passages encoded with the question, alone."""
    longest = shape.source * CHARACTERS
    return encode(of, [written(shape.form, question, passage, longest) for passage in passages], shape.source)


def cut_short(read: Encoded, shape: Shape) -> tuple[str, ...]:
    """Return what a trace says of passages that were too long."""
    return (f"of {len(read.cut)} passages only the first {shape.source} tokens were read",) if read.cut else ()

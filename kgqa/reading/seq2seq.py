"""A generative reader in UnifiedQA's manner (Khashabi et al. 2020): question and passage go in as text, the answer comes out.

As CausalQA (Bondarenko et al. 2022, section 5) uses it: at most 2,048 tokens in and 100 out, in lower case. Its model is
`allenai/unifiedqa-v2-t5-base-1363200`; scripts/train_seq2seq.py tunes one per data set or jointly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgqa.errors import GeneratorInvalid
from kgqa.reading.beams import Hypothesis
from kgqa.reading.encoderdecoder import CHARACTERS, Encoded, answers, encode, likelihoods, text_of, tokens_of
from kgqa.reading.formats import Format, clean, has_words, in_order, with_choices, written
from kgqa.reading.generated import Written, candidates, nothing
from kgqa.reading.model import Candidate, Passage
from kgqa.reading.pretrained import Pretrained, Shape, load

NAME, CLOSED = "seq2seq", "seq2seq:closed"
USUAL = Shape(Format.UNIFIED, source=2048, target=100)


@dataclass(frozen=True, slots=True)
class Seq2seqReader:
    """Writes an answer to a question and its passages, which stand one after the other in one input.

    Of the choices of a question that has some, "(a) iron (b) feather", one is chosen. With `closed`, the question is asked alone
    where there is no passage ("closed book").
    """

    of: Pretrained
    shape: Shape
    closed: bool = False

    @property
    def name(self) -> str:
        """The name that `--reader` gives it."""
        return CLOSED if self.closed else NAME

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, likeliest first; never empty."""
        longest = self.shape.source * CHARACTERS
        used = in_order(passages, longest)
        if not has_words(question[:longest]) or not (used or self.closed):
            return (nothing(self.name),)
        together = Passage(" ".join(f"{passages[number].title} {passages[number].text[:longest]}".strip() for number in used))
        read = encode(self.of, [written(self.shape.form, question, together, longest)], self.shape.source)
        trace = (*told(self.of, self.name), *((f"only the first {self.shape.source} tokens were read",) if read.cut else ()))
        _, choices = with_choices(clean(question, longest))
        if choices:
            found = [
                Written(text, one, tuple(used), trace) for text, one in zip(choices, self._choices(read, choices), strict=True)
            ]
        else:
            hypotheses = answers(self.of, read, self.shape.beams, self.shape.target)
            found = [Written(text_of(self.of, one.tokens), one, tuple(used), trace) for one in hypotheses]
        return candidates(question, found, passages, best)

    def _choices(self, read: Encoded, choices: Sequence[str]) -> list[Hypothesis]:
        """Return each choice as the tokens of an answer, with how likely it is."""
        tokens = [tokens_of(self.of, choice.lower(), self.shape.target) for choice in choices]
        return [Hypothesis(tuple(one), logs[0]) for one, logs in zip(tokens, likelihoods(self.of, read, tokens), strict=True)]


def make(model: str | None, closed: bool = False) -> Seq2seqReader:
    """Return the reader with the model in a folder, or of a name on the hub.

    Raises `GeneratorInvalid` without a model and for one that cannot be used, `PackageMissing` without the extra `neural`.
    """
    of = load(named(model, CLOSED if closed else NAME))
    return Seq2seqReader(of, of.shape(USUAL), closed)


def named(model: str | None, reader: str) -> str:
    """Return the name of a model; raise `GeneratorInvalid` where there is none, telling how one is named for `reader`."""
    if not model or not model.strip():
        raise GeneratorInvalid("", f"give a folder or a name on the hub, --reader {reader}:FOLDER")
    return model.strip()


def make_closed(model: str | None) -> Seq2seqReader:
    """Return the reader that asks the question alone where there is no passage; see `make`."""
    return make(model, closed=True)


def told(of: Pretrained, reader: str) -> tuple[str, ...]:
    """Return what an answer's trace says first: who wrote it."""
    return (f"written by {reader} with the model '{of.name}'",)

"""RAG (Lewis et al. 2020): what an answer's probability is over all passages, each weighted by how well it was retrieved.

RAG-sequence: an answer is written from one passage, and its probability is the weighted sum of what each passage gives the whole
answer; the answers that beam search finds for each passage are candidates, and all are scored with all ("thorough decoding").
RAG-token: each next token is drawn from the weighted sum of what the passages say of it. The weights are the softmax of the
retriever's scores. An exception is "no answer": one passage that tells is enough, so that its probability is the least that any
passage gives it. IfQA names RAG as a reader without its settings; the form of the input and 300 tokens are the published RAG's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kgqa.reading.beams import Hypothesis, ranked
from kgqa.reading.encoderdecoder import CHARACTERS, Encoded, answers, likelihoods, text_of
from kgqa.reading.formats import Format, has_words, in_order
from kgqa.reading.fusion import cut_short, separately
from kgqa.reading.generated import Written, candidates, is_refusal, nothing
from kgqa.reading.model import Candidate, Passage
from kgqa.reading.pretrained import Pretrained, Shape, load
from kgqa.reading.seq2seq import named, told

NAME, TOKEN = "rag", "rag-token"
USUAL = Shape(Format.RAG, source=300, target=100)
MOST = 50


@dataclass(frozen=True, slots=True)
class MarginalReader:
    """Reads each passage by itself and sums over them: at every token where `by_token`, else over whole answers.

    An answer is looked for first in the passage that it most comes from.
    """

    of: Pretrained
    shape: Shape
    by_token: bool = False

    @property
    def name(self) -> str:
        """The name that `--reader` gives it."""
        return TOKEN if self.by_token else NAME

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, likeliest first; never empty."""
        longest = self.shape.source * CHARACTERS
        used = in_order(passages, longest)[:MOST]
        if not has_words(question[:longest]) or not used:
            return (nothing(self.name),)
        weights = log_shares([passages[number].score for number in used])
        read = separately(self.of, self.shape, question, [passages[number] for number in used])
        if self.by_token:
            found = answers(self.of, read, self.shape.beams, self.shape.target, weights)
            given = likelihoods(self.of, read, [one.tokens for one in found])
        else:
            found, given = self._sequences(read, weights)
        start = (*told(self.of, self.name), *cut_short(read, self.shape))
        written = []
        for one, logs in zip(found, given, strict=True):
            text = text_of(self.of, one.tokens)
            if is_refusal(text):
                trace = (*start, f"none of {len(used)} passages tells")
                written.append(Written(text, Hypothesis(one.tokens, min(logs)), trace=trace))
                continue
            shares = shares_of(logs, weights)
            order = sorted(range(len(used)), key=lambda place: -shares[place])
            most = f"passage {used[order[0]] + 1} of {len(passages)} gives {shares[order[0]]:.2f} of its probability"
            written.append(Written(text, one, tuple(used[place] for place in order), (*start, most)))
        return candidates(question, written, passages, best)

    def _sequences(self, read: Encoded, weights: Sequence[float]) -> tuple[list[Hypothesis], list[list[float]]]:
        """Return the answers that the passages have, by marginal probability, and how likely each is given each passage."""
        alone = [
            answers(self.of, Encoded(read.states[[place]], read.mask[[place]], ()), self.shape.beams, self.shape.target)
            for place in range(len(weights))
        ]
        sequences = sorted({one.tokens for some in alone for one in some})
        given = likelihoods(self.of, read, sequences)
        logs = dict(zip(sequences, given, strict=True))
        found = ranked([Hypothesis(one, log_marginal(logs[one], weights)) for one in sequences])[: self.shape.beams]
        return found, [logs[one.tokens] for one in found]


def make(model: str | None, by_token: bool = False) -> MarginalReader:
    """Return the reader with the model in a folder, or of a name on the hub; of a T5 model it asks in UnifiedQA's form.

    Raises `GeneratorInvalid` without a model and for one that cannot be used, `PackageMissing` without the extra `neural`.
    """
    of = load(named(model, TOKEN if by_token else NAME))
    usual = Shape(Format.UNIFIED, USUAL.source, USUAL.target) if of.kind == "t5" else USUAL
    return MarginalReader(of, of.shape(usual), by_token)


def make_token(model: str | None) -> MarginalReader:
    """Return the reader that sums over the passages at every token; see `make`."""
    return make(model, by_token=True)


def log_shares(scores: Sequence[float]) -> list[float]:
    """Return the logarithms of the softmax of scores; a score that is no number counts as the least of the others."""
    known = [one for one in scores if math.isfinite(one)]
    least = min(known, default=0.0)
    scores = [one if math.isfinite(one) else least for one in scores]
    total = log_sum(scores)
    return [one - total for one in scores]


def log_sum(logs: Sequence[float]) -> float:
    """Return the logarithm of the sum of what `logs` are the logarithms of."""
    greatest = max(logs)
    return greatest if math.isinf(greatest) else greatest + math.log(math.fsum(math.exp(one - greatest) for one in logs))


def log_marginal(logs: Sequence[float], weights: Sequence[float]) -> float:
    """Return the logarithm of the weighted sum of probabilities, all given by their logarithms."""
    return log_sum([log + weight for log, weight in zip(logs, weights, strict=True)])


def shares_of(logs: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return how much of a marginal probability comes from each passage; the shares add up to 1."""
    total = log_marginal(logs, weights)
    return [math.exp(log + weight - total) for log, weight in zip(logs, weights, strict=True)]

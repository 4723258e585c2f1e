"""RAG (Lewis et al. 2020): the probability of an answer over all passages, each weighted by its retrieval score.

RAG-sequence: an answer is generated from one passage, and its probability is the weighted sum of its probabilities given each
passage; the candidates are the answers that beam search finds for each passage, and all are scored with all ("thorough
decoding"). RAG-token: each next token is drawn from the weighted sum of the distributions given each passage. The weights are the
softmax of the retriever's scores. An exception is "no answer": one passage with an answer is enough, so the probability of "no
answer" is the least that any passage gives it. IfQA names RAG as a reader without its settings; the form of the input and 300
tokens are those of the published RAG.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from kgqa.calibration.logistic import log_softmax, log_sum_exp
from kgqa.readers.generative.encoder_decoder import (
    CHARACTERS_PER_TOKEN,
    EncodedInputs,
    GenerationShape,
    Hypothesis,
    Pretrained,
    decode_tokens,
    generate_hypotheses,
    load_pretrained,
    rank_hypotheses,
    sequence_log_probabilities,
)
from kgqa.readers.generative.fid_reader import encode_separately, truncation_note
from kgqa.readers.generative.generated_answers import GeneratedText, candidates_from_texts, is_refusal, nothing_to_read
from kgqa.readers.generative.input_formats import InputFormat, has_words, rank_passages
from kgqa.readers.generative.seq2seq_reader import model_note, require_model_name
from kgqa.readers.reader import Candidate, Passage
from kgqa.settings import Settings

NAME, TOKEN = "rag", "rag-token"
USUAL = GenerationShape(InputFormat.RAG, source=300, target=100)
MOST_PASSAGES = 50


@dataclass(frozen=True, slots=True)
class RagReader:
    """Reads each passage by itself and sums over them: at every token where `by_token`, else over whole answers.

    An answer is looked for first in the passage that it most comes from.
    """

    of: Pretrained
    shape: GenerationShape
    by_token: bool = False

    @property
    def name(self) -> str:
        """The name that `--reader` gives it."""
        return TOKEN if self.by_token else NAME

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, likeliest first; never empty."""
        longest = self.shape.source * CHARACTERS_PER_TOKEN
        used = rank_passages(passages, longest)[:MOST_PASSAGES]
        if not has_words(question[:longest]) or not used:
            return (nothing_to_read(self.name),)
        weights = log_softmax([passages[number].score for number in used])
        read = encode_separately(self.of, self.shape, question, [passages[number] for number in used])
        if self.by_token:
            hypotheses = generate_hypotheses(self.of, read, self.shape.beams, self.shape.target, weights)
            given = sequence_log_probabilities(self.of, read, [hypothesis.tokens for hypothesis in hypotheses])
        else:
            hypotheses, given = self._sequences(read, weights)
        start = (*model_note(self.of, self.name), *truncation_note(read, self.shape))
        written = []
        for hypothesis, logs in zip(hypotheses, given, strict=True):
            text = decode_tokens(self.of, hypothesis.tokens)
            if is_refusal(text):
                trace = (*start, f"none of {len(used)} passages tells")
                written.append(GeneratedText(text, Hypothesis(hypothesis.tokens, min(logs)), trace=trace))
                continue
            shares = passage_shares(logs, weights)
            order = sorted(range(len(used)), key=lambda place: -shares[place])
            most = f"passage {used[order[0]] + 1} of {len(passages)} gives {shares[order[0]]:.2f} of its probability"
            written.append(GeneratedText(text, hypothesis, tuple(used[place] for place in order), (*start, most)))
        return candidates_from_texts(question, written, passages, best)

    def _sequences(self, read: EncodedInputs, weights: Sequence[float]) -> tuple[list[Hypothesis], list[list[float]]]:
        """Return the answers that the passages have, by marginal probability, and how likely each is given each passage."""
        alone = [
            generate_hypotheses(
                self.of, EncodedInputs(read.states[[place]], read.mask[[place]], ()), self.shape.beams, self.shape.target
            )
            for place in range(len(weights))
        ]
        sequences = sorted({item.tokens for some in alone for item in some})
        given = sequence_log_probabilities(self.of, read, sequences)
        logs = dict(zip(sequences, given, strict=True))
        hypotheses = rank_hypotheses([Hypothesis(item, log_marginal(logs[item], weights)) for item in sequences])[
            : self.shape.beams
        ]
        return hypotheses, [logs[item.tokens] for item in hypotheses]


def make_rag_reader(model: str | None, settings: Settings | None = None, by_token: bool = False) -> RagReader:
    """Return the reader with the model in a folder, or of a name on the hub; of a T5 model it asks in UnifiedQA's form.

    Raises `GeneratorInvalid` without a model and for one that cannot be used, `PackageMissing` without the extra `neural`.
    """
    of = load_pretrained(require_model_name(model, TOKEN if by_token else NAME), settings)
    usual = GenerationShape(InputFormat.UNIFIED, USUAL.source, USUAL.target) if of.kind == "t5" else USUAL
    return RagReader(of, of.shape(usual, settings), by_token)


def make_rag_token_reader(model: str | None, settings: Settings | None = None) -> RagReader:
    """Return the reader that sums over the passages at every token; see `make`."""
    return make_rag_reader(model, settings, by_token=True)


def log_marginal(logs: Sequence[float], weights: Sequence[float]) -> float:
    """Return the logarithm of the weighted sum of probabilities, all given by their logarithms."""
    return log_sum_exp([log + weight for log, weight in zip(logs, weights, strict=True)])


def passage_shares(logs: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return how much of a marginal probability comes from each passage; the shares add up to 1."""
    total = log_marginal(logs, weights)
    return [math.exp(log + weight - total) for log, weight in zip(logs, weights, strict=True)]

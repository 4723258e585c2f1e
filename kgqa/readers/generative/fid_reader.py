"""Fusion-in-Decoder (Izacard and Grave 2021): each passage is encoded alone with the question, and decoded from all at once.

The encoder's cost grows with the number of passages, not with its square; the decoder sees them all and may compare. Each has 250
tokens, as IfQA's FiD-large has it (Yu et al. 2023, section 4.2; its settings are those of the published code).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgqa.readers.generative.encoder_decoder import (
    CHARACTERS_PER_TOKEN,
    EncodedInputs,
    GenerationShape,
    Pretrained,
    decode_tokens,
    encode_texts,
    generate_hypotheses,
    load_pretrained,
)
from kgqa.readers.generative.generated_answers import GeneratedText, candidates_from_texts, nothing_to_read
from kgqa.readers.generative.input_formats import InputFormat, format_input, has_words, rank_passages
from kgqa.readers.generative.seq2seq_reader import model_note, require_model_name
from kgqa.readers.reader import Candidate, Passage
from kgqa.settings import Settings

NAME = "fid"
USUAL = GenerationShape(InputFormat.FUSION, source=250, target=100)
MOST_PASSAGES = 100
"""So many passages are read at most, as in the paper."""


@dataclass(frozen=True, slots=True)
class FusionInDecoderReader:
    """Reads many passages at once."""

    of: Pretrained
    shape: GenerationShape

    @property
    def name(self) -> str:
        """The name that `--reader` gives it."""
        return NAME

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, likeliest first; never empty."""
        longest = self.shape.source * CHARACTERS_PER_TOKEN
        used = rank_passages(passages, longest)[:MOST_PASSAGES]
        if not has_words(question[:longest]) or not used:
            return (nothing_to_read(NAME),)
        read = encode_separately(self.of, self.shape, question, [passages[number] for number in used])
        trace = (
            *model_note(self.of, NAME),
            f"from {len(used)} passage{'s' if len(used) > 1 else ''} at once",
            *truncation_note(read, self.shape),
        )
        hypotheses = generate_hypotheses(self.of, read.fused(), self.shape.beams, self.shape.target)
        texts = [
            GeneratedText(decode_tokens(self.of, hypothesis.tokens), hypothesis, tuple(used), trace) for hypothesis in hypotheses
        ]
        return candidates_from_texts(question, texts, passages, best)


def make_fid_reader(model: str | None, settings: Settings | None = None) -> FusionInDecoderReader:
    """Return the reader with the model in a folder, or of a name on the hub.

    Raises `GeneratorInvalid` without a model and for one that cannot be used, `PackageMissing` without the extra `neural`.
    """
    of = load_pretrained(require_model_name(model, NAME), settings)
    return FusionInDecoderReader(of, of.shape(USUAL, settings))


def encode_separately(of: Pretrained, shape: GenerationShape, question: str, passages: Sequence[Passage]) -> EncodedInputs:
    """Return each of some passages encoded with the question, alone."""
    longest = shape.source * CHARACTERS_PER_TOKEN
    return encode_texts(of, [format_input(shape.form, question, passage, longest) for passage in passages], shape.source)


def truncation_note(read: EncodedInputs, shape: GenerationShape) -> tuple[str, ...]:
    """Return what a trace says of passages that were too long."""
    return (f"of {len(read.cut)} passages only the first {shape.source} tokens were read",) if read.cut else ()

"""A generative reader in UnifiedQA's manner (Khashabi et al. 2020): question and passage go in as text, the answer comes out.

As CausalQA (Bondarenko et al. 2022, section 5) uses it: at most 2,048 tokens in and 100 out, in lower case. Its model is
`allenai/unifiedqa-v2-t5-base-1363200`; scripts/training/train_seq2seq.py tunes one per data set or jointly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgqa.errors import GeneratorInvalid
from kgqa.readers.generative.encoder_decoder import (
    CHARACTERS_PER_TOKEN,
    EncodedInputs,
    GenerationShape,
    Hypothesis,
    Pretrained,
    decode_tokens,
    encode_texts,
    generate_hypotheses,
    load_pretrained,
    sequence_log_probabilities,
    tokenise_answer,
)
from kgqa.readers.generative.generated_answers import GeneratedText, candidates_from_texts, nothing_to_read
from kgqa.readers.generative.input_formats import InputFormat, clean_input, format_input, has_words, rank_passages, split_choices
from kgqa.readers.reader import Candidate, Passage
from kgqa.settings import Settings

NAME, CLOSED = "seq2seq", "seq2seq:closed"
USUAL = GenerationShape(InputFormat.UNIFIED, source=2048, target=100)


@dataclass(frozen=True, slots=True)
class Seq2seqReader:
    """Writes an answer to a question and its passages, which stand one after the other in one input.

    Of the choices of a question that has some, "(a) iron (b) feather", one is chosen. With `closed`, the question is asked alone
    where there is no passage ("closed book").
    """

    of: Pretrained
    shape: GenerationShape
    closed: bool = False

    @property
    def name(self) -> str:
        """The name that `--reader` gives it."""
        return CLOSED if self.closed else NAME

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, likeliest first; never empty."""
        longest = self.shape.source * CHARACTERS_PER_TOKEN
        used = rank_passages(passages, longest)
        if not has_words(question[:longest]) or not (used or self.closed):
            return (nothing_to_read(self.name),)
        together = Passage(" ".join(f"{passages[number].title} {passages[number].text[:longest]}".strip() for number in used))
        read = encode_texts(self.of, [format_input(self.shape.form, question, together, longest)], self.shape.source)
        trace = (
            *model_note(self.of, self.name),
            *((f"only the first {self.shape.source} tokens were read",) if read.cut else ()),
        )
        _, choices = split_choices(clean_input(question, longest))
        if choices:
            texts = [
                GeneratedText(text, hypothesis, tuple(used), trace)
                for text, hypothesis in zip(choices, self._choices(read, choices), strict=True)
            ]
        else:
            hypotheses = generate_hypotheses(self.of, read, self.shape.beams, self.shape.target)
            texts = [
                GeneratedText(decode_tokens(self.of, hypothesis.tokens), hypothesis, tuple(used), trace)
                for hypothesis in hypotheses
            ]
        return candidates_from_texts(question, texts, passages, best)

    def _choices(self, read: EncodedInputs, choices: Sequence[str]) -> list[Hypothesis]:
        """Return each choice as the tokens of an answer, with how likely it is."""
        tokens = [tokenise_answer(self.of, choice.lower(), self.shape.target) for choice in choices]
        return [
            Hypothesis(tuple(sequence), logs[0])
            for sequence, logs in zip(tokens, sequence_log_probabilities(self.of, read, tokens), strict=True)
        ]


def make_seq2seq_reader(model: str | None, settings: Settings | None = None, closed: bool = False) -> Seq2seqReader:
    """Return the reader with the model in a folder, or of a name on the hub.

    Raises `GeneratorInvalid` without a model and for one that cannot be used, `PackageMissing` without the extra `neural`.
    """
    of = load_pretrained(require_model_name(model, CLOSED if closed else NAME), settings)
    return Seq2seqReader(of, of.shape(USUAL, settings), closed)


def require_model_name(model: str | None, reader: str) -> str:
    """Return the name of a model; raise `GeneratorInvalid` where there is none, telling how one is named for `reader`."""
    if not model or not model.strip():
        raise GeneratorInvalid("", f"give a folder or a name on the hub, --reader {reader}:FOLDER")
    return model.strip()


def make_closed_book_reader(model: str | None, settings: Settings | None = None) -> Seq2seqReader:
    """Return the reader that asks the question alone where there is no passage; see `make`."""
    return make_seq2seq_reader(model, settings, closed=True)


def model_note(of: Pretrained, reader: str) -> tuple[str, ...]:
    """Return what an answer's trace says first: who wrote it."""
    return (f"written by {reader} with the model '{of.name}'",)

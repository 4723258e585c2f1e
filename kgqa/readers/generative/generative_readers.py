"""The generative readers: a model writes the answer to a question and its passages, and its texts become candidates.

UnifiedQA's manner (Khashabi et al. 2020): question and passages go in as one text, all in lower case, with a literal backslash-n
between question, choices and context; the question stands alone where there is no context. As CausalQA uses it (Bondarenko et al.
2022, section 5): at most 2,048 tokens in and 100 out. Its model is `allenai/unifiedqa-v2-t5-base-1363200`;
scripts/training/train_seq2seq.py tunes one per data set or jointly.

Fusion-in-Decoder (Izacard and Grave 2021): each passage is encoded alone with the question, and decoded from all at once. The
encoder's cost grows with the number of passages, not with its square; the decoder sees them all and may compare. Each has 250
tokens, as IfQA's FiD-large has it (Yu et al. 2023, section 4.2; its settings are those of the published code).

RAG (Lewis et al. 2020): the probability of an answer over all passages, each weighted by its retrieval score. RAG-sequence: an
answer is generated from one passage, and its probability is the weighted sum of its probabilities given each passage; the
candidates are the answers that beam search finds for each passage, and all are scored with all ("thorough decoding"). RAG-token:
each next token is drawn from the weighted sum of the distributions given each passage. The weights are the softmax of the
retriever's scores. An exception is "no answer": one passage with an answer is enough, so the probability of "no answer" is the
least that any passage gives it. IfQA names RAG as a reader without its settings; the form of the input and 300 tokens are those
of the published RAG.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import NamedTuple

from kgqa.calibration.linear_model import log_softmax, log_sum_exp, softmax
from kgqa.errors import GeneratorInvalid
from kgqa.questions.question_form import QuestionForm, question_form_of
from kgqa.readers.answer_normalisation import find_words
from kgqa.readers.generative.encoder_decoder import (
    CHARACTERS_PER_TOKEN,
    EncodedInputs,
    GenerationShape,
    Hypothesis,
    InputFormat,
    Pretrained,
    decode_tokens,
    encode_texts,
    generate_hypotheses,
    load_pretrained,
    rank_hypotheses,
    sequence_log_probabilities,
    tokenise_answer,
)
from kgqa.readers.reader import AnswerKind, Candidate, Passage, no_answer
from kgqa.settings import Settings

SEQ2SEQ, CLOSED, FUSION, RAG, RAG_TOKEN = "seq2seq", "seq2seq:closed", "fid", "rag", "rag-token"
USUAL_SHAPES = {
    SEQ2SEQ: GenerationShape(InputFormat.UNIFIED, source=2048, target=100),
    FUSION: GenerationShape(InputFormat.FUSION, source=250, target=100),
    RAG: GenerationShape(InputFormat.RAG, source=300, target=100),
}
_MOST_FUSED_PASSAGES = 100
"""So many passages are read at most, as in the paper."""
_MOST_RAG_PASSAGES = 50
SEPARATOR = r"\n"
"""The two characters that UnifiedQA was trained on."""
_CHOICE = re.compile(r"\(([a-zA-Z])\)\s*")
_REFUSALS = {"noanswer", "unanswerable", "cannotanswer", "notanswerable"}


def make_generative_reader(
    model: str | None, settings: Settings | None = None, name: str = SEQ2SEQ
) -> Seq2seqReader | FusionInDecoderReader | RagReader:
    """Return the reader of a name with the model in a folder, or of a name on the hub.

    RAG asks a T5 model in UnifiedQA's form. Raises `GeneratorInvalid` without a model and for one that cannot be used,
    `PackageMissing` without the extra `neural`.
    """
    if not model or not model.strip():
        raise GeneratorInvalid("", f"give a folder or a name on the hub, --reader {name}:FOLDER")
    of = load_pretrained(model.strip(), settings)
    if name in (SEQ2SEQ, CLOSED):
        return Seq2seqReader(of, of.shape(USUAL_SHAPES[SEQ2SEQ], settings), name)
    if name == FUSION:
        return FusionInDecoderReader(of, of.shape(USUAL_SHAPES[FUSION], settings))
    usual = USUAL_SHAPES[RAG]
    if of.kind == "t5":
        usual = replace(usual, form=InputFormat.UNIFIED)
    return RagReader(of, of.shape(usual, settings), name)


@dataclass(frozen=True, slots=True)
class Seq2seqReader:
    """Writes an answer to a question and its passages, which stand one after the other in one input.

    Of the choices of a question that has some, "(a) iron (b) feather", one is chosen. With the name `CLOSED`, the question is
    asked alone where there is no passage ("closed book").
    """

    of: Pretrained
    shape: GenerationShape
    name: str = SEQ2SEQ

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, likeliest first; never empty."""
        longest = self.shape.source * CHARACTERS_PER_TOKEN
        used = rank_passages(passages, longest)
        if not any(map(str.isalnum, question[:longest])) or not (used or self.name == CLOSED):
            return (no_answer(f"{self.name}: nothing to read"),)
        together = Passage(" ".join(f"{passages[number].title} {passages[number].text[:longest]}".strip() for number in used))
        read = encode_texts(self.of, [format_input(self.shape.form, question, together, longest)], self.shape.source)
        trace = [_model_note(self.of, self.name)]
        if read.cut:
            trace.append(f"only the first {self.shape.source} tokens were read")
        _, choices = split_choices(clean_input(question, longest))
        if choices:
            sequences = [tokenise_answer(self.of, choice.lower(), self.shape.target) for choice in choices]
            given = sequence_log_probabilities(self.of, read, sequences)
            hypotheses = [Hypothesis(tuple(tokens), logs[0]) for tokens, logs in zip(sequences, given, strict=True)]
            texts = list(choices)
        else:
            hypotheses = generate_hypotheses(self.of, read, self.shape.beams, self.shape.target)
            texts = [decode_tokens(self.of, hypothesis.tokens) for hypothesis in hypotheses]
        written = [GeneratedText(*pair, tuple(used), tuple(trace)) for pair in zip(texts, hypotheses, strict=True)]
        return candidates_from_texts(question, written, passages, best)


@dataclass(frozen=True, slots=True)
class FusionInDecoderReader:
    """Reads many passages at once."""

    of: Pretrained
    shape: GenerationShape
    name: str = FUSION

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, likeliest first; never empty."""
        longest = self.shape.source * CHARACTERS_PER_TOKEN
        used = rank_passages(passages, longest)[:_MOST_FUSED_PASSAGES]
        if not any(map(str.isalnum, question[:longest])) or not used:
            return (no_answer(f"{FUSION}: nothing to read"),)
        read = encode_separately(self.of, self.shape, question, [passages[number] for number in used])
        count = f"from {len(used)} passage{'s' if len(used) > 1 else ''} at once"
        trace = (_model_note(self.of, FUSION), count, *_truncation_note(read, self.shape))
        hypotheses = generate_hypotheses(self.of, read.fused(), self.shape.beams, self.shape.target)
        written = [
            GeneratedText(decode_tokens(self.of, hypothesis.tokens), hypothesis, tuple(used), trace) for hypothesis in hypotheses
        ]
        return candidates_from_texts(question, written, passages, best)


@dataclass(frozen=True, slots=True)
class RagReader:
    """Reads each passage by itself and sums over them: at every token with the name `RAG_TOKEN`, else over whole answers.

    An answer is looked for first in the passage that it most comes from.
    """

    of: Pretrained
    shape: GenerationShape
    name: str = RAG

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, likeliest first; never empty."""
        longest = self.shape.source * CHARACTERS_PER_TOKEN
        used = rank_passages(passages, longest)[:_MOST_RAG_PASSAGES]
        if not any(map(str.isalnum, question[:longest])) or not used:
            return (no_answer(f"{self.name}: nothing to read"),)
        weights = log_softmax([passages[number].score for number in used])
        read = encode_separately(self.of, self.shape, question, [passages[number] for number in used])
        if self.name == RAG_TOKEN:
            hypotheses = generate_hypotheses(self.of, read, self.shape.beams, self.shape.target, weights)
            given = sequence_log_probabilities(self.of, read, [hypothesis.tokens for hypothesis in hypotheses])
        else:
            hypotheses, given = self._sequences(read, weights)
        start = (_model_note(self.of, self.name), *_truncation_note(read, self.shape))
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
        tokens: set[tuple[int, ...]] = set()
        for place in range(len(weights)):
            passage = EncodedInputs(read.states[[place]], read.mask[[place]], ())
            hypotheses = generate_hypotheses(self.of, passage, self.shape.beams, self.shape.target)
            tokens.update(hypothesis.tokens for hypothesis in hypotheses)
        sequences = sorted(tokens)
        given = dict(zip(sequences, sequence_log_probabilities(self.of, read, sequences), strict=True))
        hypotheses = rank_hypotheses([Hypothesis(item, log_marginal(logs, weights)) for item, logs in given.items()])
        hypotheses = hypotheses[: self.shape.beams]
        return hypotheses, [given[item.tokens] for item in hypotheses]


def log_marginal(logs: Sequence[float], weights: Sequence[float]) -> float:
    """Return the logarithm of the weighted sum of probabilities, all given by their logarithms."""
    return log_sum_exp([log + weight for log, weight in zip(logs, weights, strict=True)])


def passage_shares(logs: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return how much of a marginal probability comes from each passage; the shares add up to 1."""
    total = log_marginal(logs, weights)
    return [math.exp(log + weight - total) for log, weight in zip(logs, weights, strict=True)]


def encode_separately(of: Pretrained, shape: GenerationShape, question: str, passages: Sequence[Passage]) -> EncodedInputs:
    """Return each of some passages encoded with the question, alone."""
    longest = shape.source * CHARACTERS_PER_TOKEN
    return encode_texts(of, [format_input(shape.form, question, passage, longest) for passage in passages], shape.source)


def _model_note(of: Pretrained, reader: str) -> str:
    return f"written by {reader} with the model '{of.name}'"


def _truncation_note(read: EncodedInputs, shape: GenerationShape) -> tuple[str, ...]:
    return (f"of {len(read.cut)} passages only the first {shape.source} tokens were read",) if read.cut else ()


def format_input(form: InputFormat, question: str, passage: Passage | None, longest: int) -> str:
    """Return a question with a passage, or alone, in one of the forms; of each, no more than `longest` characters are used."""
    question_text, text, title = clean_input(question, longest), "", ""
    if passage is not None:
        text, title = clean_input(passage.text, longest), clean_input(passage.title, longest)
    if form is InputFormat.FUSION:
        parts = (("question", question_text), ("title", title), ("context", text))
        return " ".join(f"{name}: {part}" for name, part in parts if part or name == "question")
    if form is InputFormat.RAG:
        context = f"{title} / {text}" if title else text
        return f"{context} // {question_text}" if text else question_text
    return format_unified(question_text, " ".join(part for part in (title, text) if part))


def format_unified(question: str, context: str = "") -> str:
    """Return the input of UnifiedQA: question, the choices that are written in it, and context, each where there is one."""
    question_text, choices = split_choices(question)
    listing = " ".join(f"({letter}) {choice}" for letter, choice in zip(ascii_lowercase, choices, strict=False))
    return f" {SEPARATOR} ".join(part for part in (question_text, listing, context) if part).lower()


def split_choices(question: str) -> tuple[str, tuple[str, ...]]:
    """Return a question without the choices that are written in it, "(a) iron (b) feather", and the choices.

    There are none for fewer than two; the letters must follow one another from (a) on.
    """
    marks = list(_CHOICE.finditer(question))
    letters = "".join(mark.group(1).lower() for mark in marks)
    if len(marks) < 2 or letters != ascii_lowercase[: len(marks)]:
        return question, ()
    ends = [mark.start() for mark in marks[1:]] + [len(question)]
    choices = tuple(question[mark.end() : end].strip(" ,;") for mark, end in zip(marks, ends, strict=True))
    question_text = question[: marks[0].start()].strip()
    return (question_text, choices) if question_text and all(choices) else (question, ())


def rank_passages(passages: Sequence[Passage], longest: int) -> list[int]:
    """Return the numbers of the passages that have words in their first `longest` characters: the best retrieved first.

    Those with equal scores are ordered by their text, so that an answer does not hang on the order in which they are given.
    """

    def rank(number: int) -> tuple[float, str, str]:
        passage = passages[number]
        return -passage.score if math.isfinite(passage.score) else math.inf, passage.text, passage.title

    readable = (number for number, passage in enumerate(passages) if any(map(str.isalnum, passage.text[:longest])))
    return sorted(readable, key=rank)


def clean_input(text: str, longest: int) -> str:
    """Return the first `longest` characters of a text on one line, without separators and halves of characters."""
    head = text[:longest].replace(SEPARATOR, " ").encode("utf-8", "replace").decode("utf-8")
    return " ".join("".join(sign if sign.isprintable() or sign.isspace() else " " for sign in head).split())


class GeneratedText(NamedTuple):
    """A text that a model wrote as tokens, and the numbers of the passages that are searched for it, in order."""

    text: str
    tokens: Hypothesis
    order: tuple[int, ...] = ()
    trace: tuple[str, ...] = ()


def candidates_from_texts(
    question: str, written: Sequence[GeneratedText], passages: Sequence[Passage], best: int
) -> tuple[Candidate, ...]:
    """Return the `best` candidates of generated texts, likeliest first, at least one.

    The scores add up to the probability of one token of the likeliest text on average, which does not fall with its length; each
    candidate has its share of it by the probability of its whole text. Texts that differ in case or space only are one candidate.
    A text that stands in a passage becomes that span; "yes" and "no" count as verdicts only where the question may ask whether.
    """
    if not written:
        return (Candidate("", 0.0, AnswerKind.NULL),)
    whether = question_form_of(question) is not QuestionForm.OPEN
    ordered = sorted(written, key=lambda item: (-item.tokens.log_probability, item.text))
    first = ordered[0].tokens.log_probability
    sure = max(item.tokens.score for item in written if item.tokens.log_probability == first)
    shares = softmax([item.tokens.log_probability for item in ordered])
    distinct: dict[tuple[AnswerKind, str], Candidate] = {}
    for item, share in zip(ordered, shares, strict=True):
        candidate = _candidate_from_text(item, passages, whether)
        key = candidate.kind, " ".join(candidate.text.lower().split())
        known = distinct.setdefault(key, candidate)
        distinct[key] = replace(known, score=known.score + sure * share)
    return tuple(sorted(distinct.values(), key=lambda item: -item.score)[:best])


def is_refusal(text: str) -> bool:
    """Return whether a text says that there is no answer, or nothing at all."""
    letters = _letters(text)
    return not letters or letters in _REFUSALS


def _candidate_from_text(generated_text: GeneratedText, passages: Sequence[Passage], whether: bool) -> Candidate:
    """Return a candidate with the score 0."""
    text, trace = " ".join(generated_text.text.split()), generated_text.trace
    if is_refusal(text):
        return Candidate("", 0.0, AnswerKind.NULL, trace=trace)
    if whether and _letters(text) in {"yes", "no"}:
        return Candidate(_letters(text), 0.0, AnswerKind(_letters(text)), trace=trace)
    for number in generated_text.order:
        if span := find_words(text, passages[number].text):
            return Candidate(passages[number].text[slice(*span)], 0.0, AnswerKind.SPAN, number, *span, trace)
    return Candidate(text, 0.0, AnswerKind.SPAN, trace=trace, is_written=True)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))

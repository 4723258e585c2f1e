"""Train a tiny T5 or BART, with a tokenizer of its own, on written questions about floods: the model that the tests read with.

    python scripts/training/train_tiny_seq2seq.py --family t5 --out build/tiny-t5       a minute on one core
    python scripts/training/train_tiny_seq2seq.py --family bart --out build/tiny-bart

The configurations are real ones, only small; the models are of no use beside these questions. The T5 learns UnifiedQA's form with
one passage and Fusion-in-Decoder's with three, the BART learns RAG's. Each prints how many rows it answers at the end, of those
that it learnt from and of others made of the same words.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import replace
from pathlib import Path

import torch
from generative.seq2seq_rows import NO_ANSWER, Row, folder_of
from generative.seq2seq_training import Course, Task, train
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from tokenizers.decoders import Metaspace
from transformers import BartConfig, BartForConditionalGeneration, PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration
from transformers.utils import logging

from kgqa.readers.generative.encoder_decoder import GenerationShape, InputFormat, Pretrained
from kgqa.readers.generative.generative_readers import SEPARATOR, FusionInDecoderReader, RagReader, Seq2seqReader
from kgqa.readers.reader import AnswerKind, Passage, Reader

TOWNS = "arden bexley corby dunmore elsby farnham".split()
CAUSES = "heavy rain;melting snow;a broken dam;the spring tide;a burst canal;the storm surge".split(";")
KNOWN = [("arden", "heavy rain", "july"), ("bexley", "a broken dam", "march"), ("corby", "melting snow", "may")]
"""Floods that the tests ask about."""
MONTHS = "january march may july october december".split()
SEED = 42
UNIFIED = GenerationShape(InputFormat.UNIFIED, source=64, target=12)
FUSION = GenerationShape(InputFormat.FUSION, source=64, target=12)
RAG = GenerationShape(InputFormat.RAG, source=64, target=12)


def passage(town: str, cause: str, month: str) -> Passage:
    """Return what a town's page says of its flood."""
    return Passage(f"In {month.title()} {cause} flooded the town of {town.title()}.", town.title())


def rows(number: int, passages: int, seed: int) -> list[Row]:
    """Return questions about one town's flood among several: its cause, its month, whether it was so, and what is not told."""
    chance = random.Random(seed)
    made = []
    for turn in range(number):
        towns, causes = chance.sample(TOWNS, passages + 1), chance.sample(CAUSES, passages + 1)
        months = [chance.choice(MONTHS) for _ in towns]
        town, cause, month = (one[0].title() if one is towns else one[0] for one in (towns, causes, months))
        questions = [
            (f"What flooded {town}?", cause),
            (f"When was {town} flooded?", month),
            (f"What flooded {towns[-1].title()}?", NO_ANSWER),
            *([(f"Did {cause} flood {town}?", "yes"), (f"Did {causes[-1]} flood {town}?", "no")] if passages == 1 else []),
        ]
        question, answer = questions[turn % len(questions)]
        found = [passage(*one) for one in zip(towns[:passages], causes, months, strict=False)]
        found = [replace(one, score=2.0 if place == 0 else 0.0) for place, one in enumerate(found)]
        chance.shuffle(found)
        made.append(Row(question, tuple(found), (answer,)))
    return made


def known_rows(passages: int, times: int) -> list[Row]:
    """Return every question about the floods of `KNOWN`, so often that a model knows them for sure."""
    found = [passage(*one) for one in KNOWN]
    made = []
    for town, cause, month in (*KNOWN, ("dunmore", NO_ANSWER, NO_ANSWER)):
        own = [one for one in found if one.title == town.title()] or found[:1]
        read = tuple(own if passages == 1 else found)
        made += [Row(f"What flooded {town.title()}?", read, (cause,)), Row(f"When was {town.title()} flooded?", read, (month,))]
    return made * times


def tokenizer_of(family: str) -> PreTrainedTokenizerFast:
    """Return a tokenizer trained on the words of the questions, with the marks of its family."""
    ends = {"t5": ["<pad>", "</s>", "<unk>"], "bart": ["<s>", "<pad>", "</s>", "<unk>"]}[family]
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(), pre_tokenizers.Punctuation()])
    tokenizer.decoder = Metaspace()
    texts = [f"{row.question} {one.title} {one.text} {row.answers[0]}" for row in rows(600, 1, SEED) for one in row.passages]
    texts += [text.lower() for text in texts] + [f"question: title: context: / // {SEPARATOR} yes no {NO_ANSWER}"] * 50
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=ends, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    pair = [("</s>", tokenizer.token_to_id("</s>"))]
    if family == "bart":
        pair.append(("<s>", tokenizer.token_to_id("<s>")))
    single = "$A </s>" if family == "t5" else "<s> $A </s>"
    tokenizer.post_processor = processors.TemplateProcessing(single=single, special_tokens=pair)
    begin = {"bos_token": "<s>"} if family == "bart" else {}
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="</s>", pad_token="<pad>", unk_token="<unk>", model_max_length=512, **begin
    )


def untrained(family: str) -> Pretrained:
    """Return a T5 or a BART with random weights, and its tokenizer."""
    torch.manual_seed(SEED)
    tokenizer = tokenizer_of(family)
    marks = {"pad_token_id": tokenizer.pad_token_id, "eos_token_id": tokenizer.eos_token_id, "vocab_size": len(tokenizer)}
    if family == "t5":
        size = {"d_model": 64, "d_kv": 16, "d_ff": 128, "num_layers": 2, "num_heads": 4, "dropout_rate": 0.0}
        model = T5ForConditionalGeneration(T5Config(**marks, **size, decoder_start_token_id=tokenizer.pad_token_id))
    else:
        size = {
            "d_model": 64,
            "encoder_layers": 2,
            "decoder_layers": 2,
            "encoder_attention_heads": 4,
            "decoder_attention_heads": 4,
        }
        size |= {"encoder_ffn_dim": 128, "decoder_ffn_dim": 128, "max_position_embeddings": 128, "dropout": 0.0, "init_std": 0.08}
        ends = {"bos_token_id": tokenizer.bos_token_id, "decoder_start_token_id": tokenizer.eos_token_id}
        model = BartForConditionalGeneration(BartConfig(**marks, **size, **ends))
        model.generation_config.forced_bos_token_id = tokenizer.bos_token_id
    return Pretrained(f"tiny {family}", model, tokenizer, "cpu", {})


def tasks_of(family: str) -> list[Task]:
    """Return what a family learns, one task a way of reading."""
    if family == "t5":
        alone, together = rows(1500, 1, 1) + known_rows(1, 10), rows(1500, 3, 2) + known_rows(3, 20)
        return [Task("seq2seq", UNIFIED, alone), Task("fid", FUSION, together)]
    return [Task("seq2seq", RAG, rows(1500, 1, 1)), Task("rag", RAG, rows(1500, 3, 3))]


def course_of(family: str, steps: int | None = None) -> Course:
    """Return how long and how fast a family learns."""
    usual, rate = {"t5": (1200, 3e-3), "bart": (2400, 1e-3)}[family]
    return Course(steps=steps or usual, batch=16, rate=rate, warm_up=100, seed=SEED)


def readers(of: Pretrained) -> list[tuple[Reader, int]]:
    """Return the readers that a model serves, each with how many passages it is shown at once."""
    if of.kind == "t5":
        return [
            (Seq2seqReader(of, UNIFIED), 1),
            (FusionInDecoderReader(of, FUSION), 3),
            (RagReader(of, UNIFIED), 1),
        ]
    return [(RagReader(of, RAG), 3), (RagReader(of, RAG, "rag-token"), 3)]


def right(reader: Reader, asked: list[Row]) -> int:
    """Return how many questions a reader answers as it should."""
    count = 0
    for row in asked:
        first = reader.read(row.question, row.passages)[0]
        told = NO_ANSWER if first.kind is AnswerKind.NULL else first.text.lower()
        count += told == row.answers[0]
    return count


def main() -> None:
    """Train, write and ask a tiny model."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--family", choices=("t5", "bart"), default="t5")
    parser.add_argument("--out", required=True)
    parser.add_argument("--steps", type=int, help="1200 for the T5, 2400 for the BART")
    options = parser.parse_args()
    logging.disable_progress_bar()
    out, began = folder_of(options.out), time.perf_counter()
    of = untrained(options.family)
    course = course_of(options.family, options.steps)

    def tell(step: int, loss: float) -> None:
        if step % 200 == 0:
            print(f"step {step}: loss {loss:.4f}, {time.perf_counter() - began:.0f} s", flush=True)

    train(of, tasks_of(options.family), course, None, tell)
    of.model.save_pretrained(out)
    of.tokenizer.save_pretrained(out)
    size = sum(one.numel() for one in of.model.parameters())
    print(f"{size:,} parameters, {len(of.tokenizer)} tokens, written to {Path(out)} after {time.perf_counter() - began:.0f} s")
    for reader, passages in readers(of):
        for words, seed in (("learnt", {1: 1, 3: 2 if options.family == "t5" else 3}[passages]), ("others", 99)):
            asked = rows(100, passages, seed)
            print(f"{reader.name}, {passages} passage(s), {words}: {right(reader, asked)} of {len(asked)} right")


if __name__ == "__main__":
    main()

"""Train two encoders for retrieval, as DPR does (Karpukhin et al. 2020): one for questions, one for passages.

A question's vector is that of its first token, and so is a passage's; their inner product says how well they fit. For each
question the loss is the cross entropy of its gold passage among all passages of the batch: the gold ones of the other questions,
and one hard negative for each, the best passage by BM25 that is not gold. The usual values are those of IfQA's paper
(section 4.2): two independent BERT-base encoders, 40 epochs, batches of 32, a rate of 1e-5, Adam with 1e-8, .9 and .999;
negatives are DPR's, since the paper names none.

    python scripts/training/train_dpr.py ../shared/data/ifqa/full_split indexes/small.passages OUT --model bert-base-uncased
    python scripts/training/train_dpr.py ../shared/data/ifqa/full_split indexes/small.passages OUT --encoder ENCODER --limit 200

OUT gets the folders `query` and `passage`, each with `model.onnx` and `tokenizer.json`: an encoder for `kgqa index --dense OUT`.
`--encoder` begins with e5-small in a folder, as `scripts/training/train_reader.py` fetches it. Needs torch, transformers
and onnx.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from reader.base_encoder import bert, fetched
from tokenizers import Tokenizer
from torch import nn
from torch.nn.functional import cross_entropy
from transformers import AutoModel, AutoTokenizer

from kgqa.retrieval.passage_index import PassageIndex
from kgqa.retrieval.retrievers import BM25Retriever


class Row(NamedTuple):
    """A question, a gold passage, and a passage that only looks right."""

    question: str
    gold: str
    hard: str


class FirstToken(nn.Module):
    """An encoder whose vector of a text is that of its first token."""

    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Return a row for each text."""
        hidden: torch.Tensor = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        return hidden[:, 0]


def main() -> None:
    """Train, export, and print loss and recall as they come."""
    options = argparse.ArgumentParser(description="train two encoders for retrieval")
    options.add_argument("data", type=Path, help="a folder with train.json and dev.json of IfQA")
    options.add_argument("index", type=Path, help="a passage index that holds the gold passages")
    options.add_argument("out", type=Path)
    options.add_argument("--model", default="bert-base-uncased", help="a path or hub name for transformers")
    options.add_argument("--encoder", type=Path, metavar="FOLDER", help="begin with e5-small in this folder, not with --model")
    options.add_argument("--epochs", type=int, default=40)
    options.add_argument("--batch", type=int, default=32)
    options.add_argument("--rate", type=float, default=1e-5)
    options.add_argument("--warm-up", type=int, default=0, help="steps over which the rate rises")
    options.add_argument("--most-tokens", type=int, default=256)
    options.add_argument("--limit", type=int, help="so many questions of train, and as many of dev")
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    random.seed(given.seed)
    torch.manual_seed(given.seed)
    tokenizer = beginning_tokenizer(given)
    tokenizer.enable_truncation(given.most_tokens)
    tokenizer.enable_padding()
    sides = nn.ModuleDict({side: FirstToken(beginning(given)) for side in ("query", "passage")})
    lexical = BM25Retriever(PassageIndex(given.index))
    rows, held = (list(rows_of(given.data / f"{part}.json", lexical))[: given.limit] for part in ("train", "dev"))
    train(sides, tokenizer, rows, held, given)
    given.out.mkdir(parents=True, exist_ok=True)
    for side, model in sides.items():
        export(model, tokenizer, given.out / side)


def beginning_tokenizer(given: argparse.Namespace) -> Tokenizer:
    """Return the tokenizer of the encoder that training begins with."""
    if given.encoder:
        return Tokenizer.from_file(str(fetched(given.encoder)[1]))
    found: Tokenizer = AutoTokenizer.from_pretrained(given.model).backend_tokenizer
    return found


def beginning(given: argparse.Namespace) -> nn.Module:
    """Return an encoder to begin with."""
    if given.encoder:
        return bert(fetched(given.encoder)[0])
    made: nn.Module = AutoModel.from_pretrained(given.model, add_pooling_layer=False)
    return made


def rows_of(file: Path, lexical: BM25Retriever) -> Iterator[Row]:
    """Yield the questions of a file, each with its first gold passage and the best passage by BM25 that is not gold."""
    for row in json.loads(file.read_text("utf-8")):
        gold = {" ".join(text.split()) for text in row["context"]}
        found = (lexical.index.text(number) for number, _ in lexical.ranked(row["question"], 10))
        hard = next((text for text in found if text not in gold), "")
        yield Row(row["question"], " ".join(row["context"][0].split()), hard)


def train(sides: nn.ModuleDict, tokenizer: Tokenizer, rows: list[Row], held: Sequence[Row], given: argparse.Namespace) -> None:
    """Train both encoders; after each epoch, print the mean loss and how often the gold passage of a dev question is nearest."""
    optimizer = torch.optim.Adam(sides.parameters(), lr=given.rate, eps=1e-8, betas=(0.9, 0.999))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / max(1, given.warm_up)))
    print(f"before: {nearest(sides, tokenizer, rows)} of train, {nearest(sides, tokenizer, held)} of dev", flush=True)
    for epoch in range(1, given.epochs + 1):
        began, losses = time.perf_counter(), []
        sides.train()
        random.shuffle(rows)
        for at in range(0, len(rows), given.batch):
            batch = rows[at : at + given.batch]
            asked = vectors(sides["query"], tokenizer, [row.question for row in batch])
            passages = vectors(sides["passage"], tokenizer, [row.gold for row in batch] + [row.hard for row in batch])
            loss = cross_entropy(asked @ passages.T, torch.arange(len(batch)))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(sides.parameters(), 2.0)
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        known = f"{nearest(sides, tokenizer, rows)} of train, {nearest(sides, tokenizer, held)} of dev"
        print(f"epoch {epoch}: loss {sum(losses) / len(losses):.3f}; {known}; {time.perf_counter() - began:.0f} s", flush=True)


def vectors(side: nn.Module, tokenizer: Tokenizer, texts: Sequence[str]) -> torch.Tensor:
    """Return the vectors of texts, a row each."""
    encoded = tokenizer.encode_batch(list(texts))
    ids, mask = (torch.tensor([getattr(one, name) for one in encoded]) for name in ("ids", "attention_mask"))
    found: torch.Tensor = side(ids, mask)
    return found


@torch.no_grad()
def nearest(sides: nn.ModuleDict, tokenizer: Tokenizer, rows: Sequence[Row], most: int = 200) -> str:
    """Return for how many of the first questions the own gold passage is nearest, among the gold and hard ones of them all."""
    sides.eval()
    some = rows[:most]
    texts = list(dict.fromkeys([row.gold for row in some] + [row.hard for row in some]))
    passages = torch.cat([vectors(sides["passage"], tokenizer, texts[at : at + 64]) for at in range(0, len(texts), 64)])
    asked = torch.cat(
        [vectors(sides["query"], tokenizer, [row.question for row in some[at : at + 64]]) for at in range(0, len(some), 64)]
    )
    best = (asked @ passages.T).argmax(dim=1)
    return f"{sum(texts[place] == row.gold for place, row in zip(best.tolist(), some, strict=True))}/{len(some)}"


def export(model: nn.Module, tokenizer: Tokenizer, folder: Path) -> None:
    """Write an encoder as a folder with `model.onnx` and `tokenizer.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.no_padding()
    tokenizer.save(str(folder / "tokenizer.json"))
    tokenizer.enable_padding()
    ids = torch.ones(2, 8, dtype=torch.int64)
    names, batch = ["input_ids", "attention_mask"], {0: "batch", 1: "tokens"}
    torch.onnx.export(
        model.eval(),
        (ids, torch.ones_like(ids)),
        str(folder / "model.onnx"),
        input_names=names,
        output_names=["vectors"],
        dynamic_axes=dict.fromkeys(names, batch) | {"vectors": {0: "batch"}},
        opset_version=17,
        dynamo=False,
    )


if __name__ == "__main__":
    main()

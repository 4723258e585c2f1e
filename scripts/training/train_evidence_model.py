"""Train and export the model that compares a claim with evidence (kgqa/presuppositions/data).

    python scripts/training/train_evidence_model.py rows DATA INDEX ROWS [--written TABLE ...]
    python scripts/training/train_evidence_model.py train ROWS CHECKPOINT --encoder FOLDER [--minutes 25] [--start CHECKPOINT]
    python scripts/training/train_evidence_model.py export CHECKPOINT FOLDER --encoder FOLDER
    python scripts/fit/fit_evidence.py ROWS FOLDER

DATA is a folder of data sets as docs/evaluation.md names them, INDEX an index of the 30,729 articles that `kgqa index` has made,
ROWS a file of JSON lines. The encoder begins as the first six layers of e5-small-v2, which is fetched unless it is in its folder.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from evidence import evidence_rows
from evidence.evidence_rows import CALIBRATE, CLAIM, FALSE, MEASURE, PAIR, QUESTION, SOUND, TRAIN, Row
from reader.base_encoder import bert, fetched
from tokenizers import Tokenizer
from torch import nn
from transformers import BertModel

from kgqa.presuppositions.evidence_model import LONGEST, MODEL, RELATIONS, TOKENIZER
from kgqa.readers.extractive.span_network import SHIPPED as SHIPPED_READER

LAYERS = 6
REPEATED = {
    (QUESTION, "falseqa"): 4.0,
    (QUESTION, "squad"): 0.3,
    (QUESTION, "nq"): 0.4,
    (QUESTION, "causalqa"): 0.4,
    (CLAIM, "creak"): 3.0,
    (PAIR, "boolq"): 0.5,
    (PAIR, "causenet"): 0.5,
    (PAIR, "causenet-changed"): 0.8,
    (PAIR, "causenet-other"): 0.5,
    (PAIR, "fever"): 2.0,
    (PAIR, "written"): 3.0,
    (PAIR, "passage"): 2.0,
}
"""How often a row of a task and source is seen in an epoch, where not once."""
HEADS = 5.0
"""How many times faster the heads learn than the encoder."""
WARM_UP = 0.06


class EvidenceNetwork(nn.Module):
    """The encoder with two heads over the first token and the mean: the relation of a pair, and whether a text is false.

    The second has a logit for questions and one for claims.
    """

    def __init__(self, encoder: BertModel) -> None:
        super().__init__()
        encoder.encoder.layer = nn.ModuleList(list(encoder.encoder.layer)[:LAYERS])
        encoder.config.num_hidden_layers = LAYERS
        encoder.embeddings.word_embeddings.weight.requires_grad_(False)
        self.encoder = encoder
        width = encoder.config.hidden_size
        self.relation, self.suspicion = (
            nn.Sequential(nn.Linear(2 * width, width), nn.GELU(), nn.Dropout(0.1), nn.Linear(width, outputs))
            for outputs in (len(RELATIONS), 2)
        )

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor) -> torch.Tensor:
        """Return logits, [batch, 5]: supports, contradicts, silent; false question, false claim."""
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state
        known = attention_mask.to(hidden.dtype).unsqueeze(-1)
        pooled = torch.cat([hidden[:, 0], (hidden * known).sum(1) / known.sum(1)], dim=-1)
        return torch.cat([self.relation(pooled), self.suspicion(pooled)], dim=-1)


class Example(NamedTuple):
    """A row in tokens: the first `first` of them are those of the claim."""

    ids: list[int]
    first: int
    row: Row


def examples_of(rows: Sequence[Row], tokenizer: Any) -> list[Example]:
    """Return the rows in tokens: `[CLS] claim [SEP]`, with `evidence [SEP]` behind it for a pair."""
    examples = []
    claims = tokenizer.encode_batch([row.claim for row in rows])
    evidence = tokenizer.encode_batch([row.evidence for row in rows], add_special_tokens=False)
    for row, claim, found in zip(rows, claims, evidence, strict=True):
        ids = claim.ids[:LONGEST]
        first = len(ids)
        if row.evidence:
            ids = [*ids, *found.ids[: LONGEST - 1], ids[-1]]
        examples.append(Example(ids, first, row))
    return examples


def tensors(batch: Sequence[Example]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ids, mask and segments of a batch."""
    longest = max(len(example.ids) for example in batch)
    ids = torch.tensor([example.ids + [0] * (longest - len(example.ids)) for example in batch])
    mask = torch.tensor([[1] * len(example.ids) + [0] * (longest - len(example.ids)) for example in batch])
    places = torch.arange(longest)[None]
    segments = (places >= torch.tensor([example.first for example in batch])[:, None]).long() * mask
    return ids, mask, segments


def logits_of(network: EvidenceNetwork, batch: Sequence[Example]) -> torch.Tensor:
    """Return the logits of a batch."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits: torch.Tensor = network(*tensors(batch))
    return logits.float()


def loss_of(network: EvidenceNetwork, batch: Sequence[Example]) -> torch.Tensor:
    """Return the mean loss of a batch, with that of the order of a false question and the sound one it was made from."""
    logits = logits_of(network, batch)
    losses, twins = [], dict[str, dict[str, torch.Tensor]]()
    for place, example in enumerate(batch):
        if example.row.task == PAIR:
            truth = torch.tensor([RELATIONS.index(example.row.label)])
            losses.append(nn.functional.cross_entropy(logits[place : place + 1, :3], truth, label_smoothing=0.05))
        else:
            value = logits[place, 3 if example.row.task == QUESTION else 4]
            losses.append(nn.functional.binary_cross_entropy_with_logits(value, torch.tensor(float(example.row.label == FALSE))))
            if example.row.source == "falseqa":
                twins.setdefault(example.row.group, {})[example.row.label] = value
    orders = [nn.functional.softplus(twin[SOUND] - twin[FALSE]) for twin in twins.values() if len(twin) == 2]
    return (torch.stack(losses).sum() + (torch.stack(orders).sum() if orders else 0.0)) / len(batch)


def batches(examples: Sequence[Example], tokens: int, chance: random.Random) -> Iterator[list[Example]]:
    """Yield batches of one epoch, of about equal length and at most so many tokens, in an order by chance.

    A false question and the sound one that it was made from stand in one batch, and so do the claims beside one sentence.
    """
    units: dict[str, list[Example]] = {}
    for number, example in enumerate(examples):
        row = example.row
        is_twin = row.source == "falseqa" and row.task == QUESTION
        key = (
            f"falseqa {row.group}"
            if is_twin
            else f"{row.source.partition('-')[0]} {row.evidence}"
            if row.evidence
            else str(number)
        )
        units.setdefault(key, []).append(example)
    drawn: list[list[Example]] = []
    for unit in units.values():
        times = max(REPEATED.get((example.row.task, example.row.source), 1.0) for example in unit)
        drawn += [unit] * (int(times) + (chance.random() < times % 1))
    made: list[list[Example]] = [[]]
    for unit in sorted(drawn, key=lambda unit: max(len(example.ids) for example in unit) + chance.random() * 6, reverse=True):
        longest = max(len(example.ids) for example in (*unit, *made[-1][:1]))
        if made[-1] and (len(made[-1]) + len(unit)) * longest > tokens:
            made.append([])
        made[-1] += unit
    chance.shuffle(made)
    yield from made


def report(network: EvidenceNetwork, examples: Sequence[Example]) -> None:
    """Print the accuracy on rows, by source and task."""
    network.eval()
    hits: Counter[tuple[str, str]] = Counter()
    counts: Counter[tuple[str, str]] = Counter()
    ordered = sorted(examples, key=lambda example: len(example.ids))
    with torch.no_grad():
        for start in range(0, len(ordered), 64):
            batch = ordered[start : start + 64]
            for example, logits in zip(batch, logits_of(network, batch), strict=True):
                row = example.row
                key = (row.task, row.source)
                counts[key] += 1
                if row.task == PAIR:
                    hits[key] += RELATIONS[int(logits[:3].argmax())] == row.label
                else:
                    hits[key] += bool(logits[3 if row.task == QUESTION else 4] > 0) == (row.label == FALSE)
    print("; ".join(f"{' '.join(key)} {hits[key] / count:.3f} of {count}" for key, count in sorted(counts.items())), flush=True)
    network.train()


def make_rows(options: argparse.Namespace) -> None:
    """Write all rows of the data sets."""
    retrieve = evidence_rows.Retrieval(options.index)
    settings = json.loads((SHIPPED_READER / "reader.json").read_text(encoding="utf-8"))
    rows = [
        *evidence_rows.falseqa(options.data),
        *evidence_rows.natural_questions(options.data),
        *evidence_rows.boolq(options.data),
        *evidence_rows.causenet(options.data),
        *evidence_rows.squad_rows(options.data, frozenset(settings["held_out_articles"])),
        *evidence_rows.fever(options.data, retrieve),
        *evidence_rows.creak(options.data, retrieve),
        *evidence_rows.handwritten(options.written),
    ]
    evidence_rows.write(rows, options.rows)
    print(f"{len(rows):,} rows: {dict(Counter((row.source, row.part) for row in rows))}")


def train(options: argparse.Namespace) -> None:
    """Train for so many minutes, measuring at times, and save a checkpoint."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    model, words = fetched(options.encoder)
    tokenizer = Tokenizer.from_file(str(words))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    rows = [row for row in evidence_rows.read(options.rows) if row.task != "retrieved"]
    examples = examples_of([row for row in rows if row.part == TRAIN], tokenizer)
    measured = chance.sample(held := examples_of([row for row in rows if row.part == CALIBRATE], tokenizer), min(2000, len(held)))
    measured += list(
        examples_of([row for row in rows if row.part == MEASURE and row.source in ("falseqa", "written")], tokenizer)
    )
    network = EvidenceNetwork(bert(model))
    if options.start:
        network.load_state_dict(torch.load(options.start, weights_only=True))
    body = [parameter for parameter in network.encoder.parameters() if parameter.requires_grad]
    heads = [*network.relation.parameters(), *network.suspicion.parameters()]
    optimizer = torch.optim.AdamW([{"params": body}, {"params": heads}], weight_decay=0.01, betas=(0.9, 0.98))
    began, total, number, quarter = time.process_time(), 0.0, 0, 1
    print(f"{len(examples):,} rows to learn from", flush=True)
    while True:
        for batch in batches(examples, options.tokens, chance):
            past = (time.process_time() - began) / (60 * options.minutes)
            if past >= 1:
                torch.save(network.state_dict(), options.checkpoint)
                report(network, measured)
                return
            if past > quarter / 4:
                torch.save(network.state_dict(), options.checkpoint)
                report(network, measured)
                quarter += 1
            for group, factor in zip(optimizer.param_groups, (1.0, HEADS), strict=True):
                group["lr"] = options.rate * factor * min(1.0, past / WARM_UP) * (1 - past)
            loss = loss_of(network, batch)
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            total, number = total + float(loss.detach()), number + 1
            if number % 100 == 0:
                print(f"{number} batches: {total / 100:.3f}, {past:.0%} of the time", flush=True)
                total = 0.0
        print("an epoch is over", flush=True)


def export(options: argparse.Namespace) -> None:
    """Write the folder of the model, its weights as int8."""
    from reader.onnx_layers import export_int8, lean

    model, words = fetched(options.encoder)
    network = EvidenceNetwork(bert(model, attention="eager"))
    network.load_state_dict(torch.load(options.checkpoint, weights_only=True))
    network.eval()
    options.folder.mkdir(parents=True, exist_ok=True)
    export_int8(network, options.folder / MODEL, ["logits"])
    lean(options.folder / MODEL)
    shutil.copyfile(words, options.folder / TOKENIZER)


def averaged(options: argparse.Namespace) -> None:
    """Save the mean of the weights of several checkpoints."""
    states = [torch.load(path, weights_only=True) for path in options.checkpoints]
    torch.save({name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}, options.average)


def main() -> None:
    """Run one of the steps."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    made = steps.add_parser("rows")
    for place in ("data", "index", "rows"):
        made.add_argument(place, type=Path)
    made.add_argument("--written", type=Path, nargs="*", default=[])
    learnt = steps.add_parser("train")
    for place in ("rows", "checkpoint"):
        learnt.add_argument(place, type=Path)
    learnt.add_argument("--encoder", type=Path, required=True)
    learnt.add_argument(
        "--minutes", type=float, default=25.0, help="of processor time; the rate falls to 0 by then (default: 25)"
    )
    learnt.add_argument("--start", type=Path, help="a checkpoint to go on from")
    learnt.add_argument("--tokens", type=int, default=1500, help="the most tokens of a batch")
    learnt.add_argument("--rate", type=float, default=1e-4)
    learnt.add_argument("--threads", type=int, default=1)
    learnt.add_argument("--seed", type=int, default=1)
    written = steps.add_parser("export")
    for place in ("checkpoint", "folder"):
        written.add_argument(place, type=Path)
    written.add_argument("--encoder", type=Path, required=True)
    mean = steps.add_parser("average")
    mean.add_argument("average", type=Path)
    mean.add_argument("checkpoints", type=Path, nargs="+")
    options = parser.parse_args()
    {"rows": make_rows, "train": train, "export": export, "average": averaged}[options.step](options)


if __name__ == "__main__":
    main()

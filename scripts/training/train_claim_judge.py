"""Train the judge of claims anew: a small encoder that reads what a sentence says of two phrases.

    python scripts/training/train_claim_judge.py propose LABELS.tsv SENTENCES.tsv ARTICLES PROPOSALS.jsonl
    python scripts/training/train_claim_judge.py train PROPOSALS.jsonl CHECKPOINT [--start FOLDER] [--minutes N] [--rate R]
    python scripts/training/train_claim_judge.py export PROPOSALS.jsonl CHECKPOINT FOLDER

LABELS are docs/judgements/claim-labels.tsv, SENTENCES claim-sentences.tsv beside it, ARTICLES the WikiExtractor file that they
point into. `propose` writes the labels as proposals, with what the rules propose in the sentences that were read in full, and
with the names that an editor dropped or mended (name-checks.tsv). One pass over a proposal (graph.mining.judge) gives the
probability that the relation is said, its direction, relation, stance and kind, and for each end whether its name is good for a
node. `train` goes on from the int8 weights of a judge, for some minutes. The labels for testing are left alone; every tenth of
the other articles is held out: `export`, which writes the folder of the judge with int8 weights, calibrates the probabilities
on it. Needs torch, transformers and onnx.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import itertools
import json
import math
import random
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import onnx
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer
from torch import nn
from transformers import BertModel

sys.path.insert(0, str(Path(__file__).parents[1] / "judge"))

from claim_labels import (
    DROPPED,
    checked_label,
    is_held_out,
    is_of_loose_rule,
    is_of_strict_rule,
    label_rows,
    proposals_in_read_sentences,
    read_proposals,
)
from reader.base_encoder import WIDTH, encoder_config

from graph.mining.judge.claim_judge import (
    FORMAT,
    LOOSE,
    MODEL,
    READ_STANCES,
    SETTINGS,
    SHIPPED,
    SHIPPED_JUDGE,
    TOKENIZER,
    EncoderJudge,
    Judgement,
)
from graph.mining.judge.judge_input import InputMaker, JudgeInput, Proposal
from graph.model import Stance
from graph.text.normalise import concept_name
from kgqa.evaluation.metrics.confidence_scores import auroc

RELATIONS = ("c", "c+", "c-", "p", "e", "m", "f", "a")
STANCES = ("asserted", "negated", "hedged", "reported", "disputed", "hypothetical", "fiction", "question")
OUTPUTS = {
    **dict.fromkeys(("said", "reversed", "specific", "cause_named", "effect_named"), 1),
    "relation": len(RELATIONS),
    "stance": len(STANCES),
}
WEIGHTS = {"reversed": 0.4, "specific": 0.3, "cause_named": 0.5, "effect_named": 0.5, "relation": 0.3, "stance": 1.0}
"""The weights of the losses beside that of `said`."""
UNASSERTED_WEIGHT = 3.0
"""The weight of the stance of a proposal that its rule does not assert, beside that of one that it asserts."""
IGNORED = -100
STANCE_WEIGHTS = (1.0, 1.5, 2.0, 3.0, 5.0)
LAYERS = 6
WARM_UP = 0.06
"""The share of the time in which the rate of learning rises."""


@dataclass(slots=True)
class Example:
    """A proposal: its tokens, and what is to be learnt."""

    input: JudgeInput
    said: bool
    classes: Mapping[str, int]
    row: Mapping[str, str]
    proposal: Proposal


class JudgeNetwork(nn.Module):
    """The encoder with a head for the classes, over the first token and those of the marks."""

    def __init__(self, attention: str = "sdpa") -> None:
        super().__init__()
        self.encoder: Any = BertModel(encoder_config(LAYERS, attention=attention), add_pooling_layer=False)
        self.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
        self.mixed = nn.Sequential(nn.Linear(4 * WIDTH, WIDTH), nn.GELU(), nn.Dropout(0.1))
        self.classes = nn.Linear(WIDTH, sum(OUTPUTS.values()))

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor, marks: torch.Tensor
    ) -> torch.Tensor:
        """Return the logits of the classes, [batch, outputs]; `marks` are the places before cause, effect and cue, [batch, 3]."""
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state
        marked = torch.gather(hidden, 1, marks[:, :, None].expand(-1, -1, WIDTH))
        pooled = torch.cat([hidden[:, 0], marked[:, 0], marked[:, 1], marked[:, 2]], dim=-1)
        logits: torch.Tensor = self.classes(self.mixed(pooled))
        return logits


def weights_of(folder: Path) -> dict[str, torch.Tensor]:
    """Return the weights of the network of a judge, from its int8 ones, by their names in `JudgeNetwork`."""
    graph = onnx.load(str(folder / MODEL)).graph
    stored = {tensor.name: torch.from_numpy(numpy_helper.to_array(tensor).copy()) for tensor in graph.initializer}
    weights = {name: value for name, value in stored.items() if value.dtype is torch.float32 and not name.endswith("_scale")}
    for name in [name.removesuffix("_quantized") for name in stored if name.endswith("_quantized")]:
        whole, zero = stored[f"{name}_quantized"].float(), stored[f"{name}_zero_point"].float()
        weights[name] = (whole - zero) * stored[f"{name}_scale"]
    for node in graph.node:
        source = node.input[1].removesuffix("_quantized") if node.op_type == "MatMulInteger" else ""
        if source.startswith("onnx::"):
            name = node.output[0].strip("/").partition("/MatMul")[0].replace("/", ".")
            weights[f"{name}.weight"] = weights.pop(source).T
    for name in [name for name in weights if name.endswith("_Transposed")]:
        weights[name.removesuffix("_Transposed")] = weights.pop(name).T
    for layer in range(LAYERS):
        parts = zip(
            ("query", "key", "value"),
            weights.pop(f"Attention_{layer}_qkv_weight").T.chunk(3),
            weights.pop(f"Attention_{layer}_qkv_bias").chunk(3),
            strict=True,
        )
        for part, weight, bias in parts:
            name = f"encoder.encoder.layer.{layer}.attention.self.{part}"
            weights |= {f"{name}.weight": weight, f"{name}.bias": bias}
    known = JudgeNetwork().state_dict()
    return {name: value.reshape(known[name].shape).contiguous() for name, value in weights.items() if name in known}


def propose(options: argparse.Namespace) -> None:
    """Write the proposals of the labels, and those of the rules in the sentences that were read in full."""
    rows, count = label_rows(options.labels), 0
    labelled = {(row["article"], row["sentence"], row["rule"]) for row in rows}
    with options.proposals.open("w", encoding="utf-8") as out:
        for row, proposal in (
            *read_proposals(rows, options.articles),
            *(
                (row, proposal)
                for row, proposal in proposals_in_read_sentences(options.sentences, options.articles, lambda article: True)
                if (row["article"], row["sentence"], row["rule"]) not in labelled
            ),
        ):
            out.write(json.dumps({"row": row, "proposal": dataclasses.asdict(proposal)}) + "\n")
            count += 1
    print(f"{count} proposals")


def read_examples(path: Path, tokenizer: Path) -> tuple[list[Example], list[Example]]:
    """Return the examples to learn from, with names as an editor has them, and those of shipped rules that are held out."""
    maker = InputMaker(Tokenizer.from_file(str(tokenizer)))
    learnt, held_out = [], []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            fields = json.loads(line)
            known = fields["proposal"]
            spans = {name: (known[name][0], known[name][1]) for name in ("cause", "effect", "cue")}
            proposal = Proposal(**{**known, **spans, "stance": Stance(known["stance"])})
            row, is_learnt = fields["row"], not is_held_out(fields["row"]["article"])
            example = make_example(maker, checked_label(row) if is_learnt else row, proposal)
            if example is not None and is_learnt:
                learnt.append(example)
            elif example is not None and (is_of_strict_rule(row) or is_of_loose_rule(row)):
                held_out.append(example)
    return learnt, held_out


def make_example(maker: InputMaker, row: Mapping[str, str], proposal: Proposal) -> Example | None:
    """Return the example of a label; `None` for a proposal without an input."""
    made = maker.make(proposal)
    if made is None:
        return None
    said, classes = row["said"] in ("yes", DROPPED), dict[str, int]()
    if said:
        ends = ("cause", "effect") if row["direction"] == "right" else ("effect", "cause")
        classes = {
            "reversed": int(row["direction"] == "reversed"),
            "specific": int(row["kind"] == "specific"),
            "relation": RELATIONS.index(row["relation"]),
            "stance": STANCES.index(row["stance"]),
        }
        names = {"cause_named": proposal.cause_name, "effect_named": proposal.effect_name}
        for end, (key, name) in zip(ends, names.items(), strict=True):
            is_good = row["said"] == "yes" and concept_name(row[f"{end}_name"]) == name
            classes[key] = int(is_good) if row[f"{end}_name"] else IGNORED
    return Example(made, said, classes, row, proposal)


def batches(examples: Sequence[Example], tokens: int, chance: random.Random) -> list[list[Example]]:
    """Return batches of about equal length, each of at most so many tokens, in an order by chance."""
    made: list[list[Example]] = [[]]
    for example in sorted(examples, key=lambda example: len(example.input.ids) + chance.random() * 8, reverse=True):
        if made[-1] and (len(made[-1]) + 1) * max(len(other.input.ids) for other in (made[-1][0], example)) > tokens:
            made.append([])
        made[-1].append(example)
    chance.shuffle(made)
    return made


def network_outputs(judge: JudgeNetwork, batch: Sequence[Example]) -> dict[str, torch.Tensor]:
    """Return the logits by name."""
    sizes = [len(example.input.ids) for example in batch]
    ids = torch.tensor([example.input.ids + [0] * (max(sizes) - size) for example, size in zip(batch, sizes, strict=True)])
    mask = (torch.arange(max(sizes))[None] < torch.tensor(sizes)[:, None]).long()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = judge(ids, mask, torch.zeros_like(ids), torch.tensor([example.input.marks for example in batch]))
    return dict(zip(OUTPUTS, logits.float().split(list(OUTPUTS.values()), dim=-1), strict=True))


def loss_of(judge: JudgeNetwork, batch: Sequence[Example]) -> torch.Tensor:
    """Return the mean loss: of what is said for all, of the other classes where it is said."""
    parts = network_outputs(judge, batch)
    said = torch.tensor([float(example.said) for example in batch])
    total = nn.functional.binary_cross_entropy_with_logits(parts["said"][:, 0], said)
    for name, weight in WEIGHTS.items():
        known = [place for place, example in enumerate(batch) if example.classes.get(name, IGNORED) != IGNORED]
        if not known:
            continue
        truth, values = torch.tensor([batch[place].classes[name] for place in known]), parts[name][known]
        if OUTPUTS[name] == 1:
            total = total + weight * nn.functional.binary_cross_entropy_with_logits(values[:, 0], truth.float())
            continue
        losses = nn.functional.cross_entropy(values, truth, reduction="none")
        if name == "stance":
            asserted = [batch[place].proposal.stance is Stance.ASSERTED for place in known]
            losses = losses * torch.tensor([1.0 if plain else UNASSERTED_WEIGHT for plain in asserted])
        total = total + weight * losses.mean()
    return total


def report(judge: JudgeNetwork, examples: Sequence[Example]) -> None:
    """Print how well the network does on what is held out, by the kind of the rule."""
    judge.eval()
    with torch.no_grad():
        for kind in (SHIPPED, LOOSE):
            some = sorted(
                (example for example in examples if example.proposal.loose == (kind == LOOSE)),
                key=lambda example: len(example.input.ids),
            )
            rows = [
                (example, {name: values[place] for name, values in parts.items()})
                for at in range(0, len(some), 32)
                for parts in [network_outputs(judge, some[at : at + 32])]
                for place, example in enumerate(some[at : at + 32])
            ]
            area = auroc([float(parts["said"]) for _, parts in rows], [example.said for example, _ in rows])
            print(f"{kind}: {len(rows)} held out; said: AUC {area or math.nan:.3f}", end="")
            for name, size in OUTPUTS.items():
                known = [(example.classes[name], parts[name]) for example, parts in rows if example.classes.get(name, -1) >= 0]
                if not known or name == "said":
                    continue
                hits = sum((int(value[0] > 0) if size == 1 else int(value.argmax())) == truth for truth, value in known)
                print(f"; {name}: {hits / len(known):.3f} right", end="")
            print(flush=True)
    judge.train()


def train(options: argparse.Namespace) -> None:
    """Train, and measure on what is held out."""
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    learnt, held_out = read_examples(options.proposals, options.start / TOKENIZER)
    print(f"{len(learnt)} proposals to learn from, {len(held_out)} held out", flush=True)
    judge = JudgeNetwork()
    judge.load_state_dict(weights_of(options.start))
    heads = [parameter for name, parameter in judge.named_parameters() if not name.startswith("encoder.")]
    body = [parameter for name, parameter in judge.named_parameters() if name.startswith("encoder.") and parameter.requires_grad]
    optimizer = torch.optim.AdamW([{"params": body}, {"params": heads}], weight_decay=0.01)
    began, total, number = time.perf_counter(), 0.0, 0
    for epoch in itertools.count(1):
        for batch in batches(learnt, options.tokens, chance):
            past = (time.perf_counter() - began) / (60 * options.minutes)
            if past >= 1:
                torch.save(judge.state_dict(), options.checkpoint)
                report(judge, held_out)
                return
            for group, rate in zip(optimizer.param_groups, (options.rate, 10 * options.rate), strict=True):
                group["lr"] = rate * min(1.0, past / WARM_UP) * (1 - past)
            loss = loss_of(judge, batch)
            loss.backward()
            nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            total, number = total + float(loss.detach()), number + 1
            if number % 50 == 0:
                print(f"epoch {epoch}, {number} batches: {total / 50:.3f}, {past:.0%} of the time", flush=True)
                total = 0.0
        torch.save(judge.state_dict(), options.checkpoint)
        print(f"after epoch {epoch}")
        report(judge, held_out)


def export(options: argparse.Namespace) -> None:
    """Write the folder of the judge: int8 weights, tokenizer, and what calibrates its probabilities."""
    from reader.onnx_layers import export_int8, lean

    judge = JudgeNetwork(attention="eager")
    judge.load_state_dict(torch.load(options.checkpoint))
    judge.eval()
    options.folder.mkdir(parents=True, exist_ok=True)
    final = options.folder / MODEL
    export_int8(judge, final, ["classes"], {"marks": torch.tensor([[3, 5, 7], [4, 6, 8]])})
    lean(final)
    tokenizer = options.folder / TOKENIZER
    if not tokenizer.exists():
        shutil.copyfile(SHIPPED_JUDGE / TOKENIZER, tokenizer)
    facts: dict[str, Any] = {
        "format": FORMAT,
        "version": hashlib.sha256(final.read_bytes()).hexdigest()[:16],
        "outputs": OUTPUTS,
        "stances": STANCES,
        "relations": RELATIONS,
        "rule_stance_weight": 1.0,
        "calibration": {name: {part: [1.0, 0.0] for part in ("said", "right", "named")} for name in (SHIPPED, LOOSE)},
        "bytes": {name: (options.folder / name).stat().st_size for name in (MODEL, TOKENIZER)},
    }
    settings = options.folder / SETTINGS
    settings.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    _, held_out = read_examples(options.proposals, tokenizer)
    strict, loose = ([example for example in held_out if example.proposal.loose is kind] for kind in (False, True))
    facts["rule_stance_weight"] = max(STANCE_WEIGHTS, key=lambda weight: stance_share(options.folder, strict, weight, facts))
    calibrate(options.folder, strict, facts, SHIPPED)
    calibrate(options.folder, loose, facts, LOOSE)
    settings.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def stance_share(folder: Path, examples: Sequence[Example], weight: float, facts: Mapping[str, Any]) -> float:
    """Return the share of the right stances, of what is said, where that of the rule has a weight; the facts are written."""
    (folder / SETTINGS).write_text(json.dumps({**facts, "rule_stance_weight": weight}), encoding="utf-8")
    said = [example for example in examples if example.said]
    share = sum(made.stance is truth_of_stance(example) for example, made in judgements(folder, said)) / len(said)
    print(f"weight of the rule's stance {weight}: {share:.4f} right")
    return share


class RepeatingJudge(EncoderJudge):
    """The judge of a folder, for trying other settings: what its network said of an input it says again."""

    said: ClassVar[dict[tuple[int, ...], Any]] = {}

    def classes_of(self, made: JudgeInput) -> Any:
        """Return the logits that the network gives, or gave, for an input."""
        key = (*made.marks, *made.ids)
        if key not in self.said:
            self.said[key] = super().classes_of(made)
        return self.said[key]


def judgements(folder: Path, examples: Sequence[Example]) -> Iterator[tuple[Example, Judgement]]:
    """Yield the examples with what the exported judge says of them."""
    judge = RepeatingJudge(folder)
    for example in examples:
        judgement = judge.judge(example.proposal)
        if judgement is not None:
            yield example, judgement


def truth_of_stance(example: Example) -> Stance:
    """Return the stance of a record that readers gave."""
    return READ_STANCES[STANCES[example.classes["stance"]]]


def calibrate(folder: Path, examples: Sequence[Example], facts: dict[str, Any], proposed_by: str) -> None:
    """Fit the lines of the probabilities to held-out labels, weighted to all that the rules find."""
    (folder / SETTINGS).write_text(json.dumps(facts), encoding="utf-8")
    rows = list(judgements(folder, examples))
    weights = [float(example.row["weight"]) for example, _ in rows]
    for name in ("said", "right", "named"):
        values, truth = [], []
        for example, judgement in rows:
            values.append(getattr(judgement, {"said": "relation", "named": "names"}.get(name, name)))
            right = example.said and not example.classes["reversed"]
            if name == "said":
                truth.append(example.said)
            elif name == "right":
                truth.append(right and judgement.stance is truth_of_stance(example))
            else:
                truth.append(right and example.classes["cause_named"] == example.classes["effect_named"] == 1)
        line = fit_line([_log_odds(value) for value in values], truth, weights)
        facts["calibration"][proposed_by][name] = rounded = [round(value, 4) for value in line]
        area, base = auroc(values, truth) or math.nan, sum(truth) / len(truth)
        print(f"{proposed_by}, {name}: line {rounded}, AUC {area:.3f}, base {base:.3f}")


def _log_odds(probability: float) -> float:
    return math.log((probability + 1e-4) / (1 - probability + 1e-4))


def fit_line(scores: Sequence[float], truth: Sequence[bool], weights: Sequence[float]) -> list[float]:
    """Return slope and intercept of the log-odds that fit best (Platt 1999)."""
    line = torch.tensor([1.0, 0.0], dtype=torch.float64, requires_grad=True)
    x, y, weight = (torch.tensor(list(map(float, values)), dtype=torch.float64) for values in (scores, truth, weights))
    optimizer = torch.optim.LBFGS([line], max_iter=200)

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        value = nn.functional.binary_cross_entropy_with_logits(line[0] * x + line[1], y, weight=weight / weight.mean())
        value.backward()
        return value

    optimizer.step(loss)
    slope, intercept = line.detach().tolist()
    return [slope, intercept]


def main() -> None:
    """Run one of the steps."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    for name, places in (
        ("propose", ("labels", "sentences", "articles", "proposals")),
        ("train", ("proposals", "checkpoint")),
        ("export", ("proposals", "checkpoint", "folder")),
    ):
        step = steps.add_parser(name)
        for place in places:
            step.add_argument(place, type=Path)
        if name == "train":
            step.add_argument("--start", type=Path, default=SHIPPED_JUDGE, help="the folder of the judge to go on from")
            step.add_argument("--minutes", type=float, default=40, help="how long; the rate falls to 0 by then (default: 40)")
            step.add_argument("--tokens", type=int, default=3_000, help="the most tokens of a batch")
            step.add_argument("--rate", type=float, default=5e-5)
            step.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    {"propose": propose, "train": train, "export": export}[options.step](options)


if __name__ == "__main__":
    main()

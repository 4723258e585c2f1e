"""Train the judge and finder of claims: a small encoder that reads what a sentence says of two phrases, and finds such phrases.

    python scripts/training/train_claim_judge.py train LABELS.tsv SENTENCES.tsv ARTICLES ENCODER CHECKPOINT ...
    python scripts/training/train_claim_judge.py export LABELS.tsv SENTENCES.tsv ARTICLES ENCODER CHECKPOINT FOLDER

LABELS are docs/judgements/claim-labels.tsv, SENTENCES claim-sentences.tsv beside it, ARTICLES the WikiExtractor file that they
point into, ENCODER a folder for the published encoder (fetched with Maven). One pass over a proposal (graph.mining.judge) gives
the probability that the relation is said, its direction, relation, stance and kind, for each end whether its name is good for a
node, and the words that it should have. One pass over a sentence gives every pair of its words the chance of heading a cause and
its effect. What the loose rules propose in SENTENCES is learnt from, too. The labels for testing are left alone; every tenth of
the other articles is held out: the scores on it stand beside those of the rules alone, and `export`, which writes the folder of
the judge with int8 weights, calibrates the probabilities on it. Needs torch, transformers and onnx.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import math
import random
import shutil
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import torch
from reader.base_encoder import bert, fetched
from tokenizers import Tokenizer
from torch import nn

sys.path.insert(0, str(Path(__file__).parents[1] / "judge"))

from claim_labels import (
    is_held_out,
    is_of_loose_rule,
    is_of_strict_rule,
    label_rows,
    offsets_of,
    proposals_in_read_sentences,
    read_proposals,
)
from finder_examples import FinderExample, finder_examples, read_sentences, split_examples
from pair_finder import FinderInputMaker

from graph.mining.judge.claim_judge import FORMAT, LOOSE, READ_STANCES, SHIPPED, EncoderJudge, Judgement
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
WEIGHTS = {"reversed": 0.4, "specific": 0.3, "cause_named": 0.5, "effect_named": 0.5, "relation": 0.3, "stance": 0.6}
IGNORED = -100
STANCE_WEIGHTS = (1.0, 1.5, 2.0, 3.0, 5.0)
ARC_WIDTH = 128
PAIR_WEIGHT, UNREAD_WEIGHT, FINDER_WEIGHT = 2.0, 0.1, 0.15
"""The weight of a pair that was read, of one in a sentence that was not read in full, and of the finder's loss."""


@dataclass(slots=True)
class Example:
    """A proposal: its tokens, and what is to be learnt."""

    input: JudgeInput
    said: bool
    classes: Mapping[str, int]
    spans: tuple[int, ...]
    row: Mapping[str, str]
    proposal: Proposal


class Scores(NamedTuple):
    """What the judge says of one example: probabilities by class, and the places of the four edges."""

    values: Mapping[str, list[float]]
    spans: tuple[int, ...]

    @property
    def said(self) -> float:
        """The probability that the relation is said."""
        return self.values["said"][0]


class ArcHead(nn.Module):
    """Scores every pair of tokens as the heads of a cause and its effect, by a biaffine product (Dozat and Manning 2017)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.cause, self.effect = (
            nn.Sequential(nn.Linear(width, ARC_WIDTH), nn.GELU(), nn.Dropout(0.1), nn.Linear(ARC_WIDTH, ARC_WIDTH))
            for _ in range(2)
        )
        self.alone = nn.Linear(width, 2)
        self.level = nn.Parameter(torch.tensor(-3.0))

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """Return log-odds, [batch, tokens of the cause, tokens of the effect]."""
        alone = self.alone(hidden)
        product = self.cause(hidden) @ self.effect(hidden).transpose(1, 2) / math.sqrt(ARC_WIDTH)
        total: torch.Tensor = product + alone[..., :1] + alone[..., 1:].transpose(1, 2) + self.level
        return total


class JudgeNetwork(nn.Module):
    """The encoder with heads: classes, over the first token and those of the marks, four edges of two ends, pairs of words."""

    def __init__(self, encoder: nn.Module, width: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.mixed = nn.Sequential(nn.Linear(4 * width, width), nn.GELU(), nn.Dropout(0.1))
        self.classes = nn.Linear(width, sum(OUTPUTS.values()))
        self.spans = nn.Linear(width, 4)
        self.arcs = ArcHead(width)
        self.trust = nn.Parameter(torch.full((4,), 3.0))  # in each edge as it is proposed

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor, marks: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return logits: classes, [batch, outputs], edges without `trust`, [batch, 4, tokens], pairs, [batch, tokens, tokens].

        `marks` are the places before cause, effect and cue, [batch, 3].
        """
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids).last_hidden_state
        width = hidden.shape[-1]
        marked = torch.gather(hidden, 1, marks[:, :, None].expand(-1, -1, width))
        pooled = torch.cat([hidden[:, 0], marked[:, 0], marked[:, 1], marked[:, 2]], dim=-1)
        return self.classes(self.mixed(pooled)), self.spans(hidden).transpose(1, 2), self.arcs(hidden)


def make_example(maker: InputMaker, row: Mapping[str, str], proposal: Proposal) -> Example | None:
    """Return the example of a label; `None` for a proposal without an input."""
    made = maker.make(proposal)
    if made is None:
        return None
    said = row["said"] == "yes"
    classes: dict[str, int] = {}
    spans = [IGNORED] * 4
    if said:
        ends = ("cause", "effect") if row["direction"] == "right" else ("effect", "cause")
        classes = {
            "reversed": int(row["direction"] == "reversed"),
            "specific": int(row["kind"] == "specific"),
            "relation": RELATIONS.index(row["relation"]),
            "stance": STANCES.index(row["stance"]),
        }
        start = offsets_of(row["sentence"])[0]
        for number, (end, name, key) in enumerate(
            zip(ends, (proposal.cause_name, proposal.effect_name), ("cause_named", "effect_named"), strict=True)
        ):
            classes[key] = int(concept_name(row[f"{end}_name"]) == name) if row[f"{end}_name"] else IGNORED
            if "-" in row[f"{end}_span"]:
                low, high = offsets_of(row[f"{end}_span"])
                pair = made.edges_of((low - start, high - start))
                spans[2 * number : 2 * number + 2] = pair or (IGNORED, IGNORED)
    return Example(made, said, classes, (spans[0], spans[1], spans[2], spans[3]), row, proposal)


AnyExample = TypeVar("AnyExample", Example, FinderExample)


def batches(examples: Sequence[AnyExample], size: int, chance: random.Random) -> list[list[AnyExample]]:
    """Return batches of about equal length, in an order by chance."""
    order = sorted(examples, key=lambda example: len(example.input.ids) + chance.random() * 8)
    made = [order[at : at + size] for at in range(0, len(order), size)]
    chance.shuffle(made)
    return made


def tensors(batch: Sequence[Example]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ids, mask, segments and places of the marks."""
    longest = max(len(example.input.ids) for example in batch)
    ids = torch.tensor([example.input.ids + [0] * (longest - len(example.input.ids)) for example in batch])
    mask = torch.tensor([[1] * len(example.input.ids) + [0] * (longest - len(example.input.ids)) for example in batch])
    return ids, mask, torch.zeros_like(ids), torch.tensor([example.input.marks for example in batch])


def network_outputs(judge: JudgeNetwork, batch: Sequence[Example]) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
    """Return the class logits by name, and the edge logits with what is trusted in the proposed ones."""
    inputs = tensors(batch)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits, edges, _ = judge(*inputs)
    logits, edges = logits.float(), edges.float()
    proposed = torch.tensor([example.input.edges for example in batch])
    edges = edges.scatter_add(2, proposed[:, :, None], judge.trust[None, :, None].expand(len(batch), 4, 1))
    parts = dict(zip(OUTPUTS, logits.split(list(OUTPUTS.values()), dim=-1), strict=True))
    return parts, edges.masked_fill(inputs[1][:, None] == 0, -1e4)


def loss_of(judge: JudgeNetwork, batch: Sequence[Example]) -> torch.Tensor:
    """Return the mean loss: of what is said for all, of classes and edges where it is said."""
    parts, edges = network_outputs(judge, batch)
    said = torch.tensor([float(example.said) for example in batch])
    total = nn.functional.binary_cross_entropy_with_logits(parts["said"][:, 0], said)
    known = [place for place, example in enumerate(batch) if example.said]
    if known:
        for name, weight in WEIGHTS.items():
            named = [place for place in known if batch[place].classes[name] != IGNORED]
            if not named:
                continue
            truth = torch.tensor([batch[place].classes[name] for place in named])
            values = parts[name][named]
            if OUTPUTS[name] == 1:
                total = total + weight * nn.functional.binary_cross_entropy_with_logits(values[:, 0], truth.float())
            else:
                total = total + weight * nn.functional.cross_entropy(values, truth)
        spans = torch.tensor([batch[place].spans for place in known])
        if (spans != IGNORED).any():
            flat = edges[known].reshape(-1, edges.shape[-1])
            total = total + 0.6 * nn.functional.cross_entropy(flat, spans.reshape(-1), ignore_index=IGNORED)
    return total


def finder_loss(judge: JudgeNetwork, batch: Sequence[FinderExample]) -> torch.Tensor:
    """Return the loss of the pairs of words of some sentences, summed over a sentence."""
    sizes = [len(example.input.ids) for example in batch]
    ids = torch.tensor([example.input.ids + [0] * (max(sizes) - size) for example, size in zip(batch, sizes, strict=True)])
    mask = (torch.arange(max(sizes))[None] < torch.tensor(sizes)[:, None]).long()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        encoded = judge.encoder(input_ids=ids, attention_mask=mask, token_type_ids=torch.zeros_like(ids))
        logits = judge.arcs(encoded.last_hidden_state)
    logits = logits.float()
    truth, weight = torch.zeros_like(logits), torch.zeros_like(logits)
    for row, example in enumerate(batch):
        words = torch.tensor(example.input.words)
        weight[row][words[:, None], words[None]] = 1.0 if example.whole else UNREAD_WEIGHT
        weight[row][words, words] = 0.0
        for (cause, effect), is_said in example.said.items():
            truth[row, words[cause], words[effect]] = float(is_said)
            weight[row, words[cause], words[effect]] = PAIR_WEIGHT
    return nn.functional.binary_cross_entropy_with_logits(logits, truth, weight=weight, reduction="sum") / len(batch)


def report_finder(judge: JudgeNetwork, examples: Sequence[FinderExample]) -> None:
    """Print how precise the finder is at several shares of the pairs that readers marked, by the words that head the ends."""
    judge.eval()
    scored = []
    with torch.no_grad():
        for example in examples:
            ids = torch.tensor([example.input.ids])
            hidden = judge.encoder(input_ids=ids, attention_mask=torch.ones_like(ids), token_type_ids=torch.zeros_like(ids))
            arcs = judge.arcs(hidden.last_hidden_state)[0].tolist()
            places = list(enumerate(example.input.words))
            scored += [(arcs[i][j], example.said.get((a, b), False)) for a, i in places for b, j in places if a != b]
    judge.train()
    scored.sort(reverse=True)
    number, hits, least = sum(truth for _, truth in scored), 0, 0.1
    print(f"finder: {number} pairs of {len(examples)} sentences read in full")
    for place, (score, truth) in enumerate(scored, 1):
        hits += truth
        if hits >= least * number:
            print(f"  recall {hits / number:.2f}: precision {hits / place:.2f}, log-odds {score:.2f}")
            least += 0.1


def judged(judge: JudgeNetwork, examples: Sequence[Example]) -> list[Scores]:
    """Return what the judge says of some examples, in their order."""
    judge.eval()
    scores: dict[int, Scores] = {}
    order = sorted(range(len(examples)), key=lambda place: len(examples[place].input.ids))
    with torch.no_grad():
        for at in range(0, len(order), 32):
            places = order[at : at + 32]
            parts, edges = network_outputs(judge, [examples[place] for place in places])
            chances = {
                name: (values.sigmoid() if OUTPUTS[name] == 1 else values.softmax(-1)).tolist() for name, values in parts.items()
            }
            for row, (place, spans) in enumerate(zip(places, edges.argmax(-1).tolist(), strict=True)):
                scores[place] = Scores({name: values[row] for name, values in chances.items()}, tuple(spans))
    judge.train()
    return [scores[place] for place in range(len(examples))]


def _log_odds(probability: float) -> float:
    return math.log((probability + 1e-4) / (1 - probability + 1e-4))


def report(examples: Sequence[Example], scores: Sequence[Scores], prior: Mapping[str, float]) -> None:
    """Print the scores beside those of the rules alone, for the strict rules and for the loose ones."""
    for title in (SHIPPED, LOOSE):
        places = [place for place, example in enumerate(examples) if example.proposal.loose == (title == LOOSE)]
        truth = [examples[place].said for place in places]
        said = [place for place in places if examples[place].said]
        if not said:
            continue
        ways = (
            [prior.get(examples[place].row["rule"], 0.5) for place in places],
            [scores[place].said for place in places],
            [_log_odds(scores[place].said) + _log_odds(prior.get(examples[place].row["rule"], 0.5)) for place in places],
        )
        alone, own, both = (math.nan if (area := auroc(way, truth)) is None else area for way in ways)
        print(f"{title}: {len(places)} held out, {sum(truth) / len(truth):.3f} said")
        print(f"  said: AUC {own:.3f}, the rule's share {alone:.3f}, both {both:.3f}")
        for name, size in OUTPUTS.items():
            if name == "said":
                continue
            sure = [place for place in said if examples[place].classes[name] != IGNORED]
            if not sure:
                continue
            truths = [examples[place].classes[name] for place in sure]
            values = [scores[place].values[name] for place in sure]
            found = [int(value[0] > 0.5) if size == 1 else value.index(max(value)) for value in values]
            most = Counter(truths).most_common(1)[0][1]
            hits = sum(one == other for one, other in zip(found, truths, strict=True))
            area = auroc([value[0] for value in values], [bool(value) for value in truths]) if size == 1 else None
            more = "" if area is None else f", AUC {area:.3f}"
            print(f"  {name}: {hits / len(sure):.3f}, always the commonest {most / len(sure):.3f}{more}")
        rule_stance = [
            {"questioned": "question"}.get(examples[place].proposal.stance, str(examples[place].proposal.stance))
            for place in said
        ]
        broad = {"reported": "hedged", "disputed": "hedged", "fiction": "hypothetical"}
        gold = [STANCES[examples[place].classes["stance"]] for place in said]
        ours = [STANCES[(value := scores[place].values["stance"]).index(max(value))] for place in said]
        for name, found_stances in (("the rule's", rule_stance), ("the judge's", ours)):
            hits = sum(broad.get(a, a) == broad.get(b, b) for a, b in zip(found_stances, gold, strict=True))
            print(f"  stance of five, {name}: {hits / len(said):.3f}")
        good = [
            examples[place].said and examples[place].classes["cause_named"] == examples[place].classes["effect_named"] == 1
            for place in places
        ]
        product = [
            scores[place].said * scores[place].values["cause_named"][0] * scores[place].values["effect_named"][0]
            for place in places
        ]
        print(
            f"  said and both names good: {sum(good) / len(good):.3f}; AUC of the product {auroc(product, good) or math.nan:.3f}"
        )
        order = sorted(range(len(places)), key=lambda place: -product[place])
        for share in (0.3, 0.5, 0.7):
            kept = order[: round(share * len(order))]
            right = sum(good[place] for place in kept) / len(kept)
            said_share = sum(truth[place] for place in kept) / len(kept)
            print(f"    the best {share:.0%}: {right:.3f} good, {said_share:.3f} said")
        for name, first in (("cause", 0), ("effect", 2)):
            known = [place for place in said if examples[place].spans[first] != IGNORED]
            pair = slice(first, first + 2)
            hits = sum(scores[place].spans[pair] == examples[place].spans[pair] for place in known)
            before = sum(tuple(examples[place].input.edges)[pair] == examples[place].spans[pair] for place in known)
            print(f"  words of the {name}: {hits / len(known):.3f} right, as proposed {before / len(known):.3f}")


def load_examples(options: argparse.Namespace, maker: InputMaker, is_wanted: Callable[[str], bool]) -> list[Example]:
    """Return the examples of wanted articles: labels of shipped and loose rules, and proposals in read sentences."""
    rows = [
        row
        for row in label_rows(options.labels)
        if (is_of_strict_rule(row) or is_of_loose_rule(row)) and is_wanted(row["article"])
    ]
    proposals = list(read_proposals(rows, options.articles))
    proposals += proposals_in_read_sentences(options.sentences, options.articles, is_wanted)
    made = (make_example(maker, *pair) for pair in proposals)
    return [example for example in made if example is not None]


def build_network(model: Path, layers: int, attention: str = "sdpa") -> JudgeNetwork:
    """Return the network over the first layers of the published encoder, evenly spaced."""
    encoder: Any = bert(model, attention=attention)
    step = len(encoder.encoder.layer) / layers
    chosen = [encoder.encoder.layer[math.ceil(step * (number + 1)) - 1] for number in range(layers)]
    encoder.encoder.layer = nn.ModuleList(chosen)
    encoder.config.num_hidden_layers = layers
    encoder.embeddings.word_embeddings.weight.requires_grad_(False)
    return JudgeNetwork(encoder, encoder.config.hidden_size)


def train(options: argparse.Namespace) -> None:
    """Train, and measure on what was held out."""
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    model, tokenizer_file = fetched(options.encoder)
    examples = load_examples(options, InputMaker(Tokenizer.from_file(str(tokenizer_file))), lambda article: True)
    learnt = [example for example in examples if not is_held_out(example.row["article"])]
    held_out = [example for example in examples if is_held_out(example.row["article"])]
    sentences = read_sentences(options.labels, options.sentences, options.articles)
    read, read_held_out = split_examples(finder_examples(sentences, FinderInputMaker(Tokenizer.from_file(str(tokenizer_file)))))
    chance.shuffle(learnt)
    learnt = learnt[: options.rows]
    print(f"{len(learnt)} labels to learn from, {len(held_out)} held out", flush=True)
    counts: defaultdict[str, list[bool]] = defaultdict(list)
    for example in learnt:
        counts[example.row["rule"]].append(example.said)
    mean = sum(example.said for example in learnt) / len(learnt)
    prior = {rule: (sum(seen) + 4 * mean) / (len(seen) + 4) for rule, seen in counts.items()}
    judge = build_network(model, options.layers)
    if options.start:
        judge.load_state_dict(torch.load(options.start)["state"], strict=False)
    heads = [parameter for name, parameter in judge.named_parameters() if not name.startswith("encoder.")]
    body = [parameter for name, parameter in judge.named_parameters() if name.startswith("encoder.") and parameter.requires_grad]
    optimizer = torch.optim.AdamW(
        [{"params": body}, {"params": heads, "lr": 10 * options.rate}], lr=options.rate, weight_decay=0.01
    )
    steps = options.epochs * math.ceil(len(learnt) / options.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / (0.08 * steps)) * max(0.0, 1 - step / steps)
    )
    began = time.perf_counter()
    for epoch in range(options.epochs):
        total = 0.0
        order = batches(learnt, options.batch, chance)
        sentence_batches = itertools.cycle(batches(read, math.ceil(len(read) / len(order)), chance))
        for number, (batch, sentence_batch) in enumerate(zip(order, sentence_batches, strict=False), 1):
            loss = loss_of(judge, batch)
            loss.backward()
            (FINDER_WEIGHT * finder_loss(judge, sentence_batch)).backward()
            nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            total += float(loss.detach())
            if number % 50 == 0:
                print(
                    f"epoch {epoch + 1}, {number}/{len(order)}: {total / number:.3f}, {time.perf_counter() - began:.0f} s",
                    flush=True,
                )
        print(f"after epoch {epoch + 1}:")
        report(held_out, judged(judge, held_out), prior)
        report_finder(judge, read_held_out)
        options.checkpoint.parent.mkdir(parents=True, exist_ok=True)
        torch.save({"state": judge.state_dict(), "layers": options.layers}, options.checkpoint)


def export(options: argparse.Namespace) -> None:
    """Write the folder of the judge: int8 weights, tokenizer, and what calibrates its probabilities."""
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.transformers.fusion_options import FusionOptions
    from onnxruntime.transformers.optimizer import optimize_model
    from reader.onnx_layers import lean

    model, tokenizer_file = fetched(options.encoder)
    saved = torch.load(options.checkpoint)
    judge = build_network(model, saved["layers"], attention="eager")
    judge.load_state_dict(saved["state"])
    judge.eval()
    options.folder.mkdir(parents=True, exist_ok=True)
    ids = torch.randint(1000, 20000, (2, 24))
    inputs = (ids, torch.ones_like(ids), torch.zeros_like(ids), torch.tensor([[3, 5, 7], [4, 6, 8]]))
    names, outputs = ["input_ids", "attention_mask", "token_type_ids", "marks"], ["classes", "edges", "arcs"]
    axes = {name: {0: "batch", 1: "tokens"} for name in names[:3]} | {"marks": {0: "batch"}, "classes": {0: "batch"}}
    axes |= {"edges": {0: "batch", 2: "tokens"}, "arcs": {0: "batch", 1: "tokens", 2: "tokens"}}
    whole, fused_file, final = (options.folder / name for name in ("whole.onnx", "fused.onnx", "model.onnx"))
    torch.onnx.export(
        judge, inputs, str(whole), input_names=names, output_names=outputs, dynamic_axes=axes, opset_version=17, dynamo=False
    )
    fused = optimize_model(
        str(whole), "bert", num_heads=12, hidden_size=384, opt_level=0, optimization_options=FusionOptions("bert")
    )
    fused.save_model_to_file(str(fused_file))
    import onnx

    typed = {"DefaultTensorType": onnx.TensorProto.FLOAT}
    quantize_dynamic(fused_file, final, weight_type=QuantType.QInt8, per_channel=True, extra_options=typed)
    lean(final)
    whole.unlink()
    fused_file.unlink()
    shutil.copyfile(tokenizer_file, options.folder / "tokenizer.json")
    facts: dict[str, Any] = {
        "format": FORMAT,
        "version": hashlib.sha256(final.read_bytes()).hexdigest()[:16],
        "outputs": OUTPUTS,
        "stances": STANCES,
        "relations": RELATIONS,
        "rule_stance_weight": 1.0,
        "calibration": {name: {part: [1.0, 0.0] for part in ("said", "right", "named")} for name in (SHIPPED, LOOSE)},
        "bytes": {name: (options.folder / name).stat().st_size for name in ("model.onnx", "tokenizer.json")},
    }
    settings = options.folder / "judge.json"
    settings.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    held_out = load_examples(options, InputMaker(Tokenizer.from_file(str(tokenizer_file))), is_held_out)
    shipped, loose = ([example for example in held_out if example.proposal.loose is kind] for kind in (False, True))
    facts["rule_stance_weight"] = max(STANCE_WEIGHTS, key=lambda weight: stance_share(options.folder, shipped, weight, facts))
    calibrate(options.folder, shipped, facts, SHIPPED)
    calibrate(options.folder, loose, facts, LOOSE)
    settings.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def stance_share(folder: Path, examples: Sequence[Example], weight: float, facts: Mapping[str, Any]) -> float:
    """Return the share of the right stances, of what is said, where that of the rule has a weight; the facts are written."""
    (folder / "judge.json").write_text(json.dumps({**facts, "rule_stance_weight": weight}), encoding="utf-8")
    said = [example for example in examples if example.said]
    share = sum(made.stance is truth_of_stance(example) for example, made in judgements(folder, said)) / len(said)
    print(f"weight of the rule's stance {weight}: {share:.4f} right")
    return share


def judgements(folder: Path, examples: Sequence[Example]) -> Iterator[tuple[Example, Judgement]]:
    """Yield the examples with what the exported judge says of them."""
    judge = EncoderJudge(folder)
    for example in examples:
        judgement = judge.judge(example.proposal)
        if judgement is not None:
            yield example, judgement


def truth_of_stance(example: Example) -> Stance:
    """Return the stance of a record that readers gave."""
    return READ_STANCES[STANCES[example.classes["stance"]]]


def calibrate(folder: Path, examples: Sequence[Example], facts: dict[str, Any], proposed_by: str) -> None:
    """Fit the lines of the probabilities to held-out labels, weighted to all that the rules find."""
    (folder / "judge.json").write_text(json.dumps(facts), encoding="utf-8")
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
    for name in ("train", "export"):
        step = steps.add_parser(name)
        for place in ("labels", "sentences", "articles", "encoder", "checkpoint"):
            step.add_argument(place, type=Path)
        if name == "export":
            step.add_argument("folder", type=Path)
            continue
        step.add_argument(
            "--layers", type=int, default=6, help="how many of the encoder's layers are kept, evenly spaced (default: 6)"
        )
        step.add_argument("--epochs", type=int, default=4)
        step.add_argument("--batch", type=int, default=24)
        step.add_argument("--rate", type=float, default=6e-5)
        step.add_argument("--rows", type=int, help="learn from so many labels only, for a learning curve")
        step.add_argument("--start", type=Path, help="a checkpoint to go on from")
        step.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    {"train": train, "export": export}[options.step](options)


if __name__ == "__main__":
    main()

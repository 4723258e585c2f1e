"""Train the judge of claims: a small encoder that reads what a sentence says of two proposed phrases.

    python scripts/training/train_claim_judge.py LABELS.tsv ARTICLES ENCODER CHECKPOINT [--layers N] [--epochs N] [--rows N]

LABELS are docs/judgements/claim-labels.tsv, ARTICLES the WikiExtractor file that they point into, ENCODER a folder for the
published encoder (fetched with Maven). One pass over a sentence, its proposed ends and its cue marked, gives the probability
that the relation is said, its direction, relation, stance and kind, and for each end the words that it should have. The labels
for testing are left alone; every tenth of the other articles is held out, and the scores on it stand beside those of the rules
alone. Needs torch, transformers and onnx.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import math
import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
from reader.base_encoder import bert, fetched
from tokenizers import Tokenizer
from torch import nn

from graph.sources.article import Article
from graph.sources.article_formats import detect_format, read_articles
from kgqa.evaluation.metrics.confidence_scores import auroc

RELATIONS = ("c", "c+", "c-", "p", "e", "m", "f", "a")
STANCES = ("asserted", "negated", "hedged", "reported", "disputed", "hypothetical", "fiction", "question")
OUTPUTS = {"said": 1, "reversed": 1, "specific": 1, "relation": len(RELATIONS), "stance": len(STANCES)}
MARKS = tuple(f"[unused{number}]" for number in range(1, 7))
"""They stand before and behind the proposed cause, the proposed effect and the cue."""
TITLE, TOKENS = 12, 160
IGNORED = -100


@dataclass(slots=True)
class Example:
    """A proposal: its tokens with the marks, where the marks of the ends stand, and what is to be learnt."""

    ids: list[int]
    marks: tuple[int, int, int]
    said: bool
    classes: Mapping[str, int]
    spans: tuple[int, ...]
    proposed: tuple[int, ...]
    row: Mapping[str, str]


class Scores(NamedTuple):
    """What the judge says of one example."""

    said: float
    classes: Mapping[str, int]
    spans: tuple[int, ...]


class ClaimJudge(nn.Module):
    """The encoder with heads for classes, over the first token and those of the marks, and for the four edges of the two ends."""

    def __init__(self, encoder: nn.Module, width: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.mixed = nn.Sequential(nn.Linear(4 * width, width), nn.GELU(), nn.Dropout(0.1))
        self.classes = nn.Linear(width, sum(OUTPUTS.values()))
        self.spans = nn.Linear(width, 4)
        self.trust = nn.Parameter(torch.full((4,), 3.0))  # in each edge as it is proposed

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor, marks: torch.Tensor, proposed: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return class logits, [batch, outputs], and edge logits, [batch, 4, tokens], low where there is no token.

        `marks` are the places before cause, effect and cue, [batch, 3], `proposed` the edges as they are, [batch, 4].
        """
        hidden = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        rows = torch.arange(len(ids))
        pooled = torch.cat([hidden[:, 0], *(hidden[rows, marks[:, place]] for place in range(3))], dim=-1)
        edges = self.spans(hidden).transpose(1, 2)
        edges = edges.scatter_add(2, proposed[:, :, None], self.trust[None, :, None].expand(len(ids), 4, 1))
        return self.classes(self.mixed(pooled)), edges.masked_fill(mask[:, None] == 0, -1e4)


def label_rows(path: Path, part: str = "train") -> list[dict[str, str]]:
    """Return the rows of a part of a file of labels."""
    with path.open(encoding="utf-8", newline="") as lines:
        return [row for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE) if row["part"] == part]


def read_rows(labels: Path, articles: Path) -> Iterator[tuple[Mapping[str, str], str, str]]:
    """Yield each label with the title of its article and its sentence."""
    by_article: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    for row in label_rows(labels):
        by_article[row["article"]].append(row)
    for item in read_articles(str(articles), detect_format(str(articles)), lambda skipped: None):
        if isinstance(item, Article):
            for row in by_article.get(str(item.source.page_id), ()):
                start, end = map(int, row["sentence"].split("-"))
                yield row, item.source.title or "", item.text[start:end]


class ExampleMaker:
    """Makes examples of labels."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._marks = [int(tokenizer.token_to_id(mark) or 0) for mark in MARKS]
        self._first, self._between = (int(tokenizer.token_to_id(mark) or 0) for mark in ("[CLS]", "[SEP]"))

    def example(self, row: Mapping[str, str], title: str, text: str) -> Example | None:
        """Return the example of a label; `None` for a sentence that is too long, and for ends that stand outside."""
        offset = int(row["sentence"].split("-")[0])
        ends = [_span(row[name], offset) for name in ("cause", "effect", "cue")]
        encoded = self._tokenizer.encode(text, add_special_tokens=False)
        tokens = [_tokens_of(encoded.offsets, span) for span in ends if span]
        if len(tokens) < 3 or None in tokens or len(encoded.ids) > TOKENS:
            return None
        cause, effect, cue = (pair for pair in tokens if pair)
        title_ids = self._tokenizer.encode(title, add_special_tokens=False).ids[:TITLE]
        ids = [self._first, *title_ids, self._between]
        places: list[int] = []
        opened: dict[int, int] = {}
        for place in range(len(encoded.ids) + 1):
            for number, (start, end) in enumerate((cause, effect, cue)):
                if place == end + 1:
                    ids.append(self._marks[2 * number + 1])
                if place == start:
                    opened[number] = len(ids)
                    ids.append(self._marks[2 * number])
            if place < len(encoded.ids):
                places.append(len(ids))
                ids.append(encoded.ids[place])
        ids.append(self._between)
        said = row["said"] == "yes"
        classes: dict[str, int] = {}
        spans = [IGNORED] * 4
        if said:
            classes = {
                "reversed": int(row["direction"] == "reversed"),
                "specific": int(row["kind"] == "specific"),
                "relation": RELATIONS.index(row["relation"]),
                "stance": STANCES.index(row["stance"]),
            }
            names = ("cause_span", "effect_span") if row["direction"] == "right" else ("effect_span", "cause_span")
            for number, name in enumerate(names):
                span = _span(row[name], offset)
                pair = _tokens_of(encoded.offsets, span) if span else None
                if pair:
                    spans[2 * number : 2 * number + 2] = [places[pair[0]], places[pair[1]]]
        proposed = (places[cause[0]], places[cause[1]], places[effect[0]], places[effect[1]])
        return Example(
            ids, (opened[0], opened[1], opened[2]), said, classes, (spans[0], spans[1], spans[2], spans[3]), proposed, row
        )


def _span(text: str, offset: int) -> tuple[int, int] | None:
    if "-" not in text:
        return None
    start, _, end = text.partition("-")
    return int(start) - offset, int(end) - offset


def _tokens_of(offsets: Sequence[tuple[int, int]], span: tuple[int, int]) -> tuple[int, int] | None:
    """Return the first and the last token of some characters."""
    inside = [place for place, (start, end) in enumerate(offsets) if start < span[1] and end > span[0]]
    return (inside[0], inside[-1]) if inside else None


def is_held_out(article: str) -> bool:
    """Return whether the labels of an article are for measuring."""
    return int(hashlib.md5(f"judge{article}".encode(), usedforsecurity=False).hexdigest(), 16) % 10 == 0


def batches(examples: Sequence[Example], size: int, chance: random.Random) -> list[list[Example]]:
    """Return batches of about equal length, in an order by chance."""
    order = sorted(examples, key=lambda example: len(example.ids) + chance.random() * 8)
    made = [order[at : at + size] for at in range(0, len(order), size)]
    chance.shuffle(made)
    return made


def tensors(batch: Sequence[Example]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ids, mask, places of the marks and edges as proposed."""
    longest = max(len(example.ids) for example in batch)
    ids = torch.tensor([example.ids + [0] * (longest - len(example.ids)) for example in batch])
    mask = torch.tensor([[1] * len(example.ids) + [0] * (longest - len(example.ids)) for example in batch])
    marks, proposed = (torch.tensor([getattr(example, name) for example in batch]) for name in ("marks", "proposed"))
    return ids, mask, marks, proposed


def loss_of(judge: ClaimJudge, batch: Sequence[Example]) -> torch.Tensor:
    """Return the mean loss: of what is said for all, of classes and edges where it is said."""
    logits, edges = judge(*tensors(batch))
    parts = dict(zip(OUTPUTS, logits.split(list(OUTPUTS.values()), dim=-1), strict=True))
    said = torch.tensor([float(example.said) for example in batch])
    total = nn.functional.binary_cross_entropy_with_logits(parts["said"][:, 0], said)
    known = [place for place, example in enumerate(batch) if example.said]
    if known:
        for name, weight in (("reversed", 0.5), ("specific", 0.3), ("relation", 0.4), ("stance", 0.5)):
            truth = torch.tensor([batch[place].classes[name] for place in known])
            values = parts[name][known]
            if OUTPUTS[name] == 1:
                total = total + weight * nn.functional.binary_cross_entropy_with_logits(values[:, 0], truth.float())
            else:
                total = total + weight * nn.functional.cross_entropy(values, truth)
        spans = torch.tensor([batch[place].spans for place in known])
        flat = edges[known].reshape(-1, edges.shape[-1])
        total = total + 0.6 * nn.functional.cross_entropy(flat, spans.reshape(-1), ignore_index=IGNORED)
    return total


def judged(judge: ClaimJudge, examples: Sequence[Example]) -> list[Scores]:
    """Return what the judge says of some examples."""
    judge.eval()
    scores: list[Scores] = []
    with torch.no_grad():
        for at in range(0, len(examples), 32):
            logits, edges = judge(*tensors(examples[at : at + 32]))
            parts = dict(zip(OUTPUTS, logits.split(list(OUTPUTS.values()), dim=-1), strict=True))
            said = parts["said"][:, 0].sigmoid().tolist()
            chosen = {
                name: (parts[name][:, 0] > 0).int().tolist() if size == 1 else parts[name].argmax(-1).tolist()
                for name, size in OUTPUTS.items()
                if name != "said"
            }
            for place, spans in enumerate(edges.argmax(-1).tolist()):
                scores.append(Scores(said[place], {name: values[place] for name, values in chosen.items()}, tuple(spans)))
    judge.train()
    return scores


def _log_odds(probability: float) -> float:
    return math.log((probability + 1e-4) / (1 - probability + 1e-4))


def report(examples: Sequence[Example], scores: Sequence[Scores], prior: Mapping[str, float]) -> None:
    """Print the scores beside those of the rules alone, for the shipped and for the loose rules."""
    for title, is_loose in (("shipped rules", False), ("loose rules", True)):
        places = [place for place, example in enumerate(examples) if example.row["rule"].startswith("net-") == is_loose]
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
        for name in ("reversed", "specific", "relation", "stance"):
            most = Counter(examples[place].classes[name] for place in said).most_common(1)[0][1]
            hits = sum(scores[place].classes[name] == examples[place].classes[name] for place in said)
            print(f"  {name}: {hits / len(said):.3f}, always the commonest {most / len(said):.3f}")
        for name, first in (("cause", 0), ("effect", 2)):
            known = [place for place in said if examples[place].spans[first] != IGNORED]
            pair = slice(first, first + 2)
            hits = sum(scores[place].spans[pair] == examples[place].spans[pair] for place in known)
            before = sum(examples[place].proposed[pair] == examples[place].spans[pair] for place in known)
            print(f"  words of the {name}: {hits / len(known):.3f} right, as proposed {before / len(known):.3f}")


def main() -> None:
    """Train, and measure on what was held out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("articles", type=Path)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument(
        "--layers", type=int, default=6, help="how many of the encoder's layers are kept, evenly spaced (default: 6)"
    )
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--rate", type=float, default=6e-5)
    parser.add_argument("--rows", type=int, help="learn from so many labels only, for a learning curve")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    model, tokenizer_file = fetched(options.encoder)
    maker = ExampleMaker(Tokenizer.from_file(str(tokenizer_file)))
    examples = [made for row in read_rows(options.labels, options.articles) if (made := maker.example(*row)) is not None]
    held_out = [example for example in examples if is_held_out(example.row["article"])]
    learnt = [example for example in examples if not is_held_out(example.row["article"])]
    chance.shuffle(learnt)
    learnt = learnt[: options.rows]
    print(f"{len(learnt)} labels to learn from, {len(held_out)} held out", flush=True)
    counts: defaultdict[str, list[bool]] = defaultdict(list)
    for example in learnt:
        counts[example.row["rule"]].append(example.said)
    mean = sum(example.said for example in learnt) / len(learnt)
    prior = {rule: (sum(seen) + 4 * mean) / (len(seen) + 4) for rule, seen in counts.items()}
    encoder: Any = bert(model)
    step = len(encoder.encoder.layer) // options.layers
    encoder.encoder.layer = nn.ModuleList(encoder.encoder.layer[step - 1 :: step][: options.layers])
    encoder.embeddings.word_embeddings.weight.requires_grad_(False)
    judge = ClaimJudge(encoder, encoder.config.hidden_size)
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
        for number, batch in enumerate(order, 1):
            loss = loss_of(judge, batch)
            loss.backward()
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
        options.checkpoint.parent.mkdir(parents=True, exist_ok=True)
        torch.save({"state": judge.state_dict(), "layers": options.layers}, options.checkpoint)


if __name__ == "__main__":
    main()

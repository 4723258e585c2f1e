"""Measure what the judge of claims adds: precision and recall of pairs over sentences that were read in full.

    python scripts/training/measure_claim_judge.py SENTENCES.tsv LABELS.tsv ARTICLES ENCODER CHECKPOINT [--part train]

SENTENCES are docs/judgements/claim-sentences.tsv, the other files those of train_claim_judge.py. Systems: the shipped rules, and
the shipped and loose rules, each with and without the judge, at several thresholds. A pair is found where both its ends share
half of the shorter one with a pair of the reader, the right way round. Articles whose labels the judge has learnt from are left
out. Needs torch.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from reader.base_encoder import bert, fetched
from tokenizers import Tokenizer
from torch import nn
from train_claim_judge import ClaimJudge, Example, ExampleMaker, is_held_out, judged, label_rows

from graph.mining.miner import MinedClaim, Miner
from graph.mining.rules.rule_tables import builtin_rules, load_rules
from graph.sources.article import Article
from graph.sources.article_formats import detect_format, read_articles

WIDE_NET = Path(__file__).parents[1] / "judge" / "wide_net.toml"
THRESHOLDS = (0.5, 0.7, 0.8, 0.9)

Pair = tuple[tuple[int, int], tuple[int, int]]


class Sentence(NamedTuple):
    """A sentence that was read, with the pairs that the reader marked, in offsets of the article, and its stance for each."""

    article: str
    start: int
    end: int
    pairs: Sequence[Pair]


def read_sentences(path: Path, part: str, learnt: frozenset[str]) -> list[Sentence]:
    """Return the sentences of a part whose articles the judge has not learnt from."""
    pairs: defaultdict[tuple[str, str], list[Pair]] = defaultdict(list)
    for row in label_rows(path, part):
        if row["article"] in learnt:
            continue
        found = pairs[row["article"], row["sentence"]]
        if row["relation"] != "none":
            found.append((_offsets(row["cause_span"]), _offsets(row["effect_span"])))
    return [Sentence(article, *_offsets(span), found) for (article, span), found in pairs.items()]


def _offsets(text: str) -> tuple[int, int]:
    start, _, end = text.partition("-")
    return int(start), int(end)


def shares_half(first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Return whether two spans have half of the shorter one in common."""
    common = min(first[1], second[1]) - max(first[0], second[0])
    return 2 * common >= min(first[1] - first[0], second[1] - second[0])


def print_scores(name: str, found: Iterable[tuple[Sentence, Sequence[Pair]]]) -> None:
    """Print how many pairs are right, and how many of the reader's are found."""
    right = stated = gold = hit = 0
    for sentence, pairs in found:
        stated += len(pairs)
        gold += len(sentence.pairs)
        right += sum(any(_same(pair, known) for known in sentence.pairs) for pair in pairs)
        hit += sum(any(_same(pair, known) for pair in pairs) for known in sentence.pairs)
    print(f"| {name} | {stated} | {right / max(1, stated):.3f} | {hit} of {gold} | {hit / max(1, gold):.3f} |")


def _same(first: Pair, second: Pair) -> bool:
    return shares_half(first[0], second[0]) and shares_half(first[1], second[1])


def proposals(
    miner: Miner, maker: ExampleMaker, sentence: Sentence, article: Article
) -> list[tuple[MinedClaim, Pair, Example | None]]:
    """Return the claims of a sentence, each with its ends and its example for the judge, if it has one."""
    text = article.text[sentence.start : sentence.end]
    made: dict[Pair, tuple[MinedClaim, Pair, Example | None]] = {}
    for claims in miner.mine([text]):
        for claim in claims:
            ends = [
                (sentence.start + start, sentence.start + end)
                for start, end in (claim.cause_span, claim.effect_span, claim.cue_span)
            ]
            row: Mapping[str, str] = {
                "sentence": f"{sentence.start}-{sentence.end}",
                "said": "",
                **{name: f"{start}-{end}" for name, (start, end) in zip(("cause", "effect", "cue"), ends, strict=True)},
            }
            pair = ends[0], ends[1]
            made.setdefault(pair, (claim, pair, maker.example(row, article.source.title or "", text)))
    return list(made.values())


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("sentences", "labels", "articles", "encoder", "checkpoint"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--part", choices=("train", "test"), default="train")
    options = parser.parse_args()
    learnt = frozenset(row["article"] for row in label_rows(options.labels) if not is_held_out(row["article"]))
    sentences = read_sentences(options.sentences, options.part, learnt)
    by_article: defaultdict[str, list[Sentence]] = defaultdict(list)
    for sentence in sentences:
        by_article[sentence.article].append(sentence)
    model, tokenizer = fetched(options.encoder)
    saved = torch.load(options.checkpoint)
    encoder: Any = bert(model)
    encoder.encoder.layer = nn.ModuleList(list(encoder.encoder.layer)[: saved["layers"]])
    judge = ClaimJudge(encoder, encoder.config.hidden_size)
    judge.load_state_dict(saved["state"])
    maker = ExampleMaker(Tokenizer.from_file(str(tokenizer)))
    shipped = {rule.id for rule in builtin_rules()}
    miner = Miner(load_rules(str(WIDE_NET)))
    found: list[tuple[Sentence, list[tuple[bool, Pair, float]]]] = []
    for item in read_articles(str(options.articles), detect_format(str(options.articles)), lambda skipped: None):
        if not isinstance(item, Article):
            continue
        for sentence in by_article.get(str(item.source.page_id), ()):
            made = proposals(miner, maker, sentence, item)
            examples = [example for _, _, example in made if example is not None]
            scores = iter(judged(judge, examples)) if examples else iter(())
            values = []
            for claim, pair, example in made:
                score = next(scores) if example is not None else None
                turned = score is not None and score.classes["reversed"]
                values.append((claim.rule.id in shipped, pair[::-1] if turned else pair, score.said if score else 0.0))
            found.append((sentence, values))
    print(f"{len(found)} sentences of articles that were not learnt from\n")
    print("| | pairs stated | precision | found | recall |\n|---|---|---|---|---|")
    print_scores("shipped rules", ((s, [pair for ours, pair, _ in values if ours]) for s, values in found))
    print_scores("shipped and loose rules", ((s, [pair for _, pair, _ in values]) for s, values in found))
    for least in THRESHOLDS:
        judged_rules = ((s, [pair for ours, pair, said in values if ours and said >= least]) for s, values in found)
        print_scores(f"shipped rules, judge from {least}", judged_rules)
        judged_all = ((s, [pair for _, pair, said in values if said >= least]) for s, values in found)
        print_scores(f"shipped and loose rules, judge from {least}", judged_all)


if __name__ == "__main__":
    main()

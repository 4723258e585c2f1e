"""Throughput of mining with the cue prefilter against parsing every sentence, and what the filter loses.

    python scripts/bench/bench_mining.py ARTICLES --sentences 20000 --by-rule

All ways run in this process, on the same sentences of the same articles, in turns of a chunk: with the prefilter; without it,
every sentence through the same pipeline and the same rules; and as spaCy comes, every sentence through its whole pipeline with
its own linear algebra, without looking for anything. Recall is the share of the claims found without the prefilter that are found
with it, too. CPU seconds are counted, so that other work on the machine matters little.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import resource
import time
from collections import Counter
from collections.abc import Sequence

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import spacy

from graph.mining.miner import Miner
from graph.mining.sentence.spacy_pipeline import installed_pipeline
from graph.model import Claim
from graph.sources.article import Article
from graph.sources.article_formats import detect_format, read_articles
from graph.text.segmentation import sentence_spans

Found = tuple[int, Claim, str]
"""The number of a sentence, a claim that was found in it, and the id of the rule."""

CHUNK = 1_000
WITH, WITHOUT, STOCK = "with the prefilter", "every sentence parsed, same pipeline", "every sentence parsed, pipeline as it comes"


def drawn(path: str, number: int, every: int, seed: int) -> list[str]:
    """Return sentences drawn at random from one article in `every`."""
    items = read_articles(path, detect_format(path), lambda skipped: None)
    articles = (item for item in itertools.islice(items, 0, None, every) if isinstance(item, Article))
    sentences = [article.text[start:end] for article in articles for start, end in sentence_spans(article.text)]
    random.Random(seed).shuffle(sentences)
    return sentences[:number]


def print_rules(miner: Miner, sentences: Sequence[str], found: set[Found], lost: set[Found]) -> None:
    """Print for each rule how many sentences are parsed for it, how many of those for no other rule, and its claims."""
    judged = [miner.rules_for(sentence) for sentence in sentences]
    parsed = Counter(rule for rules in judged for rule in rules)
    alone = Counter(next(iter(rules)) for rules in judged if len(rules) == 1)
    claims, missed = (Counter(rule for _, _, rule in some) for some in (found, lost))
    print("rule: sentences parsed for it, for no other, claims, claims lost by its expression")
    for rule, _ in (alone + missed).most_common():
        print(f"{rule}: {parsed[rule]:,}, {alone[rule]:,}, {claims[rule]:,}, {missed[rule]:,}")


def main() -> None:
    """Draw sentences, mine them in each way, and print rates, their ratios and the recall of the prefilter."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("articles")
    parser.add_argument("--sentences", type=int, default=20_000)
    parser.add_argument("--every", type=int, default=25, help="take one article in so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--by-rule", action="store_true", help="print what each rule has parsed and finds")
    arguments = parser.parse_args()
    sentences = drawn(arguments.articles, arguments.sentences, arguments.every, arguments.seed)
    stock = spacy.load(installed_pipeline())
    miners = {WITH: Miner(), WITHOUT: Miner(prefilter=False)}
    seconds = dict.fromkeys((WITH, WITHOUT, STOCK), 0.0)
    found: dict[str, set[Found]] = {WITH: set(), WITHOUT: set()}
    for miner in miners.values():
        list(miner.mine(sentences[:200]))
    for start in range(0, len(sentences), CHUNK):
        chunk = sentences[start : start + CHUNK]
        for name, miner in miners.items():
            began = time.process_time()
            claims = list(miner.mine(chunk))
            seconds[name] += time.process_time() - began
            found[name] |= {(start + place, one.claim, one.rule.id) for place, row in enumerate(claims) for one in row}
        began = time.process_time()
        for _ in stock.pipe(chunk):
            pass
        seconds[STOCK] += time.process_time() - began
    pairs = {name: {(place, claim) for place, claim, _ in some} for name, some in found.items()}
    kept = len(pairs[WITH] & pairs[WITHOUT])
    words = [len(sentence.split()) for sentence in sentences]
    worth = [number for sentence, number in zip(sentences, words, strict=True) if miners[WITH].rules_for(sentence)]
    share = f"{len(worth) / len(sentences):.1%} of them, {sum(worth) / sum(words):.1%} of the words, are parsed"
    print(f"{len(sentences):,} sentences, {sum(words):,} words; {share} with the prefilter; {len(miners[WITH].rules)} rules")
    for name, taken in seconds.items():
        rate = f"{len(sentences) / taken:,.0f} sentences, {sum(words) / taken:,.0f} words a CPU second"
        print(f"{name}: {rate}, {f'{len(pairs[name]):,} claims, ' if name in pairs else ''}ratio {taken / seconds[WITH]:.1f}")
    print(f"recall of the prefilter {kept / len(pairs[WITHOUT]):.4f} ({kept:,} of {len(pairs[WITHOUT]):,})")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
    if arguments.by_rule:
        print_rules(miners[WITH], sentences, found[WITH], found[WITHOUT] - found[WITH])


if __name__ == "__main__":
    main()

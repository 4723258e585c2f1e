"""Throughput of mining with the cue prefilter against parsing every sentence with the same pipeline, and what the filter loses.

    python scripts/bench_mining.py ARTICLES --sentences 20000

Both run in this process, on the same sentences of the same articles, in turns of a chunk; recall is the share of the claims
found without the prefilter that are found with it, too.
"""

from __future__ import annotations

import argparse
import itertools
import random
import resource
import time

from graph.mining.miner import Miner
from graph.mining.sentences import sentence_spans
from graph.model import Claim
from graph.sources.article import Article
from graph.sources.formats import detect, read_articles

CHUNK = 1_000


def main() -> None:
    """Draw sentences, mine them both ways, and print rates, their ratio and the recall of the prefilter."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("articles")
    parser.add_argument("--sentences", type=int, default=20_000)
    parser.add_argument("--every", type=int, default=25, help="take one article in so many")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    items = read_articles(arguments.articles, detect(arguments.articles), lambda skipped: None)
    articles = (item for item in itertools.islice(items, 0, None, arguments.every) if isinstance(item, Article))
    sentences = [article.text[start:end] for article in articles for start, end in sentence_spans(article.text)]
    random.Random(arguments.seed).shuffle(sentences)
    sentences = sentences[: arguments.sentences]
    filtered, everything = Miner(), Miner(prefilter=False)
    seconds = {"with": 0.0, "without": 0.0}
    found: dict[str, set[tuple[int, Claim]]] = {"with": set(), "without": set()}
    for miner in (filtered, everything):
        list(miner.mine(sentences[:200]))
    for start in range(0, len(sentences), CHUNK):
        chunk = sentences[start : start + CHUNK]
        for name, miner in (("with", filtered), ("without", everything)):
            began = time.perf_counter()
            claims = list(miner.mine(chunk))
            seconds[name] += time.perf_counter() - began
            found[name] |= {(start + place, one.claim) for place, row in enumerate(claims) for one in row}
    kept = len(found["with"] & found["without"])
    worth = sum(filtered.has_cue(sentence) for sentence in sentences)
    print(f"{len(sentences):,} sentences, {worth:,} of them ({worth / len(sentences):.1%}) hold a cue")
    for name, taken in seconds.items():
        print(f"{name} prefilter: {len(sentences) / taken:,.0f} sentences/s, {len(found[name]):,} claims")
    print(f"ratio {seconds['without'] / seconds['with']:.1f}")
    print(f"recall of the prefilter {kept / len(found['without']):.4f} ({kept:,} of {len(found['without']):,})")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()

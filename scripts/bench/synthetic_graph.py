"""A made-up causal graph of any size with CauseNet's degree distribution, as JSON lines that `kgqa load jsonl` reads.

    python scripts/bench/synthetic_graph.py full --out full.jsonl
    python scripts/bench/synthetic_graph.py precision --seed 7 --out precision.jsonl.gz
    python scripts/bench/synthetic_graph.py --concepts 1000 --edges 5000 --records 1.5 --out small.jsonl

Sizes are those of CauseNet-Precision (80,223 concepts, 199,806 edges) and CauseNet-Full (12,186,195 and 11,609,890). The same
options give the same bytes. What is made up, and how:

- Degrees: each concept is an end of at least one edge; the other ends are drawn by rank with weights rank^-.83 for causes and
  rank^-.81 for effects, in two orders that share their 300 greatest hubs. These are the tails of a slice of CauseNet: the
  exponents of its degrees by maximum likelihood (Hill, degrees of three and more) are 2.2 for causes and 2.25 for effects, and
  a tail k^-a is a rank law of exponent 1 / (a - 1). `--fit FILE` prints them for a file of CauseNet's.
- Names: one to four words (shares as in the slice) of 32,767 pronounceable words with Zipf's frequencies; the greatest hubs have
  the shortest names.
- Records: one and more for each edge, geometric, `--records` on the average (1.2; 3 at Precision size): chosen, as the slice does
  not tell. Nine of ten are of web pages known by their numbers, one of a Wikipedia page with a title. Pages state 1.6 records on
  the average. No sentences.

12 million names are kept as numbers: memory stays under 1.5 GB at Full size.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

SIZES = {"precision": (80_223, 199_806, 3.0), "full": (12_186_195, 11_609_890, 1.2)}
CAUSE_LAW, EFFECT_LAW = 0.83, 0.81
WORD_SHARES = (0.30, 0.37, 0.18, 0.15)
WORD_BITS = 15
WORDS = (1 << WORD_BITS) - 1
SHARED_HUBS = 300
PAGE_SHARE = 1 / 1.6
WIKIPEDIA_SHARE = 0.1
BLOCK = 100_000

ONSETS = "b c d f g h l m n p r s t v br ch cl cr dr fl gr pl pr sh sp st str th tr".split()
VOWELS = "a e i o u ai ea io ou".split()
ENDS = "n r s t l d m ck nt st ng ction ty ness ing ment sis sm ge th".split()
RULES = [
    f"causenet:{left} {verb} {right}"
    for verb in (
        "cause",
        "lead +nmod:to",
        "result +nmod:in",
        "trigger",
        "produce",
        "induce",
        "contribute +nmod:to",
        "create",
        "bring +nmod",
    )
    for left, right in (("cause -nsubj", "+dobj effect"), ("effect -nsubjpass", "+nmod:by cause"), ("cause -acl", "+dobj effect"))
]

Numbers = NDArray[np.int64]


def words(chance: np.random.Generator) -> list[str]:
    """Return the lexicon, most frequent word first; position 0 is no word."""
    made: dict[str, None] = {}
    while len(made) < WORDS:
        syllables = chance.choice([1, 2, 3], p=[0.1, 0.5, 0.4])
        parts = [str(chance.choice(ONSETS)) + str(chance.choice(VOWELS)) for _ in range(int(syllables))]
        made.setdefault("".join(parts) + str(chance.choice(ENDS)))
    return ["", *sorted(made, key=len)[:WORDS]]


def names(chance: np.random.Generator, count: int) -> Numbers:
    """Return `count` different names as numbers, `WORD_BITS` bits for each word, those of few words first."""
    found = np.empty(0, np.int64)
    while len(found) < count:
        wanted = max(1000, int((count - len(found)) * 1.2))
        lengths = chance.choice(4, wanted, p=WORD_SHARES) + 1
        codes = np.zeros(wanted, np.int64)
        for place in range(4):
            # Zipf's law over the lexicon: the logarithm of the rank is even.
            ranks = np.minimum(np.exp(chance.random(wanted) * math.log(WORDS + 1)).astype(np.int64), WORDS)
            codes |= np.where(place < lengths, ranks << (place * WORD_BITS), 0)
        found = np.unique(np.concatenate([found, codes]))
    found = chance.permutation(found)[:count]
    return found[np.argsort(sum((found >> (place * WORD_BITS)) > 0 for place in (1, 2, 3)), kind="stable")]


def draw(chance: np.random.Generator, count: int, concepts: int, law: float) -> Numbers:
    """Return `count` ranks below `concepts`, with probabilities that fall as rank^-law."""
    # The inverse of the continuous distribution function over 1..concepts+1.
    top = (concepts + 1) ** (1 - law) - 1
    ranks: Numbers = np.minimum(((chance.random(count) * top + 1) ** (1 / (1 - law))).astype(np.int64) - 1, concepts - 1)
    return ranks


def edges(chance: np.random.Generator, concepts: int, count: int) -> tuple[Numbers, Numbers]:
    """Return the causes and the effects of `count` different edges between `concepts` concepts, of which none is left out."""
    if not concepts <= 2 * count <= concepts * (concepts - 1):
        raise SystemExit(f"{count:,} edges cannot join each of {concepts:,} concepts; ask for half as many edges and more")
    # Among effects the greatest hubs are the same concepts in another order, all others are others.
    shared = min(SHARED_HUBS, concepts)
    as_effect = np.concatenate([chance.permutation(shared), shared + chance.permutation(concepts - shared)])
    once = chance.permutation(concepts)
    ends = np.full(2 * count, -1, np.int64)
    ends[chance.permutation(2 * count)[:concepts]] = once
    causes, effects = ends[:count], ends[count:]
    free = causes < 0
    causes[free] = draw(chance, int(free.sum()), concepts, CAUSE_LAW)
    free = effects < 0
    effects[free] = as_effect[draw(chance, int(free.sum()), concepts, EFFECT_LAW)]
    return distinct(chance, causes, effects, concepts, as_effect)


def distinct(
    chance: np.random.Generator, causes: Numbers, effects: Numbers, concepts: int, as_effect: Numbers
) -> tuple[Numbers, Numbers]:
    """Return the edges with those that come twice, or lead back to their cause, given other ends until all differ."""
    while True:
        _, firsts = np.unique(causes * concepts + effects, return_index=True)
        again = np.ones(len(causes), bool)
        again[firsts] = False
        again |= causes == effects
        number = int(again.sum())
        if not number:
            return causes, effects
        # No concept is lost: both ends of a pair that comes twice are in its first edge, the end of a loop is its cause, too.
        effects[again] = as_effect[draw(chance, number, concepts, EFFECT_LAW * chance.random())]


def texts(codes: Numbers, lexicon: list[str]) -> list[str]:
    """Return names as text."""
    parts = [((codes >> (place * WORD_BITS)) & WORDS).tolist() for place in range(4)]
    return [" ".join(lexicon[part] for part in some if part) for some in zip(*parts, strict=True)]


def sources(pages: Numbers, titles: list[str]) -> Iterator[str]:
    """Iterate over the sources of records as JSON, by the numbers of their pages."""
    place = '"section": "", "start": null, "end": null}'
    for page, title in zip(pages.tolist(), titles, strict=True):
        if title:
            url = f"https://en.wikipedia.org/?curid={page}"
            known = f'"title": "{title.capitalize()}", "page_id": "{page}", "revision": "", "url": "{url}"'
            yield f'{{"kind": "wikipedia", {known}, {place}'
        else:
            number = f"clueweb12-{page // 10_000_000:04d}wb-{page // 100_000 % 100:02d}-{page % 100_000:05d}"
            yield f'{{"kind": "clueweb12", "title": "", "page_id": "{number}", "revision": "", "url": "", {place}'


def write(file: TextIO, concepts: int, count: int, records: float, seed: int) -> int:
    """Write a graph and return the number of its records."""
    chance = np.random.default_rng(seed)
    lexicon = words(chance)
    codes = names(chance, concepts)
    causes, effects = edges(chance, concepts, count)
    pages = max(1, int(count * records * PAGE_SHARE))
    wikipedia = int(pages * WIKIPEDIA_SHARE)
    written = 0
    for first in range(0, count, BLOCK):
        block = slice(first, first + BLOCK)
        times = chance.geometric(1 / records, len(causes[block]))
        page = chance.integers(pages, size=int(times.sum()))
        title = np.where(page < wikipedia, codes[page % concepts], 0)
        rule = np.minimum(chance.geometric(0.15, len(page)) - 1, len(RULES) - 1)
        columns = (
            texts(np.repeat(codes[causes[block]], times), lexicon),
            texts(np.repeat(codes[effects[block]], times), lexicon),
            rule.tolist(),
            sources(page, texts(title, lexicon)),
        )
        for cause, effect, how, source in zip(*columns, strict=True):
            file.write(
                f'{{"cause": "{cause}", "effect": "{effect}", "relation": "causes", "polarity": "none", "strength": "causes", '
                f'"stance": "asserted", "rule": "{RULES[how]}", "text": null, "context": {{}}, "sketch": "", '
                f'"source": {source}}}\n'
            )
        written += len(page)
    return written


def fit(path: Path) -> None:
    """Print the tails of the degrees of a file of CauseNet's relations."""
    causes: Counter[str] = Counter()
    effects: Counter[str] = Counter()
    for line in path.open(encoding="utf-8"):
        relation = json.loads(line)["causal_relation"]
        causes[relation["cause"]["concept"]] += 1
        effects[relation["effect"]["concept"]] += 1
    for role, degrees in (("causes", causes), ("effects", effects)):
        for least in (2, 3, 5):
            tail = [degree for degree in degrees.values() if degree >= least]
            exponent = 1 + len(tail) / sum(math.log(degree / (least - 0.5)) for degree in tail)
            print(f"{role} of degree {least}+: {len(tail):,}, exponent {exponent:.2f}, rank law {1 / (exponent - 1):.2f}")
        print(
            f"{role}: greatest degrees {sorted(degrees.values(), reverse=True)[:10]}, mean {degrees.total() / len(degrees):.2f}"
        )


def main() -> None:
    """Read the command line and write a graph."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("size", nargs="?", choices=SIZES)
    parser.add_argument("--concepts", type=int)
    parser.add_argument("--edges", type=int)
    parser.add_argument("--records", type=float, help="records for each edge on the average, 1 and more")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--fit", type=Path, metavar="FILE", help="print the degrees of a file of CauseNet's and make nothing")
    arguments = parser.parse_args()
    if arguments.fit:
        fit(arguments.fit)
        return
    concepts, count, records = SIZES.get(arguments.size, (0, 0, 1.2))
    concepts, count, records = arguments.concepts or concepts, arguments.edges or count, arguments.records or records
    if not (arguments.out and concepts > 1 and count > 0 and records >= 1):
        parser.error("give a size (or --concepts and --edges), and --out FILE")
    packed = arguments.out.suffix == ".gz"
    with gzip.open(arguments.out, "wt") if packed else arguments.out.open("w") as file:
        written = write(file, concepts, count, records, arguments.seed)
    print(f"{arguments.out}: {concepts:,} concepts, {count:,} edges, {written:,} records")


if __name__ == "__main__":
    main()

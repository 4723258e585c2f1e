"""Draw asserted claims of a mined graph at random, for judging by reading, and score two readers' judgements.

    python scripts/sample_claims.py draw GRAPH.kgqa --number 200 --seed 7 > SAMPLE.jsonl
    python scripts/sample_claims.py score SAMPLE.jsonl JUDGE_A.csv JUDGE_B.csv

A sample line has the claim, its sentence, and the hash of the evidence record. A judgement line is `hash,verdict,why`:

- `right`: the sentence asserts that the cause bears on the effect, with that relation and in that direction, and both names are
  what a reader would underline, give or take a modifier;
- `span`: the pair and its direction are right, but a name has lost a word that matters, or has one too many;
- `wrong`: anything else: not causal, not asserted, another cause or effect than the sentence's, the arrow turned.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections import Counter
from pathlib import Path

from intervals import share

from graph.model import Stance
from graph.stores import open_store


def draw(path: str, number: int, seed: int) -> None:
    """Print a sample of the asserted evidence records that have a sentence, each record as likely as any other."""
    store = open_store(path)
    rows = sorted(
        (
            {
                "hash": one.evidence.hash(one.claim),
                "cause": one.claim.cause,
                "relation": one.claim.relation,
                "polarity": one.claim.polarity,
                "effect": one.claim.effect,
                "rule": one.evidence.rule,
                "title": one.evidence.source.title,
                "sentence": one.evidence.text,
            }
            for one in store.statements()
            if one.evidence.text and one.evidence.stance is Stance.ASSERTED and one.evidence.source.kind == "wikipedia"
        ),
        key=lambda row: str(row["hash"]),
    )
    for row in random.Random(seed).sample(rows, number):
        print(json.dumps(row, ensure_ascii=False))


def score(sample: Path, judges: list[Path]) -> None:
    """Print precision by each judge and by both, strictly and with `span` as right, their agreement, and the errors by rule."""
    rows = [json.loads(line) for line in sample.read_text(encoding="utf-8").splitlines()]
    verdicts = [read_verdicts(path) for path in judges]
    for accepted, name in ((("right",), "strict"), (("right", "span"), "pair and direction")):
        taken = [[verdict[row["hash"]] in accepted for row in rows] for verdict in verdicts]
        for path, judged in zip(judges, taken, strict=True):
            print(f"{name}, {path.name}: {share(sum(judged), len(rows))}")
        both = [all(pair) for pair in zip(*taken, strict=True)]
        print(f"{name}, all judges say so: {share(sum(both), len(rows))}")
        print(f"{name}, any judge says so: {share(sum(map(any, zip(*taken, strict=True))), len(rows))}")
        print(f"{name}, agreement and Cohen's kappa of the first two: {agreement(taken[0], taken[1])}")
        wrong = Counter(row["rule"] for row, right in zip(rows, both, strict=True) if not right)
        total = Counter(row["rule"] for row in rows)
        print("  " + ", ".join(f"{rule} {count} of {total[rule]}" for rule, count in wrong.most_common()))


def agreement(first: list[bool], second: list[bool]) -> str:
    """Return the share of equal verdicts, and how far it lies above chance (Cohen's kappa)."""
    same = sum(one == other for one, other in zip(first, second, strict=True)) / len(first)
    shares = sum(first) / len(first), sum(second) / len(second)
    chance = shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])
    return f"{same:.3f}, {(same - chance) / (1 - chance):.2f}" if chance < 1 else f"{same:.3f}, undefined"


def read_verdicts(path: Path) -> dict[str, str]:
    """Return the verdict on each record."""
    with path.open(encoding="utf-8", newline="") as lines:
        return {row[0]: row[1].strip() for row in csv.reader(lines) if row and row[0] != "hash"}


def main() -> None:
    """Read the arguments and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("graph")
    drawing.add_argument("--number", type=int, default=200)
    drawing.add_argument("--seed", type=int, default=7)
    scoring = commands.add_parser("score")
    scoring.add_argument("sample", type=Path)
    scoring.add_argument("judges", type=Path, nargs="+")
    arguments = parser.parse_args()
    if arguments.command == "draw":
        draw(arguments.graph, arguments.number, arguments.seed)
    else:
        score(arguments.sample, arguments.judges)


if __name__ == "__main__":
    main()

"""Draw asserted claims of a mined graph at random, for judging by reading, and score two readers' judgements.

    python scripts/sample_claims.py draw GRAPH.kgqa --number 200 --seed 7 > SAMPLE.jsonl
    python scripts/sample_claims.py score SAMPLE.jsonl JUDGE_A.csv JUDGE_B.csv [SETTLED.csv]

A sample line has the claim, its sentence, and the hash of the evidence record. A judgement line is `hash,verdict,why`, the
verdict being `right` or `wrong`: right where the sentence says, or clearly implies, that the cause bears on the effect in that
direction and with that relation, and both names are what a reader would underline, give or take a modifier.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections import Counter
from pathlib import Path

from evaluate_semeval import wilson

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
    """Print each judge's precision, their agreement, and the errors by rule; a third file settles where two differ."""
    rows = [json.loads(line) for line in sample.read_text(encoding="utf-8").splitlines()]
    verdicts = [read_verdicts(path) for path in judges]
    for path, verdict in zip(judges, verdicts, strict=True):
        right = sum(verdict[row["hash"]] for row in rows if row["hash"] in verdict)
        print(f"{path.name}: {wilson(right, sum(row['hash'] in verdict for row in rows))}")
    first, second = verdicts[:2]
    same = sum(first[row["hash"]] == second[row["hash"]] for row in rows)
    shares = [sum(verdict[row["hash"]] for row in rows) / len(rows) for verdict in (first, second)]
    chance = shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])
    print(f"agreement {same / len(rows):.3f}, Cohen's kappa {(same / len(rows) - chance) / (1 - chance):.2f}")
    settled = verdicts[2] if len(verdicts) > 2 else {}
    final = {
        row["hash"]: first[row["hash"]]
        if first[row["hash"]] == second[row["hash"]]
        else settled.get(row["hash"], first[row["hash"]] and second[row["hash"]])
        for row in rows
    }
    how = "by the third file" if settled else "right only where both say so"
    print(f"settled ({how}): {wilson(sum(final.values()), len(rows))}")
    wrong = Counter(row["rule"] for row in rows if not final[row["hash"]])
    total = Counter(row["rule"] for row in rows)
    for rule, count in wrong.most_common():
        print(f"  {rule}: {count} of {total[rule]} wrong")


def read_verdicts(path: Path) -> dict[str, bool]:
    """Return whether each record was judged right."""
    with path.open(encoding="utf-8", newline="") as lines:
        return {row[0]: row[1].strip() == "right" for row in csv.reader(lines) if row and row[0] != "hash"}


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

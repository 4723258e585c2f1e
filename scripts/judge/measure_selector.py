"""Measure the selector of passages worth an "if" question: how many of those that IfQA's workers chose pass, and of random ones.

Random ones are drawn from a passage index of Wikipedia. The threshold is for the train passages to say; the dev passages that are
not among them, and other random ones, are what is reported.

    python scripts/judge/measure_selector.py --data ../shared/data --index indexes/large.passages
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

from share_text import share

from kgqa.retrieval.passage_index import PassageIndex
from kgqa.retrieval.passage_selector import MIN_PAST_SHARE, SelectionSignals, selection_signals


def main() -> None:
    """Print the shares for each threshold on train, and for the one in use on dev."""
    options = argparse.ArgumentParser(description="measure the selector of passages")
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--index", type=Path, required=True)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    train, dev = (
        {text for row in json.loads((given.data / f"ifqa/full_split/{part}.json").read_text("utf-8")) for text in row["context"]}
        for part in ("train", "dev")
    )
    index = PassageIndex(given.index)
    drawn = random.Random(given.seed).sample(range(len(train | dev), len(index)), 6000)
    others = [selection_signals(index.text(number)) for number in drawn]
    chosen, held = ([selection_signals(text) for text in sorted(texts)] for texts in (train, dev - train))
    print("train: least share of past tense, chosen passages that pass, random ones that do, difference (Youden's J)")
    for least in (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        yes, no = passing(chosen, least), passing(others[:3000], least)
        print(f"  {least:.1f}: {yes / len(chosen):.3f} {no / 3000:.3f} {yes / len(chosen) - no / 3000:.3f}")
    print(f"train: a keyword alone {keyed(chosen) / len(chosen):.3f} {keyed(others[:3000]) / 3000:.3f}")
    reached = share(passing(held, MIN_PAST_SHARE), len(held)), share(passing(others[3000:], MIN_PAST_SHARE), 3000)
    print(f"dev, at {MIN_PAST_SHARE}: chosen {reached[0]}; random {reached[1]}")


def passing(found: Sequence[SelectionSignals], least: float) -> int:
    """Return how many passages have a keyword and so much past tense."""
    return sum(bool(one.keywords) and one.past >= least for one in found)


def keyed(found: Sequence[SelectionSignals]) -> int:
    """Return how many passages have a keyword."""
    return sum(bool(one.keywords) for one in found)


if __name__ == "__main__":
    main()

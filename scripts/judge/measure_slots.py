"""Measure the cause and effect slots of the typology on the causal yes/no questions of MS MARCO.

The rules were written while reading the development half of train.json (chosen with a fixed seed) and, once, a count of the
sentence forms in a random half of all of it; so its other half is nearly, and valid.json wholly, unseen by those who wrote
them. A slot is exact where it has the gold phrase's words, but for leading determiners, and overlaps where it shares a word
with it. Beside it stand two baselines that know no rules, and Wilson's 95 % intervals.

    python scripts/judge/measure_slots.py ../shared/data/msmarco_causal/valid.json --half both
    python scripts/judge/measure_slots.py ../shared/data/msmarco_causal/train.json
    python scripts/judge/measure_slots.py ../shared/data/msmarco_causal/train.json --half development --misses 30
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kgqa.evaluation.metrics.score_intervals import wilson
from kgqa.question import Semantic
from kgqa.questions.classifier import classify

SEED = 20
_DETERMINERS = frozenset("a an the any some all my your our their his her its these this that".split())

Slots = tuple[str | None, str | None]


def main() -> None:
    """Print the shares of exact and overlapping slots."""
    options = argparse.ArgumentParser(description="measure the slots of causal yes/no questions")
    options.add_argument("file", type=Path, help="msmarco_causal/train.json or valid.json")
    options.add_argument("--half", choices=["development", "report", "both"], default="report")
    options.add_argument("--misses", type=int, default=0, help="print so many questions whose slots are not exact")
    arguments = options.parse_args()
    rows = halved(json.loads(arguments.file.read_text(encoding="utf-8")), arguments.half)
    print(f"{len(rows)} questions, half: {arguments.half}, seed {SEED}\n")
    print("| system | cause exact | cause overlaps | effect exact | effect overlaps | both exact | both overlap |")
    print("|---|---|---|---|---|---|---|")
    for name, system in (("rules", by_rules), ("split at cause or affect", by_verb), ("split in the middle", by_middle)):
        print(f"| {name} | {' | '.join(shares(rows, system))} |")
    types = [classify(row["question"]) for row in rows]
    verification = sum(kind.semantic is Semantic.VERIFICATION for kind in types)
    print(f"\ncalled verification: {share(verification, len(rows))}")
    print(f"called causal: {share(sum(kind.semantic is not None for kind in types), len(rows))}")
    narrowed = [
        kind.slots for kind in types if kind.slots.population or kind.slots.place or kind.slots.time or kind.slots.options
    ]
    print(f"narrowed by population, place, time or options: {share(len(narrowed), len(rows))}")
    times = sorted(seconds(row["question"]) for row in rows)
    median, most = (1000 * times[int(part * len(times))] for part in (0.5, 0.99))
    print(f"{median:.2f} ms of processor time a question in the median, {most:.2f} ms at most in 99 of 100")
    for row in [row for row in rows if not all(exact(*pair) for pair in pairs(row, by_rules))][: arguments.misses]:
        print(f"- {row['question']} | gold {gold(row)} | got {by_rules(row['question'])} {classify(row['question']).rules}")


def seconds(question: str) -> float:
    """Return how long a question takes."""
    start = time.process_time()
    classify(question)
    return time.process_time() - start


def halved(rows: list[dict[str, Any]], half: str) -> list[dict[str, Any]]:
    """Return the half of `rows` that is asked for, or all of them."""
    shuffled = list(rows)
    random.Random(SEED).shuffle(shuffled)
    middle = len(shuffled) // 2
    return {"development": shuffled[:middle], "report": shuffled[middle:], "both": shuffled}[half]


def by_rules(question: str) -> Slots:
    """Return what the typology finds."""
    slots = classify(question).slots
    return slots.cause, slots.effect


def by_verb(question: str) -> Slots:
    """Return the words before and after the first "cause" or "affect", without the first word."""
    words = question.lower().split()
    place = next((place for place, word in enumerate(words) if re.match("cause|affect", word)), len(words))
    return " ".join(words[1:place]), " ".join(words[place + 1 :])


def by_middle(question: str) -> Slots:
    """Return the two halves of the words after the first, without the word in the middle."""
    words = question.lower().split()[1:]
    return " ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 + 1 :])


def gold(row: dict[str, Any]) -> Slots:
    """Return the phrases that the annotators marked as cause and effect."""
    words = [word for word, _, _ in row["question:POS"]]
    (cause_start, cause_end), (effect_start, effect_end) = row["query"]
    return " ".join(words[cause_start : cause_end + 1]), " ".join(words[effect_start : effect_end + 1])


def pairs(row: dict[str, Any], system: Callable[[str], Slots]) -> list[tuple[list[str], list[str]]]:
    """Return the gold words and the found words of the cause and of the effect."""
    return [(content(wanted), content(found)) for wanted, found in zip(gold(row), system(row["question"]), strict=True)]


def content(phrase: str | None) -> list[str]:
    """Return the lower-case words of `phrase` without leading determiners."""
    words = re.findall(r"\w+", (phrase or "").lower())
    while len(words) > 1 and words[0] in _DETERMINERS:
        words = words[1:]
    return words


def exact(wanted: list[str], found: list[str]) -> bool:
    """Say whether the phrase found is the gold phrase."""
    return wanted == found


def overlaps(wanted: list[str], found: list[str]) -> bool:
    """Say whether the phrase found shares a word with the gold phrase."""
    return bool(set(wanted) & set(found))


def shares(rows: list[dict[str, Any]], system: Callable[[str], Slots]) -> list[str]:
    """Return the six cells of a system's row."""
    found = [pairs(row, system) for row in rows]
    counts = [sum(judge(*row[slot]) for row in found) for slot in (0, 1) for judge in (exact, overlaps)]
    both = [sum(all(judge(*pair) for pair in row) for row in found) for judge in (exact, overlaps)]
    return [share(count, len(rows)) for count in [*counts, *both]]


def share(count: int, total: int) -> str:
    """Return a share in percent with Wilson's 95 % interval."""
    low, high = wilson(count, total)
    return f"{100 * count / total:.1f} ({100 * low:.1f} to {100 * high:.1f})"


if __name__ == "__main__":
    main()

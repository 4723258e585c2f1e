"""Measure how the phrases of questions are read as concepts: how many at which step, and how long it takes.

The phrases are the cause and effect slots that the typology finds in the causal yes/no questions of MS MARCO, each once. A
phrase counts at the step of its surest reading. `--sample` draws readings that are not by name, to be judged, the same ones in
every run; `--judgements` counts the verdicts of a file of them by step.

    python scripts/judge/measure_links.py ../shared/data/msmarco_causal/train.json
    python scripts/judge/measure_links.py ../shared/data/msmarco_causal/train.json --sample 200
    python scripts/judge/measure_links.py ../shared/data/msmarco_causal/train.json --judgements docs/judgements/links-200.csv
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from measure_slots import by_rules, halved
from share_text import share

from graph.protocols import GraphView
from graph.stores import open_store
from kgqa.linking.concept_links import ConceptLink
from kgqa.linking.linker import link_pairs, link_phrase

STARTER = Path(__file__).parents[2] / "graph" / "data" / "starter.kgqa"
BY_NAME = frozenset({"exact", "alias", "same words"})
VERDICTS = ("right", "broader", "wrong")


def main() -> None:
    """Print how many phrases are read at each step, or a sample of loose readings, or how many of them are right."""
    options = argparse.ArgumentParser(description="measure the linking of phrases to concepts")
    options.add_argument("file", type=Path, help="msmarco_causal/train.json")
    options.add_argument("-g", "--graph", default=str(STARTER))
    options.add_argument("--half", choices=["development", "report", "both"], default="development")
    options.add_argument("--sample", type=int, default=0)
    options.add_argument("--judgements", type=Path)
    arguments = options.parse_args()
    rows = halved(json.loads(arguments.file.read_text(encoding="utf-8")), arguments.half)
    questions = [by_rules(row["question"]) for row in rows]
    with open_store(arguments.graph) as store:
        if arguments.sample:
            write_sample(phrases_of(questions), store, arguments.sample)
        elif arguments.judgements:
            judged(arguments.judgements, phrases_of(questions), store)
        else:
            counted(phrases_of(questions), store)
            timed(questions, store)


def phrases_of(questions: Iterable[tuple[str | None, str | None]]) -> list[str]:
    """Return the phrases of the slots, each once, in the order of their letters."""
    return sorted({phrase.lower() for slots in questions for phrase in slots if phrase})


def counted(phrases: list[str], view: GraphView) -> None:
    """Print the steps at which phrases are read first."""
    steps = Counter(reading.how if (reading := next(link_phrase(phrase, view), None)) else "none" for phrase in phrases)
    print(f"{len(phrases)} phrases\n\n| step of the surest reading | phrases |\n|---|---|")
    for step, count in steps.most_common():
        print(f"| {step} | {share(count, len(phrases))} |")


def timed(questions: list[tuple[str | None, str | None]], view: GraphView) -> None:
    """Print how long the readings of both phrases of a question take: the surest pair, and all of them."""
    both = [(cause, effect) for cause, effect in questions if cause and effect]
    for name, most in (("the surest pair", 1), ("twenty pairs", 20), ("all pairs", sys.maxsize)):
        spent = []
        for cause, effect in both:
            start = time.perf_counter()
            for number, _ in enumerate(link_pairs(cause, effect, view), 1):
                if number >= most:
                    break
            spent.append(1000 * (time.perf_counter() - start))
        spent.sort()
        print(
            f"\n{name}: {sum(spent) / len(spent):.2f} ms a question, median {spent[len(spent) // 2]:.2f}, worst {spent[-1]:.0f}"
        )


def loose(phrases: list[str], view: GraphView) -> Iterator[ConceptLink]:
    """Iterate over the surest readings that are not by name, and over looser ones of phrases whose name is known."""
    for phrase in phrases:
        found = list(link_phrase(phrase, view))
        yield from [reading for reading in found if reading.how not in BY_NAME]


def write_sample(phrases: list[str], view: GraphView, size: int) -> None:
    """Write so many loose readings as CSV, as evenly over the steps as can be, to be judged."""
    by_step: defaultdict[str, list[ConceptLink]] = defaultdict(list)
    for reading in loose(phrases, view):
        by_step[reading.how].append(reading)
    chance = random.Random(6)
    for drawn in by_step.values():
        chance.shuffle(drawn)
    print({step: len(drawn) for step, drawn in by_step.items()}, file=sys.stderr)
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(["id", "step", "verdict", "phrase", "concepts", "constraint"])
    taken = 0
    for place in range(size):
        for step in sorted(by_step):
            if place < len(by_step[step]) and taken < size:
                reading = by_step[step][place]
                shown = "|".join(reading.concepts[:4])
                lines.writerow([identity(reading), step, "", reading.phrase, shown, reading.constraint])
                taken += 1


def identity(reading: ConceptLink) -> str:
    """Return what a judged reading is known by: no phrase of the questions is kept."""
    told = "\t".join((reading.phrase, reading.how, *reading.concepts[:4]))
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def judged(path: Path, phrases: list[str], view: GraphView) -> None:
    """Print the verdicts by step, and how many of the judged readings the linking still makes."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    print("| step | right | broader, but fair | wrong | judged |\n|---|---|---|---|---|")
    for step in [*sorted({row["step"] for row in rows}), ""]:
        own = [row["verdict"] for row in rows if step in ("", row["step"])]
        print(f"| {step or 'all'} | {' | '.join(share(own.count(verdict), len(own)) for verdict in VERDICTS)} | {len(own)} |")
    made = {identity(reading) for reading in loose(phrases, view)}
    print(f"\nmade again by the linking as it is: {share(sum(row['id'] in made for row in rows), len(rows))}")


if __name__ == "__main__":
    main()

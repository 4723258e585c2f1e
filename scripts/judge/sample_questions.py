"""Draw questions for labelling by the typology, source by source, and compare the labels of two readers.

    python scripts/judge/sample_questions.py draw DATA --seed 6 --out FOLDER
    python scripts/judge/sample_questions.py merge FOLDER/train.jsonl A.csv B.csv [--settled SETTLED.csv] --out LABELS.csv

`draw` takes 640 questions for training and 200 others for a test from `causalqa/questions_sample.jsonl`,
`msmarco_causal/train.json` and `reading/nq_open_1800.jsonl` under DATA. A line has `id`, which names the file and the line in it
("questions_sample:17"), and `question`. No question stands in both parts, nor twice.

A label is a line `id,semantic,pragmatic,attributes` (docs/judgements/questions.md says what may stand there). `merge` prints how
far two readers agree (share and Cohen's kappa, for each field), takes what both say, and, where they differ, what SETTLED.csv
says. What is written names the questions by id only.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from kgqa.evaluation.metrics.rater_statistics import cohen_kappa

SHARES = {
    "eli5": 90,
    "gooaq": 90,
    "msmarco": 90,
    "naturalquestions": 70,
    "paq": 70,
    "squad2": 70,
    "triviaqa": 40,
    "newsqa": 14,
    "hotpotqa": 7,
    "searchqa": 2,
    "msmarco_causal": 117,
    "nq_open": 180,
}
"""How many questions of each source are drawn, for both parts together."""
TEST = 200
FIELDS = ("semantic", "pragmatic", "attributes")


def questions(data: Path) -> Iterator[tuple[str, str, str]]:
    """Yield source, id and text of every question of the three files."""
    with (data / "causalqa/questions_sample.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            row = json.loads(line)
            yield row["dataset"], f"questions_sample:{number}", row["question"]
    for number, row in enumerate(json.loads((data / "msmarco_causal/train.json").read_text("utf-8")), 1):
        yield "msmarco_causal", f"msmarco_causal:{number}", row["question"]
    with (data / "reading/nq_open_1800.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            yield "nq_open", f"nq_open:{number}", json.loads(line)["question"]


def draw(data: Path, seed: int) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Return the questions for training and those for the test, each in a random order."""
    found: dict[str, list[dict[str, str]]] = {source: [] for source in SHARES}
    seen: set[str] = set()
    for source, key, text in questions(data):
        folded = " ".join(text.lower().split()).rstrip(" ?.")
        if folded not in seen:
            seen.add(folded)
            found[source].append({"id": key, "question": " ".join(text.split())})
    chance = random.Random(seed)
    drawn = [row for source, number in SHARES.items() for row in chance.sample(found[source], min(number, len(found[source])))]
    chance.shuffle(drawn)
    return drawn[TEST:], drawn[:TEST]


def labels(path: str) -> dict[str, tuple[str, ...]]:
    """Return the labels of a file by id, a missing last field being empty; ends the program on a line that is none."""
    found: dict[str, tuple[str, ...]] = {}
    with Path(path).open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.reader(lines), 1):
            if row and row[0] != "id":
                if not 3 <= len(row) <= 4:
                    sys.exit(f"{path}, line {number}: {len(row)} fields, where id,semantic,pragmatic,attributes belong")
                found[row[0]] = (row[1].strip(), row[2].strip(), " ".join(sorted((row[3] if len(row) > 3 else "").split())))
    return found


def _kappa(pairs: Sequence[tuple[object, object]]) -> str:
    kappa = cohen_kappa(*zip(*pairs, strict=True))
    return "undefined" if kappa is None else f"{kappa:.3f}"


def merge(sample: str, one: str, other: str, settled: str | None) -> Iterator[tuple[str, ...]]:
    """Yield the labels that hold, and say on stderr how far the readers agree and what is still open."""
    with Path(sample).open(encoding="utf-8") as lines:
        keys = [json.loads(line)["id"] for line in lines]
    first, second = labels(one), labels(other)
    final = labels(settled) if settled else {}
    both = [key for key in keys if key in first and key in second]
    for place, name in enumerate(FIELDS):
        pairs = [(first[key][place], second[key][place]) for key in both]
        agreed = sum(a == b for a, b in pairs)
        print(f"{name}: agree on {agreed} of {len(pairs)}, kappa {_kappa(pairs)}", file=sys.stderr)
    causal = [(first[key][0] not in ("none", "manner"), second[key][0] not in ("none", "manner")) for key in both]
    print(f"causal or not: kappa {_kappa(causal)}", file=sys.stderr)
    for key in keys:
        if key in final:
            yield key, *final[key]
        elif key in both and first[key] == second[key]:
            yield key, *first[key]
        else:
            print(f"open: {key} {first.get(key)} {second.get(key)}", file=sys.stderr)


def main() -> None:
    """Draw, or merge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("data", type=Path)
    drawing.add_argument("--seed", type=int, default=6)
    drawing.add_argument("--out", type=Path, required=True)
    merging = commands.add_parser("merge")
    merging.add_argument("sample")
    merging.add_argument("one")
    merging.add_argument("other")
    merging.add_argument("--settled")
    merging.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    if options.command == "draw":
        options.out.mkdir(parents=True, exist_ok=True)
        for name, rows in zip(("train", "test"), draw(options.data, options.seed), strict=True):
            text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            (options.out / f"{name}.jsonl").write_text(text, encoding="utf-8")
        return
    with options.out.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(("id", *FIELDS))
        writer.writerows(merge(options.sample, options.one, options.other, options.settled))


if __name__ == "__main__":
    main()

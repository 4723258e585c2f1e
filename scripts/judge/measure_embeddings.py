"""Measure reading phrases by embedding: how many of the phrases without another reading get one, and what it costs.

The phrases are the slots that the typology finds in questions, each once, as in measure_links.py; more files of questions may be
given than the causal yes/no questions of MS MARCO. The graph must have been embedded (`kgqa embed`), and the encoder is that of
`kgqa ask --embeddings`. `--sample` prints the readings with a cosine of at least `--least`, to be judged by reading;
`--judgements` counts the verdicts of a file of them by cosine.

    python scripts/judge/measure_embeddings.py ../shared/data/msmarco_causal/train.json
    python scripts/judge/measure_embeddings.py ../shared/data/msmarco_causal/train.json ../shared/data/causalqa/*.jsonl --sample
    python scripts/judge/measure_embeddings.py --judgements docs/judgements/embeddings-96.csv
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from measure_links import STARTER, VERDICTS, identity, phrases_of
from measure_slots import by_rules, halved
from share_text import share

from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.linking import name_embeddings as embedding
from kgqa.linking.linker import link_phrase
from kgqa.linking.name_embeddings import EmbeddingLinker

BANDS = (0.9, 0.85, 0.8, 0.75, 0.7)


def main() -> None:
    """Print the shares and the times, or a sample, or the verdicts on one."""
    options = argparse.ArgumentParser(description="measure the reading of phrases by embedding")
    options.add_argument("files", type=Path, nargs="*", help="msmarco_causal/train.json, or JSON lines with a question")
    options.add_argument("-g", "--graph", default=str(STARTER))
    options.add_argument("--half", choices=["development", "report"], default="report", help="of a JSON file of MS MARCO")
    options.add_argument("--sample", action="store_true")
    options.add_argument("--least", type=float, default=embedding.LEAST_COSINE, help="the least cosine of a reading")
    options.add_argument("--judgements", type=Path)
    arguments = options.parse_args()
    if arguments.judgements:
        judged(arguments.judgements)
        return
    questions = [question for file in arguments.files for question in questions_in(file, arguments.half)]
    phrases = phrases_of(map(by_rules, questions))
    embedding.LEAST_COSINE = arguments.least
    with open_store(arguments.graph) as store:
        if arguments.sample:
            write_sample(phrases, store)
        else:
            counted(phrases, store)


def questions_in(file: Path, half: str) -> Iterator[str]:
    """Iterate over the questions of a file; of one that is divided, over those of the half."""
    text = file.read_text(encoding="utf-8")
    rows = halved(json.loads(text), half) if file.suffix == ".json" else map(json.loads, text.splitlines())
    yield from (row["question"] for row in rows)


def unlinked(phrases: Sequence[str], store: GraphStore) -> list[str]:
    """Return the phrases that have no reading."""
    return [phrase for phrase in phrases if next(link_phrase(phrase, store), None) is None]


def counted(phrases: Sequence[str], store: GraphStore) -> None:
    """Print how many phrases get a reading by embedding, and how long the steps take."""
    start = time.perf_counter()
    rest = unlinked(phrases, store)
    plain = (time.perf_counter() - start) / len(phrases)
    linker, began = EmbeddingLinker(store), time.perf_counter()
    list(linker.nearest("a phrase to load it", store))
    first = time.perf_counter() - began
    began = time.perf_counter()
    found = [reading for phrase in rest for reading in linker.nearest(phrase, store)]
    each = (time.perf_counter() - began) / len(rest)
    print(f"{len(phrases)} phrases; without a reading: {share(len(rest), len(phrases))}")
    print(f"of these read by embedding, cosine at least {embedding.LEAST_COSINE}: {share(len(found), len(rest))}")
    print(f"first use {first * 1000:.0f} ms, then {each * 1000:.1f} ms a phrase; the surest other reading {plain * 1000:.2f} ms")


def write_sample(phrases: Sequence[str], store: GraphStore) -> None:
    """Write the readings by embedding as CSV, nearest first, to be judged."""
    linker = EmbeddingLinker(store)
    found = [reading for phrase in unlinked(phrases, store) for reading in linker.nearest(phrase, store)]
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(["id", "cosine", "verdict", "phrase", "concept", "others"])
    for one in sorted(found, key=lambda one: -one.score):
        cosine = f"{one.score / embedding.EMBEDDING_SCORE:.2f}"
        lines.writerow([identity(one), cosine, "", one.phrase, one.concepts[0], "|".join(one.alternatives)])


def judged(path: Path) -> None:
    """Print the verdicts on the readings whose cosine is at least that of each band, and below the next."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    print("| cosine | right | broader, but fair | wrong | judged |\n|---|---|---|---|---|")
    for least, above in (*zip(BANDS, (1.01, *BANDS), strict=False), (0.0, 1.01)):
        own = [row["verdict"] for row in rows if least <= float(row["cosine"]) < above]
        if own:
            name = "all" if not least else f"{least} and more" if above > 1 else f"{least} to {above}"
            print(f"| {name} | {' | '.join(share(own.count(verdict), len(own)) for verdict in VERDICTS)} | {len(own)} |")


if __name__ == "__main__":
    main()

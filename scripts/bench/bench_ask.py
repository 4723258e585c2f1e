"""How fast questions are answered: from process start, in a running process, and as a batch.

    python scripts/bench/bench_ask.py [start] [inside] [batch] [-n RUNS] [-g GRAPH] [--questions FILE.jsonl] [--workers N]

`start` runs `kgqa ask` and bare Python in turns; medians and the median of the pairwise ratios are printed. `inside` answers
mixed questions in one process after a warm-up. `batch` runs `kgqa ask --batch`. The mixed questions (300 `inside`, 3,000 for
`batch`) are made from claims of the graph by a fixed seed, over all the classes, with some that the graph does not know; or they
are the lines {"question"} of a file.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from graph.model import Edge
from graph.stores import open_store
from kgqa import Pipeline
from kgqa.settings import graph_url

QUESTIONS = (
    "What causes tsunamis?",
    "Does smoking cause lung cancer?",
    "How does deforestation lead to floods?",
    "If smoking were eliminated, what would happen to lung cancer?",
    "What is the capital of France?",
)
FORMS = (
    "What causes {effect}?",
    "Does {cause} cause {effect}?",
    "Does {effect} cause {cause}?",
    "What are the effects of {cause}?",
    "Can {cause} lead to {other}?",
    "How does {cause} lead to {effect}?",
    "Why does {effect} happen?",
    "What prevents {effect}?",
    "{effect} causes",
    "Is {effect} caused by {cause} or {other}?",
    "What is the purpose of {cause}?",
    "If there were no {cause}, would there be {effect}?",
    "what is the main cause of {effect} in adults",
    "What causes {cause} zzyzx?",
    "What is the capital of {cause}?",
)
KGQA = [sys.executable, "-c", "from kgqa.cli import main; main()"]


def main() -> None:
    """Run the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help="start, inside or batch (default: all)")
    parser.add_argument("-n", type=int, default=15, help="runs of each question from process start")
    parser.add_argument("-g", "--graph")
    parser.add_argument("--questions", type=Path, metavar="FILE.jsonl")
    parser.add_argument("--workers", type=int, help="that of kgqa ask --batch")
    given = parser.parse_args()
    parts = given.parts or ["start", "inside", "batch"]
    if "start" in parts:
        from_start(given.n, given.graph)
    if "inside" in parts:
        inside(mixed(given.graph, 300, given.questions), given.graph)
    if "batch" in parts:
        batch(mixed(given.graph, 3_000, given.questions), given.graph, given.workers)


def mixed(graph: str | None, count: int, file: Path | None) -> list[str]:
    """Return questions, those of a file or made from claims of the graph."""
    if file is not None:
        with file.open(encoding="utf-8") as lines:
            return [json.loads(line)["question"] for line in itertools.islice(lines, count)]
    with closing(open_store(graph_url(graph))) as store:
        edges = sorted(store.edges(), key=lambda edge: (-edge.support, str(edge.claim)))
    drawn = random.Random(6)
    return list(itertools.islice(_questions(edges, drawn), count))


def _questions(edges: list[Edge], drawn: random.Random) -> Iterator[str]:
    """Yield questions of every form in turn, half of them about the claims that most sources make."""
    for number, form in enumerate(itertools.cycle(FORMS)):
        one, other = (drawn.choice(edges[:2_000] if number % 2 else edges) for _ in range(2))
        yield form.format(cause=one.cause, effect=one.effect, other=other.effect)


def seconds(command: list[str]) -> float:
    """Return how long a command takes."""
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


def from_start(runs: int, graph: str | None) -> None:
    """Time each question from process start."""
    bare = [sys.executable, "-c", "pass"]
    for question in QUESTIONS:
        command = [*KGQA, "ask", question, *(["-g", graph] if graph else [])]
        pairs = [(seconds(command), seconds(bare)) for _ in range(runs + 1)][1:]
        ours = sorted(one * 1000 for one, _ in pairs)
        ratio = statistics.median(one / other for one, other in pairs)
        print(
            f"{statistics.median(ours):6.0f} ms median, {ours[0]:.0f} to {ours[-1]:.0f}, {ratio:.1f} x python -c pass: {question}"
        )


def inside(questions: list[str], graph: str | None) -> None:
    """Time questions in a running process, after some others have warmed it up."""
    with closing(open_store(graph_url(graph))) as store:
        pipeline = Pipeline(store)
        for question in QUESTIONS:
            pipeline.answer(question)
        times = []
        for question in questions:
            began = time.perf_counter()
            pipeline.answer(question)
            times.append(((time.perf_counter() - began) * 1000, question))
    times.sort()
    tail = times[int(len(times) * 0.95)][0]
    median = statistics.median(one for one, _ in times)
    print(
        f"{median:6.2f} ms median, {tail:.1f} ms at 95 %, {times[-1][0]:.0f} ms at most ({times[-1][1]}), {len(times)} questions"
    )


def batch(questions: list[str], graph: str | None, workers: int | None) -> None:
    """Time a batch from process start."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "questions.jsonl"
        file.write_text("".join(json.dumps({"id": number, "question": one}) + "\n" for number, one in enumerate(questions)))
        command = [*KGQA, "ask", "--batch", str(file), *(["-g", graph] if graph else [])]
        took = seconds([*command, *(["--workers", str(workers)] if workers else [])])
    print(
        f"{len(questions) / took:6.0f} questions/s in a batch of {len(questions):,}, {took:.1f} s with the start of the process"
    )


if __name__ == "__main__":
    main()

"""Wall time of `kgqa ask` from process start, against the start of Python itself.

    python scripts/bench_ask.py [-n RUNS] [-g GRAPH]

The two are run in turns; medians and the median of the pairwise ratios are printed.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time

QUESTIONS = (
    "What causes tsunamis?",
    "Does smoking cause lung cancer?",
    "How does deforestation lead to floods?",
    "If smoking were eliminated, what would happen to lung cancer?",
    "What is the capital of France?",
)


def seconds(command: list[str]) -> float:
    """Return how long a command takes."""
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


def main() -> None:
    """Time each question."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=15)
    parser.add_argument("-g", "--graph")
    arguments = parser.parse_args()
    bare = [sys.executable, "-c", "pass"]
    for question in QUESTIONS:
        command = [sys.executable, "-c", "from kgqa.cli import main; main()", "ask", question]
        command += ["-g", arguments.graph] if arguments.graph else []
        pairs = [(seconds(command), seconds(bare)) for _ in range(arguments.n + 1)][1:]
        ours = sorted(one * 1000 for one, _ in pairs)
        ratio = statistics.median(one / other for one, other in pairs)
        print(
            f"{statistics.median(ours):6.0f} ms median, {ours[0]:.0f} to {ours[-1]:.0f}, {ratio:.1f} x python -c pass: {question}"
        )


if __name__ == "__main__":
    main()

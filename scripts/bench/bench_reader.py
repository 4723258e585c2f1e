"""How fast the extractive reader is on one core: from process start, and in passages per second, beside named alternatives.

    python scripts/bench/bench_reader.py [start] [passages] [long] [alternatives] [-n RUNS] [--model FOLDER] [--beside FOLDER ...]

`start` times import and load in fresh processes, and the memory that a process holds at most when it has read. `passages` reads
questions over passages of 100 words, `long` windows of 384 tokens. `alternatives` reads the same windows with other model
folders (`--beside`, for instance the same network in fp32), in turns; ratios are medians of the turns. The passages are drawn
by a fixed seed from some English words, or are those of `--rows FILE.jsonl` (lines with "question" and "passage"). Times are
seconds of the processor, on one thread, so that they tell the same on a busy machine; those of the clock stand beside them
where they are told.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from kgqa.readers.extractive.span_network import SpanNetwork, TextWindow, read_reader_folder, reader_folder

WORDS = (
    "the of river city in was and a by built year war king people from under water first after company north century line "
    "because station government between large number school university island however population moved later caused heavy rain"
).split()
NAMES = "Arthur Danube Lisbon Mercer Queensland Hudson Novak Ardennes Kyoto Bergen".split()
QUESTION = "If the station had not been built in 1912, which city would the line from Lisbon have led to?"
ONCE = """
import time
def now(): return time.process_time(), time.perf_counter()
begun = now()
import numpy, onnxruntime, tokenizers
imported = now()
from pathlib import Path
from kgqa.readers.extractive.span_network import load_network
from kgqa.readers.extractive.extractive_reader import ExtractiveReader
from kgqa.readers.reader import Passage
import sys, resource
load_network(Path(sys.argv[1]))
loaded = now()
ExtractiveReader(Path(sys.argv[1])).read(sys.argv[2], [Passage(text) for text in sys.argv[3:]])
times = begun, imported, loaded, now()
print(*(later[way] - earlier[way] for way in (0, 1) for earlier, later in zip(times, times[1:])))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def main() -> None:
    """Run the parts that were asked for."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("parts", nargs="*", metavar="PART", help="start, passages, long or alternatives (default: all)")
    options.add_argument("-n", type=int, default=5, help="turns of each measurement")
    options.add_argument("--model", type=Path, default=None, help="the model folder (default: that of KGQA_READER, or shipped)")
    options.add_argument("--beside", type=Path, nargs="*", default=[], help="other model folders to compare with")
    options.add_argument("--rows", type=Path, help="JSON lines with a question and a passage")
    given = options.parse_args()
    folder = reader_folder(str(given.model) if given.model else None)
    parts = given.parts or ["start", "passages", "long", "alternatives"]
    if "start" in parts:
        start(folder, given.n)
    network = SpanNetwork(read_reader_folder(folder))
    short, long = windows_of(network, given.rows, 100, 40), windows_of(network, None, 2000, 12)
    if "passages" in parts:
        told("passages of 100 words", short, [seconds(network, short) for _ in range(given.n)])
    if "long" in parts:
        told(f"windows of {network.weights.window} tokens", long, [seconds(network, long) for _ in range(given.n)])
    if "alternatives" in parts:
        others = {str(one): SpanNetwork(read_reader_folder(one)) for one in given.beside}
        alternatives(network, others, {"passages of 100 words": short, "long windows": long}, given.n)


def windows_of(network: SpanNetwork, rows: Path | None, words: int, count: int) -> list[TextWindow]:
    """Return so many windows over passages of about so many words, drawn by a fixed seed or taken from a file."""
    if rows is not None:
        with rows.open(encoding="utf-8") as lines:
            asked = [(one["question"], one["passage"]) for one in map(json.loads, lines)]
        asked = random.Random(7).sample([(question, " ".join(text.split()[:words])) for question, text in asked], count)
    else:
        asked = [(QUESTION, text) for text in texts(words, count)]
    found = [window for question, text in asked for window in network.windows(0, 0, question, text)]
    return [one for one in found if len(one.ids) == network.weights.window][:count] if words > 1000 else found


def texts(words: int, count: int) -> list[str]:
    """Return so many texts of so many words, drawn by a fixed seed."""
    chance = random.Random(7)
    ones = (*WORDS, *WORDS, *NAMES, *(str(year) for year in range(1900, 1910)))
    return [" ".join(chance.choice(ones) + ("." if place % 15 == 14 else "") for place in range(words)) for _ in range(count)]


def seconds(network: SpanNetwork, windows: Sequence[TextWindow]) -> float:
    """Return how long the network takes for windows; nothing is remembered."""
    began = time.process_time()
    for window in windows:
        network.compute_logits(window)
    return time.process_time() - began


def told(title: str, windows: Sequence[TextWindow], times: Sequence[float]) -> None:
    """Print how many windows are read in a second."""
    rates = sorted(len(windows) / one for one in times)
    size = statistics.mean(len(one.ids) for one in windows)
    print(f"{statistics.median(rates):6.1f} a second, {rates[0]:.1f} to {rates[-1]:.1f}: {title} ({size:.0f} tokens on average)")


def alternatives(network: SpanNetwork, others: dict[str, SpanNetwork], read: dict[str, list[TextWindow]], turns: int) -> None:
    """Print how much longer other networks take for the same windows, in the same run, turn by turn."""
    for title, windows in read.items():
        times: dict[str, list[float]] = {name: [] for name in others}
        for _ in range(turns + 1):
            first = seconds(network, windows)
            for name, other in others.items():
                times[name].append(seconds(other, windows) / first)
        for name, ratios in times.items():
            low, *_, high = sorted(ratios[1:])
            print(f"{statistics.median(ratios[1:]):5.2f} x the time, {low:.2f} to {high:.2f}: {title}, {name}")


def start(folder: Path, turns: int) -> None:
    """Print how long import, load and a first answer take in fresh processes, and the memory that they need."""
    command = [sys.executable, "-c", ONCE, str(folder), QUESTION, *texts(100, 20)]
    found = []
    for _ in range(turns + 1):
        ended = subprocess.run(command, check=True, capture_output=True, text=True)
        found.append([float(one) for one in ended.stdout.split()])
    *times, memory = (statistics.median(column) for column in zip(*found[1:], strict=True))
    for name, (imported, loaded, read) in (("the processor", times[:3]), ("the clock", times[3:])):
        both = f"{imported:.3f} s import and {loaded:.3f} s load, together {imported + loaded:.3f} s"
        print(f"by {name}: {both}; {read:.3f} s to read 20 passages of 100 words")
    print(f"{memory:.0f} MB at most")


if __name__ == "__main__":
    main()

"""`kgqa serve` under clients, slow ones among them: answers by status, latencies, and memory over time.

    python scripts/bench/bench_serve.py --clients 100 --slow 20 --seconds 300
    python scripts/bench/bench_serve.py --clients 4 --seconds 30

Starts a server of this checkout on the starter graph; `--rate` is its limit of requests a client. Each client asks `/api/v1/ask`
over one connection, one question of docs/judgements/lay-questions.tsv after the other; a slow one opens a connection and sends a
byte a second. Printed are a table of the statuses, the median and the 95th percentile of the latencies, and the proportional set
size of all processes of the server every tenth of the time. The exit code is 1 where a client got anything but 200 and 429.
"""

from __future__ import annotations

import argparse
import csv
import http.client
import os
import random
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, urlsplit

ROOT = Path(__file__).parents[2]
QUESTIONS = ROOT / "docs" / "judgements" / "lay-questions.tsv"


class Load:
    """What clients do to a server until `until`, and what they saw."""

    def __init__(self, address: str, seconds: float) -> None:
        self.place = urlsplit(address)
        self.until = time.monotonic() + seconds
        with QUESTIONS.open(encoding="utf-8") as lines:
            self.questions = [row["question"] for row in csv.DictReader(lines, delimiter="\t")]
        self.statuses: Counter[str] = Counter()
        self.latencies: list[float] = []

    def ask(self, seed: int) -> None:
        """Ask one question after the other."""
        chance = random.Random(seed)
        connection = http.client.HTTPConnection(self.place.hostname or "", self.place.port or 0, timeout=120)
        while time.monotonic() < self.until:
            began = time.perf_counter()
            try:
                connection.request("GET", f"/api/v1/ask?q={quote(chance.choice(self.questions))}")
                response = connection.getresponse()
                response.read()
                self.statuses[str(response.status)] += 1
                if response.status == 200:
                    self.latencies.append(time.perf_counter() - began)
                elif response.status == 429:
                    time.sleep(1)
            except (OSError, http.client.HTTPException) as error:
                self.statuses[type(error).__name__] += 1
                connection.close()

    def dawdle(self) -> None:
        """Open a connection and send a byte a second; the server may close it at any time."""
        request = b"GET /api/v1/ask?q=What+causes+tsunamis%3F HTTP/1.1\r\nHost: x\r\n"
        while time.monotonic() < self.until:
            with suppress(OSError), socket.create_connection((self.place.hostname, self.place.port), timeout=120) as connection:
                for byte in request * 100:
                    if time.monotonic() > self.until:
                        return
                    connection.send(bytes([byte]))
                    time.sleep(1)


def memory(process: int) -> float:
    """Return the proportional set size of a process and its descendants, in MB (Linux)."""
    total = 0
    for entry in Path(f"/proc/{process}/task").iterdir():
        for child in (entry / "children").read_text().split():
            total += int(memory(int(child)) * 1e6)
    with suppress(OSError):
        line = next(line for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines() if line.startswith("Pss:"))
        total += int(line.split()[1]) * 1024
    return total / 1e6


def main() -> None:
    """Read the arguments, and load a server."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--slow", type=int, default=0, help="how many connections send a byte a second")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--rate", type=int, default=0, help="requests a second of one client that are answered (default: any)")
    given = parser.parse_args()
    command = [sys.executable, "-m", "kgqa", "serve", "--port", "0", "--rate", str(given.rate)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        load = Load(server.stdout.readline().strip(), given.seconds)
        threads = [threading.Thread(target=load.ask, args=(seed,)) for seed in range(given.clients)]
        threads += [threading.Thread(target=load.dawdle) for _ in range(given.slow)]
        for thread in threads:
            thread.start()
        sizes = []
        for _ in range(10):
            time.sleep(given.seconds / 10)
            sizes.append(memory(server.pid))
        for thread in threads:
            thread.join()
        server.terminate()
        ended = server.wait(60)
    print("| status | answers |\n|---|---|")
    for status, count in load.statuses.most_common():
        print(f"| {status} | {count:,} |")
    ordered = sorted(load.latencies)
    median, last = statistics.median(ordered), ordered[int(0.95 * len(ordered))]
    print(f"\n{len(ordered) / given.seconds:.0f} a second; median {median * 1000:.0f} ms, 95th percentile {last * 1000:.0f} ms")
    print(f"memory in MB, each tenth of the time: {', '.join(f'{size:.0f}' for size in sizes)}; ended with exit code {ended}")
    sys.exit(bool(set(load.statuses) - {"200", "429"}))


if __name__ == "__main__":
    main()

"""Makes the index of a graph over and over until it is killed, for each of the seconds that are given, and tells what was left.

    python index_builder.py GRAPH renew .01 .02 ...     makes the index anew, and is killed
    python index_builder.py GRAPH write .01 .02 ...     adds a claim and closes the store, and is killed

Prints a line for each kill: whether an index was left that can be used, and how many generations there are.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import closing
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from indexed import assert_arrows, true_arrows

from graph.model import Claim, Evidence, Source, Statement
from graph.stores.sqlite.embedded_store import EmbeddedStore
from graph.stores.sqlite.index import lifecycle as keeping
from graph.stores.sqlite.index.mapped_topology import MappedTopology

keeping.FEWEST = 1


def renew(graph: str) -> None:
    """Make the index anew for ever."""
    with closing(EmbeddedStore.to_read(graph)) as store:
        while True:
            store.repair()


def write(graph: str) -> None:
    """Add a claim and close the store for ever."""
    for number in count():
        with closing(EmbeddedStore.to_write(graph)) as store:
            claim = Claim(f"cause {os.getpid()}", f"effect {number}")
            store.add([Statement(claim, Evidence(Source("wikipedia", page_id=str(number))))])


def main(graph: str, how: str, *seconds: str) -> None:
    """Kill a process that makes indexes after each of so many seconds, and look at what it left."""
    for delay in map(float, seconds):
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            {"renew": renew, "write": write}[how](graph)
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        # Who only looks makes no index.
        keeping.AT_ONCE = 0
        with closing(EmbeddedStore.to_read(graph)) as store:
            topology = store.topology()
            assert_arrows(topology, true_arrows(store))
            assert [problem for problem in store.check() if "current" not in problem] == []
        left = len(list(Path(f"{graph}-index").glob("generation-*")))
        print(isinstance(topology, MappedTopology), left, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

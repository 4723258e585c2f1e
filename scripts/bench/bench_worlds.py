"""What another world costs: path searches, what falls, and probabilities under do(X = absent), and that they are right.

    python scripts/bench/bench_worlds.py [-n PAIRS] [--seed N] [-g GRAPH]

Pairs of concepts that a chain of at most four steps joins are drawn by a seed; a middle concept of the best is set absent. The
same search is made over `NamedTopology`, which asks the overlay for every row by name, and the results are compared. Times are
processor time, so that what else the machine does counts little.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from contextlib import closing

from graph.algorithms.paths import best_paths
from graph.intervene import Intervention, Overlay, Presence
from graph.intervene.effect_probability import effect_probabilities
from graph.model import Path
from graph.protocols import GraphStore, Topology
from graph.stores import open_store
from graph.topology import DRIVING_LINKS, NamedTopology
from kgqa.settings import graph_url


class ByName(Overlay):
    """An overlay that is walked by name."""

    def topology(self) -> Topology:
        """Return the arrows as the edges by name have them."""
        return NamedTopology(self)


def milliseconds(done: Callable[[], object]) -> float:
    """Return how much processor time something takes."""
    began = time.process_time()
    done()
    return (time.process_time() - began) * 1000


def chains(store: GraphStore, number: int, seed: int) -> list[Path]:
    """Return the best chains with a middle between pairs of concepts that are drawn among all claims."""
    draws = random.Random(seed)
    edges = [edge.claim for edge in store.edges() if DRIVING_LINKS.allow(edge)]
    found: list[Path] = []
    while len(found) < number:
        source, target = draws.choice(edges).cause, draws.choice(edges).effect
        paths = best_paths(store, [source], [target], 4, 1, DRIVING_LINKS) if source != target else []
        if paths and len(paths[0].edges) > 1:
            found.append(paths[0])
    return found


def main() -> None:
    """Time each of the drawn interventions and print medians and extremes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-g", "--graph")
    arguments = parser.parse_args()
    times: dict[str, list[float]] = {}
    fell: list[int] = []
    equal = 0
    with closing(open_store(graph_url(arguments.graph))) as store:
        for path in chains(store, arguments.n, arguments.seed):
            source, middle, target = path.concepts[0], path.concepts[len(path.concepts) // 2], path.concepts[-1]
            edits = [Intervention(middle, Presence.ABSENT)]
            found: list[object] = []

            def search(view: GraphStore | Overlay, found: list[object] = found, ends: Path = path) -> None:
                paths = best_paths(view, ends.concepts[:1], ends.concepts[-1:], 4, 5, DRIVING_LINKS)
                found.append([one.concepts for one in paths])

            world = Overlay(store, edits)
            for name, done in (
                ("five best paths, graph as it is", lambda: search(store)),
                ("what falls", lambda world=world: world.gone),
                ("five best paths, new overlay", lambda edits=edits: search(Overlay(store, edits))),
                ("five best paths, overlay by name", lambda edits=edits: search(ByName(store, edits))),
                ("probability in both worlds", lambda w=world, s=source, t=target: effect_probabilities(store, w, [t], [s])),
                ("probability, all being given", lambda w=world, t=target: effect_probabilities(store, w, [t])),
            ):
                times.setdefault(name, []).append(milliseconds(done))
            equal += found[1] == found[2]
            fell.append(len(world.gone) - 1)
    for name, taken in times.items():
        ordered = sorted(taken)
        print(f"{name:34} {statistics.median(ordered):8.2f} ms median {ordered[-1]:9.1f} ms most")
    print(f"{equal} of {arguments.n} searches equal; concepts that fall: {statistics.median(fell):g} median, {max(fell)} most")


if __name__ == "__main__":
    main()

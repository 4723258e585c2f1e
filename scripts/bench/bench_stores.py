"""Sizes and speeds of the embedded store beside networkx, SQLite alone and Neo4j, on made-up graphs of CauseNet's sizes.

    python scripts/bench/bench_stores.py --size precision
    python scripts/bench/bench_stores.py --size full --queries 30 --without networkx --folder /big/disk
    python scripts/bench/bench_stores.py --size 20000 --neo4j bolt://localhost:7687

The graph comes from `scripts/bench/synthetic_graph.py` (the same seed, the same graph), is loaded by `kgqa load` in a
process of its
own, and is asked in this one: five best paths of three edges at most between hubs (the 50 concepts that cause most, as causes,
and the 50 with most causes, as effects), what comes within three steps of any concept, and the necessary causes between a hub and
any concept that it leads to. All ways answer the same queries, drawn with a seed, in turns; every answer is compared with brute
force over the tables, which shares no code with the algorithms, and a wrong one ends the run. Medians and 99th percentiles are
printed as a Markdown table with the ratio to ours, in the same run.

`networkx` is timed with its own functions (`all_simple_paths`, `single_source_shortest_path_length`, `immediate_dominators`); "by
hand" is the search over its dictionaries that serves as brute force. "SQLite alone" is our algorithm over rows that SQL fetches,
and a recursive query for what is within reach.
"""

from __future__ import annotations

import argparse
import itertools
import pickle
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from graph.algorithms.cuts import necessary_causes
from graph.algorithms.paths import best_paths
from graph.algorithms.reachability import reachable_concepts
from graph.algorithms.transitivity import DEFAULT_TRANSITIVITY
from graph.model import Edge
from graph.protocols import GraphView, Topology
from graph.stores import open_store
from graph.topology import NamedTopology

SIZES = ("precision", "full")
CONCEPTS_PER_EDGE = 0.4
HUBS = 50
STEPS = 3
LIMIT = 5
STARTS = 15
FEW, PATIENCE_MS = 5, 20_000
"""A way that has taken so many milliseconds for some queries is not asked the rest after the first few."""
DIGITS = 12

Query = tuple[str, ...]
Answer = object
Way = Callable[[Query], Answer]

OPENED = """
import sys
from graph.stores import open_store
store = open_store(sys.argv[1])
{ask}
print(answer, flush=True)
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmRSS")))
"""
INDEXED = (
    "topology = store.topology(); row = topology.outgoing(topology.number(sys.argv[2])); answer = topology.name(row.ends[0])"
)
TABLES = "answer = store.effects(sys.argv[2])[0].effect"
NETWORKX = """
import pickle, sys
graph = pickle.load(open(sys.argv[1], "rb"))
print(max(graph[sys.argv[2]].items(), key=lambda item: (item[1]["edge"].belief, item[1]["edge"].support, item[0]))[0], flush=True)
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmRSS")))
"""


@dataclass(frozen=True, slots=True)
class Tables:
    """A store that walks without its index: each row of arrows is fetched by SQL."""

    store: GraphView

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def topology(self) -> Topology:
        """Return the arrows as the tables have them, nothing remembered from the query before."""
        return NamedTopology(self.store)


class Adjacency:
    """The edges of a store by their ends, out of the tables: all of them at once, or by and by where they are too many."""

    def __init__(self, store: GraphView, edges: Iterator[Edge] | None) -> None:
        self._store = store
        self._out: dict[str, dict[str, Edge]] = {}
        self._in: dict[str, dict[str, Edge]] = {}
        self.whole = edges is not None
        for edge in edges or ():
            self._out.setdefault(edge.cause, {})[edge.effect] = edge
            self._in.setdefault(edge.effect, {})[edge.cause] = edge

    def out(self, name: str) -> Mapping[str, Edge]:
        """Return the edges out of a concept by their effects."""
        if name not in self._out and not self.whole:
            self._out[name] = {edge.effect: edge for edge in self._store.effects(name)}
        return self._out.get(name, {})

    def into(self, name: str) -> Mapping[str, Edge]:
        """Return the edges into a concept by their causes."""
        if name not in self._in and not self.whole:
            self._in[name] = {edge.cause: edge for edge in self._store.causes(name)}
        return self._in.get(name, {})

    def degree(self, name: str) -> int:
        """Return how many claims are about a concept."""
        return len(self.out(name)) + len(self.into(name))

    def paths(self, query: Query) -> Answer:
        """Return the best paths, by scoring every one."""
        start, end = query
        last = self.into(end)
        chains: list[list[Edge]] = [[last[start]]] if start in last else []
        for first in self.out(start).values():
            if first.effect in (start, end):
                continue
            if first.effect in last:
                chains.append([first, last[first.effect]])
            chains.extend(
                [first, second, last[second.effect]]
                for second in self.out(first.effect).values()
                if second.effect in last and second.effect not in (start, end, first.effect)
            )
        scored = [(-round(self._score(chain), DIGITS), tuple(edge.effect for edge in chain)) for chain in chains]
        return [(concepts, -score) for score, concepts in sorted(scored)[:LIMIT] if score]

    def _score(self, chain: Sequence[Edge]) -> float:
        score = chain[0].belief
        for before, after in itertools.pairwise(chain):
            score *= DEFAULT_TRANSITIVITY.through(self.degree(after.cause), before.sense, after.sense) * after.belief
        return score

    def within(self, query: Query) -> Answer:
        """Return what is within reach, with how many steps it is away."""
        (start,) = query
        found, frontier = {start: 0}, [start]
        for step in range(1, STEPS + 1):
            reached = dict.fromkeys(itertools.chain.from_iterable(self._believed(name) for name in frontier))
            frontier = [name for name in reached if name not in found]
            found.update(dict.fromkeys(frontier, step))
        del found[start]
        return found

    def _believed(self, name: str) -> Iterator[str]:
        return (edge.effect for edge in self.out(name).values() if edge.belief > 0)

    def necessary(self, query: Query) -> Answer:
        """Return the concepts without which there is no way, by taking each on one way away in turn."""
        start, end = query
        way = self._way(start, end, None)
        return [name for name in way[1:-1] if not self._way(start, end, name)]

    def _way(self, start: str, end: str, without: str | None) -> list[str]:
        came: dict[str, str] = {start: ""}
        frontier = [start]
        while frontier and end not in came:
            ahead = []
            for name in frontier:
                for effect in self._believed(name):
                    if effect != without and effect not in came:
                        came[effect] = name
                        ahead.append(effect)
            frontier = ahead
        way = [end] if end in came else []
        while way and way[-1] != start:
            way.append(came[way[-1]])
        return way[::-1]


def ours(view: GraphView) -> tuple[Way, Way, Way]:
    """Return the three operations over a view, with answers that can be compared."""

    def paths(query: Query) -> Answer:
        start, end = query
        found = best_paths(view, [start], [end], STEPS, LIMIT)
        return [(path.concepts[1:], round(path.score, DIGITS)) for path in found]

    def within(query: Query) -> Answer:
        return reachable_concepts(view, query[0], STEPS)

    def necessary(query: Query) -> Answer:
        start, end = query
        return necessary_causes(view, [start], [end])

    return paths, within, necessary


def networkx_ways(graph: Any, adjacency: Adjacency) -> tuple[Way, Way, Way]:
    """Return the three operations by the functions of networkx."""
    import networkx

    def paths(query: Query) -> Answer:
        start, end = query
        chains = []
        for names in networkx.all_simple_paths(graph, start, end, cutoff=STEPS):
            chain = [graph[cause][effect]["edge"] for cause, effect in itertools.pairwise(names)]
            chains.append((-round(adjacency._score(chain), DIGITS), tuple(names[1:])))
        return [(concepts, -score) for score, concepts in sorted(chains)[:LIMIT] if score]

    def within(query: Query) -> Answer:
        found = dict(networkx.single_source_shortest_path_length(graph, query[0], cutoff=STEPS))
        del found[query[0]]
        return found

    def necessary(query: Query) -> Answer:
        start, end = query
        above = networkx.immediate_dominators(graph, start)
        way = []
        while end in above and above[end] not in (None, start, end):
            end = above[end]
            way.append(end)
        return way[::-1]

    return paths, within, necessary


def recursive(path: Path) -> Way:
    """Return what is within reach by one recursive query. All claims of the made-up graphs are believed."""
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    query = """
        WITH RECURSIVE found (id, step) AS (
            SELECT id, 0 FROM concept WHERE name = ?
            UNION
            SELECT claim.effect, step + 1 FROM found JOIN claim ON claim.cause = found.id WHERE step < ?
        )
        SELECT name, min(step) FROM found JOIN concept USING (id) GROUP BY id HAVING min(step) > 0
    """
    return lambda asked: dict(connection.execute(query, (asked[0], STEPS)))


def timed(ways: Mapping[str, Way], queries: Sequence[Query], true: Way) -> dict[str, list[float]]:
    """Return the milliseconds that each way takes for each query, in turns; end the run where an answer is wrong.

    A way that takes very long answers the first of the queries only.
    """
    times: dict[str, list[float]] = {name: [] for name in ways}
    for place, query in enumerate(queries):
        expected = true(query)
        for name, way in ways.items():
            if place >= FEW and sum(times[name]) > PATIENCE_MS:
                continue
            began = time.perf_counter()
            answer = way(query)
            times[name].append((time.perf_counter() - began) * 1000)
            if answer != expected:
                raise SystemExit(f"{name} answers {query} with {answer!r}, and not with {expected!r}")
    return times


def started(script: str, *arguments: str | Path) -> tuple[float, float]:
    """Return the median milliseconds from the start of a process to its first line, and the megabytes it then holds."""
    times, held = [], []
    for _ in range(STARTS + 1):
        began = time.perf_counter()
        with subprocess.Popen([sys.executable, "-c", script, *map(str, arguments)], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            process.stdout.readline()
            times.append((time.perf_counter() - began) * 1000)
            held.append(int(process.stdout.readline() or 0) / 1024)
    return statistics.median(times[1:]), statistics.median(held[1:])


@dataclass(frozen=True, slots=True)
class Loading:
    """How a load went: seconds, the most memory of its processes together in MB, the most disk meanwhile and what it left."""

    seconds: float
    memory: float
    peak: float
    disk: float


def loaded(source: Path, graph: Path) -> Loading:
    """Load a file in a process of its own."""
    command = [str(Path(sys.executable).with_name("kgqa")), "load", "jsonl", str(source), "-g", str(graph)]
    began, memory, peak = time.perf_counter(), 0.0, 0.0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as process:
        while process.poll() is None:
            memory, peak = max(memory, held_by(process.pid)), max(peak, size_of(graph))
            time.sleep(0.1)
        if process.returncode:
            raise SystemExit(process.returncode)
    return Loading(time.perf_counter() - began, memory, peak, size_of(graph))


def held_by(session: int) -> float:
    """Return the megabytes that the processes of a session hold."""
    total = 0
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if int((folder / "stat").read_text().rpartition(")")[2].split()[3]) == session:
                    status = (folder / "status").read_text()
                    total += int(status.partition("VmRSS:")[2].split()[0]) if "VmRSS:" in status else 0
            except (OSError, IndexError, ValueError):
                continue  # it has ended
    return total / 1024


def size_of(graph: Path) -> float:
    """Return the megabytes of a graph and of all that lies beside it."""
    total = 0
    for file in [*graph.parent.glob(f"{graph.name}*"), *graph.parent.glob(f"{graph.name}-index/**/*")]:
        try:
            total += file.stat().st_size if file.is_file() else 0
        except OSError:
            continue  # it is gone
    return total / 1e6


def queries_of(path: Path, count: int, seed: int, adjacency: Adjacency) -> tuple[list[Query], list[Query], list[Query]]:
    """Return pairs of hubs, concepts, and pairs of a hub and a concept that it leads to."""
    chance = random.Random(seed)
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:

        def hubs(side: str) -> list[str]:
            greatest = f"SELECT {side} AS id FROM claim GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {HUBS}"
            query = f"SELECT name FROM concept JOIN ({greatest}) USING (id)"
            return [name for (name,) in connection.execute(query)]

        causes, effects = hubs("cause"), hubs("effect")
        (last,) = connection.execute("SELECT max(id) FROM concept").fetchone()
        named = "SELECT name FROM concept WHERE id = ?"
        concepts = [connection.execute(named, (chance.randint(1, last),)).fetchone()[0] for _ in range(count)]
    pairs = [(cause, effect) for cause in causes for effect in effects if cause != effect]
    led: list[Query] = []
    while len(led) < count:
        start = chance.choice(causes)
        end = start
        for _ in range(chance.randint(2, 6)):
            beyond = sorted(adjacency.out(end))
            end = chance.choice(beyond) if beyond else end
        if end != start:
            led.append((start, end))
    return chance.sample(pairs, min(count, len(pairs))), [(name,) for name in concepts], led


def row(name: str, figures: Mapping[str, tuple[float, float | None]], unit: str) -> Iterator[str]:
    """Yield the lines of a table for one measure: each way with its figures and its ratio to the first."""
    first = next(iter(figures.values()))[0]
    for way, (middle, high) in figures.items():
        tail = "" if high is None else f" / {high:.3g}"
        yield f"| {name} | {way} | {middle:.3g}{tail} {unit} | {middle / first:.3g} x |"


def main() -> None:
    """Make a graph, load it, ask it, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="precision", help="precision, full, or a number of edges")
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="where the files are made, and kept; by default they are thrown away")
    parser.add_argument("--without", nargs="*", default=[], choices=["networkx", "sqlite"])
    parser.add_argument("--neo4j", metavar="URL", help="an empty database, which the graph is copied to")
    parser.add_argument("--out", type=Path, help="write the table to a file, too")
    arguments = parser.parse_args()
    with ExitStack() as opened:
        folder = arguments.folder or Path(opened.enter_context(tempfile.TemporaryDirectory()))
        lines = []
        for line in report(arguments, folder, opened):
            print(line, flush=True)
            lines.append(line)
    if arguments.out:
        arguments.out.write_text("\n".join(lines) + "\n")


def report(arguments: argparse.Namespace, folder: Path, opened: ExitStack) -> Iterator[str]:
    """Yield the lines of the table."""
    source, graph = folder / f"{arguments.size}.jsonl", folder / f"{arguments.size}.kgqa"
    if not source.exists():
        made = [
            sys.executable,
            str(Path(__file__).with_name("synthetic_graph.py")),
            "--seed",
            str(arguments.seed),
            "--out",
            str(source),
        ]
        size = [arguments.size]
        if arguments.size not in SIZES:
            size = ["--edges", arguments.size, "--concepts", str(int(int(arguments.size) * CONCEPTS_PER_EDGE))]
        subprocess.run([*made, *size], check=True, stdout=subprocess.DEVNULL)
    yield "| measure | way | median / 99 % | ratio |"
    yield "|---|---|---|---|"
    if not graph.exists():
        load = loaded(source, graph)
        store = opened.enter_context(closing(open_store(str(graph))))
        records = store.stats().evidence
        yield f"| load from JSON lines | kgqa load | {load.seconds:.1f} s, {records / load.seconds:,.0f} records/s | |"
        held = f"{load.memory:,.0f}, {load.peak:,.0f}, {load.disk:,.0f} MB"
        yield f"| most memory, disk meanwhile, disk after | kgqa load | {held} | |"
    store = opened.enter_context(closing(open_store(str(graph))))
    stats = store.stats()
    yield f"| concepts, claims, records | {arguments.size} | {stats.concepts:,}, {stats.claims:,}, {stats.evidence:,} | |"
    whole = arguments.size != "full"
    adjacency = Adjacency(store, store.edges() if whole else None)
    paths, concepts, led = queries_of(graph, arguments.queries, arguments.seed, adjacency)

    views: dict[str, tuple[Way, Way, Way]] = {"kgqa": ours(store)}
    starts = {"kgqa": (OPENED.format(ask=INDEXED), graph)}
    if "networkx" not in arguments.without:
        import networkx

        drawn = networkx.DiGraph()
        drawn.add_edges_from((edge.cause, edge.effect, {"edge": edge}) for edge in store.edges())
        kept = folder / "networkx.pickle"
        kept.write_bytes(pickle.dumps(drawn, pickle.HIGHEST_PROTOCOL))
        starts["networkx"] = NETWORKX, kept
        views["networkx"] = networkx_ways(drawn, adjacency)
    if whole:
        views["networkx, by hand"] = adjacency.paths, adjacency.within, adjacency.necessary
    if "sqlite" not in arguments.without:
        alone = ours(cast(GraphView, Tables(store)))
        views["SQLite alone"] = alone[0], recursive(graph), alone[2]
        starts["SQLite alone"] = OPENED.format(ask=TABLES), graph
    if arguments.neo4j:
        began = time.perf_counter()
        copied = opened.enter_context(closing(open_store(arguments.neo4j, write=True, create=True)))
        added = copied.add(store.statements(), store.aliases())
        seconds = time.perf_counter() - began
        yield f"| copy to Neo4j | MERGE | {seconds:.1f} s, {added.claims / seconds:,.0f} claims/s | |"
        views["Neo4j"] = ours(copied)

    hub = max(paths, key=lambda query: len(store.effects(query[0])))[0]
    begun = {way: started(script, file, hub) for way, (script, file) in starts.items()}
    bare = started("print()")
    yield from row("process start to first answer", {way: (figures[0], None) for way, figures in begun.items()}, "ms")
    yield f"| process start to first answer | python -c pass | {bare[0]:.3g} ms | |"
    yield from row("memory after the first answer", {way: (figures[1], None) for way, figures in begun.items()}, "MB")

    asked = (
        (f"five best paths between hubs, {STEPS} edges", paths, adjacency.paths),
        (f"within {STEPS} steps", concepts, adjacency.within),
        ("necessary causes", led, adjacency.necessary),
    )
    compared = 0
    for place, (name, queries, true) in enumerate(asked):
        times = timed({way: operations[place] for way, operations in views.items()}, queries, true)
        figures = {way: (statistics.median(some), statistics.quantiles(some, n=100)[98]) for way, some in times.items()}
        compared += sum(map(len, times.values()))
        yield from row(name, figures, "ms")
    yield f"| answers compared with brute force | all ways | {compared:,} equal | |"


if __name__ == "__main__":
    main()

"""Commands that read a graph while others write, replace or mend it: readers see one state, writers end or are told why not."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from trials import NotHeld, digest, drawn_claims, end, last_line, load_claims, mannerly, records, run, start, write_claims

QUESTION = "What causes lung cancer?"


def asked(graph: Path) -> list[object]:
    """Return the arguments of a reader."""
    return ["ask", QUESTION, "-g", graph, "--json"]


def prepare(given: Path) -> None:
    """Make a graph, the claims that are added to it, and what both are after that."""
    chance = random.Random(5)
    load_claims(given / "graph.kgqa", drawn_claims(chance, 1500), given / "graph.csv")
    for number in range(2):
        write_claims(given / f"more{number}.csv", drawn_claims(chance, 3000))
    shutil.copy(given / "graph.kgqa", given / "other.kgqa")
    for number in range(2):
        run("load", "csv", given / f"more{number}.csv", "-g", given / "other.kgqa")


def trial(chance: random.Random, given: Path, place: Path) -> str:
    """Start two writers, a mender or a replacement, and readers between them, at once."""
    graph = Path(shutil.copy(given / "graph.kgqa", place / "graph.kgqa"))
    kind = chance.choice(("two writers", "writer and mender", "replaced"))
    writers = []
    if kind == "replaced":
        shutil.copy(given / "other.kgqa", place / "new.kgqa")
    else:
        writers = [start("load", "csv", given / "more0.csv", "-g", graph)]
        second = ("load", "csv", given / "more1.csv", "-g", graph) if kind == "two writers" else ("check", "-g", graph, "--mend")
        writers.append(start(*second))
    readers = [start(*asked(graph)) for _ in range(chance.randint(1, 4))]
    if kind == "replaced":
        (place / "new.kgqa").replace(graph)
    for reader in readers:
        ended = mannerly(end(reader))
        if ended.code == 0:
            records(ended)
    codes = [mannerly(end(writer)).code for writer in writers]
    if kind == "two writers":
        for number, code in enumerate(codes):
            if code and (again := run("load", "csv", given / f"more{number}.csv", "-g", graph)).code:
                raise NotHeld(f"{kind}: run again: {last_line(again.err)}")
        if digest(graph) != digest(given / "other.kgqa"):
            raise NotHeld(f"{kind}: another digest than one after the other")
    digest(graph)
    return f"{kind}: {codes}"

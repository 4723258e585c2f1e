"""Kill a command anywhere in its run: what was stored stays sound, and running it again comes to the end it would have had."""

from __future__ import annotations

import json
import random
import shutil
import signal
import time
from pathlib import Path

from trials import NotHeld, digest, drawn_claims, end, last_line, load_claims, run, start, write_articles, write_claims

SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
COMMANDS: dict[str, tuple[str, ...]] = {
    "load": ("load", "csv", "{given}/more.csv", "-g", "{place}/out.kgqa"),
    "mine": ("mine", "{given}/text.jsonl", "-g", "{place}/out.kgqa", "--judge", "none", "--workers", "1", "--resume"),
    "copy": ("copy", "{given}/graph.kgqa", "{place}/out.kgqa"),
    "check --mend": ("check", "-g", "{place}/out.kgqa", "--mend"),
    "export graphml": ("export", "graphml", "{place}/out.graphml", "-g", "{given}/graph.kgqa"),
    "export rdf": ("export", "rdf", "{place}/out.ttl", "-g", "{given}/graph.kgqa"),
    "index": ("index", "{given}/text.jsonl", "-o", "{place}/out.passages"),
}
"""The commands that write, by name."""


def filled(name: str, given: Path, place: Path) -> list[str]:
    """Return the arguments of a command with its folders; commands that write into a graph find one there."""
    if "{place}/out.kgqa" in COMMANDS[name] and not (place / "out.kgqa").exists():
        shutil.copy(given / "before.kgqa", place / "out.kgqa")
    return [part.format(given=given, place=place) for part in COMMANDS[name]]


def outcome(place: Path) -> dict[str, object]:
    """Return what a command left: the digest of the graph, else the bytes of the files, by name."""
    graph = place / "out.kgqa"
    if graph.exists():
        return {"digest": digest(graph)}
    return {file.name: file.read_bytes().hex()[-4096:] for file in sorted(place.iterdir()) if not file.name.endswith("-lock")}


def whole_run(given: Path, name: str) -> tuple[float, dict[str, object]]:
    """Return how many seconds a command takes that nothing disturbs, and what it leaves."""
    took, whole = json.loads((given / "ends.json").read_text())[name]
    return took, whole


def prepare(given: Path) -> None:
    """Make the inputs, and measure each command: how long it takes and what it leaves."""
    chance = random.Random(1)
    load_claims(given / "graph.kgqa", drawn_claims(chance, 4000), given / "graph.csv")
    load_claims(given / "before.kgqa", drawn_claims(chance, 500), given / "before.csv")
    write_claims(given / "more.csv", drawn_claims(chance, 20_000))
    write_articles(given / "text.jsonl", chance, 300)
    ends: dict[str, tuple[float, dict[str, object]]] = {}
    for name in COMMANDS:
        place = given / "whole"
        place.mkdir()
        arguments = filled(name, given, place)
        began = time.monotonic()
        if (ended := run(*arguments)).code:
            raise NotHeld(f"{name}: {last_line(ended.err)}")
        ends[name] = time.monotonic() - began, outcome(place)
        shutil.rmtree(place)
    (given / "ends.json").write_text(json.dumps(ends))


def trial(chance: random.Random, given: Path, place: Path) -> str:
    """Kill a command once to three times, look at what it left, and run it to its end."""
    name = chance.choice(list(COMMANDS))
    took, whole = whole_run(given, name)
    arguments = filled(name, given, place)
    tried = [name]
    for _ in range(chance.choice((1, 1, 2, 3))):
        sign, after = chance.choice(SIGNALS), chance.uniform(0.1, 1.1) * took
        process = start(*arguments)
        time.sleep(after)
        process.send_signal(sign)
        end(process)
        tried.append(f"{sign.name} after {after:.2f} s")
        if (place / "out.kgqa").exists():
            digest(place / "out.kgqa")
    if (ended := run(*arguments)).code:
        raise NotHeld(f"{', '.join(tried)}: run again: {last_line(ended.err)}")
    if outcome(place) != whole:
        raise NotHeld(f"{', '.join(tried)}: run again, it comes to another end")
    if left := {file.name for file in place.iterdir()} - {
        f"out.{kind}" for kind in ("kgqa", "kgqa-index", "graphml", "ttl", "passages")
    }:
        raise NotHeld(f"{', '.join(tried)}: left behind: {sorted(left)}")
    return ", ".join(tried)

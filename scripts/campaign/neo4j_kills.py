"""Kill a real Neo4j server, or the command that copies to it: both are run again, and the graph comes out as it went in.

It needs Java 17 and Maven, as `scripts/serve/neo4j_server.py` does; each trial has a server of its own.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from trials import ROOT, NotHeld, digest, drawn_claims, end, last_line, load_claims, mannerly, run, start

sys.path.insert(0, str(ROOT / "scripts" / "serve"))

from neo4j_server import Server, fetch


def prepare(given: Path) -> None:
    """Fetch the server and make a graph."""
    fetch()
    load_claims(given / "graph.kgqa", drawn_claims(random.Random(6), 6000), given / "graph.csv")


def trial(chance: random.Random, given: Path, place: Path) -> str:
    """Kill the server or the command while a graph is copied in, then the server while it is asked, and copy it out."""
    server = Server(place / "neo4j", fetch())
    tried = []
    server.start()
    try:
        for _ in range(chance.choice((1, 1, 2))):
            copying = start("copy", given / "graph.kgqa", server.url)
            time.sleep(after := chance.uniform(0.5, 12))
            if chance.random() < 0.6:
                tried.append(f"server killed after {after:.1f} s of copying")
                server.kill()
                mannerly(end(copying, within_s=600))
                server.start()
            else:
                tried.append(f"copy killed after {after:.1f} s")
                copying.kill()
                end(copying)
        if (ended := mannerly(end(start("copy", given / "graph.kgqa", server.url), within_s=600))).code:
            raise NotHeld(f"{', '.join(tried)}: run again: {last_line(ended.err)}")
        asking = start("ask", "What causes lung cancer?", "-g", server.url)
        time.sleep(after := chance.uniform(0, 2))
        server.kill()
        mannerly(end(asking, within_s=600))
        server.start()
        tried.append(f"server killed after {after:.1f} s of asking")
        if (ended := run("copy", server.url, place / "back.kgqa")).code:
            raise NotHeld(f"{', '.join(tried)}: copied back: {last_line(ended.err)}")
    finally:
        server.kill()
    if digest(place / "back.kgqa") != digest(given / "graph.kgqa"):
        raise NotHeld(f"{', '.join(tried)}: another digest")
    return ", ".join(tried)

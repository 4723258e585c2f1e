"""`kgqa stats`: counts and digest of a graph."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict

from graph.stores import open_store
from kgqa.cli.options import Graph, Json
from kgqa.cli.terminal import say, say_json
from kgqa.settings import graph_url


def stats(graph: Graph = None, json: Json = False) -> None:
    """Print counts and digest of a graph; equal digests mean equal content."""
    with closing(open_store(graph_url(graph))) as store:
        found = store.stats()
        if json:
            say_json(asdict(found))
            return
        say(f"{found.url} (store version {found.version})")
        say(f"digest    {found.digest}")
        say(f"concepts  {found.concepts:,}")
        say(f"edges     {found.edges:,} (pairs of cause and effect)")
        say(f"claims    {found.claims:,}")
        say(f"evidence  {found.evidence:,}, {found.sentences:,} with their sentence")
        for heading, counts in (("relations", found.relations), ("sources", found.sources)):
            say(f"{heading} {', '.join(f'{name} {number:,}' for name, number in counts.items()) or 'none'}", "", "          ")

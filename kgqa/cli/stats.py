"""`kgqa stats`: counts and digest of a graph."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict

import click

from graph.stores import open_store
from kgqa.cli.options import asked_graph, in_json
from kgqa.cli.terminal import say, say_json
from kgqa.settings import graph_url

_MARGIN = 10


@click.command(epilog="Example: kgqa stats -g mine.kgqa --json")
@asked_graph
@in_json
def stats(graph: str | None, json: bool) -> None:
    """Print counts and digest of a graph.

    Equal digests mean equal claims and evidence, in whatever order and from whatever files they were loaded.
    """
    with closing(open_store(graph_url(graph))) as store:
        found = store.stats()
    if json:
        say_json(asdict(found))
        return
    relations, sources = (
        ", ".join(f"{name} {number:,}" for name, number in counts.items()) or "none"
        for counts in (found.relations, found.sources)
    )
    rows = {
        "graph": f"{found.url} (store version {found.version})",
        "digest": found.digest,
        "concepts": f"{found.concepts:,}",
        "edges": f"{found.edges:,} (pairs of cause and effect)",
        "claims": f"{found.claims:,}",
        "evidence": f"{found.evidence:,}, {found.sentences:,} with their sentence",
        "relations": relations,
        "sources": sources,
    }
    for heading, text in rows.items():
        say(heading.ljust(_MARGIN) + text, "", " " * _MARGIN)

"""`kgqa stats`: counts and digest of a graph."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict

import click

from graph.stores import open_store
from kgqa.cli.arguments.options import graph_option, json_option
from kgqa.cli.output.terminal import say, say_json
from kgqa.settings import graph_url

_MARGIN = 10


@click.command(epilog="Example: kgqa stats -g mine.kgqa --json")
@graph_option
@json_option
def stats(graph: str | None, json: bool) -> None:
    """Print counts and digest of a graph.

    Equal digests mean equal claims and evidence, in whatever order and from whatever files they were loaded.
    """
    with closing(open_store(graph_url(graph))) as store:
        totals = store.stats()
    if json:
        say_json(asdict(totals))
        return
    relations, sources = (
        ", ".join(f"{name} {number:,}" for name, number in counts.items()) or "none"
        for counts in (totals.relations, totals.sources)
    )
    rows = {
        "graph": f"{totals.url} (store version {totals.version})",
        "digest": totals.digest,
        "concepts": f"{totals.concepts:,}",
        "edges": f"{totals.edges:,} (pairs of cause and effect)",
        "claims": f"{totals.claims:,}",
        "evidence": f"{totals.evidence:,}, {totals.sentences:,} with their sentence",
        "relations": relations,
        "sources": sources,
    }
    for heading, text in rows.items():
        say(heading.ljust(_MARGIN) + text, "", " " * _MARGIN)

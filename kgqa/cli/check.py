"""`kgqa stats` and `kgqa check`: the counts of a graph, and the verification of its store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from graph.errors import StoreDamaged
from kgqa.cli.arguments import options as cli
from kgqa.cli.output.terminal import count_text, note, say, say_json, say_verbatim
from kgqa.settings import graph_url

if TYPE_CHECKING:
    from graph.protocols import GraphStore
    from kgqa.linking.name_merging import NameMerge

_MARGIN = 10


@cli.command("kgqa stats -g mine.kgqa --json")
def stats(graph: str | None = cli.graph_option, json: bool = cli.json_option) -> None:
    """Print counts and digest of a graph.

    Equal digests mean equal claims and evidence, in whatever order and from whatever files they were loaded.
    """
    with cli.open_graph(graph) as store:
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


def _name_merges(store: GraphStore) -> Iterator[NameMerge]:
    from kgqa.linking.name_merging import count_names, doubtful_merges, merged_names

    records = count_names(store.statements())
    yield from merged_names(records, ((alias.name, alias.concept) for alias in store.aliases()))
    yield from doubtful_merges(records)


@cli.command("kgqa check -g mine.kgqa")
def check(
    context: click.Context,
    graph: str | None = cli.graph_option,
    mend: bool = cli.flag("--mend", "First make anew what is derived: counts, word indexes, the index."),
    names: bool = cli.flag("--names", "Also list names that should be one, and names that may be misspelt or of one thing."),
    json: bool = cli.json_option,
) -> None:
    """Verify that a graph is sound.

    Verifies its file, its references, its counts, its digest and its index. The exit code is 1 where something is wrong.
    """
    url = graph_url(graph)
    try:
        if mend and (url == "memory:" or "://" in url):
            raise cli.WrongUse(f"only a graph in a file can be mended, not '{url}'", "kgqa check --mend -g mine.kgqa", context)
        if mend:
            from graph.stores.sqlite.embedded_store import repair_store

            repair_store(url)
        with cli.open_graph(graph) as store:
            problems = list(store.check())
            merges = list(_name_merges(store)) if names else []
    except StoreDamaged as error:
        # It cannot even be opened; its remedy would be this very command.
        if not json:
            note(str(error))
            context.exit(1)
        problems, merges = [str(error)], []
    if json:
        alike = {"names": [merge._asdict() for merge in merges]} if names else {}
        say_json({"url": url, "sound": not problems, "problems": problems, **alike})
    else:
        for problem in problems:
            say(f"- {problem}", "", "  ")
        for merge in merges:
            say(f"{merge.name} → {merge.canonical} ({merge.reason})", "", "  ")
        say_verbatim(f"{url}: {'sound' if not problems else count_text(len(problems), 'problem')}")
    if problems:
        context.exit(1)

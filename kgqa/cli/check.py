"""`kgqa stats` and `kgqa check`: the counts of a graph, and the verification of its store."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict

import click

from graph.errors import StoreDamaged
from graph.stores import open_store
from kgqa.cli.arguments.options import WrongUse, graph_option, json_option
from kgqa.cli.output.terminal import count_text, note, say, say_json, say_verbatim
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


@click.command(epilog="Example: kgqa check -g mine.kgqa")
@graph_option
@click.option("--mend", is_flag=True, help="First make anew what is derived: counts, word indexes, the index.")
@json_option
@click.pass_context
def check(context: click.Context, graph: str | None, mend: bool, json: bool) -> None:
    """Verify that a graph is sound.

    Verifies its file, its references, its counts, its digest and its index. The exit code is 1 where something is wrong.
    """
    url = graph_url(graph)
    try:
        if mend:
            _repair(url, context)
        with closing(open_store(url)) as store:
            problems = list(store.check())
    except StoreDamaged as error:
        # It cannot even be opened; its remedy would be this very command.
        if not json:
            note(str(error))
            context.exit(1)
        problems = [str(error)]
    if json:
        say_json({"url": url, "sound": not problems, "problems": problems})
    else:
        for problem in problems:
            say(f"- {problem}", "", "  ")
        say_verbatim(f"{url}: {'sound' if not problems else count_text(len(problems), 'problem')}")
    if problems:
        context.exit(1)


def _repair(url: str, context: click.Context) -> None:
    if url == "memory:" or "://" in url:
        raise WrongUse(f"only a graph in a file can be mended, not '{url}'", "kgqa check --mend -g mine.kgqa", context)
    from graph.stores.sqlite.embedded_store import repair_store

    repair_store(url)

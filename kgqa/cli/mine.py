"""`kgqa mine`: mine texts into a graph."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graph.sources.formats import Format, detect, read_articles
from graph.sources.streams import InputStream, open_input
from graph.stores import open_store
from kgqa.cli.options import Json, WrittenGraph
from kgqa.cli.progress import Progress, Skips
from kgqa.cli.terminal import note, say, say_json

if TYPE_CHECKING:
    from graph.mining.corpus import Summary

AUTO = "auto"


def mine(
    inputs: Annotated[list[str], typer.Argument(metavar="INPUT...", help="Texts, dumps or WikiExtractor files (- is stdin).")],
    graph: WrittenGraph,
    form: Annotated[str, typer.Option("--format", help=f"{AUTO}, {', '.join(Format)}.")] = AUTO,
    workers: Annotated[int, typer.Option(min=1, max=256, help="How many processes.")] = os.cpu_count() or 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where a run that was stopped had come to.")] = False,
    json: Json = False,
) -> None:
    """Mine the claims of texts into a graph; after a stop, run it again to come to the same end."""
    if form not in (AUTO, *Format):
        raise typer.BadParameter(f"no format '{form}'; there are {AUTO}, {', '.join(Format)}")
    streams = [open_input(path) for path in inputs]
    with closing(open_store(graph, write=True, create=True)) as store:
        from graph.mining.corpus import mine_articles

        for path, stream in zip(inputs, streams, strict=True):
            skips = Skips()
            chosen = detect(stream) if form == AUTO else Format(form)
            with Progress(f"mining {stream.title}", stream) as bar:

                def on_progress(so_far: Summary, bar: Progress = bar) -> None:
                    bar.show(f"{so_far.articles:,} articles, {so_far.found:,} claims")

                summary = mine_articles(
                    read_articles(stream, chosen, skips),
                    store,
                    job=f"mine {chosen} {_fingerprint(path, stream)}",
                    workers=workers,
                    resume=resume,
                    on_progress=on_progress,
                )
            skips.report()
            if summary.too_long:
                note(f"{summary.too_long:,} sentences are too long to parse; skipped")
            if json:
                say_json(_record(path, store.url, summary))
            else:
                _report(path, store.url, summary)


def _fingerprint(path: str, stream: InputStream) -> str:
    """Return what tells an input from another: its full path and size, so that a changed file is not taken up half-way."""
    return f"{'-' if path == '-' else Path(path).resolve()} {stream.size}"


def _record(path: str, url: str, summary: Summary) -> dict[str, object]:
    """Return what a run did as a JSON object."""
    added = summary.added
    return {
        "input": path,
        "graph": url,
        "articles": summary.articles,
        "sentences_parsed": summary.sentences,
        "claims_found": summary.found,
        "added": {"concepts": added.concepts, "claims": added.claims, "evidence": added.evidence},
        "relations": dict(summary.relations.most_common()),
        "stances": dict(summary.stances.most_common()),
        "rules": dict(summary.rules.most_common()),
        "seconds": round(summary.seconds, 1),
    }


def _report(path: str, url: str, summary: Summary) -> None:
    """Print what a run did for a person."""
    added = summary.added
    say(f"{path}: {summary.articles:,} articles, {summary.sentences:,} sentences parsed, {summary.found:,} claims found")
    say(f"{url}: {added.claims:,} new claims, {added.evidence:,} new evidence records, {added.concepts:,} new concepts")
    for heading, counts in (("relations", summary.relations), ("stances", summary.stances), ("rules", summary.rules)):
        if counts:
            say(f"{heading}: {', '.join(f'{name} {number:,}' for name, number in counts.most_common(8))}", "", "  ")

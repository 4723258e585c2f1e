"""`kgqa curate`: what people hold of the claims of a graph, kept beside the evidence."""

from __future__ import annotations

import getpass
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graph.belief.curation import Curation, Mark
from kgqa.cli.arguments import options as cli
from kgqa.cli.output.progress import SkipCounter
from kgqa.cli.output.terminal import count_text, note, say, say_json, shell_quote

if TYPE_CHECKING:
    from kgqa.curations import CuratedClaim


def _decode_claim(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    return None if value is None else cli.decode_argument(context, parameter, cli.require_argument(context, parameter, value))


@cli.command('kgqa curate "smoking -> insomnia" wrong --why "the page says that it may" -g mine.kgqa')
def curate(
    context: click.Context,
    claim: str | None = cli.argument("claim", "[CLAIM]", required=False, callback=_decode_claim),
    mark: str | None = cli.argument("mark", "[MARK]", required=False, type=click.Choice([mark.value for mark in Mark])),
    why: str | None = cli.option("--why", "TEXT", "The reason, which answers quote."),
    by: str | None = cli.option("--by", "NAME", "Who holds it so. Default: the name of the login."),
    lines: str | None = cli.option("--import lines", "FILE", "Set the marks of JSON lines, as --json lists them; - is stdin."),
    graph: str | None = cli.graph_option,
    json: bool = cli.json_option,
) -> None:
    """Mark a claim of a graph as right or wrong, with a reason.

    CLAIM is "CAUSE -> EFFECT" or the hash of a claim; MARK is right, wrong or open. What is marked wrong supports no answer any
    more, which says so and why; a mark right counts as a source; "open" takes back what the same person held before. Nothing is
    deleted. Without CLAIM all marks are listed, with --json as lines that --import reads.
    """
    from graph.stores import open_store
    from kgqa.curations import CuratedClaim, mark_claims, marks_of, named_claim, time_text
    from kgqa.settings import graph_url, starter_graph

    if (claim is None) is not (mark is None) or (claim is not None and (why is None or lines is not None)):
        fact = "a mark needs a claim, right, wrong or open, and a reason"
        raise cli.WrongUse(fact, f'{context.command_path} "CAUSE -> EFFECT" wrong --why TEXT', context)
    url = graph_url(graph)
    if claim is None and lines is None:
        with closing(open_store(url)) as store:
            _print_marks(marks_of(store), url, json=json)
        return
    if Path(url).absolute() == Path(starter_graph()):
        raise cli.WrongUse("the starter graph is only read", f"kgqa copy {shell_quote(url)} mine.kgqa", context)
    skips = SkipCounter()
    marks = _read_marks(lines, skips) if lines is not None else []
    with closing(open_store(url, write=True)) as store:
        if claim is not None and mark is not None and why is not None:
            curator = (by or getpass.getuser()).strip()
            curation = Curation(Mark(mark), why.strip(), curator, time_text(datetime.now(UTC)))
            marks = [CuratedClaim(named_claim(store, claim), curation)]
        new, unknown = mark_claims(store, marks)
        edges = [store.edge(item.claim) for item in marks] if claim is not None else []
    skips.report()
    for lost in unknown:
        note(f"no such claim: {lost}")
    if json:
        say_json({"graph": url, "new": new, "unknown": len(unknown), "skipped": skips.count})
    for edge in edges if not json else ():
        say(str(edge))
    if lines is not None and not json:
        say(f"new in {url}: {count_text(new, 'mark')}; {len(unknown):,} of claims that it does not have")


def _read_marks(path: str, skips: SkipCounter) -> list[CuratedClaim]:
    from graph.sources.input_stream import open_input
    from graph.sources.jsonl import json_records, parse_records
    from kgqa.curations import read_mark

    with open_input(path) as stream:
        records = json_records(stream, skips)
        return list(parse_records(records, lambda record, _: read_mark(record), skips))


def _print_marks(marks: list[CuratedClaim], url: str, *, json: bool) -> None:
    from kgqa.curations import mark_record

    for item in marks:
        if json:
            say_json(mark_record(item))
        else:
            say(f"{item.claim}  {item.curation.mark}, {item.curation.curator}, {item.curation.time[:10]}: {item.curation.reason}")
    if not marks and not json:
        say(f"no claim of {url} is marked")

"""`kgqa mine`: mine texts into a graph."""

from __future__ import annotations

import hashlib
import itertools
import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graph.errors import GraphError
from graph.model import Alias
from graph.sources.article import Article
from graph.sources.formats import Format, detect, read_articles
from graph.stores import open_store
from kgqa.cli.added import added_record, added_text
from kgqa.cli.inputs import Inputs, OnDamage, readable
from kgqa.cli.options import Count, in_json, written_graph
from kgqa.cli.progress import Progress, Skips
from kgqa.cli.terminal import note, number_of, say, say_json
from kgqa.errors import KgqaError

if TYPE_CHECKING:
    from graph.mining.corpus import Summary

AUTO = "auto"


class WorkerLost(KgqaError):
    """A mining process ended before its work was done."""

    def __init__(self) -> None:
        super().__init__(
            "a mining process was killed, perhaps for want of memory; what was mined before is stored",
            "kgqa mine ... --workers 1 --resume",
        )


@click.command(epilog="Example: kgqa mine enwiki.xml.bz2 -g mine.kgqa --resume")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@written_graph
@click.option(
    "--format",
    "form",
    type=click.Choice([AUTO, *(known.value for known in Format)]),
    default=AUTO,
    show_default=True,
    help="What the inputs are; auto looks at how each begins.",
)
@click.option(
    "--workers",
    type=Count(1, 256),
    metavar="N",
    help="How many processes mine. Default: one a processor.",
)
@click.option("--resume", is_flag=True, help="Go on where a stopped run over the same inputs had come to.")
@in_json
@click.pass_context
def mine(
    context: click.Context, inputs: Sequence[str], graph: str, form: str, workers: int | None, resume: bool, json: bool
) -> None:
    """Mine the claims of texts into a graph.

    INPUTs are plain texts, JSON lines, WikiExtractor files or MediaWiki XML dumps, and may be compressed (.gz, .bz2, .zst);
    - is stdin. To mine a text twice changes nothing: a run that was stopped is run again, with --resume to spare the time.
    """
    reading = Inputs(inputs)
    damage: list[GraphError] = []
    skips = Skips()
    articles = _articles(reading, form, skips, damage.append)
    first = next(articles, None)
    if first is None and damage:
        raise _last(damage)  # before a store is made
    articles = itertools.chain(() if first is None else (first,), articles)
    job = _job(form, reading)
    with closing(open_store(graph, write=True, create=True)) as store, Progress(f"mining {reading.name}", reading) as bar:
        from concurrent.futures import BrokenExecutor

        from graph.mining.corpus import mine_articles

        if resume:
            done = store.progress(job)
            note(
                f"going on after {number_of(done, 'article')}"
                if done
                else "nothing to go on from: beginning with the first article"
            )
        try:
            summary = mine_articles(
                articles,
                store,
                job,
                workers=workers or len(os.sched_getaffinity(0)),
                resume=resume,
                on_progress=lambda so_far: bar.show(f"{so_far.articles:,} articles, {so_far.found:,} claims"),
            )
        except BrokenExecutor as error:
            raise WorkerLost from error
        except KeyboardInterrupt:
            note("what was mined so far is stored; to go on, run this again with --resume")
            raise
    skips.report()
    if summary.too_long:
        note(f"{number_of(summary.too_long, 'sentence')} too long to parse; skipped")
    if json:
        say_json(_record(reading, graph, summary))
    else:
        _report(reading.name, graph, summary)
    if damage:
        raise _last(damage)


def _last(damage: Sequence[GraphError]) -> GraphError:
    """Return the last of the errors, to be raised, once the others were told."""
    for told in damage[:-1]:
        note(str(told))
    return damage[-1]


def _articles(reading: Inputs, form: str, skips: Skips, on_damage: OnDamage) -> Iterator[Article | Alias]:
    """Yield the articles and aliases of all inputs, of each as far as it can be read."""
    for stream in reading.streams(on_damage):
        skips.file = stream.name if len(reading.paths) > 1 else ""
        chosen = detect(stream) if form == AUTO else Format(form)
        yield from readable(read_articles(stream, chosen, skips), on_damage)


def _job(form: str, reading: Inputs) -> str:
    """Return what tells a run from another: format, full paths and sizes, so that changed files are not taken up half-way."""
    names = [path if path == "-" else str(Path(path).resolve()) for path in reading.paths]
    told = "\n".join((form, str(reading.size), *names))
    return f"mine {hashlib.sha256(os.fsencode(told)).hexdigest()[:32]}"


def _record(reading: Inputs, url: str, summary: Summary) -> dict[str, object]:
    """Return what a run did as a JSON object."""
    return {
        "inputs": list(reading.paths),
        "graph": url,
        "articles": summary.articles,
        "sentences_parsed": summary.sentences,
        "claims_found": summary.found,
        "added": added_record(summary.added),
        "relations": dict(summary.relations.most_common()),
        "stances": dict(summary.stances.most_common()),
        "rules": dict(summary.rules.most_common()),
        "seconds": round(summary.seconds, 1),
    }


def _report(name: str, url: str, summary: Summary) -> None:
    """Print what a run did for a person."""
    sentences = number_of(summary.sentences, "sentence")
    say(f"{name}: {number_of(summary.articles, 'article')}, {sentences} parsed, {number_of(summary.found, 'claim')} found")
    say(f"new in {url}: {added_text(summary.added)}")
    for heading, counts in (("relations", summary.relations), ("stances", summary.stances), ("rules", summary.rules)):
        if counts:
            say(f"{heading}: {', '.join(f'{name} {number:,}' for name, number in counts.most_common(8))}", "", "  ")

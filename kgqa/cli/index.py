"""`kgqa index`: cut texts into passages and index them, for `kgqa ask --corpus`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from graph.errors import GraphError
from graph.model import Alias
from graph.sources.article import Article
from kgqa.cli.corpus import corpus_format, read_corpus
from kgqa.cli.inputs import STDIN, Inputs
from kgqa.cli.options import in_json, not_empty
from kgqa.cli.progress import Progress, Skips
from kgqa.cli.terminal import note, number_of, say, say_json
from kgqa.cli.usage import WrongUse

SUFFIX = ".passages"


@click.command(epilog="Example: kgqa index enwiki.xml.bz2 -o wiki.passages")
@click.argument("inputs", metavar="PATH...", nargs=-1, required=True)
@corpus_format
@click.option(
    "-o", "--out", metavar="FILE", callback=not_empty, help="The index to make. Default: the only PATH, with .passages behind it."
)
@click.option(
    "--dense",
    metavar="FOLDER",
    callback=not_empty,
    help="Keep vectors of the passages too, by the encoder in FOLDER (tokenizer.json and model.onnx); for small corpora.",
)
@in_json
@click.pass_context
def index(context: click.Context, /, inputs: Sequence[str], form: str, out: str | None, dense: str | None, json: bool) -> None:
    """Index texts as passages, for 'ask --corpus'.

    PATHs are plain texts, JSON lines, WikiExtractor files or MediaWiki XML dumps, and may be compressed (.gz, .bz2, .zst);
    - is stdin. Articles are cut into passages of 100 words. An index that is there already is replaced once the new one is whole.
    """
    from kgqa.retrieval.building import build
    from kgqa.retrieval.passages import pages

    path = _place(context, inputs, out)
    began = time.perf_counter()
    reading, skips = Inputs(inputs), Skips()
    damage: list[GraphError] = []

    def articles() -> Iterator[Article | Alias]:
        for stream in reading.streams(damage.append):
            skips.file = stream.name if len(reading.paths) > 1 else ""
            yield from read_corpus(stream, form, skips, damage.append)
        if damage:
            raise damage[-1]

    vectors = None
    if dense is not None:
        from kgqa.retrieval.dense import SentenceEncoder

        vectors = SentenceEncoder(Path(dense)).rows
    with Progress(f"indexing {Path(reading.name).name}", reading) as bar:
        made = build(path, pages(articles()), lambda passages: bar.show(number_of(passages, "passage")), vectors)
    skips.report()
    seconds = time.perf_counter() - began
    if json:
        told = {"inputs": list(inputs), "index": str(path), "pages": made.pages, "passages": made.passages, "words": made.words}
        say_json({**told, "bytes": made.size, "skipped": skips.count, "seconds": round(seconds, 1)})
        return
    counts = f"{number_of(made.pages, 'page')}, {number_of(made.passages, 'passage')}, {number_of(made.words, 'word')}"
    say(f"{path}: {counts}; {made.size / 1e6:.1f} MB, {seconds:.1f} s")
    note(f'to ask it: kgqa ask "..." --corpus {path}')


def _place(context: click.Context, inputs: Sequence[str], out: str | None) -> Path:
    """Return the file to make; raise `WrongUse` where none is named and none follows from the inputs."""
    if out is not None:
        if out in inputs or out == STDIN:
            raise WrongUse(
                f"--out {out} is an input or stdout; an index is a file of its own", f"{context.command_path} --help", context
            )
        return Path(out)
    if len(inputs) != 1 or inputs[0] == STDIN:
        raise WrongUse("no file to make is named", f"{context.command_path} {' '.join(inputs)} -o corpus{SUFFIX}", context)
    return Path(inputs[0] + SUFFIX)

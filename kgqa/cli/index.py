"""`kgqa index`: cut texts into passages and index them, for `kgqa ask --corpus`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from graph.errors import GraphError
from graph.model import Alias
from graph.sources.article import Article
from kgqa.cli.arguments.inputs import STDIN, InputFiles, format_option, read_corpus
from kgqa.cli.arguments.options import WrongUse, json_option, require_value
from kgqa.cli.output.progress import Progress, SkipCounter
from kgqa.cli.output.terminal import count_text, note, say, say_json

SUFFIX = ".passages"


@click.command(epilog="Example: kgqa index enwiki.xml.bz2 -o wiki.passages")
@click.argument("inputs", metavar="PATH...", nargs=-1, required=True)
@format_option
@click.option(
    "-o",
    "--out",
    metavar="FILE",
    callback=require_value,
    help="The index to make. Default: the only PATH, with .passages behind it.",
)
@click.option(
    "--dense",
    metavar="FOLDER",
    callback=require_value,
    help="Keep vectors of the passages too, by the encoder in FOLDER (tokenizer.json and model.onnx); for small corpora.",
)
@json_option
@click.pass_context
def index(context: click.Context, /, inputs: Sequence[str], form: str, out: str | None, dense: str | None, json: bool) -> None:
    """Index texts as passages, for 'ask --corpus'.

    PATHs are plain texts, JSON lines, WikiExtractor files or MediaWiki XML dumps, and may be compressed (.gz, .bz2, .zst);
    - is stdin. Articles are cut into passages of 100 words. An index that is there already is replaced once the new one is whole.
    """
    from kgqa.retrieval.index_builder import build_passage_index, passage_pages

    path = _output_path(context, inputs, out)
    began = time.perf_counter()
    reading, skips = InputFiles(inputs), SkipCounter()
    damage: list[GraphError] = []

    def articles() -> Iterator[Article | Alias]:
        for stream in reading.streams(damage.append):
            skips.file = stream.name if len(reading.paths) > 1 else ""
            yield from read_corpus(stream, form, skips, damage.append)
        if damage:
            raise damage[-1]

    vectors = None
    if dense is not None:
        from kgqa.encoders.text_encoders import SentenceEncoder

        vectors = SentenceEncoder(Path(dense)).rows
    with Progress(f"indexing {Path(reading.name).name}", reading) as bar:
        made = build_passage_index(
            path, passage_pages(articles()), lambda passages: bar.show(count_text(passages, "passage")), vectors
        )
    skips.report()
    seconds = time.perf_counter() - began
    if json:
        summary = {
            "inputs": list(inputs),
            "index": str(path),
            "pages": made.pages,
            "passages": made.passages,
            "words": made.words,
        }
        say_json({**summary, "bytes": made.size, "skipped": skips.count, "seconds": round(seconds, 1)})
        return
    counts = f"{count_text(made.pages, 'page')}, {count_text(made.passages, 'passage')}, {count_text(made.words, 'word')}"
    say(f"{path}: {counts}; {made.size / 1e6:.1f} MB, {seconds:.1f} s")
    note(f'to ask it: kgqa ask "..." --corpus {path}')


def _output_path(context: click.Context, inputs: Sequence[str], out: str | None) -> Path:
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

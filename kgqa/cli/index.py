"""`kgqa index` and `kgqa embed`: passages for `kgqa ask --corpus`, and the vectors of a graph's claims."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from graph.errors import GraphError
from graph.model import Alias
from graph.sources.article import Article
from kgqa.cli.arguments import options as cli
from kgqa.cli.arguments.inputs import STDIN, InputFiles, format_option
from kgqa.cli.output.progress import Progress, SkipCounter, WorkProgress
from kgqa.cli.output.terminal import count_text, note, say, say_json

SUFFIX = ".passages"


@cli.command("kgqa index enwiki.xml.bz2 -o wiki.passages")
def index(
    context: click.Context,
    inputs: Sequence[str] = cli.argument("inputs", "PATH...", nargs=-1, required=True),
    form: str = format_option,
    out: str | None = cli.option("-o --out", "FILE", "The index to make. Default: the only PATH, with .passages behind it."),
    dense: str | None = cli.option(
        "--dense",
        "FOLDER",
        "Keep vectors of the passages too, by the encoder in FOLDER (tokenizer.json and model.onnx); for small corpora.",
    ),
    json: bool = cli.json_option,
) -> None:
    """Index texts as passages, for 'ask --corpus'.

    PATHs are plain texts, JSON lines, HTML, WikiExtractor files or MediaWiki XML dumps, and may be compressed (.gz, .bz2, .zst);
    - is stdin. Articles are cut into passages of 100 words. An index that is there already is replaced once the new one is whole.
    """
    from kgqa.retrieval.index_builder import build_passage_index
    from kgqa.retrieval.passage_splitting import passage_pages

    path = _output_path(context, inputs, out)
    began = time.perf_counter()
    reading, skips = InputFiles(inputs), SkipCounter()
    damage: list[GraphError] = []

    def articles() -> Iterator[Article | Alias]:
        yield from reading.articles(form, skips, damage.append)
        if damage:
            raise damage[-1]

    vectors = None
    if dense is not None:
        from kgqa.encoders.text_encoders import SentenceEncoder

        vectors = SentenceEncoder(Path(dense)).rows
    with Progress(f"indexing {Path(reading.name).name}", reading) as bar:
        pages = passage_pages(articles())
        made = build_passage_index(path, pages, lambda passages: bar.show(count_text(passages, "passage")), vectors)
    skips.report()
    seconds = time.perf_counter() - began
    if json:
        counts = {"pages": made.pages, "passages": made.passages, "words": made.words, "bytes": made.size}
        counts |= {"links": made.links, "redirects": made.redirects}
        record = {"inputs": list(inputs), "index": str(path), **counts}
        say_json({**record, "skipped": skips.count, "seconds": round(seconds, 1)})
        return
    words = f"{count_text(made.pages, 'page')}, {count_text(made.passages, 'passage')}, {count_text(made.words, 'word')}"
    extras = f", {count_text(made.links, 'link')}, {count_text(made.redirects, 'redirect')}" if made.links else ""
    say(f"{path}: {words}{extras}; {made.size / 1e6:.1f} MB, {seconds:.1f} s")
    note(f'to ask it: kgqa ask "..." --corpus {path}, or, of a passage that links to it, --passage FILE --articles {path}')


def _output_path(context: click.Context, inputs: Sequence[str], out: str | None) -> Path:
    """Return the file to make; raise `WrongUse` where none is named and none follows from the inputs."""
    if out is not None:
        if out in inputs or out == STDIN:
            raise cli.WrongUse(
                f"--out {out} is an input or stdout; an index is a file of its own", f"{context.command_path} --help", context
            )
        return Path(out)
    if len(inputs) != 1 or inputs[0] == STDIN:
        raise cli.WrongUse("no file to make is named", f"{context.command_path} {' '.join(inputs)} -o corpus{SUFFIX}", context)
    return Path(inputs[0] + SUFFIX)


@cli.command("kgqa embed -g mine.kgqa")
def embed(
    graph: str | None = cli.graph_option,
    json: bool = cli.json_option,
) -> None:
    """Make the vectors of a graph's claims, by which 'ask' finds those near to a question.

    They are kept beside the graph, or in the cache of the user where that cannot be written, and hold for this state of the
    graph alone. The starter graph brings them. Nothing is downloaded.
    """
    from kgqa.answering.matching.claim_embeddings import build_embedding_index
    from kgqa.answering.matching.claim_matcher import ClaimMatcher

    began = time.perf_counter()
    with cli.open_graph(graph) as store, WorkProgress("embedding") as bar:

        def reached(done: int, size: int) -> None:
            bar.size = size
            bar.reached(done, f"{done:,} of {count_text(size, 'claim')}")

        made = build_embedding_index(store, ClaimMatcher(), reached)
        url = store.url
    seconds = time.perf_counter() - began
    if json:
        record = {"url": url, "claims": made.claims, "bytes": made.size, "seconds": round(seconds, 1), "file": str(made.path)}
        say_json(record)
        return
    size = f"{made.size / 1e6:.1f} MB" if made.size >= 1e6 else f"{made.size / 1e3:.1f} kB"
    say(f"{url}: {count_text(made.claims, 'claim')} embedded, {size}, {seconds:.1f} s")
    say(f"kept in {made.path}")

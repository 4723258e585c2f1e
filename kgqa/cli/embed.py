"""`kgqa embed`: make the vectors of a graph's names, for `kgqa ask --embeddings`."""

from __future__ import annotations

import os
import time
from contextlib import closing

import click

from graph.stores import open_store
from kgqa.cli.arguments.options import graph_option, json_option, require_value
from kgqa.cli.output.progress import Progress, WorkCounter
from kgqa.cli.output.terminal import count_text, say, say_json
from kgqa.settings import graph_url


@click.command(epilog="Example: kgqa embed -g mine.kgqa")
@graph_option
@click.option(
    "--encoder",
    metavar="FOLDER",
    callback=require_value,
    help="A folder with tokenizer.json and model.onnx. Default: KGQA_ENCODER, else the one of the extra 'embeddings'.",
)
@json_option
def embed(graph: str | None, encoder: str | None, json: bool) -> None:
    """Make the vectors of a graph's names, for 'ask --embeddings'.

    They are kept beside the graph, or in the cache of the user where that cannot be written, and hold for this state of the
    graph and this encoder alone. Nothing is downloaded.
    """
    from kgqa.encoders.text_encoders import PhraseEncoder, phrase_encoder_folder
    from kgqa.linking.name_embeddings import build_embedding_index

    began = time.perf_counter()
    # One thread alone would take twice as long on two cores; who asks needs no more than one.
    with closing(open_store(graph_url(graph))) as store:
        text_encoder = PhraseEncoder(phrase_encoder_folder(encoder), threads=len(os.sched_getaffinity(0)))
        tally = WorkCounter(None)
        with Progress("embedding", tally) as bar:

            def reached(done: int, size: int) -> None:
                tally.size = size
                tally.reached(done)
                bar.show(f"{done:,} of {count_text(size, 'name')}")

            made = build_embedding_index(store, text_encoder, reached)
        url = store.url
    seconds = time.perf_counter() - began
    if json:
        summary = {
            "url": url,
            "encoder": str(text_encoder.folder),
            "names": made.names,
            "bytes": made.size,
            "seconds": round(seconds, 1),
        }
        say_json({**summary, "file": str(made.path)})
        return
    say(f"{url}: {count_text(made.names, 'name')} embedded, {_size(made.size)}, {seconds:.1f} s")
    say(f"kept in {made.path}")


def _size(size: int) -> str:
    """Return a number of bytes in the unit in which it is at least one."""
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.1f} kB"

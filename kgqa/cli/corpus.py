"""What the commands that read corpora share: the option for their format, and reading an input in it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from graph.model import Alias
from graph.sources.article import Article
from graph.sources.formats import Format, detect, read_articles
from graph.sources.streams import InputStream, OnSkip
from kgqa.cli.inputs import OnDamage, readable

AUTO = "auto"

corpus_format = click.option(
    "--format",
    "form",
    type=click.Choice([AUTO, *(known.value for known in Format)]),
    default=AUTO,
    show_default=True,
    help="What the inputs are; auto looks at how each begins.",
)


def read_corpus(stream: InputStream, form: str, on_skip: OnSkip, on_damage: OnDamage) -> Iterator[Article | Alias]:
    """Yield the articles and aliases of an input, as far as it can be read."""
    chosen = detect(stream) if form == AUTO else Format(form)
    return readable(read_articles(stream, chosen, on_skip), on_damage)

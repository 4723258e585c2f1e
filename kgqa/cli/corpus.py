"""What the commands that read corpora share: the option for their format, and reading an input in it."""

from __future__ import annotations

from collections.abc import Iterator

import click

from graph.model import Alias
from graph.sources.article import Article
from graph.sources.formats import ArticleFormat, detect_format, read_articles
from graph.sources.streams import InputStream, OnSkip
from kgqa.cli.inputs import DamageCallback, read_until_damaged

AUTO = "auto"

format_option = click.option(
    "--format",
    "form",
    type=click.Choice([AUTO, *(known.value for known in ArticleFormat)]),
    default=AUTO,
    show_default=True,
    help="What the inputs are; auto looks at how each begins.",
)


def read_corpus(stream: InputStream, form: str, on_skip: OnSkip, on_damage: DamageCallback) -> Iterator[Article | Alias]:
    """Yield the articles and aliases of an input, as far as it can be read."""
    chosen = detect_format(stream) if form == AUTO else ArticleFormat(form)
    return read_until_damaged(read_articles(stream, chosen, on_skip), on_damage)

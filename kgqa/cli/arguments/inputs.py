"""The inputs of a command that reads several files, one after the other, and what cannot be read of them.

What the commands that read corpora share: the option for their format, and reading an input in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import click

from graph.errors import FormatUnknown, GraphError, InputEmpty, InputIsDirectory, InputMissing, InputUnreadable
from graph.model import Alias
from graph.sources.article import Article
from graph.sources.article_formats import ArticleFormat, detect_format, read_articles
from graph.sources.input_stream import InputStream, OnSkip, open_input

Item = TypeVar("Item")

DamageCallback = Callable[[GraphError], None]
"""What is told of an input that cannot be read, or not to its end."""

STDIN = "-"


def read_until_damaged(items: Iterable[Item], on_damage: DamageCallback) -> Iterator[Item]:
    """Yield what can be read of an input; what ends it before its time is told to `on_damage`, once all before it is taken."""
    try:
        yield from items
    except (InputUnreadable, InputEmpty, FormatUnknown) as error:
        on_damage(error)


class InputFiles:
    """Files that are opened in turn, so that there may be more of them than a process may hold open.

    `size` is the number of their bytes as they lie on disk, `None` where nobody knows. Raises `InputMissing` or
    `InputIsDirectory` when it is made: a wrong name is told before anything is done.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = tuple(paths)
        self._read = 0
        self._open: InputStream | None = None
        sizes = [_size(path) for path in self.paths]
        self.size = None if None in sizes else sum(size for size in sizes if size is not None)

    @property
    def name(self) -> str:
        """The input, or how many inputs they are."""
        if len(self.paths) > 1:
            return f"{len(self.paths):,} inputs"
        return "stdin" if self.paths[0] == STDIN else self.paths[0]

    @property
    def bytes_read(self) -> int:
        """The number of bytes that were read so far."""
        return self._read + (self._open.bytes_read if self._open else 0)

    def streams(self, on_damage: DamageCallback) -> Iterator[InputStream]:
        """Yield the inputs, open until the next one is; one that cannot be read at all is told to `on_damage`."""
        for path in self.paths:
            try:
                stream = open_input(path)
            except (InputUnreadable, InputEmpty) as error:
                on_damage(error)
                continue
            with stream:
                self._open = stream
                yield stream
                self._read, self._open = self.bytes_read, None


def _size(path: str) -> int | None:
    """Return the size of a file, `None` for a pipe or device; raise the errors of a name that is wrong."""
    if path == STDIN:
        return None
    file = Path(path)
    if file.is_dir():
        raise InputIsDirectory(file)
    if not file.exists():
        raise InputMissing(file)
    return file.stat().st_size if file.is_file() else None


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

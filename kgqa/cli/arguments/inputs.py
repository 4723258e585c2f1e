"""The inputs of a command that reads several files, one after the other, in the format of an option."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from graph.errors import FormatUnknown, GraphError, InputEmpty, InputIsDirectory, InputMissing, InputUnreadable
from graph.model import Alias
from graph.sources.article import Article
from graph.sources.article_formats import ArticleFormat, detect_format, read_articles
from graph.sources.input_stream import InputStream, OnSkip, open_input
from kgqa.cli.arguments.options import choice_option
from kgqa.cli.output.progress import SkipCounter

Item = TypeVar("Item")
DamageCallback = Callable[[GraphError], None]
"""Takes the error of an input that cannot be read, or not to its end."""
STDIN = "-"
AUTO = "auto"

format_option = choice_option(
    "--format form", [AUTO, *(known.value for known in ArticleFormat)], "What the inputs are; auto looks at how each begins."
)


def read_until_damaged(items: Iterable[Item], on_damage: DamageCallback) -> Iterator[Item]:
    """Yield the items of an input as far as it can be read; `on_damage` takes the error that ends it."""
    try:
        yield from items
    except (InputUnreadable, InputEmpty, FormatUnknown) as error:
        on_damage(error)


class InputFiles:
    """Files that are opened in turn, so that there may be more of them than a process may hold open.

    `size` is the number of their bytes as they lie on disk, `None` where it is unknown. Making it raises `InputMissing` or
    `InputIsDirectory`, so that a wrong name ends a command before its work begins.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = tuple(paths)
        self._read = 0
        self._open: InputStream | None = None
        sizes = [_file_size(path) for path in self.paths]
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

    def articles(self, form: str, on_skip: OnSkip, on_damage: DamageCallback) -> Iterator[Article | Alias]:
        """Yield the articles and aliases of the inputs, of each as far as it can be read; a skip counter gets their names."""
        for path in self.paths:
            try:
                stream = open_input(path)
            except (InputUnreadable, InputEmpty) as error:
                on_damage(error)
                continue
            if isinstance(on_skip, SkipCounter):
                on_skip.file = stream.name if len(self.paths) > 1 else ""
            with stream:
                self._open = stream
                chosen = detect_format(stream) if form == AUTO else ArticleFormat(form)
                yield from read_until_damaged(read_articles(stream, chosen, on_skip), on_damage)
                self._read, self._open = self.bytes_read, None


def _file_size(path: str) -> int | None:
    """Return the size of a file, `None` for a pipe or device; raise the errors of a name that is wrong."""
    if path == STDIN:
        return None
    file = Path(path)
    if file.is_dir():
        raise InputIsDirectory(file)
    if not file.exists():
        raise InputMissing(file)
    return file.stat().st_size if file.is_file() else None

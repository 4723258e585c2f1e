"""What long work shows on stderr: a progress bar on a terminal, and a line for what was skipped."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from graph.sources.article import Skipped
from graph.sources.streams import InputStream
from kgqa.cli.terminal import note

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

PATIENCE = 2.0
"""Seconds before a bar is shown."""


class Progress:
    """A bar for work on an input stream, by the bytes that were read; shown on a terminal only, after two seconds."""

    def __init__(self, title: str, stream: InputStream) -> None:
        self._title = title
        self._stream = stream
        self._began = time.monotonic()
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def show(self, text: str) -> None:
        """Bring the bar up to date; `text` says what was done so far."""
        if self._bar is None and sys.stderr.isatty() and time.monotonic() - self._began > PATIENCE:
            self._start()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._stream.bytes_read, text=text)

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[text]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task(self._title, total=self._stream.size, text="")
        self._bar.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()


class Skips:
    """Counts what was skipped, and tells the first few as they come."""

    FIRST = 5

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, skipped: Skipped) -> None:
        """Take note of something that was skipped."""
        self.count += 1
        if self.count <= self.FIRST:
            note(f"{skipped.where}: {skipped.why}; skipped")

    def report(self) -> None:
        """Say how many were skipped, where there were more than were told."""
        if self.count > self.FIRST:
            note(f"{self.count:,} skipped in all")

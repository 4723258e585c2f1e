"""What long work shows on stderr: a progress bar on a terminal, and a line for what was skipped."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from graph.sources.article import Skipped
from kgqa.cli.terminal import note

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

PATIENCE = 2.0
"""Seconds before a bar is shown."""


class Measured(Protocol):
    """An input that knows how far it has been read."""

    @property
    def size(self) -> int | None:
        """The number of bytes that there are to read; `None` where nobody knows."""
        ...

    @property
    def bytes_read(self) -> int:
        """The number of bytes that were read."""
        ...


class Progress:
    """A bar for work on an input, by the bytes that were read; shown on a terminal only, after two seconds.

    Work that prints while it goes on (`over_output`) shows its bar only where that goes elsewhere than to the terminal.
    """

    def __init__(self, title: str, reading: Measured, over_output: bool = False) -> None:
        self._title = title
        self._reading = reading
        self._wanted = sys.stderr.isatty() and not (over_output and sys.stdout.isatty())
        self._began = time.monotonic()
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def show(self, text: str) -> None:
        """Bring the bar up to date; `text` says what was done so far."""
        if self._bar is None and self._wanted and time.monotonic() - self._began > PATIENCE:
            self._start()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._reading.bytes_read, text=text)

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        self._bar = Bar(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[text]}", markup=False),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,  # answers that are printed meanwhile stay on stdout, as they are
        )
        self._task = self._bar.add_task(self._title, total=self._reading.size, text="")
        self._bar.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()


class Skips:
    """Counts what was skipped, and tells the first few as they come."""

    FIRST = 5

    def __init__(self, file: str = "") -> None:
        self.count = 0
        self.file = file

    def __call__(self, skipped: Skipped) -> None:
        """Take note of something that was skipped."""
        self.tell(skipped.where, skipped.why)

    def tell(self, where: str, why: str) -> None:
        """Take note of something that was skipped: where it stands, and why it was."""
        self.count += 1
        if self.count <= self.FIRST:
            note(f"{f'{self.file}: ' if self.file else ''}{where}: {why}; skipped")

    def report(self) -> None:
        """Say how many were skipped, where there were more than were told."""
        if self.count > self.FIRST:
            note(f"{self.count:,} skipped in all")

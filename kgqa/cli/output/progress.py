"""What long work shows on stderr: a progress bar on a terminal, and notes of what was skipped; what was added to a graph."""

from __future__ import annotations

import sys
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from graph.protocols import Added
from graph.sources.article import Skipped
from kgqa.cli.output.terminal import count_text, note, printable_text

if TYPE_CHECKING:
    from rich.live import Live
    from rich.progress import Progress as Bar
    from rich.progress import TaskID
    from rich.text import Text

Item = TypeVar("Item")
PATIENCE = 2.0
"""Seconds before a bar is shown."""


class MeasuredInput(Protocol):
    """An input that knows how many bytes it has, `None` where that is unknown, and how many of them were read."""

    @property
    def size(self) -> int | None:
        """The number of bytes that there are to read."""

    @property
    def bytes_read(self) -> int:
        """The number of bytes that were read."""


class LaggingProgress:
    """The progress of work on an input whose reading runs ahead of the work: the bytes that were read for the items done."""

    def __init__(self, reading: MeasuredInput) -> None:
        self._reading = reading
        self._handed = 0
        self._ahead: deque[tuple[int, int]] = deque()
        self.bytes_read = 0

    @property
    def size(self) -> int | None:
        """The number of bytes of the input; `None` where that is unknown."""
        return self._reading.size

    def watched(self, items: Iterable[Item], counted: type[object]) -> Iterator[Item]:
        """Yield the items, recording how far was read for each of the class `counted`."""
        for item in items:
            if isinstance(item, counted):
                self._handed += 1
                self._ahead.append((self._handed, self._reading.bytes_read))
            yield item

    def reached(self, done: int) -> None:
        """Record how many of the items are done."""
        while self._ahead and self._ahead[0][0] <= done:
            self.bytes_read = self._ahead.popleft()[1]


class Progress:
    """A bar for work on an input, by the bytes that were read, over a line of what was done; on a terminal, after two seconds.

    Work that prints while it goes on (`over_output`) shows its bar only where that goes elsewhere than to the terminal.
    """

    def __init__(self, title: str, reading: MeasuredInput, over_output: bool = False) -> None:
        self._title = printable_text(title)
        self._reading = reading
        self._wanted = sys.stderr.isatty() and not (over_output and sys.stdout.isatty())
        self._began = time.monotonic()
        self._shown: tuple[Live, Bar, TaskID, Text] | None = None

    def show(self, text: str) -> None:
        """Bring the bar up to date; `text` says what was done so far."""
        if self._shown is None and self._wanted and time.monotonic() - self._began > PATIENCE:
            self._shown = self._started()
        if self._shown is not None:
            _, bar, task, line = self._shown
            bar.update(task, completed=self._reading.bytes_read, total=self._reading.size)
            line.plain = text

    def _started(self) -> tuple[Live, Bar, TaskID, Text]:
        # What was read before this moment does not count for the speed of the bar, since a resumed run skips it quickly.
        from rich.console import Console, Group
        from rich.live import Live
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar
        from rich.table import Column
        from rich.text import Text

        console = Console(stderr=True)
        title = Column(no_wrap=True, overflow="ellipsis", max_width=max(12, console.width // 3))
        columns = TextColumn("{task.description}", markup=False, table_column=title), BarColumn(None), TaskProgressColumn()
        bar = Bar(*columns, TimeRemainingColumn(), TextColumn("left"), console=console, expand=True, speed_estimate_period=120)
        task = bar.add_task(self._title, total=self._reading.size, completed=self._reading.bytes_read)
        line = Text("", no_wrap=True, overflow="ellipsis")
        # Answers that are printed meanwhile stay on stdout, as they are.
        live = Live(Group(bar, line), console=console, transient=True, redirect_stdout=False)
        live.start()
        return live, bar, task, line

    def stop(self) -> None:
        """Take the bar away; a second time, do nothing."""
        if self._shown is not None:
            self._shown[0].stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()


class WorkProgress(Progress):
    """A bar for work that is counted in `noun`s rather than bytes; `size` is how many there are, where that is known."""

    def __init__(self, title: str, size: int | None = None, noun: str = "") -> None:
        self.size, self.bytes_read, self._noun = size, 0, noun
        super().__init__(title, reading=self)

    def reached(self, done: int, text: str = "") -> None:
        """Bring the bar up to date: so many are done; `text` says so where the count with its noun does not."""
        self.bytes_read = done
        self.show(text or count_text(done, self._noun))


class SkipCounter:
    """Counts what was skipped, by reason, and prints a note of the first few as they come."""

    FIRST = 5
    NAMED = 3
    REASONS = 50

    def __init__(self, file: str = "") -> None:
        self.file = file
        self.reasons: Counter[str] = Counter()
        self.first_places: dict[str, list[str]] = {}

    @property
    def count(self) -> int:
        """The number of all that was skipped."""
        return self.reasons.total()

    def __call__(self, skipped: Skipped) -> None:
        """Count something that was skipped: where it stands, and why it was."""
        place = f"{f'{self.file}: ' if self.file else ''}{skipped.where}"
        reason = skipped.reason
        if reason not in self.reasons and len(self.reasons) >= self.REASONS:
            reason = "other reasons"
        self.reasons[reason] += 1
        names = self.first_places.setdefault(reason, [])
        if len(names) < self.NAMED:
            names.append(place)
        if self.count <= self.FIRST:
            note(f"{place}: {skipped.why}; skipped")

    def report(self) -> None:
        """Print how many were skipped, where there were more than were noted."""
        if self.count > self.FIRST:
            note(f"{self.count:,} skipped in all")


def note_unjudged(claims: int) -> None:
    """Print how many claims have no judgement, where there are any."""
    if claims:
        note(f"{count_text(claims, 'claim')} without a judgement that can be read; kept as the rules have it")


def added_text(added: Added) -> str:
    """Return what was added as a list of counts."""
    counts = (added.claims, "claim"), (added.evidence, "evidence record"), (added.concepts, "concept")
    return ", ".join(count_text(count, noun) for count, noun in counts)


def added_record(added: Added) -> dict[str, int]:
    """Return what was added as a JSON object."""
    return {"concepts": added.concepts, "claims": added.claims, "evidence": added.evidence}

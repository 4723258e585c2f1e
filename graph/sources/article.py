"""An article as the miner reads it, whatever format it came in."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from graph.model import Source


@dataclass(frozen=True, slots=True)
class Article:
    """A text with its source.

    `headings` are `(offset, title)` of the sections in `text`, in order; evidence offsets are characters of `text`.
    """

    source: Source
    text: str
    headings: tuple[tuple[int, str], ...] = ()

    def section(self, offset: int) -> str:
        """Return the title of the section that `offset` lies in; empty before the first heading."""
        place = bisect_right(self.headings, offset, key=lambda heading: heading[0])
        return self.headings[place - 1][1] if place else ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line or page that was left out: `where` is "line 17" or "page 'Title'", `why` the reason in a few words."""

    where: str
    why: str

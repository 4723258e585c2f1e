"""An article as the miner reads it, whatever format it came in."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum

from graph.model import Source


class EntryKind(StrEnum):
    """Where an entry stands."""

    LIST = "list"
    INFOBOX = "infobox"


@dataclass(frozen=True, slots=True)
class ArticleEntry:
    """An item of a list, or a field of an infobox, its values separated by semicolons."""

    kind: EntryKind
    place: tuple[str, ...]  # the headings over an item, outermost first, or the infobox and its field, in lower case
    text: str
    lead: str = ""  # the item above a nested one, or a line before the list that ends in a colon
    depth: int = 1  # the nesting of an item
    start: int | None = None  # the offset of `text` in the article's text, `None` for a field

    @property
    def end(self) -> int | None:
        """The character of the article's text behind the entry."""
        return None if self.start is None else self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class ArticleLink:
    """Words of an article that lead to another: the words as shown, their offset in its text, and the title of the other."""

    anchor: str
    offset: int
    target: str

    @property
    def end(self) -> int:
        """The character behind the anchor."""
        return self.offset + len(self.anchor)


@dataclass(frozen=True, slots=True)
class Article:
    """A text with its source; `headings` are `(offset, title)` of its sections, `entries` its list items and infobox fields.

    `links` lead to other articles, which `may_follow` allows.
    """

    source: Source
    text: str
    headings: tuple[tuple[int, str], ...] = ()
    entries: tuple[ArticleEntry, ...] = ()
    links: tuple[ArticleLink, ...] = ()
    may_follow: bool = True

    def section(self, offset: int) -> str:
        """Return the title of the section that `offset` lies in; empty before the first heading."""
        place = bisect_right(self.headings, offset, key=lambda heading: heading[0])
        return self.headings[place - 1][1] if place else ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line or page that was left out: `where` is "line 17" or "page 'Title'", `why` the reason in a few words."""

    where: str
    why: str

    @property
    def reason(self) -> str:
        """The reason without what differs from place to place, such as a position: to count by."""
        return _REASON_DETAIL.split(self.why, maxsplit=1)[0]


_REASON_DETAIL = re.compile(r": | at |; | \(")

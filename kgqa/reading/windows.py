"""Passages as the windows that the network reads: `[CLS] question [SEP] a part of a passage [SEP]`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TokenisedText:
    """A text in tokens: their ids, the characters where they stand, and the number of the word that each belongs to."""

    ids: Sequence[int]
    places: Sequence[tuple[int, int]]
    words: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class TextWindow:
    """One input of the network. Its tokens from `first` on are those of `places` in the passage of that number.

    `begins` and `ends` say of each of these tokens whether a word begins or ends with it.
    """

    passage: int
    ids: Sequence[int]
    first: int
    places: Sequence[tuple[int, int]]
    begins: Sequence[bool]
    ends: Sequence[bool]


@dataclass(frozen=True, slots=True)
class WindowLayout:
    """How windows are laid: most tokens of all, tokens of text that neighbours share, and the ids of `[CLS]` and `[SEP]`."""

    window: int
    stride: int
    cls: int
    sep: int

    def windows(self, passage: int, offset: int, question: Sequence[int], text: TokenisedText) -> Iterator[TextWindow]:
        """Yield the windows over a text that stands at `offset` in its passage; the last ends with the text, none for none."""
        count, room = len(text.ids), self.window - len(question) - 3
        step = max(1, room - self.stride)
        head = [self.cls, *question, self.sep]
        words = text.words
        begins = [place == 0 or words[place] != words[place - 1] for place in range(count)]
        ends = [*begins[1:], True]
        for start in range(0, max(1, count - self.stride), step) if count else ():
            start = max(0, min(start, count - room))
            here = slice(start, start + room)
            places = [(low + offset, high + offset) for low, high in text.places[here]]
            yield TextWindow(passage, [*head, *text.ids[here], self.sep], len(head), places, begins[here], ends[here])

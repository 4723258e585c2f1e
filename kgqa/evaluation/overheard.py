"""A reader that is listened to: what it would have said to a question if it were not allowed to say that there is no answer."""

from __future__ import annotations

from collections.abc import Sequence

from kgqa.answering.shelf import PassageSource
from kgqa.reading.model import AnswerKind, Candidate, Passage
from kgqa.reading.protocols import MeteredReader, Reader


class ForcedAnswerReader:
    """The reader of a shelf on one question; `guess` is what it finds likeliest when it is first asked.

    "No answer" and a number that has yet to be reckoned are no guess. A reader that asks a server is not listened to.
    """

    def __init__(self, shelf: PassageSource) -> None:
        self._shelf = shelf
        self._asked = False
        self.guess: str | None = None

    def opened(self) -> Reader:
        """Return the reader, opened now; raises what opening it does."""
        reader = self._shelf.reader
        return reader if isinstance(reader, MeteredReader) else self

    @property
    def name(self) -> str:
        """The name of the reader."""
        return self._shelf.reader.name

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return what the reader finds."""
        candidates = self._shelf.reader.read(question, passages, best)
        if not self._asked:
            texts = (
                candidate.text.strip() for candidate in candidates if candidate.kind not in (AnswerKind.NULL, AnswerKind.NUMBER)
            )
            self.guess = next(filter(None, texts), None)
        self._asked = True
        return candidates

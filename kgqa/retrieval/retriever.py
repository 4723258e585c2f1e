"""The interface of retrievers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kgqa.readers.reader import Passage


class Retriever(Protocol):
    """Finds the passages of a corpus that fit a query."""

    def retrieve(self, query: str, best: int = 20) -> Sequence[Passage]:
        """Return at most `best` passages, the best first, each with its score; none for a query without words."""
        ...

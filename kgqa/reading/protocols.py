"""What every reader can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from kgqa.reading.model import Candidate, Passage


class Reader(Protocol):
    """Reads the answer to a question from passages, or says that they do not tell."""

    @property
    def name(self) -> str:
        """The name that `--reader` gives it."""
        ...

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return at most `best` candidates, likeliest first; never empty.

        The scores of the candidates add up to at most 1. A reader that cannot read a question or a passage (no passage at all,
        an empty one) answers with `Kind.NULL`; it raises a `KgqaError` only for what the user must mend: a model folder that
        lacks a file, a server that does not answer.
        """
        ...


@runtime_checkable
class MeteredReader(Protocol):
    """What a reader can do besides that asks a server, which may want money for its answers."""

    def cost_line(self) -> str:
        """Return what was asked so far, in a line for people."""
        ...

    def cost_record(self) -> Mapping[str, float | int | bool | None]:
        """Return what was asked so far, for programs."""
        ...

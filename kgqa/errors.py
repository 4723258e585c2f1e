"""What can go wrong with questions, each with a message made of a fact and a remedy."""

from __future__ import annotations

from collections.abc import Sequence


class KgqaError(Exception):
    """The root of all errors of this package; `remedy` is a command to try, or empty."""

    def __init__(self, fact: str, remedy: str = "") -> None:
        super().__init__(fact)
        self.remedy = remedy


class ConceptUnknown(KgqaError):
    """The graph has no concept of that name; `near` are names that are spelt like it."""

    def __init__(self, name: str, near: Sequence[str] = (), remedy: str = "") -> None:
        super().__init__(f"no concept '{name}'" + (f"; near: {', '.join(near)}" if near else ""), remedy)

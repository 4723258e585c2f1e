"""What a writer put into a graph that was empty, so that it need not look for it there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graph.model import Claim, Source
from graph.stores.digest import EMPTY_DIGEST


class WriterCache:
    """The concepts and sources that a writer has met, and the claims that it has added; all that there are, where `complete`.

    It holds as long as the digest is the one that the writer left: whatever others add moves it, and so does a transaction of
    its own that came through unheard. Then nothing is remembered, and all is looked for.
    """

    def __init__(self) -> None:
        self.complete = False
        self.concepts: set[str] = set()
        self.pages: set[Source] = set()
        self._claims: set[str] = set()
        self._digest: str | None = None

    def recall(self, digest: str) -> None:
        """Begin a transaction on a graph with this digest; what was remembered of another is forgotten."""
        if digest != self._digest or digest == EMPTY_DIGEST:
            self.complete = digest == EMPTY_DIGEST
            self.concepts.clear()
            self.pages.clear()
            self._claims.clear()
        self._digest = None  # until the transaction has come to its end

    def keep(self, digest: str) -> None:
        """End a transaction that leaves this digest, if it comes through."""
        self._digest = digest

    def add_claims(self, claims: Iterable[Claim]) -> None:
        """Remember claims by their hashes, where that can save looking for others."""
        if self.complete:
            self._claims.update(claim.hash for claim in claims)

    def maybe_claims(self, claims: Sequence[Claim]) -> Sequence[Claim]:
        """Return those of `claims` that may be in the graph."""
        return [claim for claim in claims if claim.hash in self._claims] if self.complete else claims

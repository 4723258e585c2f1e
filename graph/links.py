"""Which edges a walk over the graph may take, as data: a kernel can look them up and a query can be given them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

from graph.model import Claim, Edge, Polarity, Relation

EdgeKind = tuple[Relation, Polarity]

EDGE_KINDS: tuple[EdgeKind, ...] = tuple(product(Relation, Polarity))
"""Every relation with every polarity, at the position that is its code, 0..17; positions must never change."""

_CODES = {kind: code for code, kind in enumerate(EDGE_KINDS)}


def kind_code(claim: Claim) -> int:
    """Return the code of what a claim says of its cause and its effect: the position in `KINDS`."""
    return _CODES[claim.relation, claim.polarity]


class Links(NamedTuple):
    """The edges that a walk may take: of one of these `kinds` and believed by more than `above`, 0..1."""

    kinds: frozenset[EdgeKind] = frozenset(EDGE_KINDS)
    above: float = 0.0

    def allow(self, edge: Edge) -> bool:
        """Return whether a walk may take `edge`."""
        return edge.belief > self.above and (edge.claim.relation, edge.claim.polarity) in self.kinds

    def mask(self) -> bytes:
        """Return a byte for each code of a kind: 1 where edges of it may be taken."""
        return bytes(kind in self.kinds for kind in EDGE_KINDS)


def links_of(kinds: Iterable[EdgeKind], above: float = 0.0) -> Links:
    """Return the links of these kinds that are believed by more than `above`."""
    return Links(frozenset(kinds), above)


EVERY_LINK = Links()
"""Every edge that is believed at all."""

BELIEVED_LINKS = Links(above=0.5)
"""Every edge that is believed by more than a half."""


def is_lessening(kind: EdgeKind) -> bool:
    """Return whether more of the cause makes less of the effect."""
    return kind[0] is Relation.PREVENTS or kind[1] is Polarity.DECREASES


LESSENING_LINKS = links_of(filter(is_lessening, EDGE_KINDS), 0.5)
"""What makes less of its effect: believed by more than a half."""

ACTING_LINKS = links_of((kind for kind in EDGE_KINDS if kind[0] is not Relation.ASSOCIATED), 0.5)
"""What acts on its effect, for more or for less of it: believed by more than a half, and more than an association."""

DRIVING_LINKS = links_of(ACTING_LINKS.kinds - LESSENING_LINKS.kinds, 0.5)
"""What can be a step of an explanation: believed by more than a half, increasing, and more than an association."""

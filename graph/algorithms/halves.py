"""What the search for chains is made of: halves of chains, and the sheaves in which they are kept until they are needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from graph.protocols import Row


class HalfChain(NamedTuple):
    """A part of a chain, from its first or its last concept inwards.

    `score` leaves out the share of its innermost concept; `sense` is that of its innermost edge; `sign` is 1 where an odd number
    of its edges turns the sign.
    """

    score: float
    nodes: tuple[int, ...]
    kinds: tuple[int, ...] = ()
    sense: int = 0
    sign: int = 0


class ChainExtensions(NamedTuple):
    """Every way to lengthen a half, that which ends at a place of the row of `parent`, by one edge.

    `number` is the innermost concept of the half, `worth` a bound of its score with the share of that concept; `tips` are the
    ends of the row, those that are of no use left out, as something that can be read fast.
    """

    parent: ChainExtensions | None
    place: int
    number: int
    worth: float
    row: Row
    tips: Sequence[int]

    def promise(self) -> float:
        """Return a bound of the scores of the halves in the sheaf."""
        return self.worth * self.row.beliefs[0]


@dataclass(slots=True)
class SearchLevel:
    """The halves of one length on one side, as the sheaves that hold them.

    `best` bounds their scores, `tips` are their innermost concepts. For those of these that the other side has met, `holders` has
    where they are (a bound of the score, the sheaf and the place in its row), and `reach` a bound with the share of the concept.
    """

    sheaves: list[ChainExtensions]
    best: float = field(init=False)
    tips: set[int] = field(init=False)
    holders: dict[int, list[tuple[float, ChainExtensions, int]]] = field(default_factory=dict)
    reach: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.best = max(map(ChainExtensions.promise, self.sheaves), default=0.0)
        self.tips = set().union(*(sheaf.tips for sheaf in self.sheaves))

    @property
    def size(self) -> int:
        """How many halves there are."""
        return sum(len(sheaf.tips) for sheaf in self.sheaves)

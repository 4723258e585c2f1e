"""Whether the right passages were found: R@1, R@5, R@20 and R@100 (M3), and the answers by the place of the right passage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.groups import grouped
from kgqa.evaluation.scoring.outcome import Outcome, share
from kgqa.evaluation.tables import Table

PLACES = (1, 5, 20, 100)
_NOTE = (
    "The share of the questions with a gold passage among so many that were retrieved; a passage is told by its words alone, and "
    "one of several is enough."
)


def retrieval(predictions: Sequence[Prediction], outcome: Outcome) -> Iterator[Table]:
    """Yield the tables of a run that retrieved its passages; none of another."""
    ranks = [one.rank for one in predictions]
    told = [rank for rank in ranks if rank is not None]
    if not told:
        return
    cells = tuple(share([0 < rank <= place for rank in told]) for place in PLACES)
    columns = ("items", *(f"R@{place}" for place in PLACES))
    yield Table("Passages retrieved (M3)", columns, (("kgqa", (len(told), *cells)),), _NOTE)
    yield grouped("By the place of the gold passage", [_place(rank) for rank in ranks], predictions, outcome)


def _place(rank: int | None) -> str:
    """Return the group of a place."""
    if rank is None:
        return "not retrieved"
    last = 0
    for place in PLACES:
        if last < rank <= place:
            return str(place) if place == 1 else f"{last + 1} to {place}"
        last = place
    return "not found"

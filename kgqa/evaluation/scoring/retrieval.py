"""Whether the right passages were found: R@1, R@5, R@20 and R@100 (M3), and the answers by the place of the right passage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.scoring.groups import group_table
from kgqa.evaluation.scoring.outcome import ScoringOutcome, bootstrap_share
from kgqa.evaluation.tables import ScoreTable

PLACES = (1, 5, 20, 100)
_RETRIEVAL_NOTE = (
    "The share of the questions with a gold passage among so many that were retrieved; a passage is told by its words alone, and "
    "one of several is enough."
)


def retrieval_tables(predictions: Sequence[Prediction], outcome: ScoringOutcome) -> Iterator[ScoreTable]:
    """Yield the tables of a run that retrieved its passages; none of another."""
    ranks = [prediction.rank for prediction in predictions]
    known_ranks = [rank for rank in ranks if rank is not None]
    if not known_ranks:
        return
    cells = tuple(bootstrap_share([0 < rank <= place for rank in known_ranks]) for place in PLACES)
    columns = ("items", *(f"R@{place}" for place in PLACES))
    yield ScoreTable("Passages retrieved (M3)", columns, (("kgqa", (len(known_ranks), *cells)),), _RETRIEVAL_NOTE)
    yield group_table("By the place of the gold passage", [_rank_group(rank) for rank in ranks], predictions, outcome)


def _rank_group(rank: int | None) -> str:
    """Return the group of a place."""
    if rank is None:
        return "not retrieved"
    last = 0
    for place in PLACES:
        if last < rank <= place:
            return str(place) if place == 1 else f"{last + 1} to {place}"
        last = place
    return "not found"

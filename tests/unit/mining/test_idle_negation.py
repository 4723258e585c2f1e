"""Each row of the table of negations that deny nothing is tested by its own example."""

from __future__ import annotations

import pytest

from graph.mining.miner import Miner
from graph.mining.stance.idle_negation import IDLE_NEGATIONS, IdleNegation, idle_sense
from graph.model import Stance

MINER = Miner()


@pytest.mark.parametrize("row", IDLE_NEGATIONS, ids=[row.example for row in IDLE_NEGATIONS])
def test_an_idle_negation_gives_its_example_the_stance_of_its_row(row: IdleNegation) -> None:
    (found,) = MINER.mine([row.example])
    assert {claim.stance for claim in found} == {row.stance}
    assert any(idle_sense(token) is row.stance for token in MINER.nlp(row.example))


@pytest.mark.parametrize(
    "sentence",
    [
        "Smoking does not cause cancer.",
        "There is no doubt that smoking causes cancer.",
        "The drought did not cause a famine, and he lived until 1940.",
        "The drug does not cause headaches as well as nausea.",
        "",
    ],
)
def test_other_negations_are_not_idle(sentence: str) -> None:
    assert [idle_sense(token) for token in MINER.nlp(sentence) if idle_sense(token) is not None] == []


def test_the_first_row_that_fits_gives_the_sense() -> None:
    doc = MINER.nlp("Not all infections cause fever.")
    assert idle_sense(doc[0]) is Stance.HEDGED

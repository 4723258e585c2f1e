"""What is named where people act for a goal, for a purpose or for a reason; a line is cause -> effect, relation, stance."""

from __future__ import annotations

import pytest

from graph.mining.miner import Miner

SENTENCES = {
    # a goal stands at the cause's end, and the act is named whoever does it
    "He emigrated to avoid persecution.": ["avoidance of persecution -> emigration, motivates, asserted"],
    "In order to save money, the king sold the ship and the castle.": [
        "saving of money -> sale of castle, motivates, asserted",
        "saving of money -> sale of ship, motivates, asserted",
    ],
    "They may emigrate in order to avoid persecution.": ["avoidance of persecution -> emigration, motivates, hedged"],
    "They did not emigrate in order to avoid persecution.": [],
    "He tried to avoid persecution.": [],
    "The king built a bridge so that traders could cross the river.": [
        "crossing of river -> construction of bridge, motivates, asserted"
    ],
    # a march is held, and that is the act
    "Workers held a rally to demand higher wages.": ["higher wage -> rally, motivates, asserted"],
    "A rally was held to demand higher wages.": ["higher wage -> rally, motivates, asserted"],
    "A rally held to demand higher wages was banned.": ["higher wage -> rally, motivates, asserted"],
    # a purpose stands at the effect's end
    "Aspirin is used to treat pain.": ["aspirin -> treatment of pain, is-for, asserted"],
    "The word is used to describe pain.": [],
    # where nobody is named, what is done is
    "He resigned due to ill health.": ["ill health -> resignation, causes, asserted"],
    "They went on due to ill health.": [],
    "Two men were injured when they crashed their car.": ["crash of car -> injury, causes, asserted"],
    # what merely follows is no effect
    "The king died after the coronation.": [],
    "The school was closed after the roof collapsed.": ["collapse of roof -> closure of school, causes, asserted"],
    "Schools were closed following the riots.": ["riot -> closure of schools, causes, asserted"],
    "Schools were closed following the ceremony.": [],
    # leave that people give is no enablement
    "Gills allow fish to breathe oxygen.": ["gill -> breathing of oxygen, enables, asserted"],
    "The king allowed traders to enter the city.": [],
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_goals_and_acts_are_told_apart_from_causes(sentence: str) -> None:
    (claims,) = Miner().mine([sentence])
    lines = {f"{one.claim.cause} -> {one.claim.effect}, {one.claim.relation}, {one.stance}" for one in claims}
    assert sorted(lines) == SENTENCES[sentence]

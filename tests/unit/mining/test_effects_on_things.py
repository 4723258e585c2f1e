"""What verbs do to their objects: an effect is no bare thing, "retina", but what is done to it, "damage to retina"."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.mining.miner import MinedClaim, Miner
from graph.mining.rules.rule_tables import every_rule
from graph.model import Polarity, Relation

TABLE = Path(__file__).parents[3] / "graph" / "text" / "data" / "effects_on_things.tsv"
ROWS = [line.split("\t")[3:] for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]]


@pytest.fixture(scope="module")
def miner() -> Miner:
    return Miner(every_rule())


def claims_of(miner: Miner, sentence: str) -> list[MinedClaim]:
    (claims,) = miner.mine([sentence])
    return claims


@pytest.mark.parametrize(("example", "claim"), ROWS)
def test_the_example_of_each_verb_gives_its_claim(miner: Miner, example: str, claim: str) -> None:
    ends = [f"{item.claim.cause} -> {item.claim.effect}" for item in claims_of(miner, example)]
    assert claim in ends if claim else not ends


@pytest.mark.parametrize(
    ("sentence", "effect"),
    [
        ("The city was destroyed by the fire.", "destruction of city"),
        ("Trees are harmed by acid rain.", "harm to trees"),
        ("The retina is damaged by ultraviolet light.", "damage to retina"),
        ("The flood happened because the dam was damaged.", "flood"),
        ("The drug affects blood pressure.", "blood pressure"),
        ("Alcohol can impair the memory.", "memory"),
        ("Caffeine increases blood pressure.", "blood pressure"),
    ],
)
def test_the_effect_is_what_is_done_to_a_thing_and_a_quality_itself(miner: Miner, sentence: str, effect: str) -> None:
    assert {item.claim.effect for item in claims_of(miner, sentence)} == {effect}


def test_the_cause_is_what_was_done_to_a_thing(miner: Miner) -> None:
    (claim,) = claims_of(miner, "The flood happened because the dam was damaged.")
    assert claim.claim.cause == "damage to dam"


def test_less_of_a_thing_is_no_less_of_what_is_done_to_it(miner: Miner) -> None:
    (claim,) = claims_of(miner, "Acid rain harms trees.")
    assert (claim.claim.relation, claim.claim.polarity) == (Relation.CAUSES, Polarity.NONE)

"""Claims between two phrases of a sentence, proposed by a rule or read by the judge alone."""

from __future__ import annotations

import pytest

from graph.mining.judge.claim_judge import EncoderJudge
from graph.mining.miner import MinedClaim, Miner
from graph.mining.pair_claims import PairReader, PairSigns
from graph.model import PAIR_RULE


@pytest.fixture(scope="module")
def miner() -> Miner:
    return Miner(judge=EncoderJudge())


def read(miner: Miner, text: str, first: str, second: str) -> list[MinedClaim]:
    at_first, at_second = ([(text.index(words), text.index(words) + len(words))] for words in (first, second))
    return PairReader(miner, EncoderJudge()).claims(miner.nlp(text), at_first, at_second)


def test_a_rule_that_joins_the_two_is_used(miner: Miner) -> None:
    (claim,) = read(miner, "Smoking causes lung cancer.", "lung cancer", "Smoking")
    assert (claim.claim.cause, claim.claim.effect, claim.rule.id) == ("smoking", "lung cancer", "cause.active")


def test_what_no_rule_joins_is_read_by_the_judge(miner: Miner) -> None:
    text = "Neurological disorders such as multiple sclerosis and strokes can have an effect on hearing as well."
    (claim,) = read(miner, text, "strokes", "hearing")
    assert (claim.claim.cause, claim.claim.effect, claim.rule.id) == ("stroke", "hearing", PAIR_RULE)
    assert claim.judgement is not None
    assert claim.judgement.right >= 0.65


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("Risk factors include high blood pressure, smoking and excessive alcohol.", "smoking", "alcohol"),
        ("Yellow fever vaccines were given to soldiers who had malaria.", "vaccines", "malaria"),
        ("Diarrhea can lead to severe dehydration and can become life-threatening.", "dehydration", "Diarrhea"),
    ],
)
def test_two_of_one_list_or_of_no_relation_or_the_wrong_way_round_make_no_claim(
    miner: Miner, text: str, first: str, second: str
) -> None:
    cause = read(miner, text, first, second)
    assert not [claim for claim in cause if claim.claim.cause.endswith(first) and claim.rule.id == PAIR_RULE]


def test_a_rule_and_a_causal_cue_speak_for_a_claim_and_its_reverse_against_it() -> None:
    plain = PairSigns(0.8, 0.5, ruled=False, causal=False).chance()
    assert PairSigns(0.8, 0.5, ruled=True, causal=False).chance() > plain
    assert PairSigns(0.8, 0.5, ruled=False, causal=True).chance() > plain
    assert PairSigns(0.8, 0.9, ruled=False, causal=False).chance() < plain

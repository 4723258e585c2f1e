from __future__ import annotations

import pytest

from graph.mining.judge.claim_judge import Judgement
from graph.mining.judge.judge_input import Proposal
from graph.mining.miner import LEAST_DENIED, LEAST_KIND, LEAST_RIGHT, Miner, example_failures
from graph.mining.rules.rule_tables import LOOSE_FAMILY, Rule, builtin_rules, every_rule, loose_rules
from graph.model import Polarity, Relation, Stance

SENTENCE = "Regular exercise improves sleep."
CAUSING, KILLING = (Relation.CAUSES, Polarity.NONE), (Relation.PREVENTS, Polarity.DECREASES)


class _Sure:
    """A judge that takes every proposal for stated with a given probability and relation, or cannot read any."""

    version = "sure"

    def __init__(self, right: float = 0.9, kind: tuple[Relation, Polarity] = KILLING, kind_chance: float = 0.9) -> None:
        self.answer: Judgement | None = Judgement(right, right, 0.9, 0.1, Stance.ASSERTED, kind, kind_chance)

    def judge(self, proposal: Proposal) -> Judgement | None:
        return self.answer


def claims_of(miner: Miner, text: str) -> list[tuple[str, str, str, Relation]]:
    (proposed,) = miner.mine([text])
    judged = miner.judged_claims(proposed, text)
    return [(claim.rule.id, claim.claim.cause, claim.claim.effect, claim.claim.relation) for claim in judged]


@pytest.mark.parametrize("rule", loose_rules(), ids=lambda rule: rule.id)
def test_each_loose_rule_finds_what_its_examples_say(rule: Rule) -> None:
    assert list(example_failures([rule])) == []


def test_loose_rules_propose_only_in_front_of_a_judge() -> None:
    assert claims_of(Miner(), SENTENCE) == []
    assert claims_of(Miner(judge=_Sure()), SENTENCE) == [("net-verb.active", "regular exercise", "sleep", Relation.PREVENTS)]


def test_a_claim_of_a_loose_rule_that_the_judge_doubts_or_cannot_read_is_dropped() -> None:
    assert claims_of(Miner(judge=_Sure(right=LEAST_RIGHT - 0.01)), SENTENCE) == []
    unread = _Sure()
    unread.answer = None
    assert claims_of(Miner(judge=unread), SENTENCE) == []
    assert claims_of(Miner(judge=unread), "Smoking causes lung cancer.") == [
        ("cause.active", "smoking", "lung cancer", Relation.CAUSES)
    ]


def test_a_loose_rule_keeps_its_relation_where_the_judge_reads_none() -> None:
    miner = Miner(judge=_Sure(kind=CAUSING, kind_chance=0.0))
    (proposed,) = miner.mine(["Cold weather slows evaporation."])
    (claim,) = miner.judged_claims(proposed, "Cold weather slows evaporation.")
    assert (claim.rule.id, claim.claim.polarity) == ("net-less.active", Polarity.DECREASES)


@pytest.mark.parametrize(("chance", "relation"), [(LEAST_KIND + 0.1, Relation.PREVENTS), (LEAST_KIND - 0.1, Relation.CAUSES)])
def test_the_relation_that_a_judge_is_sure_of_replaces_that_of_a_strict_rule(chance: float, relation: Relation) -> None:
    miner = Miner(judge=_Sure(kind_chance=chance))
    assert claims_of(miner, "Smoking causes lung cancer.") == [("cause.active", "smoking", "lung cancer", relation)]


def test_what_a_strict_rule_proposes_is_not_proposed_again() -> None:
    text = "Heavy rain produced a flood."
    families = [claim.rule.family for claim in next(iter(Miner(judge=_Sure()).mine([text])))]
    assert LOOSE_FAMILY not in families
    assert len(families) == 1


def test_a_rule_of_the_user_replaces_the_loose_one_with_its_id() -> None:
    assert {rule.id for rule in every_rule()} == {rule.id for rule in (*builtin_rules(), *loose_rules())}
    own = Miner([loose_rules()[0]], judge=_Sure()).rules
    assert len({rule.id for rule in own}) == len(own) == len(loose_rules())


@pytest.mark.parametrize(("stance", "right"), [(Stance.ASSERTED, LEAST_RIGHT), (Stance.NEGATED, LEAST_DENIED)])
def test_a_denial_must_be_surer_than_an_assertion(stance: Stance, right: float) -> None:
    judge = _Sure()
    for chance, claims in ((right, 1), (right - 0.01, 0)):
        judge.answer = Judgement(chance, chance, 0.9, 0.1, stance, CAUSING, 0.9)
        assert len(claims_of(Miner(judge=judge), "Smoking causes lung cancer.")) == claims

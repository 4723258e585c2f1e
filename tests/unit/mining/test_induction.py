from __future__ import annotations

import pytest

from graph.mining.induction import KnownPairs, believed_pairs, head_word_of_name, induce_rules, name_key
from graph.mining.miner import Miner, example_failures
from graph.mining.rules.rule_proposal import wording_shapes
from graph.mining.rules.rule_tables import builtin_rules, read_user_rules
from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement

PAIRS = [("storm", "flood", False), ("drought", "famine", False), ("strike", "shortage", False), ("vaccine", "measles", True)]
TEXT = """The storm unleashed a flood. The drought unleashed a famine. The new strikes unleashed the worst shortages.
In May the storm has unleashed a great flood. The famine and the shortage were noted. The flood followed on the storm.
A storm causes floods. The famine of the drought. The shortage of the strike. The strike of the shortage.
The storm did not wipe out a flood. The storm unleashed the war."""


@pytest.fixture(scope="module")
def miner() -> Miner:
    """A miner that knows a single rule."""
    return Miner([rule for rule in builtin_rules() if rule.id == "cause.active"])


@pytest.fixture(scope="module")
def known() -> KnownPairs:
    return KnownPairs(PAIRS)


def statement(cause: str, effect: str, stance: Stance = Stance.ASSERTED, relation: Relation = Relation.CAUSES) -> Statement:
    polarity = Polarity.DECREASES if relation is Relation.PREVENTS else Polarity.NONE
    evidence = Evidence(Source("text", page_id=f"{cause} {effect} {stance}"), stance)
    return Statement(Claim(cause, effect, relation, polarity), evidence)


def test_a_wording_that_joins_known_pairs_is_proposed(known: KnownPairs, miner: Miner) -> None:
    (proposal,) = induce_rules(lambda: [TEXT], known, miner)
    assert proposal.draft.id == "unleash.active"
    assert proposal.draft.shape.frame == "active"
    assert proposal.draft.shape.cause_is_subject
    assert {"unleash", "unleashes", "unleashed", "unleashing"} <= proposal.draft.words
    assert (proposal.draft.right, proposal.draft.wrong) == (3, 0)
    assert ("storm", "war") in proposal.fillers
    assert 0.0 <= proposal.estimate <= 1.0


def test_what_is_proposed_can_be_loaded_and_passes_its_own_examples(known: KnownPairs, miner: Miner) -> None:
    proposals = induce_rules(lambda: [TEXT], known, miner, minimum=1)
    rules = read_user_rules("\n".join(one.toml() for one in proposals), "proposed.toml")
    assert len(rules) == len(proposals) > 1
    assert {rule.learnt for rule in rules} == {"induced"}
    assert list(example_failures(rules)) == []


def test_what_the_rules_find_already_is_not_proposed(known: KnownPairs, miner: Miner) -> None:
    proposals = induce_rules(
        lambda: ["The storm caused a flood. A drought causes famine. The strike caused a shortage."], known, miner
    )
    assert proposals == []


def test_the_same_corpus_gives_the_same_proposals(known: KnownPairs, miner: Miner) -> None:
    once, again = (induce_rules(lambda: iter(TEXT.split("\n")), known, miner, minimum=1, seed=7) for _ in range(2))
    assert [one.toml() for one in once] == [one.toml() for one in again]


def test_a_wording_that_joins_pairs_the_wrong_way_round_names_the_object_as_the_cause(known: KnownPairs, miner: Miner) -> None:
    text = "The flood followed upon the storm. The famine followed upon the drought. The shortage followed upon the strike."
    (proposal,) = [one for one in induce_rules(lambda: [text], known, miner) if one.draft.shape.prep == "upon"]
    assert not proposal.draft.shape.cause_is_subject


def test_pairs_that_prevent_give_a_rule_that_prevents(miner: Miner) -> None:
    known = KnownPairs([("vaccine", "measles", True), ("net", "malaria", True), ("fruit", "scurvy", True)])
    text = "The vaccine vanquished measles. The nets vanquished malaria. The fruit vanquished scurvy."
    (proposal,) = induce_rules(lambda: [text], known, miner)
    (rule,) = read_user_rules(proposal.toml(), "proposed.toml")
    assert (rule.relation, rule.polarity) == (Relation.PREVENTS, Polarity.DECREASES)


def test_known_pairs_are_found_in_singular_and_plural(known: KnownPairs) -> None:
    text = "Storms bring floods."
    (mention,) = known.mentions(text)
    assert (text[slice(*mention.cause)], text[slice(*mention.effect)]) == ("Storms", "floods")


def test_the_longest_name_counts() -> None:
    known = KnownPairs([("smoking", "lung cancer", False), ("smoking", "cancer", False)])
    assert [one.pair for one in known.mentions("Smoking and lung cancer.")] == [("smoking", "lung cancer")]


def test_a_pair_does_not_vouch_for_itself() -> None:
    known = KnownPairs([("heavy rain", "flood", False)])
    assert not known.is_like_another("heavy rain", "flood")
    assert known.is_like_another("light rain", "flood")


def test_only_supported_claims_with_a_direction_are_believed() -> None:
    told = [
        statement("a", "b"),
        statement("c", "d", Stance.NEGATED),
        statement("e", "f", relation=Relation.ASSOCIATED),
        statement("g", "h", relation=Relation.PREVENTS),
        statement("i", "j", Stance.HEDGED),
    ]
    assert list(believed_pairs(told)) == [("a", "b", False), ("g", "h", True)]


def test_the_head_of_a_name_is_before_its_preposition() -> None:
    assert head_word_of_name(name_key("Loss of blood")) == "loss"
    assert head_word_of_name("") == ""


def test_a_path_outside_the_frames_is_written_as_a_pattern(miner: Miner) -> None:
    doc = miner.nlp("The famine was put down to the drought.")
    ((shape, cue),) = wording_shapes(doc[8], doc[1], miner.nlp)
    assert (cue.text, shape.frame) == ("put", "")
    assert "prt" in shape.pattern

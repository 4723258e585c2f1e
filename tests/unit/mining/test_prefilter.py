"""The prefilter: cue words, what stands around them, and words that must be there."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from graph.mining.miner import Miner, rules_hash
from graph.mining.prefilter import Prefilter
from graph.mining.rules.rule_tables import builtin_rules


def test_every_example_passes_for_its_rule() -> None:
    rules = builtin_rules()
    prefilter = Prefilter(rules)
    missed = [(rule.id, one.text) for rule in rules for one in rule.matches if rule.id not in prefilter.rules_for(one.text)]
    assert missed == []


def test_it_judges_as_each_expression_does_by_itself() -> None:
    rules = builtin_rules()
    prefilter = Prefilter(rules)
    for text in {example.text for rule in rules for example in rule.matches}:
        judged = prefilter.rules_for(text)
        words = set(re.findall(r"\w+", text.lower()))
        for rule in (rule for rule in rules if not rule.effect_in):
            stands = re.search(rf"(?<!\w)(?:{rule.text})(?!\w)", text.lower()) is not None
            assert (rule.id in judged) == (stands and not rule.cue.isdisjoint(words)), (rule.id, text)


def test_a_sentence_without_a_cue_is_not_parsed() -> None:
    assert Prefilter(builtin_rules()).rules_for("The harbour lies in the north.") == frozenset()


def test_the_judgement_can_be_passed_on() -> None:
    miner = Miner()
    texts = ["Smoking causes lung cancer.", "The harbour lies in the north.", "The dam broke because of heavy rain."]
    assert list(miner.mine(texts, [miner.rules_for(text) for text in texts])) == list(miner.mine(texts))
    assert list(miner.mine(texts, [frozenset()] * 3)) == [[], [], []]


@pytest.mark.parametrize("change", [{"id": "other"}, {"cue": frozenset({"x"})}, {"hedged": True}, {"effect_in": frozenset("ab")}])
def test_the_hash_of_rules_changes_with_any_of_them(change: dict[str, object]) -> None:
    first, *others = builtin_rules()
    assert rules_hash([first, *others]) == rules_hash(builtin_rules())
    assert rules_hash([replace(first, **change), *others]) != rules_hash(builtin_rules())

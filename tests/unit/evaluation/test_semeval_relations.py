"""The five-fold figure of `kgqa evaluate extraction-semeval`: rules are judged by what they do elsewhere."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from graph.mining.miner import MinedClaim
from graph.mining.rules.rule_tables import Rule, builtin_rules
from graph.model import Claim, Relation, Stance
from graph.sources.input_stream import open_input
from kgqa.evaluation.extraction.semeval_relations import (
    FOLDS,
    SemevalSentence,
    cross_validate,
    keeps_rule,
    parse_marked_sentence,
    read_marked_sentences,
    tables,
)

TEXT = "smoking causes cancer"
ASKED = SemevalSentence(TEXT, (0, 7), (15, 21), "e1->e2")
OTHER = SemevalSentence(TEXT, (0, 7), (15, 21), None)


def rule_learnt(source: str) -> Rule:
    return next(rule for rule in builtin_rules() if rule.learnt == source)


def claim(rule: Rule) -> MinedClaim:
    return MinedClaim(Claim("smoking", "cancer", Relation.CAUSES), (0, 7), (15, 21), (8, 14), Stance.ASSERTED, rule)


def test_a_marked_sentence_loses_its_marks() -> None:
    assert parse_marked_sentence("<e1>smoking</e1> causes <e2>cancer</e2>", "e1->e2") == ASKED


@pytest.mark.parametrize(("right", "wrong", "stays"), [(0, 0, True), (1, 0, True), (2, 1, True), (1, 1, False), (0, 1, False)])
def test_a_rule_stays_that_does_well_or_did_nothing(right: int, wrong: int, stays: bool) -> None:
    assert keeps_rule(Counter({"a": right}), Counter({"a": wrong}), "a") is stays


def test_a_rule_that_is_wrong_elsewhere_is_not_used() -> None:
    claims = [[claim(rule_learnt("reading"))] for _ in range(FOLDS)]
    assert cross_validate([ASKED] * FOLDS, claims, strict=False) == [{"e1->e2"}] * FOLDS
    assert cross_validate([OTHER] * FOLDS, claims, strict=False) == [set()] * FOLDS


def test_a_cue_word_that_only_one_fold_has_counts_in_the_strict_figure_only_where_it_was_known_before() -> None:
    items = [ASKED, *[OTHER] * (FOLDS - 1)]
    for source, answer in (("SemEval", set()), ("reading", {"e1->e2"})):
        claims = [[claim(rule_learnt(source))], *[[] for _ in range(FOLDS - 1)]]
        assert cross_validate(items, claims, strict=False)[0] == {"e1->e2"}
        assert cross_validate(items, claims, strict=True)[0] == answer


def test_blocks_that_are_no_sentences_are_skipped_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    marked = "<e1>smoking</e1> causes <e2>cancer</e2>"
    path.write_text(f'1\t"{marked}"\nCause-Effect(e1,e2)\nComment:\n\nno sentence\nOther\n\n2\t"{marked}"\n', encoding="utf-8")
    skipped: list[str] = []
    with open_input(path) as stream:
        items = list(read_marked_sentences(stream, lambda one: skipped.append(f"{one.where}: {one.why}")))
    assert [(item.number, item.text, item.gold) for item in items] == [("1", TEXT, "e1->e2")]
    assert skipped == ["line 5: no sentence with two marks", "line 8: no relation in the next line"]


def test_the_tables_hold_the_constant_directions_and_the_rules() -> None:
    rule = rule_learnt("reading")
    scores, rules = tables([ASKED, OTHER], [[claim(rule)], []])
    assert dict(scores.rows)["kgqa extract"][:3] == (1, 1, 1)
    assert dict(scores.rows)["always second to first"][:3] == (0, 2, 1)
    assert rules.rows == ((rule.id, (1, 0)),)

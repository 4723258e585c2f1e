from __future__ import annotations

import pytest

from graph.belief.belief import FOR, Standing, belief, classify_standing, trust
from graph.belief.priors import (
    ALL_RULES,
    ANY_SOURCE,
    ErrorRates,
    Priors,
    RuleJudgements,
    posterior,
    read_judgements,
    shipped_priors,
)
from graph.model import Ground, Stance

PRIORS = Priors({"good": 0.95, "poor": 0.5}, 0.8)


def ground(stance: Stance = Stance.ASSERTED, groups: int = 1, kind: str = "wikipedia", rule: str = "good") -> Ground:
    return Ground(stance, ((kind, rule),), groups)


def believed(*grounds: Ground) -> float:
    return belief(grounds, PRIORS)


@pytest.mark.parametrize(
    ("kind", "judged"), [("clueweb12", (0.74, 0.95, 0.97)), ("wikipedia", (0.79, 0.96, 0.98)), ("", (0.77, 0.95, 0.98))]
)
def test_trust_follows_the_judged_precision_of_independent_groups(kind: str, judged: tuple[float, ...]) -> None:
    said = [trust([ground(groups=number, kind=kind, rule="causenet")], FOR) for number in (1, 2, 3)]
    assert said == pytest.approx(list(judged), abs=0.02)


def test_every_group_for_raises_belief_and_every_group_against_lowers_it() -> None:
    against = ground(Stance.NEGATED)
    assert believed(ground()) < believed(ground(groups=2)) < believed(ground(groups=3))
    assert believed(ground(groups=2)) > believed(ground(groups=2), against) > believed(ground(), against)


def test_a_single_group_is_believed_as_far_as_its_rule_is_right() -> None:
    assert believed(ground()) == pytest.approx(0.95)
    assert believed(ground(rule="poor")) == pytest.approx(0.5)
    assert believed(ground(rule="unheard of")) == pytest.approx(0.8)


def test_denials_that_are_surely_misread_leave_belief_alone() -> None:
    sure, poor = ground(Stance.NEGATED), ground(Stance.NEGATED, rule="poor")
    assert believed(ground()) > believed(ground(), poor) > believed(ground(), sure)


def test_a_group_that_several_rules_found_is_as_good_as_the_best_of_them() -> None:
    both = Ground(Stance.ASSERTED, (("wikipedia", "good"), ("wikipedia", "poor")))
    assert believed(both) == believed(ground())


def test_kinds_of_sources_err_independently_so_two_kinds_beat_very_many_groups_of_one() -> None:
    two_kinds = [ground(kind=kind, groups=4, rule="causenet") for kind in ("clueweb12", "wikipedia")]
    assert believed(*two_kinds) > believed(ground(groups=1000, rule="causenet"))


def test_what_nobody_asserts_is_not_believed() -> None:
    assert believed() == 0.0
    assert believed(ground(Stance.NEGATED, 3)) == 0.0


def test_a_hedge_counts_for_less_than_an_assertion() -> None:
    assert 0 < believed(ground(Stance.HEDGED)) < believed(ground())
    assert believed(ground(Stance.HEDGED, 8)) > believed(ground())


@pytest.mark.parametrize(
    ("support", "against", "expected"),
    [
        (0, 0, Standing.UNKNOWN),
        (2, 0, Standing.SUPPORTED),
        (0, 1, Standing.REFUTED),
        (3, 1, Standing.CONTESTED),
        (1, 3, Standing.CONTESTED),
        (9, 1, Standing.SUPPORTED),
        (1, 9, Standing.REFUTED),
    ],
)
def test_both_sides_make_the_standing(support: int, against: int, expected: Standing) -> None:
    assert classify_standing(support, against) is expected


def test_a_rule_lies_between_its_judgements_and_its_family_and_a_family_between_its_rules_and_all() -> None:
    rows = [
        RuleJudgements(ALL_RULES, "", 8, 2),
        RuleJudgements("a", "verbs", 1, 9),
        RuleJudgements("b", "verbs", 0, 0),
        RuleJudgements("c", "nouns", 99, 1),
    ]
    priors = posterior(rows)
    assert priors.default_precision == 0.8
    assert priors.rules["b"] == pytest.approx((1 + 8) / (10 + 10))
    assert priors.rules["a"] == pytest.approx((1 + 10 * 0.45) / 20)
    assert priors.rules["c"] > 0.97


def test_without_judgements_every_rule_is_an_open_question() -> None:
    assert posterior([]) == Priors({}, 0.5)


def test_what_was_loaded_is_as_good_as_its_source_and_no_rule_is_without_error() -> None:
    priors = Priors({"sure": 1.0}, 0.8)
    assert priors.errors("csv", "table") == ANY_SOURCE
    assert priors.errors("wikipedia", "causenet") == ErrorRates(0.007, 0.201)
    assert (
        sum((priors.errors("wikipedia", "causenet:list").systematic, priors.errors("wikipedia", "causenet:list").random)) < 0.04
    )
    assert priors.errors("wikipedia", "sure").random > 0


def test_the_table_of_priors_has_probabilities() -> None:
    priors = shipped_priors()
    assert 0.5 < priors.default_precision < 1
    assert all(0 < precision < 1 for precision in priors.rules.values())


def test_a_table_is_read_row_by_row() -> None:
    assert read_judgements("rule\tfamily\tright\twrong\nx\tverbs\t3\t0.5\n") == [RuleJudgements("x", "verbs", 3.0, 0.5)]

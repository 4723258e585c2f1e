from __future__ import annotations

import pytest

from graph.belief import Standing, belief, standing, trust


@pytest.mark.parametrize(("groups", "judged"), [(1, 0.77), (2, 0.95), (3, 0.98)])
def test_trust_follows_the_judged_precision_of_independent_groups(groups: int, judged: float) -> None:
    assert trust(groups) == pytest.approx(judged, abs=0.02)


def test_every_group_for_raises_belief_and_every_group_against_lowers_it() -> None:
    assert belief(1) < belief(2) < belief(3)
    assert belief(2, 0) > belief(2, 1) > belief(2, 2)


def test_what_nobody_asserts_is_not_believed() -> None:
    assert belief(0) == 0.0
    assert belief(0, 3) == 0.0


def test_a_hedge_counts_for_less_than_an_assertion() -> None:
    assert 0 < belief(0, 0, 1) < belief(1)


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
    assert standing(support, against) is expected

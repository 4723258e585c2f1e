from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts" / "judge"))
from measure_claim_names import NamedEnd, class_of_difference


@pytest.mark.parametrize(
    ("mined", "read", "difference"),
    [
        ("failure of dams", "dam failure", "other form of the same words"),
        ("colour", "colour of a soap bubble", "the reader has more: preposition and noun behind"),
        ("noise", "engine noise", "the reader has more: modifier before"),
        ("antibody", "antibody that blocks receptors", "the reader has more: relative clause"),
        ("question of emergence of strains", "emergence of strains", "the reader has fewer: before, up to a preposition"),
        ("toxic fluoride", "fluoride", "the reader has fewer: modifier before"),
        ("colony", "bermuda", "other words, none shared"),
        ("war of zulu", "zulu uprising", "other words, some shared"),
        ("way", "", "the reader gives no name"),
    ],
)
def test_differences_of_names_have_classes(mined: str, read: str, difference: str) -> None:
    assert class_of_difference(NamedEnd(mined, read)) == difference

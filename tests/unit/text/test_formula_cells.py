"""Cells that a spreadsheet would compute."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.text.formula_cells import escape_formula, unescape_formula

FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-a1", "@sum(a1)", "\t=1", "\r=1", "\n=1", "＝1+1", "-", "'=1", "''=1"]


@pytest.mark.parametrize("cell", FORMULAS)
def test_a_cell_that_would_be_computed_gets_an_apostrophe(cell: str) -> None:
    assert escape_formula(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "smoking", "a=b", "'", "'smoking'", "'90s", "-5", "+0.25", "-1e-9", "0.943375", " =1"])
def test_text_and_numbers_stay_as_they_are(cell: str) -> None:
    assert escape_formula(cell) == cell


@given(st.text("'=+-@\t\r\n1.e xé"))
def test_every_cell_is_restored_and_none_begins_like_a_formula(cell: str) -> None:
    escaped = escape_formula(cell)
    assert unescape_formula(escaped) == cell
    assert escaped[:1] not in set("=@\t\r\n")

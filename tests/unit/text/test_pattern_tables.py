"""Tables of patterns: fragments stand for what they name in the lines behind them."""

from __future__ import annotations

from pathlib import Path

from graph.text.pattern_tables import read_pattern_table


def test_a_fragment_replaces_its_name_in_the_lines_behind_it(tmp_path: Path) -> None:
    table = tmp_path / "table.tsv"
    table.write_text("kind\tpattern\texample\nDAY\t(?:{NAMES})day\none\t{DAY}{1,2}\tMonday\n", encoding="utf-8")
    assert read_pattern_table(table, {"NAMES": "Mon|Tues"}) == [["one", "(?:Mon|Tues)day{1,2}", "Monday"]]


def test_an_empty_cell_stays_empty(tmp_path: Path) -> None:
    table = tmp_path / "table.tsv"
    table.write_text("pattern\tmeasure\texample\nhighest\t\tthe highest hill\n", encoding="utf-8")
    assert read_pattern_table(table) == [["highest", "", "the highest hill"]]

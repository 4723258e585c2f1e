"""Parquet files of statements: what is written is read back, and what cannot be read is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graph.errors import FormatUnknown, InputEmpty, InputMissing, InputUnreadable
from graph.model import Alias, Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.sources.article import Skipped
from graph.sources.parquet import ALIASES, ParquetParts, statement_row

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'kgqa[cluster]'")
parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: pip install 'kgqa[cluster]'")

FULL = Statement(
    Claim("smoking", "lung cancer", Relation.PREVENTS, Polarity.DECREASES),
    Evidence(
        source=Source("wikipedia", "Tobacco", "12", "345", "https://en.wikipedia.org/?curid=12"),
        stance=Stance.HEDGED,
        strength=Strength.RISK_FACTOR,
        rule="cause.active",
        text="Smoking – in adults – may …",
        section="Effects",
        start=10,
        end=40,
        context=(("place", "in Japan"), ("population", "adults"), ("population", "men")),
        sketch="0a1b",
    ),
)
BARE = Statement(Claim("rain", "flood"), Evidence(Source("text")))


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(list(rows)), path)
    return path


def read(path: Path) -> tuple[list[Statement], list[Skipped]]:
    skipped: list[Skipped] = []
    return list(ParquetParts(path).statements(skipped.append)), skipped


def test_every_field_is_read_back(tmp_path: Path) -> None:
    file = write(tmp_path / "a.parquet", statement_row(FULL), statement_row(BARE))
    assert read(file) == ([FULL, BARE], [])


def test_a_folder_is_read_part_by_part_with_its_aliases(tmp_path: Path) -> None:
    write(tmp_path / "part-1.parquet", statement_row(BARE))
    write(tmp_path / "part-0.parquet", statement_row(FULL))
    write(tmp_path / "_hidden.parquet", statement_row(FULL))
    write(tmp_path / ALIASES / "part-0.parquet", {"name": "downpour", "concept": "rain"})
    (tmp_path / "_SUCCESS").touch()
    parts = ParquetParts(tmp_path)
    assert list(parts.statements([].append)) == [FULL, BARE]
    assert list(parts.aliases()) == [Alias("downpour", "rain")]
    assert parts.bytes_read == parts.size == sum(file.stat().st_size for file in tmp_path.rglob("part-*.parquet"))


def test_cause_and_effect_are_enough(tmp_path: Path) -> None:
    assert read(write(tmp_path / "a.parquet", {"cause": "rain", "effect": "flood"})) == (
        [Statement(Claim("rain", "flood"), Evidence(Source("")))],
        [],
    )


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"cause": ""}, "no 'cause'"),
        ({"effect": None}, "no 'effect'"),
        ({"stance": "sure"}, "'sure' is no stance; known: asserted, negated, hedged, questioned, hypothetical"),
        ({"start": 7, "end": 3}, "'start' and 'end' are not two offsets in order"),
        ({"context": [{"slot": None, "words": "x"}]}, "'context' has a slot without a name or words"),
        ({"context": "in Japan"}, "'context' is no list of slots"),
        ({"text": 5}, "'text' is not text"),
    ],
)
def test_a_row_that_is_no_statement_is_skipped_with_its_place(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    file = write(tmp_path / "a.parquet", statement_row(FULL) | changes)
    assert read(file) == ([], [Skipped("row 1", why)])


def test_what_is_no_parquet_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputMissing):
        ParquetParts(tmp_path / "none")
    with pytest.raises(InputEmpty):
        ParquetParts(tmp_path)
    text = tmp_path / "text.parquet"
    text.write_text("cause,effect\n")
    with pytest.raises(InputUnreadable):
        read(text)
    with pytest.raises(FormatUnknown, match="no column 'cause'"):
        read(write(tmp_path / "other.parquet", {"x": 1}))


def test_a_file_cut_short_is_told_after_the_parts_before_it(tmp_path: Path) -> None:
    write(tmp_path / "part-0.parquet", statement_row(BARE))
    cut = write(tmp_path / "part-1.parquet", statement_row(FULL))
    cut.write_bytes(cut.read_bytes()[:-20])
    statements = ParquetParts(tmp_path).statements([].append)
    assert next(statements) == BARE
    with pytest.raises(InputUnreadable, match=r"part-1\.parquet"):
        next(statements)

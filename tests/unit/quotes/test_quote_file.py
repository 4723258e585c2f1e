from __future__ import annotations

from pathlib import Path

import pytest

from graph.quotes.quote_file import Quote, QuoteFile, QuoteFit, QuotesUnusable


def test_quotes_are_read_as_they_were_written(tmp_path: Path) -> None:
    quotes = {f"{number:032x}": Quote(QuoteFit.SAME, f"Sentence “{number}”.", number) for number in range(1_200)}
    file = QuoteFile(tmp_path / "new" / "quotes.sqlite")
    file.write(quotes)
    assert file.read([*quotes, "unknown"]) == quotes


def test_a_later_quote_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    file = QuoteFile(tmp_path / "quotes.sqlite")
    file.write({"a": Quote(QuoteFit.MISSING, day=3)})
    file.write({"a": Quote(QuoteFit.SAME, "So it is.")})
    assert file.read(["a"]) == {"a": Quote(QuoteFit.SAME, "So it is.")}


def test_no_file_has_no_quotes_and_is_not_made_by_reading(tmp_path: Path) -> None:
    assert QuoteFile(tmp_path / "quotes.sqlite").read(["a"]) == {}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"no database at all, but text" * 50, b"SQLite format 3\0" + b"\xff" * 4_000])
def test_a_damaged_file_is_an_error_with_its_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "quotes.sqlite"
    path.write_bytes(content)
    with pytest.raises(QuotesUnusable, match=r"the quotes in '.*quotes\.sqlite' cannot be used: "):
        QuoteFile(path).read(["a"])
    with pytest.raises(QuotesUnusable):
        QuoteFile(path).write({"a": Quote(QuoteFit.SAME, "b")})


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(QuotesUnusable, match="cannot be used: "):
        QuoteFile(tmp_path / "file" / "quotes.sqlite").write({"a": Quote(QuoteFit.SAME, "b")})

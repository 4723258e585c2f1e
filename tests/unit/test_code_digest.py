"""The digest of the program."""

from __future__ import annotations

from pathlib import Path

from kgqa.code_digest import code_digest


def test_the_digest_of_a_program_is_that_of_its_modules_and_tables(tmp_path: Path) -> None:
    package = tmp_path / "package"
    (package / "__pycache__").mkdir(parents=True)
    (package / "module.py").write_text("ONE = 1\n")
    (package / "table.tsv").write_text("a\tb\n")
    first = code_digest((package,))
    (package / "__pycache__" / "module.pyc").write_bytes(b"anything")
    assert code_digest((package,)) == first
    (package / "table.tsv").write_text("a\tc\n")
    second = code_digest((package,))
    (package / "module.py").write_text("ONE = 2\n")
    assert len({first, second, code_digest((package,))}) == 3
    assert code_digest() == code_digest()

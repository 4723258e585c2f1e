"""The blocks of docs/library.md, run in order as a notebook would, and the pictures of the docs: both are what comes out now.

Where that was changed on purpose, `python tests/golden/test_library_page.py` writes page and pictures anew; then read the diff.
"""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from kgqa.cli import run
from kgqa.settings import starter_graph

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "library.md"
PICTURES = {
    "smoking-death.svg": ["path", "smoking", "death", "--limit", "8", "--svg"],
    "malaria.svg": ["export", "svg", "--around", "malaria", "--limit", "18"],
}
"""The pictures of docs/images, and the commands that draw them; the name of the file comes last."""
_BLOCK = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_HOME = re.compile(r"'[^']*/(?=starter\.kgqa')")


def outputs(page: str) -> list[str]:
    """Run the blocks of a page one after the other and return what each prints."""
    names: dict[str, object] = {}
    printed = []
    for block in _BLOCK.finditer(page):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(block[1], PAGE.name, "exec"), names)
        printed.append(_HOME.sub("'.../", said.getvalue()))
    return printed


def test_every_block_prints_what_the_page_says() -> None:
    page = PAGE.read_text(encoding="utf-8")
    blocks = list(_BLOCK.finditer(page))
    assert len(blocks) == page.count("```python") >= 8
    for block, output in zip(blocks, outputs(page), strict=True):
        assert output == block[2], f"{PAGE.name}, line {page[: block.start()].count(chr(10)) + 1}"


def draw(command: list[str], out: Path) -> None:
    """Draw a picture of the starter graph by a command."""
    with contextlib.redirect_stdout(io.StringIO()):
        assert run([*command, str(out), "-g", starter_graph()]) == 0


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_are_those_that_the_commands_draw(name: str, tmp_path: Path) -> None:
    draw(PICTURES[name], tmp_path / name)
    assert (tmp_path / name).read_text(encoding="utf-8") == (DOCS / "images" / name).read_text(encoding="utf-8")


if __name__ == "__main__":
    for picture, command in PICTURES.items():
        draw(command, DOCS / "images" / picture)
    text = PAGE.read_text(encoding="utf-8")
    found = iter(outputs(text))
    PAGE.write_text(_BLOCK.sub(lambda block: f"```python\n{block[1]}```\n\n```text\n{next(found)}```", text), encoding="utf-8")

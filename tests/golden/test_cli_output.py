"""What commands print, word by word: the examples of docs/commands.md, the answers of docs/answers.md, docs/examples.md and
docs/what-if.md, and more in commands.txt beside this file.

Where an output was changed on purpose, `python tests/golden/test_cli_output.py` writes the pages anew; then read the diff.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {
    "docs": ROOT / "docs" / "commands.md",
    "answers": ROOT / "docs" / "answers.md",
    "examples": ROOT / "docs" / "examples.md",
    "what if": ROOT / "docs" / "what-if.md",
    "more": Path(__file__).with_name("commands.txt"),
    "small graph": Path(__file__).with_name("small_graph.txt"),
    "more answers": Path(__file__).with_name("answers.txt"),
    "more what if": Path(__file__).with_name("what_if.txt"),
}

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)

# What differs from run to run.
_VOLATILE = re.compile(r'("elapsed_ms": |"seconds": )[\d.]+')


@dataclass(frozen=True, slots=True)
class Example:
    """A command of a page, and what the page says that it prints; `line` is where the command stands."""

    line: int
    command: str
    output: str


def files_of(page: str) -> dict[str, str]:
    """The files that a page shows, by name: fenced blocks like ```csv claims.csv."""
    return dict(re.findall(r"^```\w+ ([\w.]+)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE))


def examples_of(page: str) -> list[Example]:
    """The commands of the console blocks of a page, in order."""
    return [
        Example(page[: block.start(1) + one.start()].count("\n") + 1, one[1], one[2])
        for block in _BLOCK.finditer(page)
        for one in _COMMAND.finditer(block[1])
    ]


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("KGQA_")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{kept.get('PATH', '')}"
    return {**kept, "PATH": path, "COLUMNS": "80", "LANG": "C.UTF-8"}


def printed(command: str, folder: Path, variables: dict[str, str]) -> str:
    """Run a line of a shell and return what it prints; an `export` is remembered for the lines after it."""
    if command.startswith("export "):
        name, _, value = command.removeprefix("export ").partition("=")
        variables[name] = value
        return ""
    ended = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return ended.stdout


def outputs_of(page: str, folder: Path) -> list[str]:
    """Run the commands of a page in a folder that holds its files, and return what each prints."""
    for name, content in files_of(page).items():
        (folder / name).write_text(content, encoding="utf-8")
    # Quotes in the user's cache would be printed with the places of the starter graph.
    variables = {**environment(), "XDG_CACHE_HOME": str(folder / ".cache")}
    return [printed(example.command, folder, variables) for example in examples_of(page)]


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_commands_print_what_the_page_says(path: Path, tmp_path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    examples, outputs = examples_of(page), outputs_of(page, tmp_path)
    assert len(examples) >= 3
    for example, output in zip(examples, outputs, strict=True):
        expected, got = (_VOLATILE.sub(r"\g<1>0", text) for text in (example.output, output))
        assert got == expected, f"{path.name}, line {example.line}: $ {example.command}"


def rewrite(path: Path) -> None:
    """Write what the commands of a page print now into the page."""
    page = path.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        outputs = iter(outputs_of(page, Path(folder)))
    filled = _BLOCK.sub(
        lambda block: f"```console\n{_COMMAND.sub(lambda one: f'$ {one[1]}{chr(10)}{next(outputs)}', block[1])}```", page
    )
    path.write_text(filled, encoding="utf-8")


if __name__ == "__main__":
    for each in PAGES.values():
        rewrite(each)

"""Measure the structure of graph/ and kgqa/, and how much of it one question enters: the limits that hold and those that do not.

    python scripts/measure_house.py            # the table; exit code 1 where a limit does not hold
    python scripts/measure_house.py --files    # and the files that each of the two questions enters

A question enters a file where a function of it is called while `kgqa ask` runs, from the arguments to the printed answer.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import inspect
import io
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("graph", "kgqa")
PASSAGE = "The dam was built in 1932 and held for 40 years. Heavy rain in 1972 broke the dam, and the flood killed 238 people."
QUESTIONS = {
    "a question": (("ask", "What causes tsunamis?"), 60),
    'a passage with an "if"': (
        ("ask", "If the rain had come two years later, when would the dam have broken?", "--passage", "-"),
        75,
    ),
    "a mined passage": (
        ("ask", "If there had been no heavy rain, would there have been a flood?", "--passage", "-"),
        None,
    ),
}


class Measure(NamedTuple):
    """A figure of the house, with the most that it may be, or `None` where there is no limit."""

    name: str
    figure: int
    limit: int | None


def main() -> None:
    """Print the table, and end with 1 where a limit does not hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", action="store_true", help="print the files that each question enters")
    options = parser.parse_args()
    entered = {name: entered_files(arguments) for name, (arguments, _) in QUESTIONS.items()}
    measures = list(source_measures())
    measures += [Measure(f"files that {name} enters", len(entered[name]), limit) for name, (_, limit) in QUESTIONS.items()]
    print(f"{'':40} {'figure':>7} {'limit':>7}")
    for name, figure, limit in measures:
        verdict = "" if limit is None else "holds" if figure <= limit else "DOES NOT HOLD"
        print(f"{name:40} {figure:>7,} {'' if limit is None else f'{limit:,}':>7}  {verdict}".rstrip())
    if options.files:
        for name, files in entered.items():
            print(f"\n{name} enters:", *sorted(files), sep="\n  ")
    sys.exit(any(limit is not None and figure > limit for _, figure, limit in measures))


def source_measures() -> Iterator[Measure]:
    """Yield what the text of the files tells: their number, lines, folders, circles and doubled names."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    trees = {module_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    folders = Counter(path.parent for path in paths if path.name != "__init__.py")
    classes = Counter(node.name for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    files = Counter(path.name for path in paths if path.name not in ("__init__.py", "errors.py"))
    yield Measure("files", len(paths), 350)
    yield Measure("lines", sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths), 47_000)
    yield Measure("modules of the largest folder", max(folders.values()), 18)
    yield Measure("import circles", has_circle(trees), 0)
    yield Measure("public class names that stand twice", sum(n > 1 for name, n in classes.items() if name[0] != "_"), 0)
    yield Measure("file names that stand twice", sum(n > 1 for n in files.values()), 0)


def module_name(path: Path) -> str:
    """Return the dotted name of a module of the checkout."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def has_circle(trees: dict[str, ast.Module]) -> bool:
    """Return whether imports, lazy ones too, run in a circle; those for type checkers alone do not count."""
    edges = {name: set(runtime_imports(tree, trees)) & set(trees) - {name} for name, tree in trees.items()}
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        print("circle:", " -> ".join(error.args[1]), file=sys.stderr)
        return True
    return False


def runtime_imports(tree: ast.Module, modules: Container[str]) -> Iterator[str]:
    """Yield the modules of the checkout that a module imports when it runs."""
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)]
    typing = {node for block in blocks for statement in block.body for node in ast.walk(statement)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node not in typing:
            targets = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (target if target in modules else node.module for target in targets)


def entered_files(arguments: Sequence[str]) -> set[str]:
    """Return the files of the project in which a function is called while a command runs in a fresh process."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(trace_command, arguments).result()


def trace_command(arguments: Sequence[str]) -> set[str]:
    """Return the files of the project in which a function is called while a command runs; what it reads is `PASSAGE`."""
    sys.path.insert(0, str(ROOT))
    from kgqa.cli import run

    os.environ["KGQA_GRAPH"] = ""
    codes: set[CodeType] = set()

    def note_call(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(PASSAGE.encode()))
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            sys.setprofile(note_call)
            try:
                code = run(arguments)
            finally:
                sys.setprofile(None)
    finally:
        sys.stdin = stdin
    if code:
        sys.exit(f"'kgqa {' '.join(arguments)}' failed with {code}")
    roots = tuple(str(ROOT / package) + os.sep for package in PACKAGES)
    places = {item.co_filename for item in codes if item.co_flags & inspect.CO_OPTIMIZED}  # no bodies of modules and classes
    return {str(Path(place).relative_to(ROOT)) for place in places if place.startswith(roots)}


if __name__ == "__main__":
    main()

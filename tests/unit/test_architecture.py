"""What the architecture promises: where imports may go, what stays unimported, and that everything is documented."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from kgqa.cli.commands import COMMANDS, program

ROOT = Path(__file__).parents[2]
MODULES = sorted(path for package in ("graph", "kgqa") for path in (ROOT / package).rglob("*.py"))
COMMANDS_PAGE = ROOT / "docs" / "commands.md"

# Which parts of `graph` a part may import, itself aside. `errors` and `model` are at the bottom.
MAY_IMPORT = {
    "graph": set(),
    "graph.errors": set(),
    "graph.model": set(),
    "graph.text": set(),
    "graph.mapped_file": set(),
    "graph.atomic_file": {"graph.errors"},
    "graph.belief": {"graph.model"},
    "graph.protocols": {"graph.model"},
    "graph.topology": {"graph.model", "graph.protocols"},
    "graph.cached_view": {"graph.model", "graph.protocols"},
    "graph.intervene": {"graph.model", "graph.protocols", "graph.topology", "graph.algorithms"},
    "graph.algorithms": {"graph.model", "graph.protocols", "graph.topology"},
    "graph.sources": {"graph.errors", "graph.model", "graph.text", "graph.net"},
    "graph.net": {"graph.errors", "graph.sources"},
    "graph.rdf": {"graph.errors", "graph.model", "graph.protocols", "graph.text", "graph.sources"},
    "graph.draw": {"graph.errors", "graph.model", "graph.protocols", "graph.algorithms", "graph.text"},
    "graph.stores": {
        *("graph.errors", "graph.model", "graph.protocols", "graph.text", "graph.mapped_file", "graph.atomic_file"),
        *("graph.belief", "graph.topology"),
    },
    "graph.mining": {"graph.errors", "graph.model", "graph.protocols", "graph.text", "graph.sources"},
}
HEAVY = {
    "torch",
    "transformers",
    "spacy",
    "thinc",
    "rdflib",
    "neo4j",
    "SPARQLWrapper",
    "pyoxigraph",
    "numpy",
    "rich",
    "mwparserfromhell",
    "typer",
    "pydantic",
    "zstandard",
    "concurrent",
    "multiprocessing",
    "asyncio",
    "pyspark",
    "py4j",
    "pyarrow",
    "networkx",
    "onnxruntime",
    "tokenizers",
}
DRAWERS = {"utils", "util", "helpers", "helper", "common", "misc", "base", "manager", "managers", "types"}


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> Iterator[str]:
    """The names of the modules that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import in {path}"
            assert node.module is not None
            yield node.module


def part_of(module: str) -> str:
    """The part of `graph` that a module belongs to: a folder, or a module beside the folders."""
    return ".".join(module.split(".")[:2])


def documented(node: ast.AST, prefix: str) -> Iterator[tuple[str, bool]]:
    """The public classes and functions in a node, and whether each has a docstring."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or child.name.startswith("_"):
            continue
        overload = any("property" in ast.unparse(one) and ".setter" in ast.unparse(one) for one in child.decorator_list)
        yield f"{prefix}.{child.name}", overload or ast.get_docstring(child) is not None
        if isinstance(child, ast.ClassDef):
            yield from documented(child, f"{prefix}.{child.name}")


def commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(program, info_name="kgqa")
    for name in program.list_commands(context):
        command = program.get_command(context, name)
        assert command is not None
        yield name, command


def kinds_of(group: click.Group) -> Iterator[click.Command]:
    """The commands below a command, such as the kinds of `kgqa export`."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield command


def modules_after(*arguments: str) -> set[str]:
    """The top-level modules that a process holds when a command has ended."""
    script = (
        "import sys; from kgqa.cli import run; code = run(sys.argv[1:]);"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr); sys.exit(code)"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("KGQA_")}
    ended = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, env=environment, check=False, timeout=60
    )
    assert ended.returncode == 0, ended.stderr
    return set(ended.stderr.splitlines()[-1].split())


def test_the_graph_imports_nothing_of_the_questions() -> None:
    guilty = [(name_of(path), name) for path in MODULES for name in imported(path) if name_of(path).startswith("graph")]
    assert [pair for pair in guilty if pair[1].split(".")[0] == "kgqa"] == []


@pytest.mark.parametrize("part", sorted(MAY_IMPORT))
def test_imports_inside_the_graph_go_towards_the_model(part: str) -> None:
    allowed = MAY_IMPORT[part] | {part}
    for path in MODULES:
        if part_of(name_of(path)) == part:
            ours = {part_of(name) for name in imported(path) if name.split(".")[0] == "graph"}
            assert ours <= allowed, f"{name_of(path)} imports {sorted(ours - allowed)}"


def test_every_part_of_the_graph_has_its_place() -> None:
    assert {part_of(name_of(path)) for path in MODULES if name_of(path).startswith("graph")} == set(MAY_IMPORT)


def test_only_the_command_line_knows_the_command_line() -> None:
    for path in MODULES:
        if not name_of(path).startswith("kgqa.cli"):
            assert not {"click", "kgqa.cli"} & {name if name == "click" else part_of(name) for name in imported(path)}, path


@pytest.mark.parametrize(
    "arguments",
    [
        *(("--help",), ("ask", "--help"), ("mine", "--help"), ("load", "--help"), ("extract", "--help")),
        *(("export", "--help"), ("export", "graphml", "--help"), ("export", "svg", "--help"), ("fetch", "--list")),
        ("evaluate", "--help"),
    ],
)
def test_help_imports_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert HEAVY & modules_after(*arguments) == set()


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "What causes tsunamis?", "-g", "memory:"),
        ("ask", "If smoking were absent, would there be lung cancer?", "--json", "-g", "memory:"),
        ("type", "Does smoking cause lung cancer?"),
        ("stats", "-g", "memory:"),
        ("check", "-g", "memory:"),
    ],
)
def test_asking_a_graph_imports_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert HEAVY & modules_after(*arguments) == set()


def test_a_graph_that_knows_the_answer_is_asked_without_anything_heavy(tmp_path: Path) -> None:
    claims, graph = tmp_path / "claims.csv", str(tmp_path / "small.kgqa")
    claims.write_text("cause,effect\nearthquake,tsunami\ntsunami,flood\n")
    assert HEAVY & modules_after("load", "csv", str(claims), "-g", graph) == set()
    for arguments in (
        ("ask", "What causes tsunamis?"),
        ("ask", "How does an earthquake lead to floods?", "--do", "tsunami=absent"),
        ("causes", "tsunamis"),
        ("path", "earthquake", "flood"),
        ("show", "tsunami"),
    ):
        assert HEAVY & modules_after(*arguments, "-g", graph) == set()


def test_listing_the_commands_imports_none_of_them() -> None:
    script = "import sys; from kgqa.cli import run; run(['--help']); print(*sys.modules, file=sys.stderr)"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    modules = {f"kgqa.cli.{entry.place.partition(':')[0]}" for entry in COMMANDS.values()}
    assert modules & set(ended.stderr.split()) == set()


def test_a_command_is_listed_with_the_first_line_of_its_help() -> None:
    for name, command in commands():
        assert command.name == name
        assert (command.help or "").splitlines()[0] == COMMANDS[name].line


def test_every_command_and_option_is_documented() -> None:
    page = COMMANDS_PAGE.read_text(encoding="utf-8")
    sections: dict[str, str] = {}
    for heading, text in re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE):
        sections |= dict.fromkeys(re.findall(r"`kgqa ([a-z]+)", heading), text)
    assert set(sections) == set(COMMANDS)
    for name, command in commands():
        kinds = [command] if not isinstance(command, click.Group) else [command, *kinds_of(command)]
        for option in (option for kind in kinds for parameter in kind.params for option in parameter.opts if option[0] == "-"):
            assert re.search(rf"[`\[ ]{re.escape(option)}\b", sections[name]), f"{option} of kgqa {name} is not documented"


def test_everything_public_has_a_docstring() -> None:
    missing = [name_of(path) for path in MODULES if ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) is None]
    for path in MODULES:
        found = documented(ast.parse(path.read_text(encoding="utf-8")), name_of(path))
        missing.extend(name for name, has_one in found if not has_one)
    assert missing == []


def test_no_file_is_a_drawer() -> None:
    assert [path for path in MODULES if path.stem in DRAWERS or path.parent.name in DRAWERS] == []

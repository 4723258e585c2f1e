"""What the architecture promises: where imports may go, what stays unimported, and that everything is documented."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path
from typing import get_type_hints

import click
import pytest

from kgqa.cli.commands import COMMANDS, program
from kgqa.readers.reader import READERS
from kgqa.router import ANSWERERS
from kgqa.settings import Settings, variable_name

ROOT = Path(__file__).parents[2]
MODULES = sorted(path for package in ("graph", "kgqa") for path in (ROOT / package).rglob("*.py"))
COMMANDS_PAGE = ROOT / "docs" / "commands.md"

# Which parts of its package a part may import when it runs, itself aside: a part is a folder, or a module beside the folders.
# Parts of `kgqa` may import all of `graph`. The order is from the bottom up; there is no exception.
MAY_IMPORT: dict[str, set[str]] = {
    "graph": set(),
    "graph.errors": set(),
    "graph.model": set(),
    "graph.text": set(),
    "graph.mapped_file": set(),
    "graph.unfinished_files": set(),
    "graph.atomic_file": {"graph.errors", "graph.unfinished_files"},
    "graph.model_checksums": {"graph.errors"},
    "graph.onnx_session": set(),
    "graph.belief": {"graph.model"},
    "graph.protocols": {"graph.model"},
    "graph.topology": {"graph.model", "graph.protocols"},
    "graph.cached_view": {"graph.model", "graph.protocols"},
    "graph.algorithms": {"graph.model", "graph.protocols", "graph.topology"},
    "graph.intervene": {
        *("graph.model", "graph.protocols", "graph.text", "graph.belief", "graph.topology", "graph.algorithms"),
    },
    "graph.sources": {"graph.errors", "graph.model", "graph.text"},
    "graph.net": {"graph.errors", "graph.model", "graph.sources"},
    "graph.rdf": {
        *("graph.errors", "graph.model", "graph.protocols", "graph.text", "graph.sources", "graph.algorithms"),
        "graph.unfinished_files",
    },
    "graph.draw": {"graph.errors", "graph.model", "graph.protocols", "graph.algorithms", "graph.text"},
    "graph.stores": {
        *("graph.errors", "graph.model", "graph.protocols", "graph.text", "graph.mapped_file", "graph.atomic_file"),
        *("graph.belief", "graph.topology", "graph.unfinished_files"),
    },
    "graph.mining": {
        *("graph.errors", "graph.model", "graph.protocols", "graph.text", "graph.sources", "graph.model_checksums"),
        "graph.onnx_session",
    },
    "graph.quotes": {"graph.errors", "graph.model", "graph.text", "graph.belief", "graph.sources", "graph.mining"},
    "kgqa": set(),
    "kgqa.errors": set(),
    "kgqa.settings": {"kgqa"},
    "kgqa.question": set(),
    "kgqa.reasons": set(),
    "kgqa.answer_model": {"kgqa.question"},
    "kgqa.record_schema": set(),
    "kgqa.json_text": set(),
    "kgqa.record": {"kgqa.question", "kgqa.answer_model"},
    "kgqa.calibration": {"kgqa.errors", "kgqa.question", "kgqa.reasons", "kgqa.answer_model"},
    "kgqa.quantities": {"kgqa.errors"},
    "kgqa.encoders": {"kgqa.errors", "kgqa.settings"},
    "kgqa.questions": {"kgqa.errors", "kgqa.question", "kgqa.calibration", "kgqa.quantities"},
    "kgqa.linking": {"kgqa.errors", "kgqa.settings", "kgqa.encoders"},
    "kgqa.request": {"kgqa.question", "kgqa.answer_model", "kgqa.linking"},
    "kgqa.interventions": {"kgqa.errors", "kgqa.question", "kgqa.answer_model", "kgqa.linking"},
    "kgqa.answering": {
        *("kgqa.errors", "kgqa.question", "kgqa.answer_model", "kgqa.questions", "kgqa.linking", "kgqa.request", "kgqa.reasons"),
        *("kgqa.calibration", "kgqa.interventions"),
    },
    "kgqa.readers": {"kgqa.errors", "kgqa.settings", "kgqa.questions", "kgqa.quantities", "kgqa.encoders", "kgqa.calibration"},
    "kgqa.edits": {"kgqa.errors", "kgqa.questions", "kgqa.quantities", "kgqa.readers", "kgqa.calibration"},
    "kgqa.retrieval": {
        *("kgqa.errors", "kgqa.settings", "kgqa.questions", "kgqa.calibration", "kgqa.encoders", "kgqa.readers", "kgqa.edits"),
    },
    "kgqa.presuppositions": {
        *("kgqa.question", "kgqa.reasons", "kgqa.answer_model", "kgqa.questions", "kgqa.linking", "kgqa.request"),
        *("kgqa.calibration", "kgqa.answering", "kgqa.errors", "kgqa.readers", "kgqa.retrieval", "kgqa.edits"),
        "kgqa.quantities",
    },
    "kgqa.wording": {
        *(
            "kgqa.presuppositions",
            "kgqa.question",
            "kgqa.reasons",
            "kgqa.answer_model",
            "kgqa.questions",
            "kgqa.linking",
            "kgqa.interventions",
            "kgqa.quantities",
        ),
        "kgqa.answering",
    },
    "kgqa.passages": {
        *(
            "kgqa.errors",
            "kgqa.settings",
            "kgqa.question",
            "kgqa.answer_model",
            "kgqa.questions",
            "kgqa.quantities",
            "kgqa.linking",
        ),
        *("kgqa.reasons", "kgqa.calibration", "kgqa.readers", "kgqa.edits", "kgqa.retrieval", "kgqa.presuppositions"),
    },
    "kgqa.hops": {
        *("kgqa.question", "kgqa.reasons", "kgqa.answer_model", "kgqa.questions", "kgqa.linking", "kgqa.calibration"),
        *("kgqa.readers", "kgqa.edits", "kgqa.retrieval", "kgqa.passages", "kgqa.quantities"),
    },
    "kgqa.router": {"kgqa.question", "kgqa.questions", "kgqa.settings", "kgqa.readers"},
    "kgqa.pipeline": {
        *("kgqa.errors", "kgqa.question", "kgqa.answer_model", "kgqa.questions", "kgqa.linking", "kgqa.request", "kgqa.wording"),
        *("kgqa.reasons", "kgqa.calibration", "kgqa.interventions", "kgqa.answering", "kgqa.passages", "kgqa.router"),
        "kgqa.presuppositions",
    },
    "kgqa.answer_quotes": {"kgqa.settings", "kgqa.answer_model"},
    "kgqa.api": {
        *("kgqa.hops", "kgqa.questions"),
        *(
            "kgqa.errors",
            "kgqa.settings",
            "kgqa.answer_model",
            "kgqa.record",
            "kgqa.linking",
            "kgqa.request",
            "kgqa.interventions",
        ),
        *(
            "kgqa.answering",
            "kgqa.readers",
            "kgqa.passages",
            "kgqa.router",
            "kgqa.pipeline",
            "kgqa.record_schema",
            "kgqa.answer_quotes",
        ),
    },
    "kgqa.code_digest": {"kgqa"},
    "kgqa.receipt": {
        *("kgqa", "kgqa.errors", "kgqa.settings", "kgqa.answer_model", "kgqa.record", "kgqa.record_schema", "kgqa.json_text"),
        *("kgqa.readers", "kgqa.interventions", "kgqa.passages", "kgqa.wording", "kgqa.api", "kgqa.code_digest"),
    },
    "kgqa.graph_lookup": {
        *("kgqa.errors", "kgqa.answer_model", "kgqa.record", "kgqa.record_schema", "kgqa.linking", "kgqa.interventions"),
        *("kgqa.answering", "kgqa.answer_quotes"),
    },
    "kgqa.curations": {"kgqa.errors", "kgqa.answering", "kgqa.record_schema", "kgqa.graph_lookup"},
    "kgqa.evaluation": {
        *("kgqa", "kgqa.errors", "kgqa.settings", "kgqa.question", "kgqa.answer_model", "kgqa.questions", "kgqa.linking"),
        *(
            "kgqa.request",
            "kgqa.calibration",
            "kgqa.answering",
            "kgqa.readers",
            "kgqa.passages",
            "kgqa.pipeline",
            "kgqa.api",
            "kgqa.encoders",
            "kgqa.retrieval",
            "kgqa.presuppositions",
            "kgqa.hops",
            "kgqa.wording",
            "kgqa.json_text",
            "kgqa.record",
            "kgqa.record_schema",
            "kgqa.receipt",
        ),
    },
    "kgqa.web": {
        *("kgqa", "kgqa.errors", "kgqa.settings", "kgqa.answer_model", "kgqa.record", "kgqa.record_schema", "kgqa.json_text"),
        *("kgqa.questions", "kgqa.interventions", "kgqa.answering", "kgqa.presuppositions", "kgqa.wording", "kgqa.pipeline"),
        *("kgqa.answer_quotes", "kgqa.api", "kgqa.graph_lookup", "kgqa.receipt", "kgqa.evaluation"),
    },
    "kgqa.cli": {
        *("kgqa", "kgqa.errors", "kgqa.settings", "kgqa.question", "kgqa.answer_model", "kgqa.record", "kgqa.questions"),
        *("kgqa.linking", "kgqa.wording", "kgqa.interventions", "kgqa.encoders", "kgqa.readers", "kgqa.retrieval"),
        *("kgqa.passages", "kgqa.answering", "kgqa.pipeline", "kgqa.api", "kgqa.evaluation", "kgqa.answer_quotes"),
        *("kgqa.json_text", "kgqa.graph_lookup", "kgqa.web", "kgqa.hops", "kgqa.receipt", "kgqa.code_digest"),
        *("kgqa.record_schema", "kgqa.curations"),
    },
    "kgqa.__main__": {"kgqa.cli"},
}
TWICE_NAMED = {"__init__.py", "errors.py"}
MOST_MODULES = 18
PRONOUNS = {"one", "found", "told", "asked", "said", "other", "named", "kept", "shown"}
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
    "onnx",
    "onnxruntime",
    "safetensors",
    "starlette",
    "uvicorn",
    "jinja2",
    "tokenizers",
    "urllib3",
}
DRAWERS = {"utils", "util", "helpers", "helper", "common", "misc", "base", "manager", "managers", "types"}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path, *, running: bool = False) -> Iterator[str]:
    """The names of the modules that a file imports, anywhere in it; `running` leaves out what only type checkers import."""
    tree = parsed(path)
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)]
    typing = {node for block in blocks for statement in block.body for node in ast.walk(statement)} if running else set()
    for node in ast.walk(tree):
        if node in typing:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import in {path}"
            assert node.module is not None
            modules = {f"{node.module}.{alias.name}" for alias in node.names} & MODULE_NAMES
            yield from modules or {node.module}


def part_of(module: str) -> str:
    """The part that a module belongs to: a folder, or a module beside the folders."""
    return ".".join(module.split(".")[:2])


MODULE_NAMES = {name_of(path) for path in MODULES}


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


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_a_part_imports_only_what_lies_below_it(part: str) -> None:
    allowed = MAY_IMPORT[part] | {part}
    for path in MODULES:
        if part_of(name_of(path)) == part:
            package = part.partition(".")[0]
            parts = {part_of(name) for name in imported(path, running=True) if name.partition(".")[0] == package}
            assert parts <= allowed, f"{name_of(path)} imports {sorted(parts - allowed)}"


def test_every_part_has_its_place_above_those_it_may_import() -> None:
    assert {part_of(name_of(path)) for path in MODULES} == set(MAY_IMPORT)
    below: set[str] = set()
    for part, allowed in MAY_IMPORT.items():
        assert allowed <= below, f"{part} may import {sorted(allowed - below)}, which stand above it"
        below.add(part)


def test_no_import_runs_in_a_circle() -> None:
    edges = {name_of(path): set(imported(path, running=True)) & MODULE_NAMES - {name_of(path)} for path in MODULES}
    TopologicalSorter(edges).prepare()  # raises CycleError, which names the circle


def test_no_class_and_no_file_has_the_name_of_another() -> None:
    trees = [parsed(path) for path in MODULES]
    classes = [node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name[0] != "_"]
    names = Counter([*classes, *(path.name for path in MODULES if path.name not in TWICE_NAMED)])
    assert [name for name, times in names.items() if times > 1] == []


def test_no_folder_is_crowded() -> None:
    folders = Counter(path.parent for path in MODULES if path.name != "__init__.py")
    assert {folder: modules for folder, modules in folders.items() if modules > MOST_MODULES} == {}


def test_no_variable_and_no_function_is_called_by_a_pronoun_or_a_participle() -> None:
    names = [(name_of(path), name) for path in MODULES for name in bound_names(path) if name in PRONOUNS]
    assert names == []


def bound_names(path: Path) -> Iterator[str]:
    """The names of the variables, arguments and functions that a file binds."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def test_every_row_of_the_router_and_of_the_registry_names_a_function() -> None:
    answerers = [row.answerer.partition(":") for row in ANSWERERS]
    makers = [(module, maker) for module, maker, _ in READERS.values()]
    for module, function in [*((f"kgqa.answering.{module}", function) for module, _, function in answerers), *makers]:
        assert callable(getattr(import_module(module), function)), f"{module}:{function}"


def test_only_the_command_line_knows_the_command_line() -> None:
    for path in MODULES:
        if not name_of(path).startswith(("kgqa.cli", "kgqa.__main__")):
            assert not {"click", "kgqa.cli"} & {name if name == "click" else part_of(name) for name in imported(path)}, path


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        *(("--help",), ("ask", "--help"), ("mine", "--help"), ("load", "--help"), ("extract", "--help")),
        *(("export", "--help"), ("export", "graphml", "--help"), ("export", "svg", "--help"), ("fetch", "--list")),
        *(("evaluate", "--help"), ("serve", "--help")),
    ],
)
def test_help_imports_nothing_heavy(arguments: tuple[str, ...]) -> None:
    assert HEAVY & modules_after(*arguments) == set()


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_every_variable_of_the_environment_is_a_setting_and_documented() -> None:
    hints = get_type_hints(Settings, include_extras=True)
    rows = [f"| `{variable_name(name)}` | {hint.__metadata__[0]} |" for name, hint in hints.items()]
    table = re.findall(r"^\| `KGQA_.*$", COMMANDS_PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert table == rows, "docs/commands.md needs these rows:\n" + "\n".join(rows)
    texts = {path: path.read_text(encoding="utf-8") for path in MODULES}
    used = {name for text in texts.values() for name in re.findall(r"\bKGQA_[A-Z_]+\b", text)}
    assert used <= set(map(variable_name, hints))
    assert [path for path, text in texts.items() if re.search(r"environ\b.*KGQA_", text)] == []


def test_everything_public_has_a_docstring() -> None:
    missing = [name_of(path) for path in MODULES if ast.get_docstring(parsed(path)) is None]
    for path in MODULES:
        found = documented(parsed(path), name_of(path))
        missing.extend(name for name, has_one in found if not has_one)
    assert missing == []


def test_no_file_is_a_drawer() -> None:
    assert [path for path in MODULES if path.stem in DRAWERS or path.parent.name in DRAWERS] == []


@pytest.mark.slow
def test_the_picture_of_the_rooms_is_that_of_the_imports() -> None:
    script = ROOT / "scripts" / "build" / "build_architecture_picture.py"
    assert subprocess.run([sys.executable, script, "--check"], check=False, timeout=120).returncode == 0

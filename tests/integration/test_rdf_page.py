"""What docs/rdf.md says: its queries, asked of a real SPARQL server that holds the starter graph, and its Python."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import kgqa
from sparql_server import sparql_server

from graph.atomic_file import write_atomically
from graph.rdf.rdf_writer import write_rdf
from graph.stores import open_store

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rdf.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
STARTER = str(ROOT / "graph" / "data" / "starter.kgqa")
QUERIES = re.findall(r"^```sparql\n(.*?)^```\n```csv\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def triples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter graph in N-Triples."""
    path = tmp_path_factory.mktemp("starter") / "starter.nt"
    starter = open_store(STARTER)
    with write_atomically(path) as out:
        write_rdf(starter, out, "nt")
    starter.close()
    return path


@pytest.fixture(scope="module")
def server(triples: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with sparql_server(tmp_path_factory.mktemp("server"), triples) as address:
        yield address


def asked(address: str, query: str) -> str:
    """The answer of a server as a table, as curl prints it."""
    body = urllib.parse.urlencode({"query": query}).encode()
    request = urllib.request.Request(address, body, {"Accept": "text/csv"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return str(answer.read().decode()).replace("\r\n", "\n")


def test_the_page_has_three_queries() -> None:
    assert len(QUERIES) == 3


@pytest.mark.parametrize("number", range(3))
def test_a_query_of_the_page_has_the_answer_of_the_page(server: str, number: int) -> None:
    query, answer = QUERIES[number]
    assert asked(server, query).strip() == answer.strip()


def test_the_server_holds_every_claim(server: str) -> None:
    counted = "PREFIX kgqa: <https://w3id.org/kgqa/terms/> SELECT (COUNT(*) AS ?claims) WHERE { ?claim a kgqa:Claim }"
    starter = open_store(STARTER)
    assert asked(server, counted).split() == ["claims", str(starter.stats().claims)]
    starter.close()


def test_the_python_of_the_page_prints_what_the_page_says(tmp_path: Path) -> None:
    claims = re.search(r"^```csv claims.csv\n(.*?)^```$", COMMANDS, re.DOTALL | re.MULTILINE)
    code = re.search(r"^```python\n(.*?)^```\n```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert claims
    assert code
    (tmp_path / "claims.csv").write_text(claims[1], encoding="utf-8")
    graph = str(tmp_path / "small.kgqa")
    assert kgqa("load", "csv", tmp_path / "claims.csv", "-g", graph).code == 0
    assert kgqa("export", "rdf", tmp_path / "small.ttl", "-g", graph).code == 0
    printed, before = io.StringIO(), Path.cwd()
    os.chdir(tmp_path)
    try:
        with contextlib.redirect_stdout(printed):
            exec(code[1], {})
    finally:
        os.chdir(before)
    assert printed.getvalue() == code[2]


def test_the_command_writes_every_syntax_and_reads_it_back(small: Path, tmp_path: Path) -> None:
    digest = kgqa("stats", "-g", small).out.split("digest")[1].split()[0]
    for number, name in enumerate(("a.ttl", "b.nt.gz", "c.trig.bz2", "d.ttl.zst", "e.jsonld", "f.rdf.gz")):
        again = str(tmp_path / f"{number}.kgqa")
        written = kgqa("export", "rdf", tmp_path / name, "-g", small)
        assert (written.code, written.err) == (0, "")
        loaded = kgqa("load", "rdf", tmp_path / name, "-g", again)
        assert (loaded.code, loaded.err) == (0, "")
        assert kgqa("stats", "-g", again).out.split("digest")[1].split()[0] == digest


def test_rdf_goes_through_a_pipe(small: Path, tmp_path: Path) -> None:
    written = kgqa("export", "rdf", "-", "-g", small)
    assert written.out.startswith("# kgqa RDF")
    assert "triples" in written.err
    again = str(tmp_path / "again.kgqa")
    assert kgqa("load", "rdf", "-", "-g", again, stdin=written.out).code == 0
    assert kgqa("stats", "-g", again).out.split("digest")[1].split()[0] in kgqa("stats", "-g", small).out


def test_a_name_without_a_syntax_is_wrong_use(small: Path, tmp_path: Path) -> None:
    ended = kgqa("export", "rdf", tmp_path / "graph.xml", "-g", small)
    assert ended.code == 2
    assert "does not say how to write RDF (.ttl, .nt, .trig, .jsonld, .rdf)" in ended.err
    assert not (tmp_path / "graph.xml").exists()


def test_foreign_triples_are_told(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "mixed.nt"
    assert kgqa("export", "rdf", path, "-g", small).code == 0
    path.write_text(path.read_text(encoding="utf-8") + '<urn:a> <urn:b> "c" .\n', encoding="utf-8")
    ended = kgqa("load", "rdf", path, "-g", tmp_path / "again.kgqa")
    assert (ended.code, ended.err) == (0, f"kgqa: {path}: 1 triple of other vocabularies left out\n")


def test_a_damaged_file_is_told_in_a_line_and_no_graph_is_made_of_nothing(tmp_path: Path) -> None:
    path = tmp_path / "broken.ttl"
    path.write_text("@prefix a: <urn:a> .\na:b a:c .\n", encoding="utf-8")
    ended = kgqa("load", "rdf", path, "-g", tmp_path / "new.kgqa")
    assert ended.code == 1
    assert re.fullmatch(rf"kgqa: cannot read '{re.escape(str(path))}': line 2: [^\n]*\n", ended.err)
    assert not (tmp_path / "new.kgqa").exists()


@pytest.mark.parametrize(("package", "kind"), [("pyoxigraph", "rdf"), ("SPARQLWrapper", "wikidata")])
def test_a_package_that_is_missing_is_told_with_its_extra(package: str, kind: str, tmp_path: Path) -> None:
    script = f"import sys; sys.modules['{package}'] = None; from kgqa.cli import run; sys.exit(run(sys.argv[1:]))"
    arguments = ["load", kind, "http://127.0.0.1:9/", "-g", str(tmp_path / "new.kgqa")]
    ended = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 1
    assert f"needs {package}, which is not installed\n      try: pip install 'kgqa[rdf]'\n" in ended.stderr

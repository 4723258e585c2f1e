"""`kgqa export` and `kgqa path --svg` as a shell runs them: files whole or not at all, never over a graph."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import os
import resource
import signal
import stat
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import click
import networkx
import pytest
import zstandard
from running import KGQA, clean_environment, kgqa

from graph.errors import GraphChanged
from graph.model import Claim, Evidence, Source, Statement
from graph.stores import open_store
from graph.stores.neo4j.csv_export import export_csv
from graph.text.formula_cells import unescape_formula
from kgqa.cli.export import EXPORT_KINDS as KNOWN_KINDS
from kgqa.cli.export import export
from kgqa.settings import starter_graph

UNPACK = {
    "": lambda data: data,
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".zst": lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data),
}
KINDS = {"graphml": [], "svg": ["--around", "smoking"]}


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_is_packed_as_its_name_says(small: Path, tmp_path: Path, kind: str) -> None:
    plain = kgqa("export", kind, "-", *KINDS[kind], "-g", small)
    assert plain.code == 0, plain.err
    assert plain.err.startswith("kgqa: -: ")
    for suffix, unpacked in UNPACK.items():
        out = tmp_path / f"graph.{kind}{suffix}"
        ended = kgqa("export", kind, out, *KINDS[kind], "-g", small)
        assert (ended.code, ended.err) == (0, "")
        assert unpacked(out.read_bytes()).decode() == plain.out
        assert stat.S_IMODE(out.stat().st_mode) == 0o666 & ~_umask()
    assert len(list(tmp_path.iterdir())) == 4


def test_the_graph_opens_in_networkx(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "g.graphml.gz"
    record = json.loads(kgqa("export", "graphml", out, "-g", small, "--json").out)
    assert record == {"graph": str(small), "output": str(out), "concepts": 11, "claims": 7}
    found = networkx.read_graphml(out)
    assert (len(found), found.number_of_edges()) == (11, 7)
    assert found["citrus fruit"]["scurvy"]["relation" if not found.is_multigraph() else 0]


@pytest.mark.parametrize("kind", KINDS)
def test_a_graph_is_never_written_over(small: Path, tmp_path: Path, kind: str) -> None:
    graph = tmp_path / "graph.kgqa"
    graph.write_bytes(small.read_bytes())
    link = tmp_path / "link.svg"
    link.symlink_to(graph)
    for out in (graph, link):
        ended = kgqa("export", kind, out, *KINDS[kind], "-g", graph)
        assert (ended.code, ended.err) == (
            1,
            f"kgqa: '{out}' is a graph and is not written over; name another file, or remove it first\n",
        )
    assert graph.read_bytes() == small.read_bytes()
    ended = kgqa("path", "smoking", "death", "--svg", graph, "-g", graph)
    assert "is a graph and is not written over" in ended.err


@pytest.mark.parametrize("kind", KINDS)
def test_what_cannot_be_written_is_told_in_a_line(small: Path, tmp_path: Path, kind: str) -> None:
    closed = tmp_path / "closed.svg"
    closed.write_text("old")
    closed.chmod(0o444)
    cases = {
        tmp_path / "none" / "x.svg": "no such file or directory",
        tmp_path: "is a directory",
        Path("/dev/full"): "no space left on device",
        tmp_path / ("x" * 300): "file name too long",
    }
    if os.geteuid():
        cases[closed] = "permission denied"
    for out, why in cases.items():
        ended = kgqa("export", kind, out, *KINDS[kind], "-g", small)
        assert ended.code == 1, (out, ended)
        assert ended.err.count("\n") == 1, ended.err
        assert why in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["closed.svg"]


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "g.graphml"
    out.write_text("old")
    ended = subprocess.run(
        [KGQA, "export", "graphml", str(out)],
        capture_output=True,
        text=True,
        env=clean_environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10_000_000, 10_000_000)),
        check=False,
        timeout=60,
    )
    assert (ended.returncode, ended.stderr) == (1, f"kgqa: cannot write '{out}': file too large\n")
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_export_that_is_stopped_leaves_the_old_file(tmp_path: Path, how: signal.Signals) -> None:
    out = tmp_path / "g.graphml"
    out.write_text("old")
    handler = (
        "import os, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); os.execv(sys.argv[1], sys.argv[1:])"
    )
    command = [sys.executable, "-c", handler, KGQA, "export", "graphml", str(out), "-g", starter_graph()]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=clean_environment()) as run:
        deadline = time.monotonic() + 30
        while not any(path.stat().st_size for path in tmp_path.glob(".kgqa-*")) and time.monotonic() < deadline:
            time.sleep(0.02)
        run.send_signal(how)
        _, err = run.communicate(timeout=20)
    assert out.read_text() == "old"
    if how is signal.SIGINT:
        assert (run.returncode, err) == (130, "kgqa: interrupted\n")
        assert list(tmp_path.iterdir()) == [out]


def test_nobody_reading_is_no_traceback(small: Path) -> None:
    line = f"'{KGQA}' export graphml - -g '{small}' 2>&1 >/dev/full | head -1"
    ended = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=clean_environment(), check=False, timeout=60)
    assert ended.stdout == "kgqa: cannot write '-': no space left on device\n"


def test_paths_are_drawn_beside_their_text(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "p.svg"
    told = kgqa("path", "smoking", "death", "-g", small)
    drawn = kgqa("path", "smoking", "death", "--svg", out, "-g", small)
    assert drawn == told
    root = ElementTree.parse(out).getroot()
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "How smoking leads to death"
    assert {"smoking", "lung cancer", "death"} <= set(texts)
    assert "smoking causes lung cancer" in (root.findtext("{http://www.w3.org/2000/svg}desc") or "")


def test_a_picture_and_its_chains_do_not_mix_on_stdout(small: Path) -> None:
    ended = kgqa("path", "smoking", "death", "--svg", "-", "-g", small)
    assert (ended.code, ended.out) == (2, "")
    assert "the picture must go into a file" in ended.err


def test_a_folder_of_files_does_not_go_to_stdout(small: Path) -> None:
    ended = kgqa("export", "csv", "-", "-g", small)
    assert (ended.code, ended.out, Path("-").exists()) == (2, "", False)
    assert "need a folder" in ended.err


FORMULAS = (
    ("=cmd|'calc'!a0", "flood", '=HYPERLINK("http://a.example")'),
    ("rain", "@sum(a1)+1", "-1+1 causes\tharm."),
    ("+1 rating", "harm", "'=1 causes harm."),
)


@pytest.fixture
def formulas(tmp_path: Path) -> Path:
    """A graph whose names, texts and titles a spreadsheet would compute."""
    graph = tmp_path / "formulas.kgqa"
    with open_store(str(graph), create=True) as store:
        store.add(
            Statement(Claim(cause, effect), Evidence(Source("text", text), rule="table", text=text))
            for cause, effect, text in FORMULAS
        )
    return graph


def _cells(text: str) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(text)) for cell in row]


def test_no_cell_of_an_export_is_computed_by_a_spreadsheet(formulas: Path, tmp_path: Path) -> None:
    assert kgqa("export", "csv", tmp_path / "escaped", "-g", formulas).code == 0
    assert kgqa("export", "csv", tmp_path / "raw", "--no-escape-formulas", "-g", formulas).code == 0
    names = sorted(file.name for file in (tmp_path / "raw").iterdir() if file.name != "Graph.csv")
    escaped, raw = (
        [cell for name in names for cell in _cells((tmp_path / folder / name).read_text())] for folder in ("escaped", "raw")
    )
    assert not [cell for cell in escaped if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert "=cmd|'calc'!a0" in raw
    assert list(map(unescape_formula, escaped)) == raw
    counts = (_cells((tmp_path / folder / "Graph.csv").read_text())[-1] for folder in ("escaped", "raw"))
    assert list(counts) == [str(sum(ours != theirs for ours, theirs in zip(escaped, raw, strict=True))), ""]


def test_a_table_of_a_query_is_read_back_to_the_same_graph(formulas: Path, tmp_path: Path) -> None:
    query = """SELECT ?cause ?effect ?text ?title WHERE {
        ?claim kgqa:cause/skos:prefLabel ?cause ; kgqa:effect/skos:prefLabel ?effect .
        ?claim kgqa:evidence ?record . ?record prov:value ?text ; prov:wasDerivedFrom/schema:name ?title . }"""
    table = kgqa("sparql", query, "--csv", "-g", formulas)
    assert table.code == 0, table.err
    assert not [cell for cell in _cells(table.out) if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert "\n=cmd" in kgqa("sparql", query, "--csv", "--no-escape-formulas", "-g", formulas).out
    assert kgqa("load", "csv", "-", "-g", tmp_path / "again.kgqa", stdin=table.out).code == 0
    with open_store(str(formulas)) as first, open_store(str(tmp_path / "again.kgqa")) as second:
        assert second.digest() == first.digest()


def test_another_world_says_so_in_its_picture(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "p.svg"
    assert kgqa("path", "smoking", "death", "--do", "emphysema=absent", "--svg", out, "-g", small).code == 0
    assert "How smoking leads to death, with emphysema=absent" in out.read_text()


def test_where_there_is_nothing_to_draw_nothing_is_written(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "p.svg"
    ended = kgqa("path", "death", "smoking", "--svg", out, "-g", small)
    assert (ended.code, ended.err) == (0, f"kgqa: no chain to draw; '{out}' is not written\n")
    for arguments in (["export", "svg", out, "--around", "smokng"], ["path", "smokng", "death", "--svg", out]):
        ended = kgqa(*arguments, "-g", small)
        assert (ended.code, ended.err.splitlines()[0]) == (1, "kgqa: no concept 'smokng'; near: smoking")
    assert not out.exists()


def test_a_kind_is_listed_with_the_first_line_of_its_help() -> None:
    context = click.Context(export, info_name="kgqa export")
    for name, entry in KNOWN_KINDS.items():
        command = export.get_command(context, name)
        assert command is not None
        assert (command.name, (command.help or "").splitlines()[0]) == (name, entry.line)


def test_wrong_use_is_told_with_the_kinds(small: Path) -> None:
    ended = kgqa("export", "grapml", "x")
    there = "there are: csv, graphml, rdf, svg"
    assert (ended.code, ended.err) == (2, f"kgqa: no kind 'grapml'; {there}\n      try: kgqa export graphml\n")
    ended = kgqa("export", "svg", "x.svg", "-g", small)
    assert (ended.code, ended.err.splitlines()[0]) == (2, "kgqa: missing option '--around'")
    assert kgqa("export").code == 2
    assert kgqa("export", "graphml", "").err.startswith("kgqa: OUT is empty")


def test_a_graph_that_changes_meanwhile_is_not_exported_as_csv(tmp_path: Path) -> None:
    url = str(tmp_path / "graph.kgqa")
    with open_store(url, create=True) as writer, open_store(url) as reader:
        first, second = (Statement(Claim(name, "lung cancer"), Evidence(Source("text"))) for name in ("smoking", "radon"))
        writer.add([first])
        with pytest.raises(GraphChanged, match="was written to while it was exported"):
            export_csv(reader, tmp_path / "out", lambda claims: writer.add([second]) and None)
        assert all(one.name.startswith("graph.kgqa") for one in tmp_path.iterdir())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

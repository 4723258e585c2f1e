"""Nothing reaches for the network unless its user asked for that very thing: `kgqa fetch` and `kgqa ask --quotes`."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import CLAIMS, clean_environment

ROOT = Path(__file__).parents[2]
REACH = {
    *("socket", "ssl", "urllib.request", "http.client", "ftplib", "smtplib", "xmlrpc.client", "asyncio", "telnetlib"),
    *("requests", "httpx", "aiohttp", "urllib3", "websockets", "huggingface_hub", "nltk", "spacy.cli"),
    *("neo4j", "SPARQLWrapper", "subprocess"),
}
"""Modules through which a program reaches other machines, or has another program do it."""

MAY_REACH = {
    "graph.net": "kgqa fetch, kgqa load wikidata, --reader chat: the servers that their user names; kgqa ask --quotes: Wikipedia",
    "graph.mining.spark": "kgqa mine --engine spark: the machines of the cluster that its user names",
    "graph.stores.neo4j": "a graph at an address of Neo4j",
    "graph.sources.wikidata": "kgqa load wikidata: asks the endpoint that its user names",
    "kgqa.web.application": "kgqa serve: is reached, and reaches nobody",
    "kgqa.web.server": "kgqa serve: listens at the address that its user names",
    "kgqa.web.worker_pool": "kgqa serve: its own processes",
}

BEFORE = """
import sys
def guard(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "urllib.Request"):
        raise SystemExit(f"reached for the network: {event} {arguments}")
    if event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"):
        raise SystemExit(f"started a program: {event} {arguments}")
sys.addaudithook(guard)
"""
RUN = BEFORE + "from kgqa.cli import run; sys.exit(run(sys.argv[1:]))"
ANSWER = f"""{BEFORE}
from kgqa.web.graph_service import GraphService
from kgqa.web.http_messages import WebRequest
from kgqa.web.responder import Responder
responder = Responder(GraphService(sys.argv[1]))
for name, query in (("ask", "Does smoking cause http://127.0.0.1:9/x?"), ("answer page", "What causes lung cancer?")):
    assert responder.respond(WebRequest(name, query=(("q", query),))).status == 200
body = b'{{"question": "What causes floods?", "passage": "http://127.0.0.1:9/x says that rain causes floods."}}'
assert responder.respond(WebRequest("ask", body=body, media_type="application/json")).status == 200
"""


def reached() -> Iterator[tuple[str, str]]:
    """The modules of ours with those of `REACH` that they import."""
    for path in (*(ROOT / "graph").rglob("*.py"), *(ROOT / "kgqa").rglob("*.py")):
        ours = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            for name in names:
                if any(name == one or name.startswith(f"{one}.") for one in REACH):
                    yield ours, name


def test_only_what_was_asked_for_by_name_can_reach_the_network() -> None:
    found = set(reached())
    assert ("graph.net.http", "urllib3") in found
    assert [pair for pair in sorted(found) if not any(f"{pair[0]}.".startswith(f"{part}.") for part in MAY_REACH)] == []


@pytest.mark.parametrize(
    ("module", "users"),
    [
        ("graph.net.download", {"kgqa/cli/fetch.py"}),
        ("graph.net.sparql_endpoint", {"graph/sources/wikidata.py", "kgqa/cli/load.py"}),
        ("graph.net.mediawiki_api", {"kgqa/answer_quotes.py"}),
        (
            "graph.net.http",
            {
                *("graph/net/download.py", "graph/net/mediawiki_api.py", "graph/net/sparql_endpoint.py"),
                "kgqa/readers/chat/chat_client.py",
            },
        ),
    ],
)
def test_what_reaches_the_network_is_imported_where_its_user_asks_for_it(module: str, users: set[str]) -> None:
    files = (*(ROOT / "graph").rglob("*.py"), *(ROOT / "kgqa").rglob("*.py"))
    pattern = re.compile(rf"\b{re.escape(module)}\b")
    assert {file.relative_to(ROOT).as_posix() for file in files if pattern.search(file.read_text(encoding="utf-8"))} == users


def test_commands_reach_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "claims.csv").write_text(CLAIMS, encoding="utf-8")
    (tmp_path / "text.txt").write_text("Heavy rain causes floods.\n", encoding="utf-8")
    for line in (
        ["load", "csv", "claims.csv", "-g", "g.kgqa"],
        ["mine", "text.txt", "-g", "g.kgqa", "--workers", "1"],
        ["ask", "What causes lung cancer?", "-g", "g.kgqa"],
        ["ask", "What causes floods?", "--passage", "text.txt"],
        ["type", "What causes lung cancer?"],
        ["causes", "lung cancer", "-g", "g.kgqa"],
        ["path", "smoking", "death", "-g", "g.kgqa", "--svg", "p.svg"],
        ["show", "smoking", "-g", "g.kgqa"],
        ["extract", "text.txt"],
        ["rules", "list"],
        ["stats", "-g", "g.kgqa"],
        ["check", "-g", "g.kgqa"],
        ["export", "graphml", "g.graphml", "-g", "g.kgqa"],
        ["export", "svg", "g.svg", "--around", "smoking", "-g", "g.kgqa"],
        ["copy", "g.kgqa", "copy.kgqa"],
        ["fetch", "--list"],
    ):
        ended = subprocess.run(
            [sys.executable, "-c", RUN, *line],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=clean_environment(),
            check=False,
            timeout=120,
        )
        assert ended.returncode == 0, (line, ended.stderr)


def test_a_request_to_the_server_reaches_for_nothing(small: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", ANSWER, small], capture_output=True, text=True, env=clean_environment(), check=False, timeout=120
    )
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("name", ["c=http://127.0.0.1:9/c.bz2", "enwiki"])
def test_the_guard_of_the_test_above_works(tmp_path: Path, name: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", RUN, "fetch", name, "--tries", "1"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=clean_environment(),
        check=False,
        timeout=60,
    )
    assert "reached for the network: " in ended.stderr

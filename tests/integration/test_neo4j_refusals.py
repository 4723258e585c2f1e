"""Servers that cannot be used as they are: each is told in one line, exit code 1, and no password is ever printed."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from real_neo4j import PASSWORD, Server, driver_of, new_server, url_of
from running import Ended, kgqa

from graph.errors import StoreAddressUnknown
from graph.model import Claim, Evidence, Source, Statement
from graph.stores import open_store
from graph.stores.neo4j.neo4j_connection import Neo4jAddress, is_new_enough, parse_address

RAIN = [Statement(Claim("rain", "flood"), Evidence(Source("text", "A")))]


def told(ended: Ended) -> str:
    """What a command that failed says: one line, and perhaps one to try."""
    assert ended.code == 1, ended.err
    fact, *remedy = ended.err.splitlines()
    assert fact.startswith("kgqa: ")
    assert len(remedy) <= 1
    assert "only" not in ended.err.replace("read-only", "")
    return fact.removeprefix("kgqa: ")


@pytest.mark.parametrize(
    ("url", "environment", "expected"),
    [
        ("bolt://host", {}, Neo4jAddress("bolt://host:7687", "bolt://host:7687")),
        ("NEO4J+SSC://host:1", {}, Neo4jAddress("neo4j+ssc://host:1", "neo4j+ssc://host:1")),
        ("bolt://[::1]:7", {}, Neo4jAddress("bolt://[::1]:7", "bolt://[::1]:7")),
        ("bolt://a:b%40c@host/", {}, Neo4jAddress("bolt://host:7687", "bolt://host:7687", "", "a", "b@c")),
        ("bolt://host?database=x", {}, Neo4jAddress("bolt://host:7687", "bolt://host:7687?database=x", "x")),
        ("bolt://host", {"NEO4J_PASSWORD": "qqq"}, Neo4jAddress("bolt://host:7687", "bolt://host:7687", "", "neo4j", "qqq")),
        (
            "bolt://host",
            {"NEO4J_USERNAME": "u", "NEO4J_PASSWORD": "qqq"},
            Neo4jAddress("bolt://host:7687", "bolt://host:7687", "", "u", "qqq"),
        ),
        (
            "bolt://a:xyz@host",
            {"NEO4J_USERNAME": "u", "NEO4J_PASSWORD": "qqq"},
            Neo4jAddress("bolt://host:7687", "bolt://host:7687", "", "a", "xyz"),
        ),
    ],
)
def test_an_address_says_where_and_as_whom(url: str, environment: dict[str, str], expected: Neo4jAddress) -> None:
    assert parse_address(url, environment) == expected
    assert expected.password == "" or expected.password not in repr(parse_address(url, environment))


@pytest.mark.parametrize("url", ["bolt://", "bolt://h:x", "bolt://h/path", "bolt://h?user=x", "neo4j://h#f", "bolt://h?database"])
def test_an_address_that_says_something_else_is_refused(url: str) -> None:
    with pytest.raises(StoreAddressUnknown):
        open_store(url)


def test_an_address_that_is_refused_is_shown_without_its_password() -> None:
    with pytest.raises(StoreAddressUnknown) as refused:
        open_store("bolt://neo4j:secret@host/path")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("agent", "enough"),
    [("Neo4j/5.26.12", True), ("Neo4j/2025.06.0", True), ("Neo4j/5.25.1", False), ("Neo4j/4.4.30", False), ("Memgraph/3", False)],
)
def test_a_server_must_be_new_enough(agent: str, enough: bool) -> None:
    assert is_new_enough(agent) is enough


def test_a_server_that_is_down_is_told() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
    assert told(kgqa("stats", "-g", f"bolt://127.0.0.1:{port}")).endswith(f"'bolt://127.0.0.1:{port}': nobody listens there")


@contextlib.contextmanager
def speaking_http() -> Iterator[str]:
    """A server that speaks neither Bolt nor TLS, by its host and port."""

    def answer(server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                one, _ = server.accept()
                with one:
                    one.recv(100)
                    one.sendall(b"HTTP/1.1 400 Bad Request")

    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        threading.Thread(target=answer, args=(server,), daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)


def test_a_server_that_is_none_of_neo4j_is_told() -> None:
    with speaking_http() as place:
        assert "no Neo4j server to be used" in told(kgqa("stats", "-g", f"bolt://{place}"))


@pytest.mark.parametrize("scheme", ["bolt+s", "bolt+ssc", "neo4j+s"])
def test_a_server_without_tls_is_told(scheme: str) -> None:
    with speaking_http() as place:
        plain = scheme.partition("+")[0]
        assert told(kgqa("stats", "-g", f"{scheme}://{place}")).endswith(f"it does not speak TLS; try {plain}://...")


def test_a_host_that_is_unknown_is_told() -> None:
    assert "no Neo4j server to be used" in told(kgqa("stats", "-g", "bolt://no-such-host.invalid"))


def test_a_wrong_password_is_told(neo4j_server: Server) -> None:
    wrong = neo4j_server.url.replace("://", "://neo4j:only-wrong@")
    assert told(kgqa("stats", "-g", wrong)) == f"'{neo4j_server.url}' refuses: the user or the password is wrong"
    assert "refuses" in told(kgqa("stats", "-g", neo4j_server.url))


def test_who_asks_may_be_said_by_the_environment(neo4j_server: Server) -> None:
    with closing(open_store(url_of(neo4j_server), create=True)) as store:
        store.add(RAIN)
    asked = kgqa("causes", "flood", "-g", neo4j_server.url, NEO4J_USERNAME="neo4j", NEO4J_PASSWORD=PASSWORD)
    assert asked.code == 0, asked.err
    assert "rain" in asked.out


def test_no_output_holds_the_password(neo4j_server: Server, tmp_path: Path) -> None:
    table, url = tmp_path / "claims.csv", url_of(neo4j_server)
    table.write_text("cause,effect\nrain,flood\n", encoding="utf-8")
    for arguments in (
        ("load", "csv", table, "-g"),
        ("stats", "-g"),
        ("stats", "--json", "-g"),
        ("check", "-g"),
        ("check", "--json", "-g"),
    ):
        ended = kgqa(*arguments, url)
        assert ended.code == 0, ended.err
        assert "only" not in ended.out + ended.err


def test_a_database_that_is_not_there_is_told(neo4j_server: Server) -> None:
    assert told(kgqa("stats", "-g", f"{url_of(neo4j_server)}?database=other")).endswith("it has no such database")


def test_a_database_that_holds_nothing_is_told(neo4j_server: Server) -> None:
    assert told(kgqa("stats", "-g", url_of(neo4j_server))) == f"no graph at '{neo4j_server.url}'"


def test_a_database_that_holds_something_else_is_left_alone(neo4j_server: Server, small: Path) -> None:
    with driver_of(neo4j_server) as driver:
        driver.execute_query("CREATE (:Film {title: 'The Matrix'})")
        for arguments in (("stats", "-g"), ("copy", small)):
            assert "holds something else (Film)" in told(kgqa(*arguments, url_of(neo4j_server)))
        assert driver.execute_query("MATCH (n) RETURN count(n) AS nodes").records[0]["nodes"] == 1


def test_a_graph_of_another_version_is_told(neo4j_server: Server) -> None:
    open_store(url_of(neo4j_server), create=True).close()
    with driver_of(neo4j_server) as driver:
        driver.execute_query("MATCH (g:Graph) SET g.version = 99")
    assert "has store version 99" in told(kgqa("stats", "-g", url_of(neo4j_server)))


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that encrypts with a certificate of its own, and whose database is read-only once it is asked to be."""
    home = tmp_path_factory.mktemp("certified")
    server = new_server(home)
    folder = home / "certificates"
    folder.mkdir()
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    files = ["-keyout", str(folder / "private.key"), "-out", str(folder / "public.crt")]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject, *files],
        check=True,
        capture_output=True,
    )
    server.settings = {
        "dbms.ssl.policy.bolt.enabled": "true",
        "dbms.ssl.policy.bolt.base_directory": str(folder),
        "dbms.ssl.policy.bolt.client_auth": "NONE",
        "server.bolt.tls_level": "OPTIONAL",
        "server.bolt.connection_keep_alive": "1s",
        "server.bolt.connection_keep_alive_for_requests": "ALL",
    }
    server.start()
    with closing(open_store(url_of(server), create=True)) as store:
        store.add(RAIN)
    yield server
    server.kill()


@pytest.mark.parametrize("scheme", ["bolt+ssc", "neo4j+ssc", "neo4j"])
def test_a_connection_may_be_encrypted_or_routed(certified: Server, scheme: str) -> None:
    with closing(open_store(url_of(certified).replace("bolt", scheme))) as store:
        assert [edge.cause for edge in store.causes("flood")] == ["rain"]


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
def test_a_certificate_that_nobody_vouches_for_is_told(certified: Server, scheme: str) -> None:
    assert "its certificate is not trusted" in told(kgqa("stats", "-g", url_of(certified).replace("bolt", scheme)))


def _is_stopped(pid: int) -> bool:
    """Return whether every thread of a process has stopped; a signal takes its time to reach them all."""
    states = [stat.read_text().rpartition(")")[2].split()[0] for stat in Path(f"/proc/{pid}/task").glob("*/stat")]
    return set(states) == {"T"}


def test_a_server_that_hangs_is_given_up(certified: Server) -> None:
    with closing(open_store(url_of(certified))) as store:
        assert certified.process is not None
        os.kill(certified.process.pid, signal.SIGSTOP)
        try:
            while not _is_stopped(certified.process.pid):
                time.sleep(0.01)
            began = time.monotonic()
            with pytest.raises(Exception, match="no Neo4j server to be used") as given_up:
                store.causes("flood")
            assert "does not answer" in str(given_up.value)
            assert time.monotonic() - began < 120
        finally:
            os.kill(certified.process.pid, signal.SIGCONT)


def test_a_server_that_only_reads_answers_and_refuses_to_be_written(certified: Server, small: Path) -> None:
    certified.stop()
    certified.settings = {**certified.settings, "server.databases.default_to_read_only": "true"}
    certified.start()
    url = url_of(certified)
    asked = kgqa("causes", "flood", "-g", url)
    assert asked.code == 0, asked.err
    for arguments in (("copy", small, url), ("load", "csv", "-", "-g", url)):
        ended = kgqa(*arguments, stdin="cause,effect\na,b\n")
        assert told(ended).startswith(f"'{certified.url}' is read-only")

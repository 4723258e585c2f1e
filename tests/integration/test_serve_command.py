"""`kgqa serve` in a process of its own: its address, its answers, its end; who is let in; clients that are slow."""

from __future__ import annotations

import csv
import json
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from real_neo4j import Server, url_of
from running import KGQA, Run, clean_environment, kgqa, serving_graph

QUESTIONS = Path(__file__).parents[2] / "docs" / "judgements" / "lay-questions.tsv"
MOST_ASKED = 50


def get(address: str, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
    with closing(HTTPConnection(urlsplit(address).netloc, timeout=300)) as connection:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        reply = connection.getresponse()
        return reply.status, reply.read()


def without_time(line: bytes) -> bytes:
    return re.sub(rb'"elapsed_ms": [0-9.]+', b'"elapsed_ms": 0', line)


@pytest.fixture(scope="module")
def server(small: Path) -> Iterator[str]:
    with serving_graph("-g", small) as (_, address):
        yield address


def test_the_first_line_is_the_address_and_the_page_is_there(server: str) -> None:
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", server)
    status, page = get(server, "/")
    assert status == 200
    assert b"<h1>" in page


def test_fifty_questions_have_the_bytes_of_the_command(tmp_path: Path) -> None:
    with QUESTIONS.open(encoding="utf-8", newline="") as file:
        questions = [row["question"] for row in csv.DictReader(file, delimiter="\t")]
    asked = questions[:: len(questions) // MOST_ASKED][:MOST_ASKED]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("".join(json.dumps({"question": question}) + "\n" for question in asked), encoding="utf-8")
    printed = subprocess.run(
        [KGQA, "ask", "--batch", batch, "--workers", "1", "--json"], capture_output=True, env=clean_environment(), check=True
    ).stdout.splitlines(keepends=True)
    with serving_graph() as (_, address):
        for question, line in zip(asked, printed, strict=True):
            status, body = get(address, f"/api/v1/ask?q={quote(question)}")
            assert status == 200
            assert without_time(body) == without_time(line), question
        _, batched = get(address, "/api/v1/batch", "POST", batch.read_bytes())
        assert without_time(batched) == without_time(b"".join(printed))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_with_exit_code_0(small: Path, number: int) -> None:
    with serving_graph("-g", small) as (process, address):
        assert get(address, "/healthz")[0] == 200
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out) == (0, "")
        assert "Traceback" not in err


def test_no_process_is_left_behind_by_a_server_that_was_killed(small: Path) -> None:
    with serving_graph("-g", small) as (process, address):
        assert get(address, "/healthz")[0] == 200
        children = [int(pid) for pid in subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True).stdout.split()]
        assert children
        process.kill()
        process.wait()
        wait_until_gone(children)


def wait_until_gone(processes: list[int]) -> None:
    deadline = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() and "(zombie)" not in Path(f"/proc/{pid}/status").read_text() for pid in processes):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_graph_of_neo4j_is_served_like_that_of_a_file(neo4j_server: Server, small: Path, server: str) -> None:
    url = url_of(neo4j_server)
    assert kgqa("copy", small, url).code == 0
    with serving_graph("-g", url) as (_, address):
        records = [json.loads(get(place, "/api/v1/ask?q=What+causes+lung+cancer%3F")[1]) for place in (server, address)]
        for record in records:
            del record["elapsed_ms"]
        assert re.fullmatch(r"bolt://[\w.]+:\d+", records[1]["graph"].pop("url"))
        del records[0]["graph"]["url"]
        assert records[0] == records[1]
        assert get(address, "/concept/smoking")[0] == 200


def test_others_are_let_in_with_the_token_alone(small: Path) -> None:
    token = "sixteen-letters-x"
    with serving_graph("-g", small, "--host", "0.0.0.0", KGQA_SERVE_TOKEN=token) as (_, address):
        assert address.endswith(f"/?token={token}")
        here = f"http://127.0.0.1:{urlsplit(address).port}"
        assert get(here, "/healthz")[0] == 401
        assert get(here, "/healthz", authorization=f"Bearer {token}")[0] == 200
        assert get(here, "/healthz", authorization=f"Bearer {token}", host="evil.example")[0] == 421


@pytest.mark.parametrize(
    ("arguments", "fact"),
    [
        (("--host", "0.0.0.0"), "'0.0.0.0' lets others in, and no token is set"),
        (("--token", "short"), "a token has at least 16"),
        (("-g", "missing.kgqa"), "no graph at 'missing.kgqa'"),
        (("--port", "99999"), "99999 is not in the range"),
    ],
)
def test_what_cannot_be_served_is_said_at_once(here: Run, arguments: tuple[str, ...], fact: str) -> None:
    ended = here("serve", *arguments)
    assert ended.code in (1, 2)
    assert fact in ended.err


def test_a_port_that_is_taken_is_said_at_once(small: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = kgqa("serve", "-g", small, "--port", str(taken.getsockname()[1]))
    assert ended.code == 1
    assert "address already in use" in ended.err


def test_a_client_that_sends_nothing_or_nonsense_disturbs_nobody(server: str) -> None:
    place = urlsplit(server)
    assert place.hostname is not None
    idle = [socket.create_connection((place.hostname, place.port or 0)) for _ in range(50)]
    for number, client in enumerate(idle):
        client.sendall((b"", b"GET / HT", b"\x00\xff\r\n\r\n", b"POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\n")[number % 4])
    assert get(server, "/healthz")[0] == 200
    for client in idle:
        client.close()
    assert get(server, "/healthz")[0] == 200


@pytest.mark.parametrize("first", [b"", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"])
def test_a_connection_whose_headers_do_not_come_is_closed(server: str, first: bytes) -> None:
    place = urlsplit(server)
    assert place.hostname is not None
    with socket.create_connection((place.hostname, place.port or 0), timeout=60) as client:
        client.sendall(first)
        if first:
            assert b"200 OK" in client.recv(10_000)
        client.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        while client.recv(10_000):
            pass


def test_the_counts_are_there_for_prometheus(server: str) -> None:
    get(server, "/api/v1/stats")
    _, text = get(server, "/metrics")
    assert b'kgqa_requests_total{endpoint="stats",status="200"}' in text
    for line in text.decode().splitlines():
        assert re.fullmatch(r"#.*|\w+\{[^}]*\} [0-9.e+-]+", line), line

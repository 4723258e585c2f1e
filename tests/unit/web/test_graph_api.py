"""The API: the records of the commands, problems with remedies, entity tags."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_web_graph import client_of, write_graph
from starlette.testclient import TestClient

from graph.model import Claim
from kgqa.cli import run

PROBLEMS = (
    ("GET", "/api/v1/ask", {}, 400, "parameter 'q' is missing"),
    ("GET", "/api/v1/ask?q=", {}, 400, "no question"),
    ("GET", "/api/v1/ask?q=x&p=1", {}, 400, "no parameter 'p'"),
    ("GET", "/api/v1/ask?q=x&limit=0", {}, 400, "from 1 to 1000"),
    ("GET", "/api/v1/ask?q=x&limit=1.5", {}, 400, "whole number"),
    ("GET", "/api/v1/ask?q=x&risk=nan", {}, 400, "a number from 0 to 1"),
    ("GET", "/api/v1/ask?q=x&q=y", {}, 400, "more than once"),
    ("GET", "/api/v1/ask?q=x&do=smoking", {}, 400, "cannot read --do"),
    ("GET", "/api/v1/ask?q=What+causes+death%3F&do=zzz%3Dabsent", {}, 404, "no concept 'zzz'"),
    ("GET", "/api/v1/ask?q=x&passage=y", {}, 400, "no parameter 'passage'"),
    ("GET", f"/api/v1/ask?q={'x' * 2001}", {}, 413, "characters"),
    ("GET", f"/api/v1/ask?q={'x' * 9000}", {}, 414, "bytes"),
    ("POST", "/api/v1/ask", {"content": b"\xff"}, 400, "not UTF-8"),
    ("POST", "/api/v1/ask", {"content": b"{"}, 400, "not JSON"),
    ("POST", "/api/v1/ask", {"content": b"[" * 100_000}, 400, "not JSON"),
    ("POST", "/api/v1/ask", {"content": b"[1]"}, 400, "not a JSON object"),
    ("POST", "/api/v1/ask", {"json": {"question": 3}}, 400, "not a text"),
    ("POST", "/api/v1/ask", {"json": {"question": "x", "more": 1}}, 400, "no parameter 'more'"),
    ("POST", "/api/v1/ask", {"content": b"<x/>", "headers": {"content-type": "text/xml"}}, 415, "text/xml"),
    ("POST", "/api/v1/ask", {"content": b"x" * 2_000_000}, 413, "bytes"),
    ("POST", "/api/v1/batch", {"content": b"\n"}, 400, "0 lines"),
    ("DELETE", "/api/v1/ask", {}, 405, "DELETE"),
    ("GET", "/api/v1/extract", {}, 405, "GET"),
    ("GET", "/api/v1/nothing", {}, 404, "/api/v1/nothing"),
    ("GET", "/api/v1/concept/smokng", {}, 404, "near: smoking"),
    ("GET", f"/api/v1/claim/{'0' * 32}", {}, 404, "no claim"),
    ("GET", f"/api/v1/claim/{'0' * 32}?cause=a&effect=b&relation=c", {}, 400, "'c' is not a valid Relation"),
)
SAME = (
    ("/api/v1/ask?q=What+causes+lung+cancer%3F", ("ask", "What causes lung cancer?")),
    ("/api/v1/ask?q=Does+coffee+cause+insomnia%3F&cypher=1", ("ask", "Does coffee cause insomnia?", "--cypher")),
    (
        "/api/v1/ask?q=What+causes+lung+cancer%3F&do=smoking%3Dabsent&limit=3",
        ("ask", "What causes lung cancer?", "--do", "smoking=absent", "--limit", "3"),
    ),
    ("/api/v1/ask?q=What+causes+lung+cancer%3F&risk=0.01", ("ask", "What causes lung cancer?", "--risk", "0.01")),
    ("/api/v1/type?q=What+causes+lung+cancer%3F", ("type", "What causes lung cancer?")),
    ("/api/v1/concept/smoking?loops=1", ("show", "smoking", "--loops")),
    ("/api/v1/stats", ("stats",)),
)


@pytest.mark.parametrize(("method", "address", "sent", "status", "fact"), PROBLEMS)
def test_a_wrong_request_is_a_problem_with_its_fact(
    client: TestClient, method: str, address: str, sent: dict[str, object], status: int, fact: str
) -> None:
    reply = client.request(method, address, **sent)  # type: ignore[arg-type]
    assert (reply.status_code, reply.headers["content-type"]) == (status, "application/problem+json"), reply.text
    problem = reply.json()
    assert fact in problem["detail"]
    assert problem["status"] == status
    assert set(problem) == {"type", "title", "status", "detail", "remedy"}


@pytest.mark.parametrize(("address", "command"), SAME)
def test_the_api_replies_with_the_bytes_of_the_command(
    client: TestClient,
    graph_file: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    command: tuple[str, ...],
) -> None:
    monkeypatch.setenv("KGQA_GRAPH", str(graph_file))
    assert run([*command, "--json"]) == 0
    printed = without_time(capsys.readouterr().out)
    assert without_time(client.get(address).text) == printed


def without_time(line: str) -> str:
    record = json.loads(line)
    if "elapsed_ms" in record:
        line = line.replace(f'"elapsed_ms": {json.dumps(record["elapsed_ms"])}', '"elapsed_ms": 0')
    return line


def test_the_chains_are_those_of_the_command(client: TestClient, graph_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["path", "smoking", "death", "--do", "lung cancer=absent", "--json", "-g", str(graph_file)]) == 0
    printed = list(map(json.loads, capsys.readouterr().out.splitlines()))
    record = client.get("/api/v1/path?from=smoking&to=death&do=lung+cancer%3Dabsent").json()
    assert (record["cause"], record["effect"], record["paths"]) == ("smoking", "death", printed)


def test_a_passage_is_sent_in_a_body(client: TestClient) -> None:
    reply = client.post(
        "/api/v1/ask", json={"question": "What causes fatigue?", "passage": "Anaemia causes fatigue.", "limit": 2}
    )
    assert (reply.status_code, reply.json()["answer"].lower()) == (200, "anaemia")
    assert reply.headers["cache-control"] == "no-store"


def test_the_claims_of_sentences_are_extracted(client: TestClient) -> None:
    reply = client.post(
        "/api/v1/extract", content="Smoking causes lung cancer.\n\nIt rains.", headers={"content-type": "text/plain"}
    )
    sentences = reply.json()["sentences"]
    assert [(item["id"], len(item["claims"])) for item in sentences] == [(1, 1), (3, 0)]


def test_words_find_concepts_and_sentences(client: TestClient) -> None:
    record = client.get("/api/v1/search?q=lung+cancer").json()
    assert record["concepts"] == ["lung cancer"]
    assert "Smoking causes lung cancer." in [item["text"] for item in record["sentences"]]
    assert client.get("/api/v1/search?q=smokng").json()["similar"] == ["smoking"]


def test_a_batch_has_a_line_for_each_question_in_order(client: TestClient) -> None:
    lines = ['{"id": 7, "question": "What causes lung cancer?"}', '{"id": 8, "question": ""}', "nonsense", '{"question": 1}']
    reply = client.post("/api/v1/batch", content="\n".join(lines))
    records = list(map(json.loads, reply.text.splitlines()))
    assert [record.get("id") for record in records] == [7, 8, None, None]
    assert [record.get("status") for record in records] == [None, None, 400, 400]


def test_a_client_that_has_the_record_gets_none(client: TestClient) -> None:
    first = client.get("/api/v1/ask?q=What+causes+lung+cancer%3F")
    again = client.get("/api/v1/ask?q=What+causes+lung+cancer%3F", headers={"if-none-match": f'"x", {first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/api/v1/ask?q=What+causes+death%3F").headers["etag"] != first.headers["etag"]


def test_a_claim_has_its_records_on_both_sides(client: TestClient) -> None:
    record = client.get(f"/api/v1/claim/{Claim('coffee', 'insomnia').hash}").json()
    assert [len(record[side]) for side in ("evidence", "contradicting")] == [1, 1]
    assert (record["support"], record["against"]) == (1, 1)


def test_a_graph_that_is_replaced_or_vanishes_is_noticed(tmp_path: Path) -> None:
    from graph.model import Evidence, Source, Statement
    from graph.stores import open_store

    path = write_graph(tmp_path / "graph.kgqa")
    client = client_of(path)
    before = client.get("/api/v1/stats").json()["digest"]
    with open_store(tmp_path / "new.kgqa", create=True) as store:
        store.add([Statement(Claim("rain", "flood"), Evidence(Source("text", title="Notes"), text="Rain causes floods."))])
    (tmp_path / "new.kgqa").replace(path)
    assert client.get("/api/v1/stats").json()["digest"] != before
    assert client.get("/api/v1/ask?q=What+causes+floods%3F").json()["answer"] == "rain"
    path.unlink()
    gone = client.get("/api/v1/ask?q=What+causes+floods%3F")
    assert (gone.status_code, gone.json()["detail"]) == (503, f"no graph at '{path}'")
    assert client.get("/ask?q=What+causes+floods%3F").status_code == 503
    write_graph(path)
    assert client.get("/healthz").json()["digest"] == before

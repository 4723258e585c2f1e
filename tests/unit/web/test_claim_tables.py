"""The other formats of the API: CSV without formulas, JSON-LD that reads back to the same claims, pictures, and 406."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from small_web_graph import client_of
from starlette.testclient import TestClient

from graph.errors import FormatUnknown
from graph.model import Claim, Evidence, Source, Statement
from graph.stores import open_store
from kgqa.web.claim_tables import choose_format
from kgqa.web.http_messages import WebProblem

CLAIM = f"/api/v1/claim/{Claim('coffee', 'insomnia').hash}"
ADDRESSES = (
    "/api/v1/ask?q=What+causes+lung+cancer%3F",
    "/api/v1/ask?q=Does+coffee+cause+insomnia%3F",
    "/api/v1/ask?q=What+causes+zzz%3F",
    "/api/v1/concept/lung%20cancer",
    CLAIM,
    "/api/v1/path?from=smoking&to=death",
)
FORMULAS = ("=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", '=HYPERLINK("http://x","y")')


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("media", ["application/json", "application/ld+json", "image/svg+xml", "text/csv"])
def test_a_record_about_claims_comes_in_the_format_that_is_accepted(client: TestClient, address: str, media: str) -> None:
    reply = client.get(address, headers={"accept": media})
    assert (reply.status_code, reply.headers["content-type"].partition(";")[0]) == (200, media), reply.text
    assert reply.headers["vary"] == "Accept"
    name = {"application/json": "json", "application/ld+json": "jsonld", "image/svg+xml": "svg", "text/csv": "csv"}[media]
    by_name = client.get(f"{address}{'&' if '?' in address else '?'}format={name}", headers={"accept": "text/html"})
    assert without_time(by_name.text) == without_time(reply.text)
    other = client.get(address, headers={"accept": "text/csv" if media != "text/csv" else "image/svg+xml"})
    assert other.headers["etag"] != reply.headers["etag"]
    again = client.get(address, headers={"accept": media, "if-none-match": reply.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def without_time(text: str) -> str:
    return text if not text.startswith('{"id"') else json.dumps({**json.loads(text), "elapsed_ms": None})


def test_what_no_format_is_accepted_for_is_a_problem_with_the_formats(client: TestClient) -> None:
    for address in ADDRESSES:
        reply = client.get(address, headers={"accept": "image/png, text/csv;q=0"})
        assert (reply.status_code, reply.headers["content-type"]) == (406, "application/problem+json")
        assert "application/ld+json" in reply.json()["remedy"]
    assert client.get("/api/v1/stats", headers={"accept": "image/png"}).status_code == 200
    assert client.get(f"{ADDRESSES[0]}&format=xml").json()["detail"].endswith("is none of json, jsonld, svg, csv")


@pytest.mark.parametrize(
    ("accept", "named", "chosen"),
    [
        ("", None, "json"),
        ("*/*", None, "json"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", None, "json"),
        ("text/csv, application/json", None, "json"),
        ("text/csv;q=0.9, application/json;q=0.5", None, "csv"),
        ("TEXT/CSV", None, "csv"),
        ("image/*, */*;q=0.1", None, "svg"),
        ("application/*;q=0.2, application/json;q=0", None, "jsonld"),
        ("text/csv; header=present; q=1", None, "csv"),
        ("image/png", "svg", "svg"),
    ],
)
def test_the_most_exact_entry_of_a_header_decides(accept: str, named: str | None, chosen: str) -> None:
    assert choose_format(accept, named) == chosen


@pytest.mark.parametrize("accept", ["text/html", "text/csv;q=x", "text/csv;q=nan", ";", "application/json;q=0"])
def test_a_header_without_a_format_of_ours_is_refused(accept: str) -> None:
    with pytest.raises(WebProblem, match="none of the types"):
        choose_format(accept, None)


def test_a_line_of_csv_is_a_record_of_a_claim(client: TestClient) -> None:
    rows = list(csv.DictReader(io.StringIO(client.get(CLAIM, headers={"accept": "text/csv"}).text)))
    assert [(row["cause"], row["effect"], row["stance"], row["text"]) for row in rows] == [
        ("coffee", "insomnia", "asserted", "Coffee causes insomnia."),
        ("coffee", "insomnia", "negated", "Coffee does not cause insomnia."),
    ]
    chain = list(csv.DictReader(io.StringIO(client.get(ADDRESSES[-1], headers={"accept": "text/csv"}).text)))
    assert [(row["part"], row["cause"], row["effect"]) for row in chain] == [
        *[("chain 1", "smoking", "lung cancer")] * 2,
        ("chain 1", "lung cancer", "death"),
    ]
    assert {row["part"] for row in chain} == {"chain 1"}


def test_no_cell_of_csv_is_a_formula(tmp_path: Path) -> None:
    with closing(open_store(tmp_path / "graph.kgqa", create=True)) as store:
        for text in FORMULAS:
            source = Source(text, title=text, page_id=text, url=text)
            store.add([Statement(Claim(text, "flood"), Evidence(source, rule=text, text=text, section=text))])
    reply = client_of(tmp_path / "graph.kgqa").get("/api/v1/concept/flood?limit=100&format=csv")
    cells = [cell for row in list(csv.reader(io.StringIO(reply.text)))[1:] for cell in row]
    assert len(cells) == 22 * len(FORMULAS)
    assert not [cell for cell in cells if cell.lstrip("\t").startswith(("=", "+", "@"))]
    assert not [cell for cell in cells if cell.startswith("-") and not cell[1:].isdigit()]


@pytest.mark.parametrize("address", ADDRESSES)
def test_json_ld_reads_back_to_the_claims_of_the_csv(client: TestClient, address: str, tmp_path: Path) -> None:
    pytest.importorskip("rdflib", reason="JSON-LD is read back with rdflib (the extra 'rdf')")
    rows = list(csv.DictReader(io.StringIO(client.get(address, headers={"accept": "text/csv"}).text)))
    path = tmp_path / "reply.jsonld"
    path.write_bytes(client.get(address, headers={"accept": "application/ld+json"}).content)
    assert {(row["hash"], row["text"]) for row in rows} == set(read_claims(path))


def read_claims(path: Path) -> Iterator[tuple[str, str]]:
    from graph.rdf.rdf_reader import RdfInput

    with RdfInput(str(path)) as read, suppress(FormatUnknown):  # an answer without a claim has none to read
        for statement in read.statements(lambda skipped: pytest.fail(str(skipped))):
            yield statement.claim.hash, statement.evidence.text or ""


def test_json_ld_of_an_answer_has_the_question_with_its_answer_and_claims(client: TestClient) -> None:
    document: dict[str, Any] = client.get(ADDRESSES[0], headers={"accept": "application/ld+json"}).json()
    question = document["@graph"][0]
    assert (question["@type"], question["schema:name"]) == ("schema:Question", "What causes lung cancer?")
    assert {"@id": f"claim:{Claim('smoking', 'lung cancer').hash}"} in question["schema:acceptedAnswer"]["schema:citation"]


def test_a_picture_stands_alone_with_its_style_and_nothing_else(client: TestClient) -> None:
    reply = client.get(ADDRESSES[-1], headers={"accept": "image/svg+xml"})
    root = ElementTree.fromstring(reply.content)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "sandbox" in reply.headers["content-security-policy"]
    assert {element.tag.rpartition("}")[2] for element in root.iter()} & {"script", "a", "image", "foreignObject"} == set()


def test_a_passage_has_its_formats_too(client: TestClient) -> None:
    body = {"question": "What causes fatigue?", "passage": "Anaemia causes fatigue.", "format": "jsonld"}
    document = client.post("/api/v1/ask", json=body).json()
    assert document["@graph"][0]["schema:name"] == "What causes fatigue?"


def test_the_formats_are_described(client: TestClient) -> None:
    operations = client.get("/openapi.json").json()["paths"]
    for path in ("/api/v1/ask", "/api/v1/concept/{name}", "/api/v1/claim/{hash}", "/api/v1/path"):
        content = operations[path]["get"]["responses"]["200"]["content"]
        assert set(content) == {"application/json", "application/ld+json", "image/svg+xml", "text/csv"}
        named = next(item for item in operations[path]["get"]["parameters"] if item["name"] == "format")
        assert named["schema"]["enum"] == ["json", "jsonld", "svg", "csv"]

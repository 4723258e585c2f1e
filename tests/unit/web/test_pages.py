"""The pages: what they show, where they lead, and that names and quotes stay text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from hostile import HOSTILE_TEXTS
from small_web_graph import HOSTILE, Outline, check_safe, client_of
from starlette.testclient import TestClient

from graph.model import Claim, Evidence, Source, Statement
from graph.stores import open_store
from kgqa.receipt import read_receipt, replay_receipt
from kgqa.settings import Settings
from kgqa.web.page_templates import claim_url, concept_url, setting_phrase, web_url

CLAIM = Claim("smoking", "lung cancer")
PAGES = (
    "/",
    "/ask?q=What+causes+lung+cancer%3F",
    "/ask?q=What+causes+lung+cancer%3F&do=smoking%3Dabsent",
    "/ask?q=Does+coffee+cause+insomnia%3F",
    "/ask?q=What+causes+zzz%3F",
    "/concept/smoking",
    claim_url(CLAIM),
    "/path",
    "/path?from=smoking&to=death",
    "/path?from=smoking&to=death&do=lung+cancer%3Dabsent",
    "/source/wikipedia/Tobacco",
    "/passage",
    "/about",
)
HOSTILE_PAGES = (
    f"/ask?q={quote(HOSTILE)}",
    f"/ask?q={quote('What causes ' + HOSTILE + '?')}&do={quote(HOSTILE)}%3Dabsent",
    concept_url(HOSTILE),
    claim_url(Claim("and/or", HOSTILE)),
    f"/path?from={quote(HOSTILE)}&to=death",
    f"/source/wikipedia/{quote(HOSTILE, safe='')}",
    "/concept/and%2For",
    f"/{quote(HOSTILE)}",
)


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_whole_and_has_one_heading_and_labels(client: TestClient, address: str) -> None:
    reply = client.get(address)
    assert reply.status_code == 200, reply.text
    outline = Outline(reply.text)
    assert (outline.wrong, outline.open) == ([], [])
    tags = [tag for tag, _ in outline.elements]
    assert tags.count("h1") == 1
    assert "script" not in tags
    identifiers = [attributes["id"] for _, attributes in outline.elements if "id" in attributes]
    assert len(identifiers) == len(set(identifiers))
    labelled = {attributes.get("for") for tag, attributes in outline.elements if tag == "label"}
    fields = [(tag, attributes) for tag, attributes in outline.elements if tag in ("input", "textarea")]
    for _, attributes in fields:
        assert attributes.get("type") in ("hidden", "checkbox") or attributes.get("id") in labelled


@pytest.mark.parametrize("address", HOSTILE_PAGES)
def test_hostile_addresses_stay_text(client: TestClient, address: str) -> None:
    reply = client.get(address)
    assert reply.status_code in (200, 303, 400, 404)
    check_safe(reply.text)
    assert "1337" not in reply.text  # {{191*7}} is not evaluated


def test_every_hostile_name_and_quote_stays_text(tmp_path: Path) -> None:
    with open_store(tmp_path / "hostile.kgqa", create=True) as store:
        store.add(hostile_statements())
        edges = store.causes("flood")
    client = client_of(tmp_path / "hostile.kgqa")
    for edge in edges:
        for address in (concept_url(edge.cause), claim_url(edge.claim)):
            reply = client.get(address, follow_redirects=True)
            assert reply.status_code in (200, 404, 414), (address, reply.text)
            check_safe(reply.text)
        reply = client.get("/ask", params={"q": f"Does {edge.cause.encode('utf-8', 'replace').decode()} cause floods?"})
        assert reply.status_code in (200, 400, 414)
        check_safe(reply.text)
    check_safe(client.get("/ask?q=What+causes+floods%3F&limit=100").text)


def hostile_statements() -> Iterator[Statement]:
    for number, text in enumerate(HOSTILE_TEXTS.values()):
        source = Source(text, title=text, page_id=str(number), url=text)
        yield Statement(Claim(text, "flood"), Evidence(source, rule=text, text=f"{text} causes floods.", section=text))


def test_the_page_of_an_answer_shows_both_sides(client: TestClient) -> None:
    page = client.get("/ask?q=Does+coffee+cause+insomnia%3F").text
    assert "Contested" in page
    assert "Coffee causes insomnia." in page
    assert "Coffee does not cause insomnia." in page
    assert "coffee does not cause insomnia</a>" in page
    assert "test.rule" in page


def test_another_world_stands_beside_this_one(client: TestClient) -> None:
    page = client.get("/ask?q=What+causes+lung+cancer%3F&do=smoking%3Dabsent").text
    assert "As it is" in page
    assert "With smoking absent" in page
    assert re.search(r"<strong>smoking</strong>.*?stance lost", page, re.DOTALL)
    assert re.search(r'value="smoking=absent" checked> without smoking', page)


def test_every_line_of_a_picture_leads_to_its_claim(client: TestClient) -> None:
    page = client.get("/path?from=smoking&to=death").text
    picture = re.search(r"<svg.*?</svg>", page, re.DOTALL)
    assert picture is not None
    address = claim_url(CLAIM).replace("&", "&amp;")
    assert f'<a href="{address}">' in picture[0]
    assert client.get(claim_url(CLAIM)).status_code == 200


def test_a_claim_is_found_by_its_hash_alone(client: TestClient) -> None:
    assert "Smoking causes lung cancer." in client.get(f"/claim/{CLAIM.hash}").text
    assert client.get(f"/claim/{'0' * 32}").status_code == 404


def test_a_wrong_claim_beside_a_hash_is_not_shown(client: TestClient) -> None:
    other = claim_url(Claim("coffee", "insomnia")).partition("?")[2]
    assert "Smoking causes lung cancer." in client.get(f"/claim/{CLAIM.hash}?{other}").text


def test_the_page_of_a_concept_leads_to_others(client: TestClient) -> None:
    page = client.get("/concept/lung%20cancer").text
    assert 'href="/concept/smoking"' in page
    assert client.get("/concept/?name=Lung+Cancers").headers["location"] == "/concept/lung%20cancer"


def test_an_unknown_name_leads_to_near_ones(client: TestClient) -> None:
    reply = client.get("/concept/smokng")
    assert reply.status_code == 404
    assert 'href="/concept/smoking"' in reply.text


def test_a_passage_is_asked_by_a_form(client: TestClient) -> None:
    reply = client.post("/passage", data={"q": "What causes fatigue?", "passage": "Anaemia causes fatigue."})
    assert reply.status_code == 200
    assert re.search("<mark>|Anaemia, according to the passage", reply.text)
    assert "/claim/" not in reply.text  # the claims of a text have no page


def test_a_question_without_words_leads_home(client: TestClient) -> None:
    assert client.get("/ask?q=+").headers["location"] == "/"


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("smoking=absent", "without smoking"),
        ("smoking=present", "with smoking"),
        ("a->b=0.8", "where a->b=0.8"),
        ("=absent", "without "),
    ],
)
def test_a_setting_is_read_out_as_a_phrase(text: str, phrase: str) -> None:
    assert setting_phrase(text) == phrase


@pytest.mark.parametrize(
    "text", ["javascript:alert(1)", "//host/x", "data:text/html,x", "http://[x", "", None, "file:///etc/passwd"]
)
def test_only_addresses_of_the_web_become_links(text: str | None) -> None:
    assert web_url(text) == ""


def test_the_receipt_of_an_answer_is_a_file_that_replays(client: TestClient, graph_file: Path, tmp_path: Path) -> None:
    page = client.get("/ask?q=What+causes+lung+cancer%3F&do=smoking%3Dabsent").text
    link = re.search(r'href="(/api/v1/receipt[^"]*)"', page)
    assert link is not None
    reply = client.get(link[1].replace("&amp;", "&"))
    assert reply.headers["Content-Disposition"] == 'attachment; filename="receipt.json"'
    (tmp_path / "receipt.json").write_bytes(reply.content)
    receipt = read_receipt(str(tmp_path / "receipt.json"))
    assert (receipt["options"]["graph"], receipt["options"]["do"]) == (str(graph_file), ["smoking=absent"])
    assert replay_receipt(receipt, settings=Settings()) == (True, ())


def test_the_page_of_a_text_has_a_receipt_with_the_text(client: TestClient) -> None:
    fields = {"q": "What causes fatigue?", "passage": "Anaemia causes fatigue."}
    assert 'action="/api/v1/receipt"' in client.post("/passage", data=fields).text
    receipt = client.post("/api/v1/receipt", data=fields).json()
    assert receipt["passage"] | {"digest": ""} == {"path": None, "text": fields["passage"], "digest": ""}

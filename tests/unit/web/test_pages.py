"""The pages: what they show, where they lead, and that names and quotes stay text."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from hostile import HOSTILE_TEXTS
from small_web_graph import HOSTILE, Outline, check_safe, check_scripts, client_of, write_graph
from starlette.testclient import TestClient

from graph.belief.curation import Curation, Mark, curation_record
from graph.model import Claim, Evidence, Source, Statement
from graph.stores import open_store
from kgqa.cli import run
from kgqa.receipt import read_receipt, replay_receipt
from kgqa.settings import Settings
from kgqa.web.pages.page_templates import claim_url, concept_url, setting_phrase, web_url

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
    "/explore",
    "/explore?at=smoking&at=death&belief=0.1&kind=causes&stance=undisputed&article=cancer&limit=3",
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
    f"/explore?at={quote(HOSTILE)}&article={quote(HOSTILE)}",
    f"/explore?at=and%2For&kind={quote(HOSTILE)}",
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
    check_scripts(reply.text)
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


def test_a_mark_is_shown_with_who_set_it_and_why_and_stays_text(tmp_path: Path) -> None:
    graph, coffee = write_graph(tmp_path / "marked.kgqa"), Claim("coffee", "insomnia")
    curation = Curation(Mark.WRONG, f"of decaf {HOSTILE}", HOSTILE, "2026-11-29T00:00:00.000+00:00")
    with open_store(str(graph), write=True) as store:
        store.add([Statement(coffee, curation_record(curation))])
    client = client_of(graph)
    for path in (claim_url(coffee), "/ask?q=Does+coffee+cause+insomnia%3F"):
        page = client.get(path).text
        check_safe(page)
        assert '<span class="stance marked wrong">marked wrong</span>' in page
        assert "of decaf &lt;script&gt;" in page
    assert "Coffee causes insomnia." in client.get(claim_url(coffee)).text


def test_an_answer_is_taken_along_as_a_citation_and_as_statements_that_find_its_claims(
    client: TestClient, graph_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = client.get("/ask?q=What+causes+lung+cancer%3F").text
    blocks = [unescape(block) for block in re.findall(r'<pre tabindex="0">(.*?)</pre>', page, re.DOTALL)]
    citation, sparql, cypher = blocks
    assert citation.startswith("What causes lung cancer? ")
    assert "\nTobacco, https://en.wikipedia.org/wiki/Tobacco" in citation
    assert CLAIM.hash in cypher
    assert run(["sparql", sparql, "--csv", "-g", str(graph_file)]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["cause"], row["effect"], row["records"]) for row in rows] == [
        ("smoking", "lung cancer", "2"),
        ("asbestos", "lung cancer", "1"),
    ]
    assert rows[1]["titles"] == "Asbestos"


def test_the_other_formats_of_an_answer_a_claim_and_chains_are_linked(client: TestClient) -> None:
    for address in ("/ask?q=What+causes+lung+cancer%3F", claim_url(CLAIM), "/path?from=smoking&to=death", "/concept/smoking"):
        links = re.findall(r'href="(/api/v1/[^"]*[?&](?:amp;)?format=(\w+))"', client.get(address).text)
        assert [name for _, name in links] == ["json", "jsonld", "csv", "svg"]
        for link, _ in links:
            assert client.get(unescape(link)).status_code == 200

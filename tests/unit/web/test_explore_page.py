"""The page for walking through the graph: expanding, collapsing, filters; and the completion of names."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from small_web_graph import Outline, client_of
from starlette.testclient import TestClient

from graph.model import Claim, Edge, Evidence, Relation, Source, Stance, Statement
from graph.stores import open_store
from kgqa.web.pages.explore_page import claim_stance

RECORDS = (
    ("smoking", Relation.CAUSES, "lung cancer", "Tobacco", Stance.ASSERTED),
    ("asbestos", Relation.CAUSES, "lung cancer", "Asbestos", Stance.ASSERTED),
    ("vitamin", Relation.PREVENTS, "lung cancer", "Vitamins", Stance.ASSERTED),
    ("vitamin", Relation.PREVENTS, "lung cancer", "Doubts", Stance.NEGATED),
    ("tea", Relation.ASSOCIATED, "lung cancer", "Tea", Stance.HEDGED),
    ("milk", Relation.CAUSES, "lung cancer", "Milk", Stance.NEGATED),
    ("lung cancer", Relation.CAUSES, "death", "Tobacco", Stance.ASSERTED),
    ("death", Relation.CAUSES, "grief", "Grief", Stance.ASSERTED),
)


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    path: Path = tmp_path_factory.mktemp("walk") / "graph.kgqa"
    with open_store(path, create=True) as store:
        for cause, relation, effect, title, stance in RECORDS:
            source = Source("wikipedia", title=title, page_id=title)
            store.add([Statement(Claim(cause, effect, relation), Evidence(source, stance, text=f"{cause} {effect}."))])
    return client_of(path)


def shown(client: TestClient, query: str) -> set[str]:
    """The claims of the table of a page, as clauses."""
    page = client.get(f"/explore?at=lung+cancer&{query}")
    assert page.status_code == 200, page.text
    return set(re.findall(r'<tr><th scope="row"><a [^>]*>([^<]*)</a>', page.text))


def test_without_a_filter_all_claims_around_a_concept_are_shown(walked: TestClient) -> None:
    assert len(shown(walked, "")) == 6


@pytest.mark.parametrize(
    ("query", "clauses"),
    [
        (
            "kind=causes&stance=undisputed",
            {"smoking causes lung cancer", "asbestos causes lung cancer", "lung cancer causes death"},
        ),
        ("kind=prevents", {"vitamins prevent lung cancer"}),
        ("stance=contested", {"vitamins prevent lung cancer"}),
        ("stance=denied", {"milk causes lung cancer"}),
        ("kind=linked", {"tea may be linked to lung cancer"}),
        ("article=TOBACC", {"smoking causes lung cancer", "lung cancer causes death"}),
        ("article=tobacco&kind=prevents", set()),
        ("belief=1", set()),
        ("limit=2&stance=undisputed&article=tobacco", {"smoking causes lung cancer", "lung cancer causes death"}),
    ],
)
def test_filters_keep_the_claims_that_they_name(walked: TestClient, query: str, clauses: set[str]) -> None:
    assert shown(walked, query) == clauses


@pytest.mark.parametrize(
    ("counts", "stance"), [((1, 0), "undisputed"), ((1, 1), "contested"), ((0, 1), "denied"), ((0, 0), "hedged")]
)
def test_a_claim_stands_in_one_way(counts: tuple[int, int], stance: str) -> None:
    assert claim_stance(Edge(Claim("a", "b"), 0.5, *counts)) == stance


def test_a_box_expands_its_concept_and_keeps_the_filters(walked: TestClient) -> None:
    page = walked.get("/explore?at=lung+cancer&belief=0.1&limit=5").text
    links = {unescape(link) for link in re.findall(r'href="(/explore\?[^"]*)"', page)}
    further = "/explore?at=lung+cancer&at=death&belief=0.1&limit=5"
    assert further in links
    assert f'<a href="{further.replace("&", "&amp;")}"><g class="box">' in page
    both = walked.get(further).text
    assert ">death causes grief</a>" in both
    assert 'name="at" value="death" checked' in both
    assert "/explore?at=death&amp;belief=0.1&amp;limit=5" in both  # collapses lung cancer


def test_concepts_and_answers_lead_to_the_page(walked: TestClient) -> None:
    assert 'href="/explore?at=lung+cancer"' in walked.get("/concept/lung%20cancer").text
    page = walked.get("/ask?q=Does+smoking+cause+lung+cancer%3F").text
    assert 'href="/explore?at=smoking&amp;at=lung+cancer"' in page


def test_an_unknown_concept_leads_to_the_same_page_of_near_ones(walked: TestClient) -> None:
    reply = walked.get("/explore?at=lung+cancr&at=smoking&belief=0.5")
    assert reply.status_code == 404
    assert 'href="/explore?at=lung+cancer&amp;at=smoking&amp;belief=0.5"' in reply.text


def test_what_was_asked_for_is_still_there_beside_an_error(walked: TestClient) -> None:
    page = walked.get("/path?from=smoking&to=lung+cancr").text
    assert 'name="from" type="text" value="smoking"' in page
    assert 'href="/path?from=smoking&amp;to=lung+cancer"' in page


@pytest.mark.parametrize(("added", "status"), [("beleif=0.9", 400), ("utm_source=mail", 200), ("fbclid=abc", 200)])
def test_a_parameter_that_is_not_there_is_an_error_unless_other_sites_add_it(walked: TestClient, added: str, status: int) -> None:
    assert walked.get(f"/explore?at=smoking&{added}").status_code == status


def test_a_wrong_filter_is_a_problem(walked: TestClient) -> None:
    for query in ("kind=x", "stance=x", "belief=2", "limit=0"):
        assert walked.get(f"/explore?at=death&{query}").status_code == 400


def test_names_are_completed_with_and_without_their_beginning(walked: TestClient) -> None:
    def suggested(typed: str) -> list[str]:
        concepts: list[str] = walked.get("/api/v1/suggest", params={"q": typed}).json()["concepts"]
        return concepts

    assert suggested("LUNG") == ["lung cancer"]
    assert suggested("cancer") == ["lung cancer"]
    assert suggested("d") == []
    assert walked.get("/api/v1/suggest?q=lu&limit=1").json() == {"q": "lu", "concepts": ["lung cancer"]}


@pytest.mark.parametrize("address", ["/", "/path", "/explore"])
def test_a_field_for_a_concept_has_a_list_for_its_names(walked: TestClient, address: str) -> None:
    outline = Outline(walked.get(address).text)
    fields = [attributes for tag, attributes in outline.elements if tag == "input" and "data-suggest" in attributes]
    lists = {attributes.get("id") for tag, attributes in outline.elements if tag == "datalist"}
    assert fields
    assert {field["list"] for field in fields} <= lists

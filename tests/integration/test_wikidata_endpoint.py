"""Causal statements read from a real SPARQL server that holds a graph in Wikidata's shape, through a proxy that misbehaves."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from running import KGQA, clean_environment, kgqa
from sparql_server import Proxy, proxied, sparql_server

from graph.model import Alias, Claim, Evidence, Source, Stance, Strength
from graph.net.retry import RetryPolicy, TimeLimits
from graph.net.sparql_endpoint import EndpointFailed, EndpointInvalid, SparqlEndpoint
from graph.sources.article import Skipped
from graph.sources.wikidata import WikidataPage, read_wikidata_pages, wikidata_table
from graph.stores import open_store
from kgqa import __version__

DATA = Path(__file__).with_name("wikidata.ttl")
QUICK = RetryPolicy(tries=4, first_delay=0.01, jitter=0.0)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with sparql_server(tmp_path_factory.mktemp("wikidata"), DATA) as address:
        yield address


@pytest.fixture
def proxy(server: str) -> Iterator[Proxy]:
    with proxied(server) as proxy:
        yield proxy


def start(prop: str) -> int:
    return 0


def read(address: str, size: int | None = None) -> tuple[list[WikidataPage], list[Skipped]]:
    skipped: list[Skipped] = []
    return list(read_wikidata_pages(SparqlEndpoint(address, "test", QUICK).select, start, skipped.append, size)), skipped


def test_every_property_is_read_in_its_direction(server: str) -> None:
    found, _ = read(server)
    claims = {(page.property, one.claim.cause, one.claim.effect) for page in found for one in page.statements}
    assert claims == {
        ("P828", "plasmodium", "malaria"),
        ("P828", "smoking", "lung cancer"),
        ("P828", "undersea earthquake", "tsunami"),
        ("P1542", "smoking", "lung cancer"),
        ("P1478", "mosquito", "malaria"),
        ("P1536", "undersea earthquake", "tsunami"),
        ("P1479", "poverty", "malaria"),
        ("P1537", "poverty", "malaria"),
        ("P780", "dengue fever", "headache"),
        ("P5642", "smoking", "lung cancer"),
    }


def test_a_statement_becomes_a_record_with_its_item_and_references(server: str) -> None:
    found, _ = read(server)
    malaria = next(one for page in found for one in page.statements if one.claim == Claim("plasmodium", "malaria"))
    assert malaria.evidence == Evidence(
        Source("wikidata", "malaria", "Q12156", url="https://www.wikidata.org/wiki/Q12156"),
        rule="wikidata:P828",
        text="malaria, has cause: Plasmodium",
        section="has cause",
        context=(("attribution", "Disease Ontology"), ("attribution", "https://example.org/malaria")),
    )


def test_doubted_and_disputed_statements_are_hedged_and_keep_their_wording(server: str) -> None:
    found, _ = read(server)
    evidence = {page.property: one.evidence for page in found for one in page.statements if page.property in {"P1479", "P5642"}}
    assert (evidence["P1479"].stance, evidence["P1479"].strength) == (Stance.HEDGED, Strength.CONTRIBUTES_TO)
    assert (evidence["P5642"].stance, evidence["P5642"].strength) == (Stance.HEDGED, Strength.RISK_FACTOR)


def test_other_english_names_are_aliases(server: str) -> None:
    found, _ = read(server)
    assert {alias for page in found for alias in page.aliases} == {
        Alias("paludism", "malaria"),
        Alias("culicidae", "mosquito"),
        Alias("lung carcinoma", "lung cancer"),
        Alias("submarine earthquake", "undersea earthquake"),
    }


def test_what_has_no_english_name_or_no_known_value_is_told(server: str) -> None:
    _, skipped = read(server)
    assert {(one.where, one.why) for one in skipped} == {("Q30953 P780", "its value is no item"), ("Q900003", "no English name")}


@pytest.mark.parametrize("size", [1, 2, 3])
def test_small_pages_hold_the_same_as_large_ones(server: str, size: int) -> None:
    def told(found: list[WikidataPage]) -> set[tuple[str, object]]:
        return {(page.property, one) for page in found for one in page.statements}

    assert told(read(server, size)[0]) == told(read(server)[0])


def test_a_page_of_deprecated_statements_alone_does_not_end_the_reading(server: str) -> None:
    found, _ = read(server, 1)
    assert [(page.last, len(page.statements)) for page in found if page.property == "P828"] == [
        (12156, 1),
        (47912, 1),
        (900004, 0),
        (900005, 1),
    ]


def test_faults_are_outlasted(server: str, proxy: Proxy) -> None:
    proxy.faults = ["pass", "429", "503", "cut", "pass", "half", "page", "drop", "pass", "500", "504"]
    assert read(proxy.address, 2) == read(server, 2)
    assert proxy.faults == []


def test_a_wait_that_the_server_asks_for_is_kept(proxy: Proxy) -> None:
    waits: list[float] = []
    proxy.faults = ["429 7", "503"]
    endpoint = SparqlEndpoint(proxy.address, "test", QUICK, lambda why, seconds: waits.append(seconds), lambda seconds: None)
    endpoint.check()
    assert waits == [7, 0.02]


def test_waits_double(proxy: Proxy) -> None:
    waits: list[float] = []
    proxy.faults = ["503", "503", "503"]
    SparqlEndpoint(proxy.address, "test", QUICK, lambda why, seconds: waits.append(seconds), lambda seconds: None).check()
    assert waits == [0.01, 0.02, 0.04]


def test_an_endpoint_rests_for_as_long_as_it_worked(proxy: Proxy) -> None:
    rests: list[float] = []
    proxy.faults, proxy.delay = ["late"], 0.3
    endpoint = SparqlEndpoint(proxy.address, "test", sleep=rests.append, rest=2)
    endpoint.check()
    endpoint.check()
    assert rests[0] == 0
    assert 0.3 <= rests[1] <= 2


@pytest.mark.parametrize(
    ("faults", "why"),
    [
        (["503"] * 4, "answers with HTTP status 503; tries: 4"),
        (["403"], "answers with HTTP status 403"),
        (["429 4000"], "answers with HTTP status 429; it asks to wait 4,000 seconds"),
        (["page"], "answers with something that is no result of a query"),
        (["late"], "does not answer within 1 s; tries: 1"),
    ],
)
def test_what_cannot_be_outlasted_is_told(proxy: Proxy, faults: list[str], why: str) -> None:
    proxy.faults, proxy.delay = faults, 1.5
    patience = replace(QUICK, tries=1 if faults == ["late"] else 4)
    with pytest.raises(EndpointFailed) as raised:
        SparqlEndpoint(proxy.address, "test", patience, limits=TimeLimits(1.0, 1.0)).check()
    assert str(raised.value) == f"the SPARQL endpoint '{proxy.address}' {why}"


def test_a_query_that_is_none_is_told_at_once(server: str) -> None:
    with pytest.raises(EndpointFailed, match=r"answers with HTTP status 400$"):
        SparqlEndpoint(server, "test", QUICK).select("SELECT nonsense")


@pytest.mark.parametrize("address", ["nonsense", "ftp://a.b/c", "http://", "file:///etc/passwd"])
def test_what_is_no_address_is_told(address: str) -> None:
    with pytest.raises(EndpointInvalid, match="is not the address of a SPARQL endpoint"):
        SparqlEndpoint(address, "test")


def test_nobody_there_is_told_at_once_and_no_graph_is_made(tmp_path: Path) -> None:
    graph = tmp_path / "new.kgqa"
    ended = kgqa("load", "wikidata", "http://127.0.0.1:9/sparql", "-g", graph)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == "kgqa: the SPARQL endpoint 'http://127.0.0.1:9/sparql' cannot be reached: connection refused\n"
    assert not graph.exists()


def test_the_command_loads_asks_politely_and_a_second_run_changes_nothing(proxy: Proxy, tmp_path: Path) -> None:
    graph = str(tmp_path / "wikidata.kgqa")
    first = kgqa("load", "wikidata", proxy.address, "-g", graph, KGQA_CONTACT="someone@example.org")
    assert first.code == 0
    assert first.out.split() == (
        f"{proxy.address}: 10 statements read, 2 skipped new in {graph}: 6 claims, 10 evidence records, 10 concepts".split()
    )
    assert {agent for _, agent, _ in proxy.requests} == {f"kgqa/{__version__} (causal question answering; someone@example.org)"}
    second = kgqa("load", "wikidata", proxy.address, "-g", graph)
    assert second.out.split()[-9:] == f"in {graph}: 0 claims, 0 evidence records, 0 concepts".split()
    assert kgqa("check", "-g", graph).code == 0


def test_a_run_that_is_killed_goes_on_behind_its_last_page(server: str, proxy: Proxy, tmp_path: Path) -> None:
    whole, graph = str(tmp_path / "whole.kgqa"), str(tmp_path / "killed.kgqa")
    assert kgqa("load", "wikidata", server, "-g", whole).code == 0
    proxy.most = 6  # the check, then two queries for each of the first properties
    killed = subprocess.Popen(
        [KGQA, "load", "wikidata", proxy.address, "-g", graph], stderr=subprocess.PIPE, text=True, env=clean_environment()
    )
    assert killed.stderr is not None
    assert "HTTP status 503; asking again in 2 seconds" in killed.stderr.readline()
    killed.send_signal(signal.SIGKILL)
    killed.wait(20)
    killed.stderr.close()
    asked = len(proxy.requests)
    with_pages = open_store(graph)
    assert [with_pages.progress(f"wikidata {proxy.address} {prop.id}") for prop in wikidata_table().properties[:3]] == [
        900005,
        662860,
        0,
    ]
    with_pages.close()

    proxy.most = None
    ended = kgqa("load", "wikidata", proxy.address, "-g", graph)
    assert ended.code == 0
    assert "goes on where it was stopped: P828 behind Q900005, P1542 behind Q662860" in ended.err
    assert "?number > 900005" in _decoded(proxy.requests[asked + 1][2])
    digests = [kgqa("stats", "-g", url).out.split("digest")[1].split()[0] for url in (whole, graph)]
    assert digests[0] == digests[1]


def _decoded(body: str) -> str:
    return parse_qs(body)["query"][0]

"""The view of a graph in Neo4j that answers a question in few queries: what it says is what the store says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from hostile import HOSTILE_NAMES, hostile_aliases, hostile_statements
from real_neo4j import emptied, the_server, url_of

from graph.model import Alias, Claim, Evidence, Polarity, Relation, Source, Stance, Statement
from graph.stores import open_store
from graph.stores.neo4j.neo4j_connection import Neo4jConnection
from graph.stores.neo4j.neo4j_store import Neo4jStore
from kgqa.pipeline import Pipeline

NAMES = (*HOSTILE_NAMES, "smoking", "tobacco smoking", "lung cancer", "cough", "hub", "end 1", "nothing", "", "x" * 1_200)


@pytest.fixture(scope="module")
def store() -> Iterator[Neo4jStore]:
    pages = [Source("wikipedia", f"Page {place}", str(place)) for place in range(3)]
    statements = [
        Statement(Claim("smoking", "lung cancer", Relation.CAUSES, polarity), Evidence(page, stance, rule="r", start=1, end=9))
        for page, polarity, stance in zip(pages, Polarity, (Stance.ASSERTED, Stance.HEDGED, Stance.NEGATED), strict=True)
    ]
    statements += [Statement(Claim("smoking", "cough"), Evidence(page, rule="r")) for page in pages]
    statements += [Statement(Claim("hub", f"end {place}"), Evidence(pages[0], rule="r")) for place in range(500)]
    statements += [Statement(Claim(f"end {place}", "hub"), Evidence(Source("causenet"), rule="c")) for place in range(30)]
    with closing(Neo4jStore.at(emptied(the_server()), create=True)) as opened:
        opened.add([*statements, *hostile_statements()], [*hostile_aliases(), Alias("tobacco smoking", "smoking")])
        yield opened


@pytest.mark.parametrize("expected", [(), NAMES])
def test_every_lookup_gives_what_the_store_gives(store: Neo4jStore, expected: tuple[str, ...]) -> None:
    view = store.bulk_view()
    view.expect(expected)  # type: ignore[attr-defined]
    for name in NAMES:
        assert view.concept(name) == store.concept(name)
        assert list(view.causes(name)) == list(store.causes(name))
        assert list(view.effects(name)) == list(store.effects(name))
        for edge in (*view.causes(name)[:5], *view.effects(name)[:5]):
            assert view.edge(edge.claim) == edge
            assert list(view.evidence(edge.claim)) == list(store.evidence(edge.claim))
    unknown = Claim("smoking", "nothing")
    assert (view.edge(unknown), list(view.evidence(unknown))) == (None, [])


def test_its_arrows_are_those_of_the_store(store: Neo4jStore) -> None:
    view = store.bulk_view()
    view.effects("smoking")
    ours, theirs = view.topology(), store.topology()
    for name in NAMES:
        number, other = ours.number(name), theirs.number(name)
        assert (number is None) == (other is None)
        if number is not None and other is not None:
            assert ours.degree(number) == theirs.degree(other)
            for mine, true in ((ours.outgoing(number), theirs.outgoing(other)), (ours.incoming(number), theirs.incoming(other))):
                assert list(map(ours.name, mine.ends)) == list(map(theirs.name, true.ends))
                assert [list(column) for column in mine[1:]] == [list(column) for column in true[1:]]


def test_searches_that_follow_from_others_give_what_the_store_gives(store: Neo4jStore) -> None:
    view = store.bulk_view()
    view.expect_searches([["lung"], ["cancer"], [], ["?"], ["rain"]])  # type: ignore[attr-defined]
    for words in (["cancer"], ["lung", "cancers"], ["lung", "rain"], ["end"], ["end", "7"], ["nothing"], [], ["the"], ["smoke"]):
        for limit in (1, 20, 1_000, 0):
            assert list(view.search(words, limit)) == list(store.search(words, limit))


def test_a_question_takes_few_queries(store: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    queries: list[str] = []
    read = Neo4jConnection.read

    def counted(connection: Neo4jConnection, name: str, /, **parameters: object) -> list[dict[str, object]]:
        queries.append(name)
        return read(connection, name, **parameters)

    monkeypatch.setattr(Neo4jConnection, "read", counted)
    answer = Pipeline(store).answer("What does smoking cause?")
    assert "cough" in answer.sentence
    assert len(queries) <= 8, queries


def test_people_find_concepts_by_their_words_and_records_by_their_pages(store: Neo4jStore) -> None:
    def rows(query: str) -> list[list[object]]:
        with store._connection.session() as session:
            return [list(row.values()) for row in session.run(query)]  # type: ignore[arg-type]

    found = rows("CALL db.index.fulltext.queryNodes('concepts', 'smoking') YIELD node RETURN labels(node), node.name")
    assert [["Concept"], "smoking"] in found
    assert [["Alias"], "tobacco smoking"] in found
    names = rows("MATCH (:Claim {relation: 'causes'})<-[:DENIES]-(e:Evidence)-[:ON]->(:Page {title: 'Page 2'}) RETURN e.name")
    assert names == [["Page 2: negated"]]
    assert rows("MATCH (:Evidence)-[:FROM]->(s:Source) WHERE s.kind = 'causenet' RETURN s.name, count(*)") == [["causenet", 30]]
    assert rows("MATCH (p:Page {kind: 'causenet'}) RETURN p") == []


def test_a_database_of_an_older_kgqa_is_read_and_added_to(store: Neo4jStore) -> None:
    """Before, every source was a page, no record had a name, and there was no index for people."""
    with store._connection.session(write=True) as session:
        session.run("DROP INDEX concepts").consume()
        session.run("DROP CONSTRAINT source_key").consume()
        session.run("MATCH (s:Source) REMOVE s:Source SET s:Page").consume()
        session.run("MATCH (e)-[r:FROM]->(p) CREATE (e)-[:ON]->(p) DELETE r").consume()
        session.run("MATCH (e:Evidence) REMOVE e.name").consume()
    with closing(open_store(url_of(the_server()), write=True)) as again:
        before = again.stats()
        assert list(again.check()) == []
        again.add([Statement(Claim("end 1", "hub"), Evidence(Source("causenet"), rule="d"))])
        assert again.stats().sources["causenet"] == before.sources["causenet"] + 1
        assert list(again.check()) == []

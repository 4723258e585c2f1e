"""Several writers of one graph in Neo4j, by turns: what each remembers of its own writes never hides those of another."""

from __future__ import annotations

from contextlib import closing

from real_neo4j import Server, url_of

from graph.model import Alias, Claim, Evidence, Source, Statement
from graph.stores import open_store
from graph.stores.sqlite.embedded_store import EmbeddedStore


def told(first: int, last: int, page: str) -> list[Statement]:
    return [Statement(Claim(f"cause {place}", f"effect {place}"), Evidence(Source("text", page))) for place in range(first, last)]


def test_two_writers_by_turns_make_the_graph_of_one(neo4j_server: Server) -> None:
    turns = [told(0, 20, "A"), told(10, 30, "B"), told(5, 35, "A"), told(0, 40, "B"), told(30, 50, "A"), told(30, 50, "A")]
    url = url_of(neo4j_server)
    with (
        closing(EmbeddedStore.in_memory()) as alone,
        closing(open_store(url, create=True)) as one,
        closing(open_store(url, write=True)) as other,
    ):
        for place, statements in enumerate(turns):
            writer = other if place in {1, 3} else one
            aliases = [Alias("effect 45", "cause 1")] if place == 2 else []  # is a concept later
            assert writer.add(statements, aliases) == alone.add(statements, aliases)
            assert writer.digest() == alone.digest()
        assert list(one.statements()) == list(alone.statements())
        assert list(one.aliases()) == list(alone.aliases()) == []
        assert list(one.check()) == []

"""The statements that people paste into Neo4j Browser, on a real server over a copy of a graph: those that `kgqa ask --cypher`
prints return the edges of the answer and nothing else, and the saved queries return what the graph itself says.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any

import neo4j
import pytest

from graph.algorithms.transitivity import DEFAULT_TRANSITIVITY
from graph.intervene import Presence
from graph.model import Claim, Edge, Evidence, Polarity, Relation, Source, Stance, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from graph.topology import DRIVING_LINKS
from kgqa.answer_model import Verdict
from kgqa.answering.findings import edge_finding
from kgqa.answering.refusals import refuse_question
from kgqa.pipeline import Pipeline
from kgqa.question import Condition
from kgqa.settings import starter_graph
from kgqa.wording.browser_statement import claims_of_answer, redraw_statement

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "serve"))

from browser_queries import SavedQuery, saved_queries
from hostile import HOSTILE_NAMES, hostile_statements
from neo4j_server import Server
from real_neo4j import PASSWORD, USER, driver_of, emptied, the_server

QUERIES = {query.name: query for query in saved_queries()}
TOPICS = (
    "tsunami",
    "smoking",
    "lung cancer",
    "deforestation",
    "flood",
    "global warming",
    "drought",
    "soil erosion",
    "vaccination",
    "autism",
)
QUESTIONS = (
    "What causes tsunamis?",
    "What causes lung cancer?",
    "What does smoking cause?",
    "What does deforestation cause?",
    "What prevents floods?",
    "Does smoking cause lung cancer?",
    "Does lung cancer cause smoking?",
    "Do vaccines cause autism?",
    "Does coffee cause insomnia?",
    "Does an earthquake cause a tsunami?",
    "How does smoking lead to death?",
    "Why is there global warming?",
)
MARK = Claim("coffee", "insomnia")
ARROWS = {relation.name for relation in Relation}


class Copied:
    """A graph and its copy in a server, with a connection to that."""

    def __init__(self, store: GraphStore, server: Server, driver: neo4j.Driver) -> None:
        self.store = store
        self.server = server
        self.driver = driver

    def rows(self, statement: str, **parameters: object) -> list[dict[str, Any]]:
        """The rows of a statement, sent as it is; it may read and not write."""
        return [dict(record.items()) for record in self.driver.execute_query(statement, parameters, routing_="r").records]


@pytest.fixture(scope="module")
def copied() -> Iterator[Copied]:
    """A part of the starter graph around a few topics, some claims that it has not, and hostile names, here and in a server."""
    server = the_server()
    store, there = open_store("memory:", write=True), open_store(emptied(server), create=True)
    with closing(store), closing(there), driver_of(server) as driver:
        store.add([*starter_part(), *made_up(), *hostile_statements()])
        there.add(store.statements(), store.aliases())
        yield Copied(store, server, driver)


def starter_part() -> Iterator[Statement]:
    """The records of the starter graph around the topics: between them, of their most believed edges, and of the far ends."""
    whole = open_store(starter_graph())
    names = dict.fromkeys(TOPICS)
    for topic in TOPICS:
        names |= dict.fromkeys(edge.cause for edge in whole.causes(topic)[:12])
        names |= dict.fromkeys(edge.effect for edge in whole.effects(topic)[:12])
    claims = dict.fromkeys(edge.claim for name in names for side in (whole.causes, whole.effects) for edge in side(name)[:25])
    claims |= dict.fromkeys(edge.claim for topic in TOPICS for edge in whole.effects(topic) if edge.effect in TOPICS)
    for claim in claims:
        yield from (Statement(claim, evidence) for evidence in whole.evidence(claim))
    whole.close()


def made_up() -> Iterator[Statement]:
    """A contested claim, and a loop with one arrow that prevents."""
    for page, stance in (("1", Stance.ASSERTED), ("2", Stance.NEGATED)):
        yield Statement(MARK, Evidence(Source("wikipedia", f"Coffee {page}", page), stance, text=f"{stance}."))
    loop = (
        ("thirst", "drink", Relation.CAUSES),
        ("drink", "fullness", Relation.CAUSES),
        ("fullness", "thirst", Relation.PREVENTS),
    )
    for cause, effect, relation in loop:
        for page in "345":
            yield Statement(Claim(cause, effect, relation), Evidence(Source("wikipedia", page, page), text=f"{page}."))


def claims_in(rows: Sequence[dict[str, Any]], *columns: str) -> Counter[str]:
    """The hashes of the arrows in some columns of rows, counted."""
    found: Counter[str] = Counter()
    for row in rows:
        for column in columns:
            value = row[column]
            edges = value.relationships if hasattr(value, "relationships") else [value]
            found.update(edge["hash"] for edge in edges if edge.type in ARROWS)
    return found


def names_along(path: Any) -> list[str]:
    return [node["name"] for node in path.nodes]


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_printed_statement_returns_the_edges_of_the_answer_and_no_others(copied: Copied, question: str) -> None:
    answer = Pipeline(copied.store, 5).answer(question)
    rows = copied.rows(redraw_statement(answer) or "")
    assert claims_in(rows, "edge") == {claim.hash: 1 for claim in claims_of_answer(answer)}
    ends = {(row["cause"]["name"], row["edge"].type, row["effect"]["name"]) for row in rows}
    assert ends == {(claim.cause, claim.relation.name, claim.effect) for claim in claims_of_answer(answer)}


def test_the_questions_are_of_every_kind(copied: Copied) -> None:
    answers = [Pipeline(copied.store, 5).answer(question) for question in QUESTIONS]
    assert {Verdict.YES, Verdict.NO, Verdict.CONTESTED, None} <= {answer.verdict for answer in answers}
    assert any(len(finding.path.edges) > 1 for answer in answers for finding in answer.findings)
    assert any(len(answer.findings) > 3 for answer in answers)


def test_an_answer_in_another_world_is_drawn_with_the_edges_of_that_world(copied: Copied) -> None:
    without = Condition("earthquake=absent", "earthquake", Presence.ABSENT)
    answer = Pipeline(copied.store, 5, [without]).answer("What causes tsunamis?")
    drawn = claims_in(copied.rows(redraw_statement(answer) or ""), "edge")
    assert drawn == {claim.hash: 1 for claim in claims_of_answer(answer)}
    assert Claim("earthquake", "tsunami").hash not in drawn


def test_an_unknown_answer_has_no_statement(copied: Copied) -> None:
    assert redraw_statement(Pipeline(copied.store, 5).answer("What causes zebras?")) is None


@pytest.mark.parametrize("place", range(len(HOSTILE_NAMES)))
def test_a_claim_with_hostile_names_is_drawn_too(copied: Copied, place: int) -> None:
    name = HOSTILE_NAMES[place]
    (edge,) = (edge for edge in copied.store.effects(name) if edge.effect in HOSTILE_NAMES)
    statement = redraw_statement(answer_about(edge, f"What does {name} cause?")) or ""
    statement.encode()
    rows = copied.rows(statement)
    assert claims_in(rows, "edge") == {edge.claim.hash: 1}
    assert copied.rows("MATCH (n:Concept) RETURN count(n) AS n")[0]["n"] > len(HOSTILE_NAMES)


def answer_about(edge: Edge, question: str) -> Any:
    """An answer with one finding, that edge."""
    return replace(refuse_question(question, ""), findings=(edge_finding(edge),))


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_the_server_understands_a_saved_query_and_has_nothing_to_remark(copied: Copied, query: SavedQuery) -> None:
    parameters: dict[str, object] = {name: [] if name == "claims" else "" for name in query.parameters}
    with neo4j.GraphDatabase.driver(copied.server.url, auth=(USER, PASSWORD)) as driver:
        _, summary, keys = driver.execute_query(f"EXPLAIN {query.text}", parameters)
    assert tuple(keys) == query.columns
    assert [one.status_description for one in summary.gql_status_objects if one.is_notification] == []
    assert [example.split()[1] for example in query.examples] == ([] if query.name == "redraw" else list(query.parameters))


def driving(edges: Sequence[Edge], end: str) -> list[Edge]:
    """The edges that explain something, but for those that begin where they end, as the server sorts them."""
    kinds = (Relation.CAUSES, Relation.ENABLES, Relation.MOTIVATES)
    kept = [edge for edge in edges if DRIVING_LINKS.allow(edge) and edge.claim.relation in kinds and edge.cause != edge.effect]
    return sorted(kept, key=lambda edge: (-round(edge.belief, 4), -edge.support, getattr(edge, end)))


@pytest.mark.parametrize("concept", ["tsunami", "global warming", "lung cancer"])
def test_why_shows_the_ten_best_causes_before_their_own_causes(copied: Copied, concept: str) -> None:
    rows = copied.rows(QUERIES["why"].text, concept=concept)
    direct = [row["path"] for row in rows if len(row["path"].relationships) == 1]
    expected = driving(copied.store.causes(concept), "cause")[:10]
    assert Counter(names_along(path)[0] for path in direct) == Counter(edge.cause for edge in expected)
    assert [path.relationships[0]["belief"] for path in direct] == pytest.approx([edge.belief for edge in expected], abs=1e-4)
    assert all(names_along(row["path"])[-1] == concept for row in rows)
    for row in rows:
        assert row["belief"] == pytest.approx(prod(edge["belief"] for edge in row["path"].relationships))


@pytest.mark.parametrize("concept", ["deforestation", "smoking"])
def test_consequences_shows_the_ten_best_effects(copied: Copied, concept: str) -> None:
    rows = copied.rows(QUERIES["consequences"].text, concept=concept)
    direct = [row["path"] for row in rows if len(row["path"].relationships) == 1]
    expected = driving(copied.store.effects(concept), "effect")[:10]
    assert Counter(names_along(path)[1] for path in direct) == Counter(edge.effect for edge in expected)
    assert all(names_along(row["path"])[0] == concept for row in rows)


@pytest.mark.parametrize("pair", [("coffee", "insomnia"), ("smoking", "lung cancer"), ("vaccination", "autism")])
def test_both_sides_shows_each_record_on_its_side(copied: Copied, pair: tuple[str, str]) -> None:
    rows = copied.rows(QUERIES["both_sides"].text, cause=pair[0], effect=pair[1])
    types = {"asserted": "ASSERTS", "negated": "DENIES", "hedged": "HEDGES", "questioned": "ASKS", "hypothetical": "SUPPOSES"}
    expected = Counter(
        (types[record.stance], record.source.title or record.source.kind)
        for edge in copied.store.effects(pair[0])
        if edge.effect == pair[1]
        for record in copied.store.evidence(edge.claim)
    )
    found = Counter((row["says"], row["sides"].nodes[-1]["title"] or row["sides"].nodes[-1]["kind"]) for row in rows)
    assert found == expected
    assert found.total() > 0


def test_an_edge_is_shown_with_every_record_it_rests_on(copied: Copied) -> None:
    claim = Claim("smoking", "lung cancer")
    rows = copied.rows(QUERIES["edge"].text, claim=claim.hash)
    assert {row["sides"].nodes[1]["hash"] for row in rows} == {one.hash(claim) for one in copied.store.evidence(claim)}
    assert {tuple(names_along(row["edge"])) for row in rows} == {("smoking", "lung cancer")}


def test_a_page_is_shown_with_every_claim_that_rests_on_it(copied: Copied) -> None:
    rows = copied.rows(QUERIES["page"].text, page="Lung cancer")
    expected = {one.claim.hash for one in copied.store.statements() if one.evidence.source.title == "Lung cancer"}
    assert {row["record"].nodes[-1]["hash"] for row in rows} == expected
    assert len(expected) > 3


@pytest.mark.parametrize("pair", [("deforestation", "flood"), ("smoking", "lung cancer")])
def test_how_weighs_a_chain_as_answers_do_but_for_its_senses(copied: Copied, pair: tuple[str, str]) -> None:
    rows = copied.rows(QUERIES["how"].text, cause=pair[0], effect=pair[1])
    topology = copied.store.topology()
    assert rows
    for row in rows:
        names = names_along(row["path"])
        assert (names[0], names[-1]) == pair
        assert len(set(names)) == len(names) <= 5
        degrees = [topology.degree(topology.number(name) or 0) for name in names[1:-1]]
        kept = prod(DEFAULT_TRANSITIVITY.of_degree(degree) for degree in degrees)
        assert row["score"] == pytest.approx(kept * prod(edge["belief"] for edge in row["path"].relationships))
    scores = [row["score"] for row in rows]
    assert all(one >= other for one, other in pairwise(scores))


def test_a_loop_with_one_arrow_that_prevents_is_balancing(copied: Copied) -> None:
    (row,) = copied.rows(QUERIES["feedback"].text, concept="thirst")
    assert [*names_along(row["start"]), *names_along(row["back"])[1:]] == ["thirst", "drink", "fullness", "thirst"]
    assert row["sign"] == "balancing"


def test_loops_of_real_claims_come_back_to_where_they_began(copied: Copied) -> None:
    rows = copied.rows(QUERIES["feedback"].text, concept="drought")
    assert rows
    for row in rows:
        arrows = [*row["start"].relationships, *row["back"].relationships]
        assert names_along(row["start"])[0] == names_along(row["back"])[-1] == "drought"
        turns = sum(edge.type == "PREVENTS" or edge["polarity"] == Polarity.DECREASES for edge in arrows)
        assert row["sign"] == ("balancing" if turns % 2 else "reinforcing")


def test_names_lists_concepts_by_their_beginning_the_busiest_first(copied: Copied) -> None:
    rows = copied.rows(QUERIES["names"].text, letters="tsu")
    topology = copied.store.topology()
    assert "tsunami" in [row["concept"]["name"] for row in rows]
    for row in rows:
        name = row["concept"]["name"]
        assert name.startswith("tsu")
        assert row["claims"] == topology.degree(topology.number(name) or 0)

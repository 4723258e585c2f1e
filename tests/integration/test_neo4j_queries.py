"""Every query of the folder `cypher`, checked by a real server: that it can be planned, and that its header tells the truth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import neo4j
import pytest
from real_neo4j import driver_of, emptied, the_server, url_of

from graph.stores import open_store

CYPHER = Path(__file__).parents[2] / "cypher"
QUERIES = sorted(CYPHER.rglob("*.cypher"))
NAMES = [str(path.relative_to(CYPHER)) for path in QUERIES]
ASIDE = re.compile(r"\([^()]*\)")


@pytest.fixture(scope="module")
def session() -> Iterator[neo4j.Session]:
    """A session on a server with an empty graph, so that labels and indexes are known."""
    server = the_server()
    emptied(server)
    open_store(url_of(server), create=True).close()
    with driver_of(server) as driver, driver.session() as opened:
        yield opened


def header(text: str) -> tuple[str, list[str], list[str]]:
    """The first line of the comment of a query, its parameters and its columns."""
    lines = [line.removeprefix("//").strip() for line in text.splitlines() if line.startswith("//")]

    def listed(what: str) -> list[str]:
        found = [line.removeprefix(f"{what}:") for line in lines if line.startswith(f"{what}:")]
        return [one.strip() for line in found for one in ASIDE.sub("", line).split(",") if one.strip()]

    return lines[0] if lines else "", listed("parameters"), listed("columns")


def without_comments(text: str) -> str:
    return re.sub(r"//.*", "", text)


@pytest.mark.parametrize("path", QUERIES, ids=NAMES)
def test_the_header_names_every_parameter(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    what, parameters, _ = header(text)
    assert what, "the first line says what the query returns or does"
    dynamic = without_comments(text).replace("$(", "(")
    assert sorted(parameters) == sorted(set(re.findall(r"\$`?(\w+)", dynamic)))


@pytest.mark.parametrize("path", QUERIES, ids=NAMES)
def test_a_query_can_be_planned_and_returns_the_columns_of_its_header(path: Path, session: neo4j.Session) -> None:
    text = path.read_text(encoding="utf-8")
    _, parameters, columns = header(text)
    if re.match(r"\s*(SHOW|CREATE (CONSTRAINT|FULLTEXT|INDEX))", without_comments(text)):
        # The server plans no statements on the schema: they are run, and change nothing where all is there.
        result = session.run(text)
        assert result.keys() == columns
        assert not result.consume().counters.contains_updates
        return
    result = session.run(f"EXPLAIN {text}", dict.fromkeys(parameters))
    assert result.keys() == columns
    assert result.consume().plan is not None


@pytest.mark.parametrize("name", sorted(path.stem for path in CYPHER.glob("*.cypher")))
def test_no_query_of_the_store_scans_the_graph_to_find_a_name_or_a_hash(name: str, session: neo4j.Session) -> None:
    """A node that is looked up by a key is found by an index."""
    text = (CYPHER / f"{name}.cypher").read_text(encoding="utf-8")
    _, parameters, _ = header(text)
    if not re.search(r"\{(name|hash|key):", without_comments(text)) or text.lstrip("/ ").startswith("SHOW"):
        return
    plan = session.run(f"EXPLAIN {text}", dict.fromkeys(parameters)).consume().plan
    operators = list(operators_of(plan))
    assert not [one for one in operators if one.startswith("AllNodesScan")]
    assert [one for one in operators if "IndexSeek" in one]


def operators_of(plan: dict[str, object] | None) -> Iterator[str]:
    """The names of the operators of a plan."""
    if plan is not None:
        yield str(plan["operatorType"])
        for child in plan.get("children", []):  # type: ignore[attr-defined]
            yield from operators_of(child)


def test_every_query_of_the_store_is_used() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (CYPHER.parent / "graph" / "stores" / "neo4j").glob("*.py"))
    assert [path.stem for path in CYPHER.glob("*.cypher") if f'"{path.stem}"' not in code] == []


def test_the_store_makes_what_the_folder_of_the_schema_says(session: neo4j.Session) -> None:
    names = {record["name"] for record in session.run("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name")}
    assert names == {path.stem for path in (CYPHER / "schema").glob("*.cypher")}
    with closing(open_store(url_of(the_server()))) as store:
        assert list(store.check()) == []

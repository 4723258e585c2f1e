"""The files of cypher/browser: style sheet, saved queries and guide page, without a server."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from graph.model import Relation

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts" / "serve"))

from browser_guide import GUIDE, PORT, guide
from browser_queries import FOLDER, SavedQuery, read_query, saved_queries

STYLE = (FOLDER / "style.grass").read_text(encoding="utf-8")
RULE = re.compile(r"([\w.]+) \{\n((?:  [a-z-]+: [^;{}:]+;\n|  caption: \"[^\";:]+\";\n)+)\}\n")
LABELS = ("Concept", "Claim", "Evidence", "Page", "Source", "Alias")
TYPES = ("CAUSE_IN", "TO_EFFECT", "ASSERTS", "DENIES", "HEDGES", "ASKS", "SUPPOSES", "ON", "FROM", "NAMES")
QUERIES = saved_queries()


def test_the_style_sheet_has_nothing_that_browser_cannot_read() -> None:
    assert RULE.sub("", STYLE) == "", "Browser knows no comments, and no colon or semicolon in a value"


def test_each_label_and_type_of_a_graph_has_its_style() -> None:
    selectors = {rule[1] for rule in RULE.finditer(STYLE)}
    arrows = {relation.name for relation in Relation} | set(TYPES)
    assert selectors == {"node", "relationship"} | {f"node.{one}" for one in LABELS} | {f"relationship.{one}" for one in arrows}


def test_each_relation_has_a_colour_of_its_own_and_shows_its_belief() -> None:
    rules = {rule[1]: rule[2] for rule in RULE.finditer(STYLE)}
    own = [rules[f"relationship.{relation.name}"] for relation in Relation]
    assert len({re.search("color: (#[0-9a-f]{6})", rule)[1] for rule in own}) == len(Relation)  # type: ignore[index]
    assert all("{belief}" in rule for rule in own)


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
def test_a_saved_query_uses_the_parameters_that_its_header_names(query: SavedQuery) -> None:
    assert set(re.findall(r"\$(\w+)", query.text)) == set(query.parameters)
    assert [re.match(r":param (\w+) => '[^']+'$", example)[1] for example in query.examples] in ([], [*query.parameters])  # type: ignore[index]


@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.name)
def test_a_saved_query_writes_nothing(query: SavedQuery) -> None:
    assert not re.search(r"\b(CREATE|MERGE|SET|DELETE|REMOVE|DROP|LOAD|FOREACH)\b", query.text, re.IGNORECASE)


def test_a_query_without_its_columns_is_told_with_its_file(tmp_path: Path) -> None:
    broken = tmp_path / "broken.cypher"
    broken.write_text("// Title\n// parameters: a\nRETURN $a\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"'broken\.cypher' does not say its parameters and columns"):
        read_query(broken)


def test_the_guide_page_is_what_the_queries_make() -> None:
    assert GUIDE.read_text(encoding="utf-8") == guide(), "python scripts/serve/browser_guide.py build"


def test_the_guide_page_shows_each_query_that_a_person_fills_in_and_where_the_style_is() -> None:
    page = GUIDE.read_text(encoding="utf-8")
    for query in QUERIES:
        assert (f"<h3>{query.title}</h3>" in page) == bool(query.examples)
    assert f":style http://localhost:{PORT}/style.grass" in page


def test_the_page_about_neo4j_names_every_query() -> None:
    page = (FOLDER.parents[1] / "docs" / "neo4j.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)\.cypher`", page, re.MULTILINE)) == {query.name for query in QUERIES}

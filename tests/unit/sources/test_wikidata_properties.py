"""The table of Wikidata's properties: each row's example is its test."""

from __future__ import annotations

import re

import pytest

from graph.model import Claim
from graph.sources.wikidata import ResultRow, WikidataPage, WikidataProperty, read_wikidata_pages, wikidata_table

_ENTITY = "http://www.wikidata.org/entity/"


def said(prop: WikidataProperty) -> list[WikidataPage]:
    """What is read from an endpoint that knows one statement of a property, the example of the table."""
    item, value, *_ = prop.example

    def select(query: str) -> list[ResultRow]:
        if "?language" in query:
            return [
                {"item": f"{_ENTITY}{number}", "name": name, "language": "en", "kind": "label"}
                for number, name in (("Q1", item), ("Q2", value))
            ]
        if f"p:{prop.id}/ps:{prop.id}" not in query:
            return []
        return [{"number": "1", "item": f"{_ENTITY}Q1", "statement": "s", "value": f"{_ENTITY}Q2", "rank": "normal"}]

    return list(read_wikidata_pages(select, lambda prop: 0, lambda skipped: pytest.fail(str(skipped))))


@pytest.mark.parametrize("prop", wikidata_table().properties, ids=lambda prop: prop.id)
def test_the_example_of_a_property_makes_its_claim(prop: WikidataProperty) -> None:
    *_, cause, effect = prop.example
    (page,) = said(prop)
    (statement,) = page.statements
    assert statement.claim == Claim(cause, effect, prop.relation)
    assert statement.evidence.strength is prop.strength


def test_properties_and_doubts_have_the_form_that_wikidata_gives_them() -> None:
    assert all(re.fullmatch(r"P[1-9]\d*", prop.id) and prop.cause in {"item", "value"} for prop in wikidata_table().properties)
    assert len({prop.id for prop in wikidata_table().properties}) == len(wikidata_table().properties)
    assert all(re.fullmatch(r"Q[1-9]\d*", doubt) for doubt in wikidata_table().doubts)


def test_an_item_that_causes_itself_is_left_out() -> None:
    skipped: list[str] = []

    def select(query: str) -> list[ResultRow]:
        if "?language" in query:
            labels = (("Q1", "rain"), ("Q2", "Rain"))
            return [{"item": f"{_ENTITY}{number}", "name": name, "language": "en", "kind": "label"} for number, name in labels]
        return [{"number": "1", "item": f"{_ENTITY}Q1", "statement": "s", "value": f"{_ENTITY}Q2", "rank": "normal"}]

    found = list(read_wikidata_pages(select, lambda prop: 0, lambda one: skipped.append(one.why)))
    assert [page.statements for page in found] == [[] for _ in wikidata_table().properties]
    assert set(skipped) == {"'rain' as a cause of itself"}

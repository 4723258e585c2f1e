"""A passage with its links, in whatever format it comes."""

from __future__ import annotations

import json

import pytest

from graph.errors import InputUnreadable
from kgqa.passages.linked_passage import passage_article

DUMP = (
    "<mediawiki><page><title>Flood</title><ns>0</ns><id>12</id><revision><id>1</id><text>[[Rain|Heavy rain]] causes floods."
    "\n\nSo does [[snow]].</text></revision></page>{}</mediawiki>"
)
SECOND = "<page><title>Rain</title><ns>0</ns><id>13</id><revision><id>1</id><text>Rain.</text></revision></page>"
JSON = {"title": "Flood", "text": "Heavy rain causes floods.", "links": [{"target": "Rain", "indices": [0, 10]}]}


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[[Rain|Heavy rain]] causes floods.", [("Heavy rain", "Rain")]),
        ("<p><a href='/wiki/Rain'>Heavy rain</a> causes floods.</p>", [("Heavy rain", "Rain")]),
        (DUMP.format(""), [("Heavy rain", "Rain"), ("snow", "snow")]),
        (json.dumps(JSON), [("Heavy rain", "Rain")]),
        (json.dumps(JSON | {"links": [{"target": "Rain", "anchor": "rain", "offset": 6}]}), [("rain", "Rain")]),
        (json.dumps(JSON | {"links": [{"target": "Flood", "anchor": "floods"}]}), [("floods", "Flood")]),
        (json.dumps(JSON | {"links": [{"target": "Rain", "indices": [20, 99]}]}), []),
        ("Heavy rain causes floods.", []),
        ('{"no": "text"}', []),
        ("An array [[1, 2], [3, 4]] of numbers.", []),
    ],
)
def test_the_links_of_a_passage_lie_in_its_text(text: str, links: list[tuple[str, str]]) -> None:
    article = passage_article(text)
    assert [(article.text[link.offset : link.end], link.target) for link in article.links] == links


def test_paragraphs_of_markup_are_told_apart_as_in_plain_text() -> None:
    assert passage_article(DUMP.format("")).text == "Heavy rain causes floods.\n\nSo does snow."


@pytest.mark.parametrize(("pages", "why"), [(SECOND, "several articles"), ("", "no article")])
def test_a_dump_that_is_no_passage_is_one_clear_error(pages: str, why: str) -> None:
    dump = DUMP.format(pages) if pages else "<mediawiki></mediawiki>"
    with pytest.raises(InputUnreadable, match=why):
        passage_article(dump)

"""A small graph with names and quotes that would like to be markup, and the application over it in this process."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

from starlette.testclient import TestClient

from graph.model import Claim, Evidence, Relation, Source, Stance, Statement
from graph.stores import open_store
from kgqa.settings import Settings
from kgqa.web.access_control import AccessControl
from kgqa.web.application import create_application
from kgqa.web.graph_service import GraphService
from kgqa.web.http_messages import WebReply, WebRequest
from kgqa.web.responder import Responder

HOSTILE = "<script>alert(1)</script>\"'>&{{191*7}}"
RECORDS = (
    ("smoking", Relation.CAUSES, "lung cancer", Stance.ASSERTED, "Tobacco", "Smoking causes lung cancer."),
    ("smoking", Relation.CAUSES, "lung cancer", Stance.ASSERTED, "Lung cancer", "Lung cancer is caused by smoking."),
    ("asbestos", Relation.CAUSES, "lung cancer", Stance.ASSERTED, "Asbestos", "Asbestos causes lung cancer."),
    ("lung cancer", Relation.CAUSES, "death", Stance.ASSERTED, "Lung cancer", "Lung cancer leads to death."),
    ("coffee", Relation.CAUSES, "insomnia", Stance.ASSERTED, "Coffee", "Coffee causes insomnia."),
    ("coffee", Relation.CAUSES, "insomnia", Stance.NEGATED, "Sleep", "Coffee does not cause insomnia."),
    ("vitamin c", Relation.PREVENTS, "scurvy", Stance.ASSERTED, "Scurvy", "Vitamin C prevents scurvy."),
    ("and/or", Relation.CAUSES, HOSTILE, Stance.ASSERTED, HOSTILE, f"{HOSTILE} is caused by it\u202e."),
    (HOSTILE, Relation.CAUSES, "death", Stance.ASSERTED, HOSTILE, HOSTILE),
)


def statements() -> Iterator[Statement]:
    for cause, relation, effect, stance, page, text in RECORDS:
        address = "javascript:alert(1)" if page == HOSTILE else f"https://en.wikipedia.org/wiki/{page.replace(' ', '_')}"
        source = Source("wikipedia", title=page, page_id=page, url=address)
        yield Statement(Claim(cause, effect, relation), Evidence(source, stance, rule="test.rule", text=text))


def write_graph(path: Path) -> Path:
    with closing(open_store(path, create=True)) as store:
        store.add(statements())
    return path


def client_of(graph: Path, access: AccessControl | None = None) -> TestClient:
    """A client of the application over a graph, answered in this process."""
    responder = Responder(GraphService(str(graph), Settings()))

    async def respond(request: WebRequest) -> WebReply:
        return responder.respond(request)

    limits = access or AccessControl(rate=0)
    return TestClient(create_application(respond, limits), base_url="http://localhost", follow_redirects=False)


class Outline(HTMLParser):
    """The elements of a page, and what is wrong with how they are nested."""

    VOID = frozenset({"meta", "link", "input", "br", "hr", "rect", "path", "polygon", "img"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def check_scripts(page: str) -> None:
    """Fail unless a page has no script, or only the one of the server that completes names."""
    assert all(re.fullmatch(r' src="/static/suggest\.js\?v=\w+" defer', found) for found in re.findall(r"<script([^>]*)>", page))
    assert page.lower().count("<script") == page.count(" defer></script>")


def check_safe(page: str) -> None:
    """Fail unless a page is whole, without scripts of others, and with links to pages and to the web alone."""
    outline = Outline(page)
    assert outline.wrong == []
    check_scripts(page)
    assert not [name for _, attributes in outline.elements for name in attributes if name.startswith("on")]
    addresses = [value or "" for _, attributes in outline.elements for name, value in attributes.items() if name == "href"]
    assert all(re.match(r"/(?!/)|#|https?://|data:,$", value) for value in addresses), addresses
    assert not re.search("[\u202e\u2066\x00-\x08\ud800-\udfff]", page)

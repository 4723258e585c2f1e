"""What a person sees in Neo4j Browser over a copy of a graph: Chromium is driven where KGQA_TEST_BROWSER is 1.

Without that variable these tests are skipped; with it, one that cannot have Chromium or its server fails.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from graph.model import Claim, Evidence, Relation, Source, Stance, Statement
from graph.stores import open_store
from kgqa.pipeline import Pipeline
from kgqa.wording.browser_statement import redraw_statement

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "serve"))

from browser_guide import served
from browser_queries import FOLDER, saved_queries
from browser_screenshot import STYLE
from browser_window import BrowserWindow, browser_window
from real_neo4j import PASSWORD, emptied, the_server

WANTED = "KGQA_TEST_BROWSER"
SAID = (
    ("smoking", Relation.CAUSES, "lung cancer", Stance.ASSERTED, "Tobacco", "Smoking causes lung cancer."),
    ("smoking", Relation.CAUSES, "lung cancer", Stance.ASSERTED, "Lung cancer", "Lung cancer is caused by smoking."),
    ("asbestos", Relation.CAUSES, "lung cancer", Stance.ASSERTED, "Asbestos", "Asbestos causes lung cancer."),
    ("lung cancer", Relation.CAUSES, "death", Stance.ASSERTED, "Lung cancer", "Lung cancer leads to death."),
    ("lung cancer", Relation.CAUSES, "death", Stance.ASSERTED, "Cause of death", "Many deaths are caused by lung cancer."),
    ("coffee", Relation.CAUSES, "insomnia", Stance.ASSERTED, "Coffee", "Coffee causes insomnia."),
    ("coffee", Relation.CAUSES, "insomnia", Stance.NEGATED, "Sleep", "Coffee does not cause insomnia."),
    ("tiredness", Relation.CAUSES, "coffee", Stance.ASSERTED, "Coffee", "Tiredness makes people drink coffee."),
    ("coffee", Relation.PREVENTS, "tiredness", Stance.ASSERTED, "Coffee", "Coffee prevents tiredness."),
)
VALUES = {
    "both_sides": ("{cause: 'coffee', effect: 'insomnia'}", {"coffee", "insomnia", "Coffee", "Sleep"}),
    "consequences": ("{concept: 'smoking'}", {"smoking", "lung cancer", "death"}),
    "edge": (f"{{claim: '{Claim('asbestos', 'lung cancer').hash}'}}", {"asbestos", "lung cancer", "Asbestos"}),
    "feedback": ("{concept: 'coffee'}", {"coffee", "tiredness"}),
    "how": ("{cause: 'smoking', effect: 'death'}", {"smoking", "lung cancer", "death"}),
    "names": ("{letters: 'smo'}", {"smoking"}),
    "page": ("{page: 'Tobacco'}", {"Tobacco", "smoking", "lung cancer"}),
    "redraw": (f"{{claims: ['{Claim('asbestos', 'lung cancer').hash}']}}", {"asbestos", "lung cancer"}),
    "why": ("{concept: 'death'}", {"smoking", "asbestos", "lung cancer", "death"}),
}


@pytest.fixture(scope="module")
def window() -> Iterator[BrowserWindow]:
    """A window on a server with the claims above, drawn in our style and without arrows that were not asked for."""
    if os.environ.get(WANTED) != "1":
        pytest.skip(f"drives Chromium; {WANTED}=1 does, beside KGQA_TEST_NEO4J=1 (Chromium and its driver)")
    server = the_server()
    with closing(open_store(emptied(server), create=True)) as store, browser_window() as window:
        store.add(statements())
        window.connect(server.browser, PASSWORD)
        window.drop(STYLE)
        window.run(":config autoComplete: false")
        yield window


def statements() -> Iterator[Statement]:
    for cause, relation, effect, stance, page, text in SAID:
        source = Source("wikipedia", title=page, page_id=page)
        yield Statement(Claim(cause, effect, relation), Evidence(source, stance, text=text))


def statement_for(question: str) -> str:
    with closing(open_store("memory:", write=True)) as store:
        store.add(statements())
        return redraw_statement(Pipeline(store, 5).answer(question)) or ""


def colour(of: str) -> str:
    rule = re.search(rf"^{re.escape(of)} {{.*?\bcolor: (#\w+);", STYLE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert rule is not None
    return rule[1]


def test_an_answer_is_drawn_in_our_style(window: BrowserWindow) -> None:
    frame = window.draw(statement_for("What causes lung cancer?"))
    drawn = window.drawn(frame)
    assert set(drawn.nodes) == {"smoking", "asbestos", "lung cancer"}
    assert len(drawn.arrows) == 2
    assert all(re.fullmatch(r"causes 0\.\d+…?", arrow) for arrow in drawn.arrows)
    assert window.colours(frame) == {colour("node.Concept"), colour("relationship.CAUSES")}


def test_a_chain_is_drawn_as_a_whole(window: BrowserWindow) -> None:
    drawn = window.drawn(window.draw(statement_for("How does smoking lead to death?")))
    assert set(drawn.nodes) == {"smoking", "lung cancer", "death"}
    assert len(drawn.arrows) == 2


def test_a_statement_for_a_hostile_question_is_one_statement_to_the_editor(window: BrowserWindow) -> None:
    statement = statement_for("What causes lung cancer?").splitlines()
    hostile = redraw_titled("x'}) MATCH (n) DETACH DELETE n; // */ \\u000a :clear; \" ` { } What causes lung cancer?")
    assert hostile.splitlines()[1:] == statement[1:]
    assert set(window.drawn(window.draw(hostile)).nodes) == {"smoking", "asbestos", "lung cancer"}


def redraw_titled(question: str) -> str:
    """The statement for the causes of lung cancer, as if it had been asked so."""
    with closing(open_store("memory:", write=True)) as store:
        store.add(statements())
        return redraw_statement(replace(Pipeline(store, 5).answer("What causes lung cancer?"), question=question)) or ""


def test_clicks_lead_from_a_concept_over_claim_and_record_to_the_page(window: BrowserWindow) -> None:
    frame = window.draw("MATCH (c:Concept {name: 'asbestos'}) RETURN c")
    assert window.drawn(frame).nodes == ("asbestos",)
    assert {"causes", "lung cancer"} <= set(window.expand(frame, "asbestos").nodes)
    assert any(node.startswith("Asbestos: asserted") for node in window.expand(frame, "causes").nodes)
    assert "Asbestos" in window.expand(frame, "Asbestos: asserted").nodes
    assert {"asserts", "on"} <= set(window.drawn(frame).arrows)


def test_a_click_on_an_arrow_shows_the_hash_that_leads_to_its_sources(window: BrowserWindow) -> None:
    frame = window.draw(statement_for("Does asbestos cause lung cancer?"))
    shown = window.details(frame, "causes")
    claim = Claim("asbestos", "lung cancer").hash
    assert claim in shown
    window.run(f":param claim => '{claim}'")
    nodes = window.drawn(window.draw((FOLDER / "edge.cypher").read_text(encoding="utf-8"))).nodes
    assert {"asbestos", "lung cancer", "causes", "Asbestos"} <= set(nodes)


@pytest.mark.parametrize("name", VALUES)
def test_a_saved_query_can_be_pasted_with_its_comments(window: BrowserWindow, name: str) -> None:
    values, seen = VALUES[name]
    window.command(":clear")
    window.run(f":params {values}")
    nodes = set(window.drawn(window.draw((FOLDER / f"{name}.cypher").read_text(encoding="utf-8"))).nodes)
    assert seen <= nodes


def test_every_saved_query_was_pasted() -> None:
    assert {query.name for query in saved_queries()} == set(VALUES)


def test_the_guide_opens_and_its_blocks_go_to_the_editor(window: BrowserWindow) -> None:
    with served() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://localhost:{server.server_port}"
        try:
            window.command(f":guide {address}/guide.html")
            drawer = window.find("[data-testid=guidesDrawer]")
            window.until("the first slide", lambda: "What is here" in drawer.text)
            window.run(":style reset")
            window.run(f":style {address}/style.grass")
            frame = window.draw(statement_for("What causes lung cancer?"))
            assert colour("relationship.CAUSES") in window.colours(frame)
            window.find("[data-testid=guideNextSlide]").click()
            window.until("the second slide", lambda: "Both sides of X → Y" in drawer.text)
        finally:
            server.shutdown()


def test_a_query_that_is_dropped_can_be_saved_under_its_title(window: BrowserWindow) -> None:
    window.drop(FOLDER / "why.cypher")
    window.find(".filedrop-save-to-favorites").click()
    window.find("[data-testid=navigationFavorites]").click()
    window.until(
        "favourite", lambda: any("Why X?" in one.text for one in window.all("[data-testid=drawer], #drawer, .drawer, body"))
    )

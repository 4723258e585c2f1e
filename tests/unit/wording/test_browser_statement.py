"""The statement that draws an answer's paths in Neo4j Browser: `kgqa ask --cypher`."""

from __future__ import annotations

import re
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.model import Claim, Evidence, Relation, Source, Stance, Statement
from graph.stores import open_store
from kgqa.answer_model import Answer, CitedEvidence, Route
from kgqa.answering.refusals import refuse_question
from kgqa.pipeline import Pipeline
from kgqa.wording.browser_statement import claims_of_answer, redraw_statement

sys.path.insert(0, str(Path(__file__).parents[2]))

from hostile import HOSTILE_NAMES


def said(cause: str, effect: str, page: str, stance: Stance = Stance.ASSERTED) -> Statement:
    source = Source("wikipedia", title=page, page_id=page)
    return Statement(Claim(cause, effect), Evidence(source, stance, text=f"{cause} {effect}."))


def answer_to(question: str, *statements: Statement) -> Answer:
    with closing(open_store("memory:", write=True)) as store:
        store.add(statements)
        return Pipeline(store).answer(question)


def hashes_in(statement: str | None) -> list[str]:
    assert statement is not None
    return re.findall("'([0-9a-f]{32})'", statement)


def test_a_list_is_drawn_with_the_edge_of_each_finding_in_its_order() -> None:
    answer = answer_to("What causes floods?", said("rain", "flood", "1"), said("rain", "flood", "2"), said("storm", "flood", "3"))
    assert hashes_in(redraw_statement(answer)) == [Claim("rain", "flood").hash, Claim("storm", "flood").hash]


def test_an_edge_that_two_findings_share_is_drawn_once() -> None:
    answer = answer_to("What causes floods?", said("rain", "flood", "1"))
    doubled = Answer(answer.question, answer.type, answer.route, answer.sentence, findings=answer.findings * 2)
    assert hashes_in(redraw_statement(doubled)) == [Claim("rain", "flood").hash]


def test_a_contested_answer_is_drawn_with_the_claim_that_both_sides_are_about() -> None:
    answer = answer_to(
        "Does coffee cause insomnia?", said("coffee", "insomnia", "1"), said("coffee", "insomnia", "2", Stance.NEGATED)
    )
    assert answer.findings == ()
    assert hashes_in(redraw_statement(answer)) == [Claim("coffee", "insomnia").hash]


def test_an_answer_that_rests_on_nothing_has_no_statement() -> None:
    assert redraw_statement(answer_to("What causes floods?")) is None
    assert redraw_statement(refuse_question("?", "it is empty")) is None


def test_a_statement_begins_with_its_question_so_that_browser_shows_it() -> None:
    statement = redraw_statement(answer_to("What causes floods?", said("rain", "flood", "1"))) or ""
    assert statement.splitlines()[0] == "// What causes floods?"


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_no_name_stands_in_a_statement_outside_its_comment(name: str) -> None:
    claim = Claim(name, f"effect of {name}", Relation.ENABLES)
    answer = answer_with(f"What causes {name}?", claim)
    statement = redraw_statement(answer) or ""
    assert statement.split("\n", 1)[1] == (redraw_statement(answer_with("?", claim)) or "").split("\n", 1)[1]
    assert hashes_in(statement.split("\n", 1)[1]) == [claim.hash]


@given(st.text(max_size=300))
def test_whatever_is_asked_the_comment_is_one_line_that_nothing_can_end(question: str) -> None:
    statement = redraw_statement(answer_with(question, Claim("a", "b"))) or ""
    first, rest = statement.split("\n", 1)
    assert re.fullmatch(r"// [\w ?!,.'-]{0,120}", first)
    assert rest.startswith("UNWIND [\n")
    statement.encode()


def answer_with(question: str, *claims: Claim) -> Answer:
    """An answer that cites one record for each claim."""
    kind = refuse_question("?", "").type
    cited = tuple(CitedEvidence(claim, Evidence(Source("text"))) for claim in claims)
    answer = Answer(question, kind, Route.GRAPH, "", evidence=cited)
    assert claims_of_answer(answer) == claims
    return answer

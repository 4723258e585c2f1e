"""`kgqa ask --cypher`: where the statement that draws an answer is printed."""

from __future__ import annotations

import json
from pathlib import Path

from running import kgqa

from graph.model import Claim

ASBESTOS, SMOKING = Claim("asbestos", "lung cancer").hash, Claim("smoking", "lung cancer").hash
STATEMENT = f"""// What causes lung cancer?
UNWIND [
  '{SMOKING}', '{ASBESTOS}'
] AS hash
MATCH (cause:Concept)-[:CAUSE_IN]->(:Claim {{hash: hash}})-[:TO_EFFECT]->(effect:Concept)
MATCH (cause)-[edge {{hash: hash}}]->(effect)
RETURN cause, edge, effect"""


def test_the_statement_stands_after_the_answer_as_it_is_to_be_pasted(small: Path) -> None:
    ended = kgqa("ask", "What causes lung cancer?", "--cypher", "-g", small)
    assert ended.code == 0
    assert ended.out.endswith(f"\n\n{STATEMENT}\n")


def test_the_statement_is_not_wrapped_on_a_narrow_terminal(small: Path) -> None:
    assert STATEMENT in kgqa("ask", "What causes lung cancer?", "--cypher", "-g", small, COLUMNS="30").out


def test_the_statement_is_a_field_of_the_json_object(small: Path) -> None:
    assert json.loads(kgqa("ask", "What causes lung cancer?", "--cypher", "--json", "-g", small).out)["cypher"] == STATEMENT
    assert json.loads(kgqa("ask", "What causes lung cancer?", "--json", "-g", small).out)["cypher"] is None


def test_each_line_of_a_batch_has_its_statement_where_it_has_one(small: Path) -> None:
    questions = ["What causes lung cancer?", "What causes zebras?"]
    lines = "".join(json.dumps({"question": question}) + "\n" for question in questions)
    ended = kgqa("ask", "--batch", "-", "--cypher", "-g", small, stdin=lines)
    assert [json.loads(line)["cypher"] for line in ended.out.splitlines()] == [STATEMENT, None]


def test_where_there_is_nothing_to_draw_a_note_says_so(small: Path) -> None:
    ended = kgqa("ask", "What causes zebras?", "--cypher", "-g", small)
    assert ended.code == 0
    assert "UNWIND" not in ended.out
    assert ended.err == "kgqa: nothing to draw: the answer rests on no claim\n"


def test_a_passage_is_drawn_by_the_hashes_of_its_own_claims() -> None:
    ended = kgqa("ask", "What causes floods?", "--passage", "-", "--cypher", stdin="Heavy rain caused the flood.")
    assert Claim("heavy rain", "flood").hash in ended.out

from __future__ import annotations

import json
from pathlib import Path

import pytest
from statement_lines import statement_json

from graph.errors import FormatUnknown
from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement, Strength
from graph.sources.article import Skipped
from graph.sources.jsonl import read_statements

STATEMENT = Statement(
    Claim("smoking", "lung cancer", Relation.CAUSES, Polarity.INCREASES),
    Evidence(
        Source("wikipedia", "Smoking 🚬", "27", "803", "https://en.wikipedia.org/?curid=27"),
        Stance.NEGATED,
        Strength.RISK_FACTOR,
        "x-causes-y",
        'It is not so,\u2028 "they" said.\0',
        "Health",
        10,
        40,
        (("population", "in adults"), ("time", "in 1953"), ("time", "in 1962")),
        "00ff",
    ),
)


def read(path: Path, *lines: object, skipped: list[Skipped] | None = None) -> list[Statement]:
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return list(read_statements(path, (skipped if skipped is not None else []).append))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "claims.jsonl"


def test_what_is_written_is_read_back_equal(path: Path) -> None:
    bare = Statement(Claim("a", "b"), Evidence(Source("text")))
    path.write_text("".join(json.dumps(statement_json(statement)) + "\n" for statement in (STATEMENT, bare)))
    assert list(read_statements(path, pytest.fail)) == [STATEMENT, bare]


def test_every_field_is_on_the_line_of_its_statement() -> None:
    assert statement_json(STATEMENT) == {
        "cause": "smoking",
        "effect": "lung cancer",
        "relation": "causes",
        "polarity": "increases",
        "strength": "risk factor for",
        "stance": "negated",
        "rule": "x-causes-y",
        "text": 'It is not so,\u2028 "they" said.\0',
        "context": {"population": "in adults", "time": ["in 1953", "in 1962"]},
        "sketch": "00ff",
        "source": {
            "kind": "wikipedia",
            "title": "Smoking 🚬",
            "page_id": "27",
            "revision": "803",
            "url": "https://en.wikipedia.org/?curid=27",
            "section": "Health",
            "start": 10,
            "end": 40,
        },
    }


def test_cause_and_effect_are_enough(path: Path) -> None:
    (statement,) = read(path, {"cause": "rain", "effect": "flood"})
    assert statement == Statement(Claim("rain", "flood"), Evidence(Source("")))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"cause": ""}, "no 'cause'"),
        ({"effect": None}, "no 'effect'"),
        ({"effect": ["flood"]}, "'effect' is not text"),
        ({"relation": "makes"}, "'makes' is no relation; known: causes,"),
        ({"stance": "maybe"}, "'maybe' is no stance; known: asserted,"),
        ({"text": 7}, "'text' is not text"),
        ({"context": ["in adults"]}, "'context' is not an object"),
        ({"context": {"place": 7}}, "'place' in 'context' is neither text nor a list of texts"),
        ({"sketch": "0"}, "'0' is no sketch"),
        ({"sketch": "XY"}, "'XY' is no sketch"),
        ({"source": "web"}, "'source' is not an object"),
        ({"source": {"kind": "text", "start": 3}}, "'start' and 'end' are not two offsets in order"),
        ({"source": {"kind": "text", "start": 9, "end": 3}}, "'start' and 'end' are not two offsets in order"),
        ({"source": {"kind": "text", "start": 3, "end": 1 << 63}}, "'start' and 'end' are not two offsets in order"),
        ({"source": {"kind": "text", "start": True, "end": 3}}, "'start' and 'end' are not two offsets in order"),
    ],
)
def test_a_broken_statement_is_skipped_with_its_line(path: Path, changes: dict[str, object], why: str) -> None:
    skipped: list[Skipped] = []
    assert read(path, statement_json(STATEMENT), statement_json(STATEMENT) | changes, skipped=skipped) == [STATEMENT]
    (only,) = skipped
    assert only.where == "line 2"
    assert only.why.startswith(why)


def test_a_file_without_statements_is_another_format(path: Path) -> None:
    with pytest.raises(FormatUnknown, match="is not statements in JSON lines: line 1: no 'cause'"):
        read(path, {"id": 1, "text": "Rain causes floods."})

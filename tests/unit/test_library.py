"""The library as people expect it: what it exports, how it checks arguments, batches, HTML, and the schema of an answer."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import kgqa
from graph.errors import GraphError
from kgqa import answers
from kgqa.errors import KgqaError

COMMANDS_PAGE = Path(__file__).parents[2] / "docs" / "commands.md"


def test_python_m_kgqa_is_the_command() -> None:
    ended = subprocess.run([sys.executable, "-m", "kgqa", "--version"], capture_output=True, text=True, check=True)
    assert kgqa.__version__ in ended.stdout


def test_dir_names_what_the_package_exports_and_each_can_be_had() -> None:
    assert dir(kgqa) == sorted(kgqa.__all__)
    assert all(getattr(kgqa, name) is not None for name in kgqa.__all__)


def test_every_error_is_a_kgqa_error() -> None:
    assert issubclass(GraphError, kgqa.Error)
    assert issubclass(KgqaError, kgqa.Error)
    with pytest.raises(kgqa.Error, match="no graph at"):
        kgqa.answer("What causes tsunamis?", "/nowhere/at-all.kgqa")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"limit": 0}, "invalid value for 'limit': 0 is not in the range 1<=x<=1000"),
        ({"limit": True}, "invalid value for 'limit': True"),
        ({"limit": 2.5}, "invalid value for 'limit': 2.5"),
        ({"risk": 2}, "invalid value for 'risk': 2 is not in the range 0<=x<=1"),
        ({"risk": "low"}, "invalid value for 'risk': 'low'"),
        ({"reader": "nobody"}, "nobody"),
        ({"do": "x=perhaps"}, "cannot read --do 'x=perhaps'"),
        ({"passage": 3}, "invalid value for 'passage': 3"),
    ],
)
def test_arguments_are_checked_before_anything_is_opened(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(kgqa.Error, match=message):
        kgqa.answer("What causes tsunamis?", "memory:", **arguments)


def test_a_setting_may_stand_alone_or_in_a_list() -> None:
    alone = kgqa.answer("What causes tsunamis?", do="earthquake=absent")
    assert alone.interventions == kgqa.answer("What causes tsunamis?", do=["earthquake=absent"]).interventions != ()


def test_paths_are_taken_for_graph_and_passage(tmp_path: Path) -> None:
    passage = tmp_path / "passage.txt"
    passage.write_text("Heavy rain caused the flood.", encoding="utf-8")
    assert "rain" in str(kgqa.answer("What caused the flood?", passage=passage)).lower()
    packed = tmp_path / "passage.txt.gz"
    packed.write_bytes(gzip.compress(passage.read_bytes()))
    assert str(kgqa.answer("What caused the flood?", passage=packed)) == str(
        kgqa.answer("What caused the flood?", passage=passage)
    )
    with pytest.raises(kgqa.Error, match="no such file"):
        kgqa.answer("What caused the flood?", passage=tmp_path / "nothing.txt")


@pytest.mark.parametrize("name", ["/tmp/half \ud83d", "/tmp/nul\0"])
@pytest.mark.parametrize("argument", ["graph", "corpus", "passage"])
def test_a_name_that_no_file_can_have_is_an_error_like_others(argument: str, name: str) -> None:
    with pytest.raises(kgqa.Error):
        kgqa.answer("What causes floods?", **{argument: Path(name)})


def test_lone_surrogates_in_questions_and_passages_stop_no_answer() -> None:
    assert "earthquakes" in str(kgqa.answer("What causes \ud83d tsunamis?"))
    assert "Rain" in str(kgqa.answer("What caused the flood?", passage="Rain\ud83d caused the flood in \udc80."))


def test_a_batch_gives_the_answers_that_single_calls_give() -> None:
    questions = ["What causes tsunamis?", "Does smoking cause lung cancer?"]
    assert [str(answer) for answer in answers(questions)] == [str(kgqa.answer(question)) for question in questions]


def test_an_answer_is_html_with_a_picture_in_a_notebook() -> None:
    html = kgqa.answer("What causes tsunamis?")._repr_html_()
    assert "<svg" in html
    assert "earthquake" in html
    assert "<script" not in kgqa.answer("What causes <script>alert(1)</script>?")._repr_html_()


@pytest.mark.parametrize(
    "question",
    [
        "What causes tsunamis?",
        "Does smoking cause lung cancer?",
        "How does smoking lead to death?",
        "If smoking were eliminated, what would happen to lung cancer?",
        "What is the capital of France?",
    ],
)
def test_records_fit_the_schema(question: str) -> None:
    validator = Draft202012Validator(kgqa.answer_schema())
    assert list(validator.iter_errors(kgqa.answer_record(kgqa.answer(question)))) == []


def schema_table(schema: dict[str, Any], name: str = "") -> str:
    """Return the fields of an object of the schema as a Markdown table: of the answer, or of the nested object `name`."""
    fields = (schema["$defs"][name] if name else schema)["properties"]
    rows = [f"| `{field}` | {type_text(spec)} | {spec.get('description', '')} |" for field, spec in fields.items()]
    return "\n".join(["| field | type | holds |", "|---|---|---|", *rows])


def type_text(spec: dict[str, Any]) -> str:
    if "$ref" in spec:
        return f"`{spec['$ref'].rpartition('/')[2]}`"
    if "anyOf" in spec:
        return " or ".join(type_text(choice) for choice in spec["anyOf"])
    if spec.get("type") == "array":
        return f"list of {type_text(spec['items'])}" if spec.get("items") else "list"
    if spec.get("type") == "object":
        return f"object of {type_text(spec['additionalProperties'])}"
    kind = str(spec.get("type", "any"))
    return {"string": "text", "integer": "number", "boolean": "true or false"}.get(kind, kind)


def test_the_page_of_commands_has_the_table_of_the_schema() -> None:
    page, schema = COMMANDS_PAGE.read_text(encoding="utf-8"), kgqa.answer_schema()
    for name in ("", *sorted(schema["$defs"])):
        assert schema_table(schema, name) in page, name or "the answer"

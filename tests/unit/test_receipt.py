"""Receipts: what they hold, what a replay names, and what is no receipt."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest
from scripted_chat import answer as reply
from scripted_chat import scripted, status
from tiny_reader import write_reader

from graph.model import Claim, Evidence, Source, Statement
from graph.stores import open_store
from kgqa.api import AnswerOptions, AnswerSession
from kgqa.errors import ReceiptInvalid
from kgqa.interventions.graph_settings import parse_settings
from kgqa.json_text import json_text
from kgqa.receipt import answer_with_receipt, read_receipt, replay_receipt
from kgqa.record_schema import ReceiptRecord, check_record
from kgqa.settings import Settings

QUESTION = "What causes tsunamis?"
TEXT = "The dam broke because the pressure was too high."
NO_SETTINGS = Settings()


def statement(cause: str, page: str) -> Statement:
    evidence = Evidence(Source("wikipedia", title=page), rule="test", text=f"The {cause} causes tsunamis.", start=0, end=9)
    return Statement(Claim(cause, "tsunami"), evidence)


@pytest.fixture
def graph(tmp_path: Path) -> str:
    url = str(tmp_path / "small.kgqa")
    with open_store(url, create=True) as store:
        store.add([statement("earthquake", "Quake"), statement("landslide", "Slide")])
    return url


def receipt_of(
    session: AnswerSession, question: str = QUESTION, passage: str | None = None, path: str | None = None
) -> ReceiptRecord:
    with session:
        return answer_with_receipt(session, question, passage, path).receipt


def changes(receipt: ReceiptRecord, graph: str | None = None, settings: Settings = NO_SETTINGS) -> list[str]:
    return [str(change.ingredient) for change in replay_receipt(receipt, graph, settings).changes]


def test_a_receipt_holds_the_question_its_options_and_the_claims_that_were_used(graph: str) -> None:
    options = AnswerOptions(limit=1, settings=parse_settings(["landslide=absent"]), risk=0.9)
    receipt = receipt_of(AnswerSession(graph, options, NO_SETTINGS))
    check_record(ReceiptRecord, receipt)
    assert receipt["options"]["do"] == ["landslide=absent"]
    assert (receipt["options"]["limit"], receipt["options"]["risk"], receipt["options"]["graph"]) == (1, 0.9, graph)
    assert "earthquake" in {claim["cause"] for claim in receipt["claims"]}
    assert receipt["record"]["elapsed_ms"] is None
    assert changes(receipt) == []


def test_the_bytes_are_those_of_json_without_the_time(graph: str) -> None:
    with AnswerSession(graph, settings=NO_SETTINGS) as session:
        made = answer_with_receipt(session, QUESTION)
        record = {**session.record(QUESTION), "elapsed_ms": None}
    assert json_text(made.receipt["record"]) == json_text(record)


def test_a_claim_that_has_other_records_is_named_with_its_graph(graph: str) -> None:
    receipt = receipt_of(AnswerSession(graph, settings=NO_SETTINGS))
    with open_store(graph, write=True) as store:
        store.add([statement("landslide", "Another slide")])
    assert changes(receipt) == ["graph", "claim landslide -[causes]-> tsunami"]


def test_the_address_of_a_graph_is_no_ingredient(graph: str, tmp_path: Path) -> None:
    receipt = receipt_of(AnswerSession(graph, settings=NO_SETTINGS))
    copy = Path(graph).rename(tmp_path / "renamed.kgqa")
    assert replay_receipt(receipt, str(copy), NO_SETTINGS) == (True, ())


def test_a_model_that_has_changed_is_named(tmp_path: Path) -> None:
    folder = write_reader(tmp_path / "reader", {"pressure": {"start": 9, "end": 9}})
    options = AnswerOptions(reader=f"extractive:{folder}")
    receipt = receipt_of(AnswerSession("memory:", options, NO_SETTINGS), "What broke the dam?", TEXT)
    assert changes(receipt) == []
    write_reader(folder, {"pressure": {"start": 9, "end": 9}}, changed=True)
    assert changes(receipt) == [f"model {folder}"]


def test_a_passage_is_in_the_receipt_and_is_named_where_its_file_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "dam.txt"
    file.write_text(TEXT)
    receipt = receipt_of(AnswerSession("memory:", settings=NO_SETTINGS), "Why did the dam break?", TEXT, str(file))
    file.write_text("Nothing broke.")
    result = replay_receipt(receipt, settings=NO_SETTINGS)
    assert (result.is_same, changes(receipt)) == (True, [f"passage {file}"])
    file.unlink()
    assert changes(receipt) == []


def test_the_replies_of_a_chat_server_are_replayed_without_it(graph: str, tmp_path: Path) -> None:
    options = AnswerOptions(reader="chat:closed")
    with scripted([reply("Ottawa"), status(500)]) as chat:
        settings = Settings(chat_url=chat.url, chat_model="small", chat_cache="off", chat_key="secret-key")
        receipt = receipt_of(AnswerSession(graph, options, settings), "What is the capital of Canada?")
        assert replay_receipt(receipt, settings=settings) == (True, ())
        assert len(chat.requests) == 1
    assert receipt["chat"][0]["reply"]["text"] == "Ottawa"
    assert receipt["settings"] == {"KGQA_CHAT_URL": chat.url, "KGQA_CHAT_MODEL": "small"}
    assert "secret-key" not in json_text(receipt)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "it is no object with 'kgqa_receipt'"),
        ('{"id": 1}', "it is no object with 'kgqa_receipt'"),
        ('{"kgqa_receipt": 2}', "it has format 2, and this kgqa reads format 1"),
        ('{"kgqa_receipt": 1, "digest": ""}', "it is damaged or was altered: its digest is another one"),
    ],
)
def test_what_is_no_receipt_is_said_in_a_line(text: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "receipt.json"
    file.write_text(text)
    with pytest.raises(ReceiptInvalid) as raised:
        read_receipt(str(file))
    assert str(raised.value) == f"no receipt in '{file}': {why}"


def test_a_receipt_is_read_as_it_was_written_and_no_changed_byte_passes(graph: str, tmp_path: Path) -> None:
    receipt = receipt_of(AnswerSession(graph, settings=NO_SETTINGS))
    file = tmp_path / "receipt.json"
    file.write_text(json_text(receipt))
    assert read_receipt(str(file)) == receipt
    file.write_text(json.dumps(receipt, indent=2))
    assert read_receipt(str(file)) == receipt
    file.write_text(json_text(receipt).replace("landslide", "rockslide", 1))
    with pytest.raises(ReceiptInvalid):
        read_receipt(str(file))


def test_an_object_with_the_right_digest_that_lacks_a_field_is_no_receipt(tmp_path: Path) -> None:
    file = tmp_path / "receipt.json"
    digest = sha256(b'{"kgqa_receipt": 1}').hexdigest()
    file.write_text(json.dumps({"kgqa_receipt": 1, "digest": digest}))
    with pytest.raises(ReceiptInvalid) as raised:
        read_receipt(str(file))
    assert str(raised.value) == f"no receipt in '{file}': 'question': field required"

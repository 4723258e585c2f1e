"""Any single ingredient of a receipt that has changed is named by its replay, and no other; no altered receipt is read."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from small_web_graph import write_graph

from graph.errors import InputUnreadable
from kgqa.api import AnswerOptions, AnswerSession
from kgqa.errors import ReceiptInvalid
from kgqa.interventions.graph_settings import parse_settings
from kgqa.json_text import json_text
from kgqa.receipt import answer_with_receipt, read_receipt, replay_receipt
from kgqa.settings import Settings

FOLDER = TemporaryDirectory(prefix="kgqa-")
QUESTIONS = ("What causes lung cancer?", "Does coffee cause insomnia?", "How does smoking lead to death?", "What causes death?")
DIGESTS = st.text("0123456789abcdef", min_size=32, max_size=32)
INGREDIENTS = ("version", "code", "packages", "settings", "graph", "models", "edge", "evidence", "claim", "passage")


@cache
def receipt_text(question: str, with_passage: bool) -> str:
    """The receipt of an answer over the small graph, or over a passage."""
    graph = Path(FOLDER.name) / "small.kgqa"
    url = str(graph if graph.exists() else write_graph(graph))
    absent = parse_settings(["asbestos=absent"]) if question == QUESTIONS[0] and not with_passage else ()
    with AnswerSession(url, AnswerOptions(settings=absent), Settings()) as session:
        return json_text(answer_with_receipt(session, question, "Smoking causes lung cancer." if with_passage else None).receipt)


def altered(receipt: Any, ingredient: str, digest: str) -> str:
    """Alter one ingredient of a receipt as if it had been another one then, and return how a replay names it."""
    if ingredient in ("version", "code"):
        receipt[ingredient] = digest
        return "version of kgqa"
    if ingredient == "packages":
        receipt["packages"]["python"] = digest
        return "package python"
    if ingredient == "settings":
        receipt["settings"]["KGQA_READER"] = digest
        return "option KGQA_READER"
    if ingredient == "passage":
        receipt["passage"]["digest"] = digest
        return "passage"
    if ingredient == "models":
        name = min(receipt["models"])
        receipt["models"][name] = digest
        return f"model {name}"
    if ingredient == "graph":
        receipt["graph"] = digest
        return "graph"
    claim = receipt["claims"][-1]
    if ingredient == "claim":
        claim["cause"] = digest
        return f"claim {digest} -[{claim['relation']}]-> {claim['effect']}"
    claim[ingredient] = digest if ingredient == "edge" else [*claim["evidence"], digest]
    return f"claim {claim['cause']} -[{claim['relation']}]-> {claim['effect']}"


@settings(max_examples=50)
@given(st.sampled_from(QUESTIONS), st.sampled_from(INGREDIENTS), DIGESTS)
def test_any_single_ingredient_that_has_changed_is_named(question: str, ingredient: str, digest: str) -> None:
    of_passage = ingredient in ("passage", "models")
    receipt = json.loads(receipt_text(QUESTIONS[0] if of_passage else question, of_passage))
    name = altered(receipt, ingredient, digest)
    named = {str(change.ingredient) for change in replay_receipt(receipt, settings=Settings()).changes}
    assert name in named
    # A claim of another name is one that is no longer used, in place of one that was not.
    assert len(named) == (2 if ingredient == "claim" else 1)


@given(st.sampled_from(QUESTIONS), st.integers(0, 10**6), st.characters(codec="utf-8"))
def test_no_altered_receipt_is_read_as_another(question: str, place: int, character: str) -> None:
    text = receipt_text(question, False)
    at = place % len(text)
    file = Path(FOLDER.name) / "receipt.json"
    file.write_text(text[:at] + character + text[at + 1 :], encoding="utf-8")
    try:
        read = read_receipt(str(file))
    except (ReceiptInvalid, InputUnreadable):
        return
    assert json_text(read) == text

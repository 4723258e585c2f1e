"""The reasons that the sentences of a passage state for an effect."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.text.pattern_tables import read_pattern_table
from kgqa import passages
from kgqa.passages.stated_reasons import asks_effect, asks_reason, reason_cues, stated_effects, stated_reasons
from kgqa.questions.classifier import classify
from kgqa.readers.reader import Passage

CUE_ROWS = read_pattern_table(Path(passages.__path__[0]) / "reasons.tsv")


@pytest.mark.parametrize(
    ("passage", "question", "reason"),
    [
        ("The mill burned down because sparks fell on straw.", "Why did the mill burn down?", "sparks fell on straw"),
        ("Sailors died of scurvy, for they ate no fruit.", "Why did sailors die of scurvy?", "they ate no fruit"),
        ("Silt raises the bed, so that the river floods.", "Why does the river flood?", "Silt raises the bed"),
        ("When the frost came, the vines died.", "Why did the vines die?", "the frost came"),
        ("It rained, and the mud stayed wet. Snails spread as a result.", "Why did snails spread?", "the mud stayed wet"),
        ("The loss was due to a strike at the mill.", "What caused the loss?", "a strike at the mill"),
        ("Prices rose. The true reason, says the board, was a frost.", "Why did prices rise?", "a frost"),
        ("The rain went on, and the wall collapsed.", "Why did the wall collapse?", "The rain went on"),
        ("The guards, who drank beer, stayed well.", "Why did the guards stay well?", "drank beer"),
        ("A fire destroyed the shed. It began when a lamp fell.", "What caused the fire?", "a lamp fell"),
        ("The works will close. Its head blamed the price of gas.", "Why will the works close?", "the price of gas"),
        ("They climbed the wall. A spy had told them of a gap.", "Why did they climb the wall?", "A spy had told them of a gap"),
    ],
)
def test_the_surest_reason_is_the_clause_that_a_connective_joins(passage: str, question: str, reason: str) -> None:
    kind = classify(question)
    assert asks_reason(question, kind)
    reasons = stated_reasons(question, kind, [Passage(passage)])
    assert reasons
    assert passage[reasons[0].start : reasons[0].end] == reason


def test_what_is_only_believed_is_no_reason() -> None:
    text = "Traders had feared that a strike would lift prices. Prices rose because of a frost."
    reasons = stated_reasons("Why did prices rise?", classify("Why did prices rise?"), [Passage(text)])
    assert reasons
    assert all("strike" not in text[item.start : item.end] for item in reasons if item.weight > 0.0)


def test_what_is_blamed_and_then_cleared_is_no_reason() -> None:
    text = "The trees died. Growers at first blamed the wet springs, but dry slopes were struck as badly."
    reasons = stated_reasons("Why did the trees die?", classify("Why did the trees die?"), [Passage(text)])
    assert reasons
    assert all("springs" not in text[item.start : item.end] for item in reasons if item.weight > 0.3)


def test_an_effect_that_no_passage_names_has_no_reasons() -> None:
    question = "Why did the airline buy the aircraft?"
    assert stated_reasons(question, classify(question), [Passage("The bridge was closed because of rust.")]) is None


@pytest.mark.parametrize(("name", "example"), [(name, example) for name, _, example in CUE_ROWS])
def test_a_connective_is_in_its_example(name: str, example: str) -> None:
    assert reason_cues()[name].search(example)


def test_the_effects_of_what_is_asked_are_told_from_its_reasons() -> None:
    text = "The boiler had failed after frost split the pipe. As a result the children were sent home for two weeks."
    question = "What did the failure of the boiler lead to?"
    assert asks_effect(question, classify(question))
    effects = stated_effects(question, [Passage(text)])
    assert text[effects[0].start : effects[0].end] == "the children were sent home for two weeks"
    assert [text[item.start : item.end] for item in effects if item.weight < 0.0] == ["frost split the pipe"]

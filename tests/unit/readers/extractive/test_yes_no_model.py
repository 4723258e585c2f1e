"""Yes or no by the words of a question and of a passage."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgqa.calibration.linear_model import LogisticModel
from kgqa.errors import ReaderInvalid
from kgqa.readers.extractive.extractive_reader import make_extractive_reader
from kgqa.readers.extractive.span_network import SHIPPED
from kgqa.readers.extractive.yes_no_model import NETWORK_FEATURE, YES_NO_FILE, load_yes_no_model, yes_no_features
from kgqa.readers.reader import AnswerKind, Passage

DENIED = [
    ("Can penguins fly?", "Penguins cannot fly."),
    ("Does tea contain alcohol?", "Tea does not contain alcohol."),
    ("Did the ferry sink?", "The ferry never sank; it was sold in 1950."),
]
SAID = [
    ("Does beer contain alcohol?", "Beer contains alcohol."),
    ("Is Lyon in France?", "Lyon is a city in France. It lies on the Rhone."),
]


@pytest.fixture(scope="module")
def weights() -> LogisticModel:
    found = load_yes_no_model(SHIPPED)
    assert found is not None
    return found


@pytest.mark.parametrize(("question", "passage"), DENIED)
def test_what_a_passage_denies_is_rather_no(weights: LogisticModel, question: str, passage: str) -> None:
    assert weights.probability(yes_no_features(question, passage)) < 0.5


@pytest.mark.parametrize(("question", "passage"), SAID)
def test_what_a_passage_says_in_so_many_words_is_yes(weights: LogisticModel, question: str, passage: str) -> None:
    signals = yes_no_features(question, passage) | {NETWORK_FEATURE: 0.14}  # the network at its mean
    assert weights.probability(signals) > 2 / 3  # what is said aloud


@pytest.mark.parametrize("name", ["extractive", "boolean"])
def test_the_shipped_readers_tell_yes_from_no_by_the_words(name: str) -> None:
    reader = make_extractive_reader(str(SHIPPED), name=name)
    said = {}
    for question, passage in (DENIED[0], SAID[0]):
        found = reader.read(question, [Passage(passage)])
        said[question] = max((one for one in found if one.kind is not AnswerKind.NULL), key=lambda one: one.score).kind
        assert sum(one.score for one in found) == pytest.approx(1.0)
    assert said == {DENIED[0][0]: AnswerKind.NO, SAID[0][0]: AnswerKind.YES}


def test_what_a_passage_does_not_tell_stays_untold() -> None:
    found = make_extractive_reader(str(SHIPPED), name="boolean").read(
        "Did the mayor of Gorwick resign?", [Passage("Granite is a hard grey rock.")]
    )
    assert found[0].kind is AnswerKind.NULL


def test_a_number_that_no_sentence_holds_and_a_turned_order_are_seen() -> None:
    seen = yes_no_features("Did Anna beat Berta in 1980?", "Berta beat Anna in 1983.")
    assert seen["number gone"] == 1.0
    assert seen["order"] < yes_no_features("Did Berta beat Anna in 1983?", "Berta beat Anna in 1983.")["order"]


@pytest.mark.parametrize(("question", "passage"), [("", ""), ("?", "..."), ("is", "no"), ("Is it?", "\n\n")])
def test_next_to_nothing_has_a_chance_all_the_same(weights: LogisticModel, question: str, passage: str) -> None:
    assert 0.0 < weights.probability(yes_no_features(question, passage)) < 1.0


def test_a_folder_without_weights_has_none_and_a_damaged_file_is_named(tmp_path: Path) -> None:
    assert load_yes_no_model(tmp_path / "none") is None
    (tmp_path / YES_NO_FILE).write_text('{"weights": 3}', encoding="utf-8")
    with pytest.raises(ReaderInvalid, match=YES_NO_FILE):
        load_yes_no_model(tmp_path)

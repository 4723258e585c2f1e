"""The systems of CREPE and the scores of claims: hand-made items with labels that can be worked out."""

from __future__ import annotations

import pytest

from kgqa.evaluation.dataset_item import FALSE_PRESUPPOSITION, NORMAL, PRESUPPOSITION, DatasetItem
from kgqa.evaluation.datasets import DATASETS
from kgqa.evaluation.metrics.score_intervals import Interval
from kgqa.evaluation.prediction import Prediction
from kgqa.evaluation.presupposition_systems import (
    QUESTION_ONLY,
    SUSPICION,
    NearestNeighbour,
    PresuppositionSystems,
    Track,
    WordClassifier,
)
from kgqa.evaluation.scoring import score_predictions

TRAIN = [
    DatasetItem("1", "Why do cats bark at night?", (FALSE_PRESUPPOSITION,), comment="Cats do not bark."),
    DatasetItem("2", "Why do dogs bark at night?", (NORMAL,), comment="They hear more then."),
]


def test_the_nearest_neighbour_gives_its_label() -> None:
    neighbours = NearestNeighbour([item.question for item in TRAIN], [True, False])
    assert neighbours.flag("When do cats bark?")
    assert not neighbours.flag("When do dogs bark?")


def test_words_of_false_questions_raise_the_probability() -> None:
    words = WordClassifier([item.question for item in TRAIN], [True, False])
    assert words.probability("cats") > 0.5 > words.probability("dogs")


def test_the_track_decides_which_systems_read_the_comment() -> None:
    item = DatasetItem("3", "Why do cats bark?", (FALSE_PRESUPPOSITION,), comment="Cats do not bark; dogs do.")
    main, gold = (set(PresuppositionSystems(PRESUPPOSITION, TRAIN, track=track).probabilities(item)) for track in Track)
    words = {"random (S20)", "nearest neighbour (S21)", "naive Bayes, question only"}
    assert main == words | {QUESTION_ONLY, SUSPICION}
    assert gold - main == {"naive Bayes, comment only (S23)", "question and comment (S24)"}


def test_given_passages_are_compared_with_the_question() -> None:
    item = DatasetItem(
        "3", "Why do cats bark?", (FALSE_PRESUPPOSITION,), passages=("Cats are pets. Cats never bark at anybody.",)
    )
    assert 0 <= PresuppositionSystems(PRESUPPOSITION).probabilities(item)["max over five passages (S26)"] <= 1


def test_claims_are_scored_by_label_with_the_calibration_of_false() -> None:
    items = [DatasetItem(str(place), "c", (label,)) for place, label in enumerate(["true", "false", "undecided", "false"])]
    predictions = [
        Prediction(item.id, "c", response, 0.9, "evidence", item.gold, false_chances={"kgqa": chance})
        for item, response, chance in zip(items, ["true", "false", "false", "false"], [0.1, 0.9, 0.6, 0.8], strict=True)
    ]
    outcome = score_predictions(DATASETS["fever"], items, predictions)
    claims, calibration = outcome.tables
    rows = dict(claims.rows)
    accuracy = rows["kgqa"][0]
    assert isinstance(accuracy, Interval)
    assert accuracy.value == pytest.approx(0.75)
    assert set(rows) == {"kgqa", "always true", "always false", "always undecided"}
    ((_, cells),) = calibration.rows
    assert cells[0] == pytest.approx((0.1 + 0.1 + 0.6 + 0.2) / 4)
    assert cells[4] == 2

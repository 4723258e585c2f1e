"""Exact match and numeracy F1: M13 and M14, in both forms."""

from __future__ import annotations

import pytest

from kgqa.errors import MetricInvalid
from kgqa.evaluation.metrics.drop_scores import (
    NULL,
    AnnotatedAnswer,
    DropScores,
    best_assignment,
    drop_scores,
    greedy_assignment,
    without_unit,
)


@pytest.mark.parametrize(
    ("predicted", "gold", "exact", "f1"),
    [
        (["none"], ["none"], 1.0, 1.0),
        (["-1984"], ["36"], 0.0, 0.0),
        (["36 years"], ["36"], 0.0, 0.67),
        (["Barack Obama", "Joe Biden"], ["Joe Biden", "Obama"], 0.0, 0.83),
        (["the Sultans"], ["Sultans"], 1.0, 1.0),
        (["1,000"], ["1000.0"], 1.0, 1.0),
        (["Sultans", "Sultans"], ["Sultans"], 0.0, 0.5),
        (["in 1989"], ["in 1990"], 0.0, 0.0),
        (["twenty-two"], ["twenty two"], 1.0, 1.0),
        (["-5"], ["5"], 1.0, 1.0),
        (["b b c"], ["b c"], 0.0, 1.0),
        (["b", "c"], ["c", "b"], 1.0, 1.0),
    ],
)
def test_the_released_scores_are_those_of_the_numeracy_scorer(
    predicted: list[str], gold: list[str], exact: float, f1: float
) -> None:
    assert drop_scores(predicted, [AnnotatedAnswer(tuple(gold))], "released") == DropScores(exact, f1)


@pytest.mark.parametrize(
    ("predicted", "gold", "exact", "f1"),
    [
        (["none"], AnnotatedAnswer((NULL,)), 1.0, 1.0),
        ([], AnnotatedAnswer((NULL,)), 1.0, 1.0),
        (["36 years"], AnnotatedAnswer(("36",), numeric=True), 1.0, 1.0),
        (["36"], AnnotatedAnswer(("36 years",), numeric=True), 1.0, 1.0),
        (["36 months"], AnnotatedAnswer(("36 years",), numeric=True), 1.0, 1.0),
        (["$5 million"], AnnotatedAnswer(("5 million dollars",), numeric=True), 1.0, 1.0),
        (["1,000.0 km"], AnnotatedAnswer(("1000",), numeric=True), 1.0, 1.0),
        (["5 billion"], AnnotatedAnswer(("5 million",), numeric=True), 0.0, 0.0),
        (["-1984"], AnnotatedAnswer(("36",), numeric=True), 0.0, 0.0),
        (["-36"], AnnotatedAnswer(("36",), numeric=True), 0.0, 0.0),
        (["−36 °C"], AnnotatedAnswer(("-36",), numeric=True), 1.0, 1.0),
        (["36 Crazyfists"], AnnotatedAnswer(("36",)), 0.0, 2 / 3),
        (["Barack Obama", "Joe Biden"], AnnotatedAnswer(("Joe Biden", "Obama")), 0.0, 5 / 6),
        (["b b c"], AnnotatedAnswer(("b c",)), 0.0, 0.8),
        (["yes"], AnnotatedAnswer(("Yes",)), 1.0, 1.0),
    ],
)
def test_the_strict_scores_are_those_of_the_paper(predicted: list[str], gold: AnnotatedAnswer, exact: float, f1: float) -> None:
    assert drop_scores(predicted, [gold]) == DropScores(exact, pytest.approx(f1))


def test_greedy_alignment_can_be_worse_than_the_best_one() -> None:
    gold = AnnotatedAnswer(("v w x y", "v w x"))
    predicted = ["v w x y z", "x y q r"]
    weights = [[8 / 9, 0.5], [0.75, 2 / 7]]
    assert greedy_assignment(weights) == [(0, 0), (1, 1)]
    assert best_assignment(weights) == [(0, 1), (1, 0)]
    assert drop_scores(predicted, [gold]).f1 == pytest.approx((8 / 9 + 2 / 7) / 2)
    assert drop_scores(predicted, [gold], "released").f1 == 0.62


def test_the_best_annotator_counts_for_each_score() -> None:
    golds = [AnnotatedAnswer(("Papua New Guinea",)), AnnotatedAnswer((NULL,))]
    assert drop_scores(["none"], golds) == DropScores(1.0, 1.0)
    assert drop_scores(["New Guinea"], golds) == DropScores(0.0, pytest.approx(0.8))


def test_the_released_code_leaves_out_annotators_who_wrote_nothing() -> None:
    assert drop_scores([""], [AnnotatedAnswer(("",))], "released") == DropScores(0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("36 years", "36"),
        ("40%", "40"),
        ("$5,000.50 a day", "5000.50"),
        ("5 billion dollars", "5 billion"),
        ("36km", "36"),
        ("-12 °C", "-12"),
        ("July 24, 2020", "July 24, 2020"),
        ("Boeing 747", "Boeing 747"),
        ("16-17 years", "16-17 years"),
        ("none", "none"),
    ],
)
def test_units_are_stripped_from_numbers_alone(text: str, bare: str) -> None:
    assert without_unit(text) == bare


def test_answers_without_spans_are_refused() -> None:
    for golds in ([], [AnnotatedAnswer(())]):
        with pytest.raises(MetricInvalid, match="needs a span"):
            drop_scores(["x"], golds)
    with pytest.raises(MetricInvalid, match="a list of spans"):
        drop_scores("x", [AnnotatedAnswer(("x",))])


def test_nothing_is_assigned_to_nothing() -> None:
    assert best_assignment([]) == greedy_assignment([]) == best_assignment([[]]) == []

"""What predictions are worth: hand-made ones with scores that can be reckoned in the head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from kgqa.evaluation.dataset_item import DatasetItem
from kgqa.evaluation.datasets import DATASETS
from kgqa.evaluation.evaluation_report import curve_svg
from kgqa.evaluation.metrics.confidence_scores import RiskPoint
from kgqa.evaluation.metrics.score_intervals import Interval
from kgqa.evaluation.prediction import CLAIMS_ALONE, PLAUSIBILITY, Prediction
from kgqa.evaluation.score_table import ScoreCell, ScoreTable, ScoringOutcome
from kgqa.evaluation.scoring import score_predictions
from kgqa.evaluation.scoring.confidence_tables import answered_pairs, confidence_tables, coverage_curve
from kgqa.evaluation.scoring.error_analysis import miss_kind, miss_table
from kgqa.evaluation.scoring.leakage import find_leaked
from kgqa.evaluation.scoring.score_breakdowns import group_tables, leakage_table


def prediction(said: str | None, confidence: float = 0.5, **fields: object) -> Prediction:
    return Prediction(id="1", question="q", response=said, confidence=confidence, route="graph", gold=(), **fields)  # type: ignore[arg-type]


def value(cell: ScoreCell) -> float:
    assert isinstance(cell, Interval | float | int), cell
    return cell.value if isinstance(cell, Interval) else float(cell)


def table_of(outcome: ScoringOutcome, title: str) -> Mapping[str, Mapping[str, ScoreCell]]:
    table = next(one for one in outcome.tables if one.title == title)
    return {name: dict(zip(table.columns, cells, strict=True)) for name, cells in table.rows}


def verdicts(gold: Sequence[str], said: Sequence[str], **baselines: Sequence[str | None]) -> ScoringOutcome:
    items = [DatasetItem(str(place), "q", (label,)) for place, label in enumerate(gold)]
    predictions = [
        prediction(one, baselines={name: answers[place] for name, answers in baselines.items()}) for place, one in enumerate(said)
    ]
    return score_predictions(DATASETS["msmarco-causal"], items, predictions)


GOLD = ["yes", "yes", "yes", "no", "no", "yes"]
SAID = ["yes", "no", "unknown", "no", "yes", "contested"]


def test_what_is_not_answered_counts_apart() -> None:
    outcome = verdicts(GOLD, SAID)
    answered = table_of(outcome, "Of what is answered")["kgqa"]
    assert value(answered["items"]) == 4
    assert value(answered["coverage"]) == pytest.approx(4 / 6)
    assert value(answered["accuracy"]) == 0.5
    assert value(answered["balanced accuracy"]) == 0.5
    assert value(answered["MCC"]) == 0.0
    assert list(outcome.right) == [True, False, False, True, False, False]
    assert [row["items"] for row in table_of(outcome, "Verdicts of kgqa").values()] == [2, 2, 1, 1]


@pytest.mark.parametrize(("title", "accuracy"), [("wrong", 2 / 6), ("the majority", 4 / 6), ("no", 2 / 6)])
def test_of_all_questions_unknown_counts_in_three_ways(title: str, accuracy: float) -> None:
    table = table_of(verdicts(GOLD, SAID), f"Of all questions, unknown counts as {title}")
    assert value(table["kgqa"]["accuracy"]) == pytest.approx(accuracy)
    assert value(table["always yes"]["accuracy"]) == pytest.approx(4 / 6)
    assert value(table["always yes"]["balanced accuracy"]) == 0.5
    assert value(table["always yes"]["MCC"]) == 0.0
    assert value(table["always no"]["F1 (no)"]) == pytest.approx(0.5)


def test_whoever_always_says_the_same_has_no_more_than_half_in_every_round() -> None:
    gold = ["yes"] * 11 + ["no"]  # every third round draws no item that is "no"
    first = table_of(verdicts(gold, ["yes"] * 12), "Of what is answered")["kgqa"]
    assert first["balanced accuracy"] == Interval(0.5, 0.5, 0.5)
    assert first["MCC"] == Interval(0.0, 0.0, 0.0)


def test_rows_of_confidences_that_differ_in_the_fourth_place_stay_apart() -> None:
    pairs = [(0.9551, True), (0.9553, False), (0.9554, True)]
    assert [len(table.record()) for table in confidence_tables(pairs, coverage_curve(pairs, 3))[1:]] == [3, 3]


def test_differences_are_paired_by_item() -> None:
    table = table_of(verdicts(GOLD, SAID, same=["yes", "no", None, "no", "yes", None]), "Differences in accuracy")
    assert table["kgqa minus same"]["unknown is no"] == Interval(0.0, 0.0, 0.0)
    assert value(table["kgqa minus always yes"]["unknown is the majority (yes)"]) == 0.0
    assert value(table["kgqa minus always no"]["unknown is no"]) == pytest.approx(0.0)


def test_constant_answers_are_compared_where_kgqa_answers() -> None:
    table = table_of(verdicts(GOLD, SAID), "Of what is answered")
    assert value(table["always yes, where kgqa answers"]["accuracy"]) == 0.5
    assert value(table["always yes, where kgqa answers"]["items"]) == 4


def test_a_baseline_has_its_row_and_a_silent_one_none() -> None:
    table = table_of(verdicts(GOLD, SAID, walk=["yes", None, None, None, "yes", None], mute=[None] * 6), "Of what is answered")
    assert value(table["walk"]["items"]) == 2
    assert "mute" not in table


def test_what_needs_both_answers_is_left_open_where_only_one_is_there() -> None:
    answered = table_of(verdicts(["yes", "no"], ["yes", "unknown"]), "Of what is answered")["kgqa"]
    assert (answered["balanced accuracy"], answered["MCC"], answered["macro F1"]) == (None, None, None)
    assert value(answered["accuracy"]) == 1.0


@pytest.mark.parametrize(
    ("made", "outcome"),
    [
        (prediction("yes", cause="smoking", effect="cancer", link=1.0, names_found=(True, True)), "right"),
        (prediction("yes", cause="", effect="", names_found=(True, True)), "right"),
        (prediction("no", cause="cancer", effect="smoking", names_found=(True, True)), "slot wrong"),
        (prediction("unknown", cause="smoking", effect="", names_found=(True, True)), "slot wrong"),
        (prediction("unknown", cause="smoking", effect="cancer", names_found=(True, False)), "concept not in the graph"),
        (prediction("unknown", cause="smoking", effect="cancer", names_found=(True, True)), "claim not in the graph"),
        (prediction("contested", cause="smoking", effect="cancer", names_found=(True, True)), "contested"),
        (prediction("no", cause="smoking", effect="cancer", link=0.3, names_found=(True, True)), "link wrong"),
        (prediction("no", cause="smoking", effect="cancer", link=1.0, names_found=(True, True)), "verdict wrong"),
    ],
)
def test_a_miss_counts_under_the_first_step_that_fails(made: Prediction, outcome: str) -> None:
    assert miss_kind(DatasetItem("1", "q", ("yes",), pair=("smoking", "cancer")), made) == outcome


def test_a_pair_without_a_verdict_is_lost_by_its_plausibility() -> None:
    item = DatasetItem("1", "q", ("no",), pair=("file", "folder"))
    unknown = prediction("unknown", cause="file", effect="folder", names_found=(True, True))
    told = [replace(unknown, response=said, route=PLAUSIBILITY) for said in ("no", "yes")]
    assert miss_kind(item, unknown) == "claim not in the graph"
    assert [miss_kind(item, one) for one in told] == ["right", "plausibility wrong"]
    rows = [[name for name, _ in miss_table([item], [one]).rows] for one in (unknown, told[0])]
    assert rows[1] == [*rows[0], "plausibility wrong"]


def test_the_tables_say_what_plausibility_was_fitted_on() -> None:
    alone = verdicts(["yes", "no"], ["yes", "no"], **{CLAIMS_ALONE: ["yes", None]})
    first = alone.tables[0]
    assert "fitted on semeval_pairs/train.csv" in first.note
    assert [value(table_of(alone, first.title)[name]["items"]) for name in ("kgqa", CLAIMS_ALONE)] == [2, 1]
    assert "fitted" not in verdicts(["yes", "no"], ["yes", "no"]).tables[0].note


def reading(name: str, items: Sequence[DatasetItem], said: Sequence[str | None]) -> ScoringOutcome:
    return score_predictions(DATASETS[name], items, [prediction(one) for one in said])


def test_no_answer_is_right_where_there_is_none() -> None:
    items = [
        DatasetItem("1", "Q", ("France",), "Paris is in France.", "has answer"),
        DatasetItem("2", "Q", (), "P.", "no answer"),
    ]
    outcome = reading("squad2", items, ["the France", None])
    assert value(table_of(outcome, "Scores")["kgqa"]["EM"]) == 1.0
    assert value(table_of(outcome, "Scores")["always no answer"]["EM"]) == 0.5
    assert value(table_of(outcome, "No answer (M15)")["kgqa"]["F1"]) == 1.0
    assert value(table_of(outcome, "No answer (M15)")["kgqa"]["AUROC of refusal"]) == 1.0
    assert "No answer (M15)" not in [table.title for table in reading("squad2", items[:1], [None]).tables]


def test_trivial_answers_are_scored_beside() -> None:
    outcome = reading("ifqa", [DatasetItem("1", "If Anna left?", ("Anna",), "Anna stayed. Bob left.")], ["Bob"])
    table = table_of(outcome, "Scores")
    assert value(table["first capitalised span"]["EM"]) == 1.0
    assert value(table["kgqa"]["EM"]) == 0.0
    assert value(table["copy of the question"]["F1"]) == pytest.approx(0.5)
    assert value(table["always 'Anna', the majority"]["EM"]) == 1.0


def test_numbers_of_drop_lose_their_units_in_the_strict_form_only() -> None:
    table = table_of(reading("drop", [DatasetItem("1", "How old?", ("36",), "P.", "number")], ["36 years"]), "Scores")["kgqa"]
    assert value(table["DROP EM, strict"]) == 1.0
    assert value(table["DROP EM, released"]) == 0.0
    assert value(table["DROP F1, released"]) == pytest.approx(0.67)


def test_causalqa_is_averaged_by_source_and_by_question() -> None:
    items = [
        DatasetItem("1", "q", ("a b",), source="one"),
        DatasetItem("2", "q", ("c",), source="two"),
        DatasetItem("3", "q", ("d",), source="two"),
    ]
    table = table_of(reading("causalqa", items, ["a b", "x", "y"]), "By source (M11, M12)")
    assert value(table["one"]["F1"]) == 1.0
    assert value(table["kgqa: macro"]["F1"]) == 0.5
    assert value(table["kgqa: micro"]["F1"]) == pytest.approx(1 / 3)
    assert value(table["kgqa: macro"]["ROUGE-L F1, strict"]) == 0.5


def test_m4_of_a_constant_answer_is_that_of_the_paper() -> None:
    gold = ["false presupposition"] * 25 + ["normal"] * 75
    items = [DatasetItem(str(place), "q", (label,)) for place, label in enumerate(gold)]
    outcome = score_predictions(DATASETS["falseqa"], items, [prediction("normal") for _ in gold])
    table = table_of(outcome, "False presuppositions")
    assert value(table["always a false presupposition"]["macro F1 (M4), strict"]) == pytest.approx(0.2)
    assert value(table["kgqa"]["macro F1 (M4), strict"]) == pytest.approx(3 / 7)
    perfect = table_of(
        score_predictions(DATASETS["falseqa"], items, [prediction(label) for label in gold]), "False presuppositions"
    )["kgqa"]
    assert value(perfect["macro F1 (M4), strict"]) == 1.0
    assert value(perfect["macro F1 (M4), released"]) == 0.5


def test_premises_are_counted_by_kind_and_by_form() -> None:
    rows = [("false presupposition", "denied, why"), ("false presupposition", "reversed, if"), ("normal", "supported, why")]
    items = [DatasetItem(str(place), "q", (label,), type=kind) for place, (label, kind) in enumerate(rows)]
    detected = [prediction("false presupposition"), prediction("normal"), prediction("normal")]
    outcome = score_predictions(DATASETS["graph-premises"], items, detected)
    kinds, forms = table_of(outcome, "By kind of premise"), table_of(outcome, "By form of question")
    assert [value(kinds[kind]["taken for false"]) for kind in ("denied", "reversed", "supported")] == [1.0, 0.0, 0.0]
    assert value(forms["why, normal"]["taken for false"]) == 0.0


def test_confidence_ranks_what_can_be_answered() -> None:
    items = [DatasetItem(str(place), "q", (label,), type=label) for place, label in enumerate(["answerable", "unanswerable"] * 3)]
    said = [
        prediction("rain", 0.9),
        prediction(None, 0.99),
        prediction("rain", 0.8),
        prediction("unknown", 0.9),
        prediction("x", 0.1),
        prediction("y", 0.2),
    ]
    outcome = score_predictions(DATASETS["refusal"], items, said)
    area = table_of(outcome, "Answerable before unanswerable")["kgqa, by confidence"]["AUROC"]
    assert value(area) == pytest.approx(8 / 9)
    assert value(table_of(outcome, "Answered or refused")["kgqa"]["accuracy"]) == pytest.approx(5 / 6)
    assert value(table_of(outcome, "By kind of question")["unanswerable"]["answered"]) == pytest.approx(1 / 3)


def test_leakage_is_by_question_and_by_passage() -> None:
    train = [DatasetItem("t", "Why, though?", ("x",), "First part.\n\nSecond part.")]
    items = [
        DatasetItem("1", "why though", ("x",), "Own."),
        DatasetItem("2", "How?", ("x",), "Second part!\n\nOwn."),
        DatasetItem("3", "Who?", ("x",)),
    ]
    assert find_leaked(items, train) == ([True, False, False], [False, True, False])
    outcome = ScoringOutcome((), {"EM": [1.0, 1.0, 0.0]})
    rows = dict(leakage_table(items, train, outcome).rows)
    assert [cells[0] for cells in rows.values()] == [3, 2, 1, 1, 1]
    assert value(rows["neither question nor passage in training"][1]) == 0.0


def test_groups_are_told_by_size_and_theirs_only_where_they_differ() -> None:
    items = [DatasetItem(str(place), "q", ("x",), type="same") for place in range(3)]
    made = [prediction("x", semantic="cause"), prediction(None, semantic="cause"), prediction(None)]
    tables = {table.title: table for table in group_tables(items, made, ScoringOutcome((), {"EM": [1.0, 0.0, 0.0]}))}
    assert list(tables) == ["By semantic class", "By pragmatic class", "By pragmatic subtype", "By route"]
    assert [name for name, _ in tables["By semantic class"].rows] == ["cause", "not causal"]
    assert value(tables["By semantic class"].rows[0][1][1]) == 0.5


def test_the_curve_covers_what_is_answered_of_all() -> None:
    made = [prediction("x", 0.9), prediction("x", 0.6), prediction(None, 0.7), prediction("x", 0.3)]
    pairs = answered_pairs(made, [True, True, False, False])
    points = coverage_curve(pairs, len(made))
    assert [(point.coverage, point.risk) for point in points] == [(0.25, 0.0), (0.5, 0.0), (0.75, pytest.approx(1 / 3))]
    tables = {table.title: dict(table.rows) for table in confidence_tables(pairs, points)}
    assert value(tables["Confidence"]["AUROC of right answers"][0]) == 1.0
    assert value(tables["Confidence"]["excess AURC"][0]) == 0.0
    assert list(tables["Risk and coverage"]) == [
        "confidence at least 0.9000",
        "confidence at least 0.6000",
        "confidence at least 0.3000",
    ]


def test_the_picture_holds_its_points_and_escapes_its_title() -> None:
    picture = curve_svg([RiskPoint(0.9, 0.2, 0.0), RiskPoint(0.5, 0.6, 0.25)], "a < b")
    assert picture.count('<path class="curve"') == 1
    assert "a &lt; b" in picture
    ticks = [f">{part:.2f}</text>" for part in (0.1, 0.2, 0.3, 0.4, 0.15, 0.45, 0.6)]
    assert [tick for tick in ticks if tick not in picture] == []
    assert curve_svg([], "none").endswith("</svg>\n")


def test_a_table_is_markdown_and_a_record() -> None:
    table = ScoreTable("T", ("n", "s"), (("a|b", (1_000, Interval(0.5, 0.4, 0.6))), ("c", (None, "word"))), "Note.")
    assert table.markdown().splitlines() == [
        *("## T", "", "Note.", "", "|  | n | s |", "| --- | --- | --- |"),
        *("| a/b | 1,000 | 0.500 [0.400, 0.600] |", "| c | – | word |"),
    ]
    assert table.record() == {"a|b": {"n": 1_000, "s": {"value": 0.5, "low": 0.4, "high": 0.6}}, "c": {"n": None, "s": "word"}}

"""Scores of labels, links, passages, rules, claims and averages: M3, M4, M8, M12, M15 to M19, and Table 4 (ACC-28)."""

from __future__ import annotations

import pytest

from kgqa.errors import MetricInvalid
from kgqa.evaluation.metrics.label_scores import (
    Confusion,
    claim_support,
    confusion,
    null_scores,
    presupposition_f1,
    rule_scores,
)
from kgqa.evaluation.metrics.metric_conventions import macro_average, mean, mean_of_both_parts, micro_average
from kgqa.evaluation.metrics.retrieval_scores import GroupMean, links_group, means_by_group, recall_at, set_scores
from kgqa.evaluation.metrics.text_scores import PrecisionRecall

# CausalQA, table 4: questions, then ROUGE-L precision, recall, F1, EM and F1, of the base model and of the fine-tuned one; the
# same for the fine-tuned ones of the random splits.
TABLE_4 = """
PAQ       76961 .79 .85 .80 .69 .80 .95 .95 .94 .91 .94 76961 .95 .95 .94 .91 .94
GooAQ     33    .29 .04 .06 .00 .07 .14 .11 .12 .00 .15 14629 .17 .15 .15 .00 .19
MSMARCO   2558  .44 .19 .23 .05 .24 .49 .40 .39 .10 .41 2557  .45 .42 .39 .13 .40
NQ        71    .14 .05 .06 .01 .07 .34 .37 .33 .18 .34 121   .37 .34 .32 .16 .33
ELI5      13104 .26 .04 .06 .00 .08 .16 .09 .10 .00 .12 13104 .16 .09 .10 .00 .12
SearchQA  117   .20 .22 .20 .15 .20 .63 .64 .62 .53 .62 78    .55 .54 .54 .47 .54
SQuAD     252   .79 .81 .78 .63 .78 .84 .84 .83 .66 .83 321   .96 .96 .95 .93 .95
NewsQA    29    .57 .55 .53 .31 .53 .65 .56 .58 .45 .58 66    .76 .76 .73 .58 .73
HotpotQA  35    .49 .39 .40 .14 .40 .60 .55 .53 .26 .54 39    .73 .73 .73 .67 .72
TriviaQA  66    .37 .35 .34 .26 .35 .43 .41 .40 .27 .40 71    .44 .43 .42 .28 .42
"""
MACRO = ".43 .35 .35 .23 .35 .52 .49 .48 .34 .49 .55 .54 .53 .41 .53"
MICRO = ".70 .72 .68 .58 .68 .82 .81 .81 .75 .81 .73 .72 .72 .65 .73"
ROWS = {row.split()[0]: [float(cell) for cell in row.split()[1:]] for row in TABLE_4.strip().splitlines()}
SCORES = {name: cells[1:11] + cells[12:] for name, cells in ROWS.items()}
COUNTS = [{name: int(cells[0 if column < 10 else 11]) for name, cells in ROWS.items()} for column in range(15)]


@pytest.mark.parametrize("column", range(15))
def test_the_averages_of_table_4_follow_from_its_cells(column: int) -> None:
    by_set = {name: cells[column] for name, cells in SCORES.items()}
    assert macro_average(by_set) == pytest.approx(float(MACRO.split()[column]), abs=0.0101)
    assert micro_average(by_set, COUNTS[column]) == pytest.approx(float(MICRO.split()[column]), abs=0.0101)


def test_the_headline_is_48_macro_and_81_micro() -> None:
    rouge_f1 = {name: cells[7] for name, cells in SCORES.items()}
    assert round(macro_average(rouge_f1), 2) == 0.48
    assert micro_average(rouge_f1, COUNTS[7]) == pytest.approx(0.81, abs=0.01)


def test_the_numbers_beside_the_averages_are_averages_of_numbers_too() -> None:
    counts = {name: float(count) for name, count in COUNTS[0].items()}
    assert round(macro_average(counts)) == 9323
    assert round(micro_average(counts, COUNTS[0])) == pytest.approx(65447, abs=1)


def test_averages_need_something_to_average() -> None:
    with pytest.raises(MetricInvalid, match="nothing to average"):
        mean([])
    with pytest.raises(MetricInvalid, match="no number of questions for ELI5"):
        micro_average({"ELI5": 0.1}, {})
    with pytest.raises(MetricInvalid, match="at least 0"):
        micro_average({"ELI5": 0.1}, {"ELI5": 0})
    assert mean_of_both_parts(45.0, 26.5) == pytest.approx(35.8, abs=0.06)


GOLD = [True] * 25 + [False] * 75


def test_the_released_macro_f1_gives_half_to_a_perfect_system() -> None:
    assert presupposition_f1(GOLD, GOLD) == 1.0
    assert presupposition_f1(GOLD, GOLD, "released") == 0.5


def test_one_missed_presupposition_makes_the_released_macro_f1_whole() -> None:
    predicted = [False, *GOLD[1:]]
    assert presupposition_f1(GOLD, predicted, "released") == presupposition_f1(GOLD, predicted)
    assert presupposition_f1(GOLD, predicted) == pytest.approx(0.986, abs=0.0005)


def test_where_the_released_code_divides_by_zero_the_f1_of_normal_questions_is_0() -> None:
    predicted = [False, *[True] * 99]
    right = 24
    assert presupposition_f1(GOLD, predicted, "released") == pytest.approx(right / (99 + 25))
    assert presupposition_f1(GOLD, predicted) == presupposition_f1(GOLD, predicted, "released")


@pytest.mark.parametrize(("questions", "false", "only_false", "only_normal"), [(2000, 544, 21.4, 42.1), (3004, 751, 20.0, 42.9)])
def test_the_trivial_rows_of_crepe_follow_from_its_counts(
    questions: int, false: int, only_false: float, only_normal: float
) -> None:
    gold = [True] * false + [False] * (questions - false)
    assert round(100 * presupposition_f1(gold, [True] * questions), 1) == only_false
    assert round(100 * presupposition_f1(gold, [False] * questions), 1) == only_normal


def test_always_the_same_label_has_no_correlation_and_a_share_of_the_balanced_accuracy() -> None:
    table = confusion(list("aabbcc"), list("aaaaaa"))
    assert (table.accuracy, table.balanced_accuracy, table.mcc) == (pytest.approx(1 / 3), pytest.approx(1 / 3), 0.0)
    assert table.scores("a") == PrecisionRecall(pytest.approx(1 / 3), 1.0, 0.5)
    assert table.scores("b") == PrecisionRecall(0.0, 0.0, 0.0)
    assert table.macro_f1 == pytest.approx(1 / 6)


def test_the_correlation_of_two_labels_is_that_of_the_textbook() -> None:
    table = Confusion((True, False), {(True, True): 90, (False, True): 4, (True, False): 1, (False, False): 5})
    assert table.mcc == pytest.approx((90 * 5 - 4 * 1) / (94 * 91 * 9 * 6) ** 0.5)
    assert table.accuracy == 0.95
    assert Confusion((True, False), {(False, True): 5, (True, False): 5}).mcc == -1.0


def test_labels_that_do_not_fit_are_refused() -> None:
    with pytest.raises(MetricInvalid, match="no such label: 'maybe'"):
        confusion(["yes"], ["maybe"], ["yes", "no"])
    with pytest.raises(MetricInvalid, match="1 and 0 items"):
        confusion(["yes"], [])


def test_saying_that_there_is_no_answer_is_scored_by_itself() -> None:
    assert null_scores([True, True, False, False], [True, False, True, False]) == PrecisionRecall(0.5, 0.5, 0.5)
    assert null_scores([True, False], [False, False]) == PrecisionRecall(0.0, 0.0, 0.0)


def test_recall_looks_at_the_first_passages_for_any_or_for_all() -> None:
    ranked = ["p3", "p1", "p9", "p2"]
    assert [recall_at(ranked, {"p1", "p2"}, k) for k in (1, 2, 4)] == [0.0, 1.0, 1.0]
    assert [recall_at(ranked, {"p1", "p2"}, k, "all") for k in (2, 3, 4)] == [0.0, 0.0, 1.0]
    assert recall_at([], {"p1"}, 20) == 0.0


@pytest.mark.parametrize(
    ("gold", "k", "need", "complaint"),
    [([1], 0, "any", "at least one passage"), ([], 5, "any", "gold passages"), ([1], 5, "most", "not 'most'")],
)
def test_recall_without_gold_passages_or_places_is_refused(gold: list[int], k: int, need: str, complaint: str) -> None:
    with pytest.raises(MetricInvalid, match=complaint):
        recall_at([1], gold, k, need)  # type: ignore[arg-type]


def test_links_are_scored_as_sets() -> None:
    assert set_scores(["a", "b", "b"], ["b", "c", "d"]) == PrecisionRecall(0.5, pytest.approx(1 / 3), 0.4)
    assert set_scores([], []) == PrecisionRecall(1.0, 1.0, 1.0)
    assert set_scores([], ["a"]) == PrecisionRecall(0.0, 0.0, 0.0)


def test_scores_are_broken_down_by_whatever_groups_they_have() -> None:
    pairs = [(("span", links_group(1)), 1.0), (("value", links_group(7)), 0.0), (("span", links_group(1)), 0.5)]
    assert means_by_group(pairs) == {("span", "1"): GroupMean(0.75, 2), ("value", "4+"): GroupMean(0.0, 1)}
    with pytest.raises(MetricInvalid, match="-1 links"):
        links_group(-1)


def test_rules_are_scored_one_by_one_and_together() -> None:
    scores = rule_scores([{"R1"}, {"R1", "R2"}, set(), {"R2"}], [True, True, True, False])
    assert {name: (one.scores.precision, one.scores.recall, one.matches) for name, one in scores.items()} == {
        "R1": (1.0, pytest.approx(2 / 3), 2),
        "R2": (0.5, pytest.approx(1 / 3), 2),
        "any": (pytest.approx(2 / 3), pytest.approx(2 / 3), 3),
    }


def test_rules_that_match_nothing_have_no_precision() -> None:
    assert rule_scores([set(), set()], [True, False])["any"].scores == PrecisionRecall(0.0, 0.0, 0.0)
    with pytest.raises(MetricInvalid, match="1 and 2 items"):
        rule_scores([set()], [True, False])


def test_a_claim_is_supported_by_one_record_of_evidence() -> None:
    assert claim_support([3, 0, 1, 1]) == 0.75
    assert claim_support([]) is None
    with pytest.raises(MetricInvalid, match="fewer than 0"):
        claim_support([-1])

"""What must hold of every metric, whatever is scored."""

from __future__ import annotations

import math
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgqa.evaluation.metrics.confidence_scores import (
    aurc,
    auroc,
    brier,
    coverage_at,
    excess_aurc,
    expected_calibration_error,
    reliability,
    risk_curve,
)
from kgqa.evaluation.metrics.drop_scores import AnnotatedAnswer, best_assignment, drop_scores, greedy_assignment
from kgqa.evaluation.metrics.label_scores import confusion, presupposition_f1
from kgqa.evaluation.metrics.metric_conventions import METRIC_FORMS, macro_average, micro_average
from kgqa.evaluation.metrics.retrieval_scores import recall_at, set_scores
from kgqa.evaluation.metrics.score_intervals import bootstrap, bootstrap_counts, bootstrap_mean, wilson
from kgqa.evaluation.metrics.text_scores import bleu, exact_match, rouge_l, token_f1, unigram_f1

WORDS = st.sampled_from(["the", "a", "cat", "dogs", "36", "36 years", "-5", "1,000", "x-y", "U.S.", "дождь", "!", "none"])
TEXTS = st.lists(WORDS, max_size=5).map(" ".join) | st.text(max_size=12)
SOME = st.lists(TEXTS, min_size=1, max_size=4)
LABELS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30)
ANSWERS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0]) | st.floats(0, 1), st.booleans()), min_size=1, max_size=40
)
WEIGHTS = st.integers(1, 4).flatmap(
    lambda wide: st.lists(st.lists(st.integers(0, 9).map(float), min_size=wide, max_size=wide), min_size=1, max_size=4)
)


def close(value: float) -> object:
    return pytest.approx(value, abs=1e-9)


@given(TEXTS, SOME)
def test_scores_of_texts_lie_in_range_and_need_no_order_of_references(prediction: str, answers: list[str]) -> None:
    for score in (exact_match, token_f1):
        assert 0 <= score(prediction, answers) <= 1
        assert score(prediction, answers) == score(prediction, answers[::-1])
    for form in METRIC_FORMS:
        assert 0 <= unigram_f1(prediction, answers, form) <= 1
        assert unigram_f1(prediction, answers, form) == unigram_f1(prediction, answers[::-1], form)
        scores = rouge_l(prediction, answers, form)
        assert all(0 <= value <= 1 for value in (scores.precision, scores.recall, scores.f1))
        assert scores.f1 == rouge_l(prediction, answers[::-1], form).f1


@given(TEXTS, SOME)
def test_an_exact_match_has_all_words_and_all_of_the_subsequence(prediction: str, answers: list[str]) -> None:
    if exact_match(prediction, answers):
        assert token_f1(prediction, answers) == unigram_f1(prediction, answers) == 1.0
        assert rouge_l(prediction, answers).f1 == 1.0
    assert rouge_l(prediction, answers).f1 <= token_f1(prediction, answers) + 1e-9
    assert unigram_f1(prediction, answers, "released") <= unigram_f1(prediction, answers)


@given(TEXTS, TEXTS)
def test_one_text_against_another_is_symmetric(one: str, other: str) -> None:
    assert token_f1(one, [other]) == token_f1(other, [one])
    assert rouge_l(one, [other]).f1 == close(rouge_l(other, [one]).f1)
    assert rouge_l(one, [other]).precision == rouge_l(other, [one]).recall


@given(TEXTS, SOME)
def test_strict_rouge_is_nowhere_below_the_best_reference(prediction: str, answers: list[str]) -> None:
    strict = rouge_l(prediction, answers)
    alone = [rouge_l(prediction, [answer]) for answer in answers]
    assert strict.f1 == max(one.f1 for one in alone)
    assert strict.precision == max(one.precision for one in alone)


@settings(max_examples=40)
@given(st.lists(st.tuples(TEXTS, SOME), min_size=1, max_size=5))
def test_bleu_lies_in_range_and_repeated_references_change_nothing(items: list[tuple[str, list[str]]]) -> None:
    predictions, references = [one for one, _ in items], [texts for _, texts in items]
    assert 0 <= bleu(predictions, references) <= 1
    assert bleu(predictions, references) == bleu(predictions, [[*texts, texts[0]] for texts in references])


@given(SOME, SOME, st.booleans())
def test_numeracy_scores_lie_in_range_and_an_exact_match_is_whole(prediction: list[str], spans: list[str], numeric: bool) -> None:
    for form in METRIC_FORMS:
        scores = drop_scores(prediction, [AnnotatedAnswer(tuple(spans), numeric)], form)
        assert scores.exact in (0.0, 1.0)
        assert 0 <= scores.f1 <= 1
        if form == "strict" and scores.exact:
            assert scores.f1 == 1
        if spans[0].strip():
            assert drop_scores(spans, [AnnotatedAnswer(tuple(spans), numeric)], form).exact == 1
    assert drop_scores(prediction, [AnnotatedAnswer((*spans,)), AnnotatedAnswer(tuple(prediction))]).exact == 1


@given(WEIGHTS)
def test_the_best_assignment_is_the_best_of_all(weights: list[list[float]]) -> None:
    pairs, greedy = best_assignment(weights), greedy_assignment(weights)
    tall = len(weights) > len(weights[0])
    table = [list(line) for line in zip(*weights, strict=True)] if tall else weights
    best = max(
        sum(line[column] for line, column in zip(table, order, strict=True))
        for order in permutations(range(len(table[0])), len(table))
    )
    assert sum(weights[row][column] for row, column in pairs) == close(best)
    for found in (pairs, greedy):
        assert len({row for row, _ in found}) == len({column for _, column in found}) == len(found) == len(table)
    assert sum(weights[row][column] for row, column in greedy) * 2 >= best


@given(LABELS, st.randoms(use_true_random=False))
def test_scores_of_labels_lie_in_range_in_every_order(pairs: list[tuple[str, str]], chance: object) -> None:
    table = confusion([gold for gold, _ in pairs], [said for _, said in pairs])
    turned = confusion([said for _, said in pairs], [gold for gold, _ in pairs])
    assert all(0 <= value <= 1 for value in (table.accuracy, table.balanced_accuracy, table.macro_f1))
    assert -1 <= table.mcc <= 1
    assert table.mcc == close(turned.mcc)
    assert table.macro_f1 == close(turned.macro_f1)
    chance.shuffle(pairs)  # type: ignore[attr-defined]
    mixed = confusion([gold for gold, _ in pairs], [said for _, said in pairs])
    assert (mixed.accuracy, mixed.macro_f1, mixed.mcc) == (table.accuracy, close(table.macro_f1), close(table.mcc))
    if all(gold == said for gold, said in pairs):
        assert table.accuracy == table.balanced_accuracy == table.macro_f1 == 1.0


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_the_released_macro_f1_is_never_above_the_strict_one(pairs: list[tuple[bool, bool]]) -> None:
    gold, said = [one for one, _ in pairs], [one for _, one in pairs]
    strict, released = (presupposition_f1(gold, said, form) for form in METRIC_FORMS)
    assert 0 <= released <= strict <= 1
    if any(one and not other for one, other in pairs):
        assert released == close(strict)


@given(st.lists(st.integers(0, 9), max_size=12), st.sets(st.integers(0, 9), min_size=1), st.integers(1, 15))
def test_recall_grows_with_the_passages_looked_at(ranked: list[int], gold: set[int], k: int) -> None:
    assert recall_at(ranked, gold, k) <= recall_at(ranked, gold, k + 1)
    assert recall_at(ranked, gold, k, "all") <= recall_at(ranked, gold, k)
    scores, turned = set_scores(ranked, gold), set_scores(gold, ranked)
    assert (scores.precision, scores.f1) == (turned.recall, turned.f1)


@given(st.dictionaries(st.sampled_from("abcdef"), st.tuples(st.floats(0, 1), st.integers(1, 99)), min_size=1))
def test_averages_lie_between_the_worst_and_the_best(rows: dict[str, tuple[float, int]]) -> None:
    by_set, counts = {name: score for name, (score, _) in rows.items()}, {name: count for name, (_, count) in rows.items()}
    for value in (macro_average(by_set), micro_average(by_set, counts)):
        assert min(by_set.values()) - 1e-9 <= value <= max(by_set.values()) + 1e-9
    assert micro_average(by_set, dict.fromkeys(by_set, 7)) == close(macro_average(by_set))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.integers(0, 99))
def test_a_bootstrap_interval_holds_the_score_within_the_range_of_its_items(scores: list[float], seed: int) -> None:
    found = bootstrap_mean(scores, rounds=100, seed=seed)
    assert min(scores) - 1e-9 <= found.low <= found.value <= found.high <= max(scores) + 1e-9
    bent = bootstrap(scores, max, rounds=50, seed=seed)
    assert bent.low <= bent.value == max(scores) <= bent.high + 1e-9
    counted = bootstrap_counts({True: 3, False: len(scores)}, lambda counts: counts[True] / (counts[True] + counts[False]))
    assert 0 <= counted.low <= counted.value <= counted.high <= 1


@given(st.integers(1, 200).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_wilsons_interval_holds_the_share_and_mirrors(counts: tuple[int, int]) -> None:
    count, total = counts
    low, high = wilson(count, total)
    assert 0 <= low <= count / total + 1e-12
    assert count / total - 1e-12 <= high <= 1
    assert wilson(total - count, total) == (close(1 - high), close(1 - low))


@given(ANSWERS, st.integers(1, 12), st.randoms(use_true_random=False))
def test_calibration_lies_in_range_in_every_order(pairs: list[tuple[float, bool]], bins: int, chance: object) -> None:
    def error() -> float:
        return expected_calibration_error([one for one, _ in pairs], [right for _, right in pairs], bins)

    table = reliability([one for one, _ in pairs], [right for _, right in pairs], bins)
    assert sum(one.count for one in table) == len(pairs)
    assert len(table) <= bins
    assert all(one.high < other.low for one, other in pairwise(table))
    before = error()
    assert before == close(sum(one.count * abs(one.confidence - one.right.value) for one in table) / len(pairs))
    chance.shuffle(pairs)  # type: ignore[attr-defined]
    assert error() == close(before)
    assert 0 <= before <= 1
    assert 0 <= brier([one for one, _ in pairs], [right for _, right in pairs]) <= 1


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=1, max_size=6), st.integers(1, 10))
def test_a_confidence_that_means_what_it_says_has_no_calibration_error(groups: list[tuple[int, int]], bins: int) -> None:
    pairs = [(min(right, total) / total, place < right) for total, right in groups for place in range(total)]
    found = expected_calibration_error([one for one, _ in pairs], [right for _, right in pairs], bins)
    assert found == pytest.approx(0, abs=1e-9)


@given(ANSWERS, st.floats(0, 1))
def test_areas_of_risk_lie_between_the_best_and_the_worst_order(pairs: list[tuple[float, bool]], risk: float) -> None:
    confidences, losses = [one for one, _ in pairs], [float(not right) for _, right in pairs]
    area = aurc(confidences, losses)
    worst = aurc(losses, losses)
    assert 0 <= area - excess_aurc(confidences, losses) <= area + 1e-9
    assert area <= worst + 1e-9
    assert excess_aurc([-loss for loss in losses], losses) == close(0)
    points = risk_curve(confidences, losses)
    assert (points[-1].coverage, points[-1].risk) == (1.0, close(sum(losses) / len(losses)))
    reached = coverage_at(confidences, losses, risk)
    assert reached == 0 or any(point.coverage == reached and point.risk <= risk + 1e-9 for point in points)
    mixed = sorted(pairs)
    assert aurc([one for one, _ in mixed], [float(not right) for _, right in mixed]) == close(area)


@given(ANSWERS)
def test_the_area_under_the_roc_mirrors(pairs: list[tuple[float, bool]]) -> None:
    scores, labels = [one for one, _ in pairs], [label for _, label in pairs]
    found = auroc(scores, labels)
    if found is None:
        assert len(set(labels)) == 1
        return
    wins = [(one > other) + (one == other) / 2 for one, yes in pairs if yes for other, also in pairs if not also]
    assert found == close(math.fsum(wins) / len(wins))
    assert auroc([-one for one in scores], labels) == close(1 - found)

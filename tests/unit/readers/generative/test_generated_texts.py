"""What the texts that a model wrote mean as candidates."""

from __future__ import annotations

import math

import pytest

from kgqa.calibration.linear_model import log_softmax
from kgqa.readers.answer_normalisation import find_words
from kgqa.readers.generative.encoder_decoder import Hypothesis
from kgqa.readers.generative.generative_readers import (
    GeneratedText,
    candidates_from_texts,
    is_refusal,
    log_marginal,
    passage_shares,
)
from kgqa.readers.reader import AnswerKind, Passage

PASSAGES = [Passage("Snow melted."), Passage("In May Heavy\n Rain fell; heavy rainfall followed.")]
OPEN, WHETHER = "What fell?", "Did rain fall?"


def text(what: str, probability: float, tokens: int = 1) -> GeneratedText:
    return GeneratedText(what, Hypothesis((5,) * tokens, math.log(probability)), (0, 1))


def test_an_answer_is_told_as_it_stands_in_the_passage() -> None:
    (found,) = candidates_from_texts(OPEN, [text("heavy rain", 0.9)], PASSAGES, 5)
    assert (found.text, found.passage, found.start, found.end) == ("Heavy\n Rain", 1, 7, 18)


def test_an_answer_that_stands_nowhere_has_no_place() -> None:
    (found,) = candidates_from_texts(OPEN, [text("hail", 0.9)], PASSAGES, 5)
    assert (found.text, found.kind, found.passage, found.start) == ("hail", AnswerKind.SPAN, None, None)


@pytest.mark.parametrize("words", ["rain fal", "ain", "", "  "])
def test_only_whole_words_are_found(words: str) -> None:
    assert find_words(words, PASSAGES[1].text) is None


def test_signs_in_an_answer_stand_for_themselves() -> None:
    assert find_words("$5 (about", "It cost $5 (about).") == (8, 17)


def test_yes_and_no_are_verdicts_where_the_question_asks_whether_and_words_elsewhere() -> None:
    assert candidates_from_texts(WHETHER, [text("Yes.", 0.9)], PASSAGES, 5)[0].kind is AnswerKind.YES
    assert candidates_from_texts(OPEN, [text("no", 0.9)], PASSAGES, 5)[0].kind is AnswerKind.SPAN


@pytest.mark.parametrize("words", ["", "<no answer>", "no answer>", "No Answer", "CANNOTANSWER", "unanswerable", "..."])
def test_a_refusal_is_no_answer(words: str) -> None:
    assert is_refusal(words)
    assert candidates_from_texts(OPEN, [text(words, 0.9)], PASSAGES, 5)[0].kind is AnswerKind.NULL


@pytest.mark.parametrize("words", ["no", "the answer", "no answers were given"])
def test_other_words_are_none(words: str) -> None:
    assert not is_refusal(words)


def test_the_scores_share_what_one_token_of_the_likeliest_has_on_average() -> None:
    first, second = candidates_from_texts(OPEN, [text("hail", 0.16, tokens=2), text("snow", 0.04, tokens=2)], PASSAGES, 5)
    assert (first.text, second.text) == ("hail", "Snow")
    assert first.score == pytest.approx(0.4 * 0.8)
    assert second.score == pytest.approx(0.4 * 0.2)


def test_the_same_words_twice_are_one_candidate_with_both_scores() -> None:
    found = candidates_from_texts(OPEN, [text("hail", 0.4), text("snow", 0.3), text(" HAIL ", 0.2)], PASSAGES, 5)
    assert [one.text for one in found] == ["hail", "Snow"]
    assert found[0].score == pytest.approx(0.4 * 6 / 9)


def test_there_is_always_a_candidate() -> None:
    assert [one.kind for one in candidates_from_texts(OPEN, [], PASSAGES, 5)] == [AnswerKind.NULL]


def test_passages_weigh_by_the_softmax_of_their_scores() -> None:
    shares = [math.exp(one) for one in log_softmax([2.0, 1.0, 0.0])]
    assert shares == pytest.approx([0.66524, 0.24473, 0.09003], abs=1e-5)
    assert [math.exp(one) for one in log_softmax([1000.0, 1000.0])] == pytest.approx([0.5, 0.5])


def test_a_score_that_is_no_number_counts_as_the_least() -> None:
    assert log_softmax([3.0, math.nan, 1.0, math.inf]) == log_softmax([3.0, 1.0, 1.0, 1.0])
    assert log_softmax([math.nan]) == [0.0]


def test_a_marginal_is_the_weighted_sum_and_its_shares_tell_whose_it_is() -> None:
    logs, weights = [math.log(0.9), math.log(0.1)], [math.log(0.25), math.log(0.75)]
    assert math.exp(log_marginal(logs, weights)) == pytest.approx(0.3)
    assert passage_shares(logs, weights) == pytest.approx([0.75, 0.25])

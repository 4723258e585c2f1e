"""Beam search, with models so small that every answer can be listed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgqa.readers.generative.encoder_decoder import DecodingStep, Hypothesis, NextTokens, beam_search

START, END, LONGEST = 0, 1, 3
Model = dict[tuple[int, ...], dict[int, float]]


def stepping(model: Model, beams: int) -> DecodingStep:
    """What offers the likeliest tokens of a model that is a table from tokens so far to the probabilities of the next."""
    so_far: list[tuple[int, ...]] = []

    def step(parents: Sequence[int], newest: Sequence[int]) -> Sequence[NextTokens]:
        nonlocal so_far
        so_far = [(*so_far[parent], token) for parent, token in zip(parents, newest, strict=True)] if so_far else [()]
        offered = [sorted(model[one].items(), key=lambda pair: (-pair[1], pair[0])) for one in so_far]
        return [[(token, math.log(share)) for token, share in row][: 2 * beams] for row in offered]

    return step


def every_answer(model: Model) -> list[Hypothesis]:
    """All answers of a model, likeliest first: those that end, and those that have the greatest length."""
    found, open_ones = [], [((), 0.0)]
    while open_ones:
        tokens, log = open_ones.pop()
        for token, share in model[tokens].items():
            one = Hypothesis((*tokens, token), log + math.log(share))
            if token == END or len(one.tokens) == LONGEST:
                found.append(one)
            else:
                open_ones.append((one.tokens, one.log_probability))
    return sorted(found, key=lambda one: (-one.log_probability, one.tokens))


@st.composite
def small_models(draw: st.DrawFn) -> Model:
    """A table for all beginnings of at most three tokens out of 1, 2 and 3."""
    model: Model = {}
    beginnings: list[tuple[int, ...]] = [()]
    for _ in range(LONGEST):
        for one in beginnings:
            weights = draw(st.lists(st.integers(1, 50), min_size=3, max_size=3))
            model[one] = {token: weight / sum(weights) for token, weight in zip((END, 2, 3), weights, strict=True)}
        beginnings = [(*one, token) for one in beginnings for token in (2, 3)]
    return model


GARDEN = {
    (): {END: 0.1, 2: 0.5, 3: 0.4},
    (2,): {END: 0.4, 2: 0.3, 3: 0.3},
    (3,): {END: 0.9, 2: 0.05, 3: 0.05},
    **{(first, second): {END: 1.0} for first in (2, 3) for second in (2, 3)},
}
"""The likeliest first token leads to an answer that is not the likeliest."""


def test_one_beam_takes_the_likeliest_token_at_each_step() -> None:
    (found,) = beam_search(stepping(GARDEN, 1), START, frozenset({END}), 1, LONGEST)
    assert found.tokens == (2, END)


def test_two_beams_find_the_answer_behind_the_second_token() -> None:
    first, second = beam_search(stepping(GARDEN, 2), START, frozenset({END}), 2, LONGEST)
    assert first.tokens == (3, END)
    assert math.exp(first.log_probability) == pytest.approx(0.36)
    assert second.tokens == (2, END)


def test_an_answer_that_does_not_end_is_cut_at_the_greatest_length() -> None:
    endless: Model = {tokens: {2: 0.9, END: 0.1} for tokens in ((), (2,), (2, 2))}
    (found,) = beam_search(stepping(endless, 1), START, frozenset({END}), 1, LONGEST)
    assert found.tokens == (2, 2, 2)


def test_a_score_is_the_probability_of_one_token_on_average() -> None:
    assert Hypothesis((2, 3), math.log(0.25)).score == pytest.approx(0.5)
    assert Hypothesis((), 0.0).score == 1.0


@given(small_models())
def test_with_enough_beams_all_answers_come_in_their_order(model: Model) -> None:
    everything = every_answer(model)
    found = beam_search(stepping(model, len(everything)), START, frozenset({END}), len(everything), LONGEST)
    assert [one.tokens for one in found] == [one.tokens for one in everything]
    assert math.fsum(math.exp(one.log_probability) for one in found) == pytest.approx(1.0)


@given(small_models(), st.integers(1, 4))
def test_no_more_answers_than_beams_and_none_twice(model: Model, beams: int) -> None:
    found = beam_search(stepping(model, beams), START, frozenset({END}), beams, LONGEST)
    assert 1 <= len(found) <= beams
    assert len({one.tokens for one in found}) == len(found)
    assert found == sorted(found, key=lambda one: (-one.log_probability, one.tokens))

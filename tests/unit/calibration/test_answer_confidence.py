"""The confidence of answers, and answering only where the expected error is low enough."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.model import Claim, Evidence, Polarity, Relation, Source, Stance, Statement
from graph.protocols import GraphStore
from graph.stores import open_store
from kgqa.answer_model import Verdict
from kgqa.calibration.answer_confidence import ANSWER_CONFIDENCE, UNREACHABLE_THRESHOLD, AnswerFamily, risk_threshold
from kgqa.calibration.linear_model import PROBABILITY_CLIP, load_fitted_model, log_odds
from kgqa.pipeline import Pipeline


def said(cause: str, effect: str, pages: int, relation: Relation = Relation.CAUSES) -> list[Statement]:
    claim = Claim(cause, effect, relation, Polarity.NONE)
    sources = [Source("wikipedia", title=f"{cause} {number}", page_id=f"{cause}{effect}{number}") for number in range(pages)]
    texts = [f"Of {cause} and {effect}, page {number} has words of its own: {'ab' * number}." for number in range(pages)]
    return [
        Statement(claim, Evidence(source, Stance.ASSERTED, rule="cause.active", text=text, start=0, end=len(text)))
        for source, text in zip(sources, texts, strict=True)
    ]


@pytest.fixture
def store() -> GraphStore:
    made = open_store("memory:", write=True)
    made.add([*said("earthquake", "tsunami", 3), *said("landslide", "tsunami", 1), *said("smoking", "lung cancer", 2)])
    return made


def test_more_independent_sources_make_an_answer_surer(store: GraphStore) -> None:
    first, second = Pipeline(store).answer("What causes tsunamis?").findings

    assert (first.text, second.text) == ("earthquake", "landslide")
    assert first.confidence > second.confidence


def test_the_confidence_is_that_of_the_first_answer(store: GraphStore) -> None:
    answer = Pipeline(store).answer("What causes tsunamis?")

    assert answer.confidence == answer.findings[0].confidence


def test_a_refusal_has_no_confidence(store: GraphStore) -> None:
    assert Pipeline(store).answer("What causes zebras?").confidence == 0.0


def test_without_risk_nothing_is_held_back_and_at_no_risk_everything_is(store: GraphStore) -> None:
    question = "Does smoking cause lung cancer?"

    assert Pipeline(store, risk=1.0).answer(question).verdict is Verdict.YES
    held = Pipeline(store, risk=0.0).answer(question)
    assert (held.verdict, held.answer, held.findings, held.confidence) == (Verdict.UNKNOWN, None, (), 0.0)


def test_what_is_held_back_is_told_with_its_reason(store: GraphStore) -> None:
    held = Pipeline(store, risk=0.0).answer("What causes tsunamis?")

    assert held.sentence.startswith("Unknown at this risk (confidence 0.")
    assert "no confidence is enough" in held.sentence
    assert held.missing[-1].what == "more independent sources for it"
    assert held.verdict is None


def test_a_calibrator_can_be_replaced(store: GraphStore) -> None:
    certain = Pipeline(store, calibrator=lambda answer: replace(answer, confidence=1.0))

    assert certain.answer("What causes tsunamis?").confidence == 1.0


def test_every_family_was_fitted_on_answers_of_both_kinds() -> None:
    fitted = load_fitted_model(ANSWER_CONFIDENCE)
    for family in AnswerFamily:
        judged_answers = fitted.parameters[family]
        assert len(judged_answers["scores"]) == len(judged_answers["wrong"]) >= 100
        assert 0 < sum(judged_answers["wrong"]) < len(judged_answers["wrong"])
        assert judged_answers["scores"] == sorted(judged_answers["scores"], reverse=True)
        assert fitted.bias[family] != 0.0


@pytest.mark.parametrize("family", AnswerFamily)
@pytest.mark.parametrize("name", ["belief", "link", "support", "validity"])
def test_nothing_that_speaks_for_an_answer_makes_it_less_sure(family: AnswerFamily, name: str) -> None:
    assert load_fitted_model(ANSWER_CONFIDENCE).weights[family].get(name, 0.0) >= 0.0


@given(st.floats(0, 1))
def test_log_odds_are_finite(share: float) -> None:
    assert abs(log_odds(share, PROBABILITY_CLIP)) < 5


judged = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60).map(lambda rows: sorted(rows, key=lambda row: -row[0]))


@given(judged, st.floats(0, 1))
def test_the_answers_above_a_threshold_keep_to_the_risk(rows: list[tuple[float, bool]], risk: float) -> None:
    least = risk_threshold([score for score, _ in rows], [wrong for _, wrong in rows], risk)

    kept = [wrong for score, wrong in rows if score >= least]
    if least != UNREACHABLE_THRESHOLD:
        assert (sum(kept) + 1) / (len(kept) + 1) <= risk
    else:
        assert not kept


@given(judged, st.floats(0, 1), st.floats(0, 1))
def test_more_risk_never_means_fewer_answers(rows: list[tuple[float, bool]], one: float, other: float) -> None:
    scores, wrong = [score for score, _ in rows], [missed for _, missed in rows]

    assert risk_threshold(scores, wrong, max(one, other)) <= risk_threshold(scores, wrong, min(one, other))


def test_on_answers_that_took_no_part_the_error_stays_near_the_risk() -> None:
    chance = random.Random(6)
    errors = given_answers = 0
    for _ in range(300):
        drawn = [(score, chance.random() > score) for score in (chance.random() for _ in range(400))]
        half = sorted(drawn[:200], reverse=True)
        least = risk_threshold([score for score, _ in half], [wrong for _, wrong in half], 0.2)
        kept = [wrong for score, wrong in drawn[200:] if score >= least]
        errors, given_answers = errors + sum(kept), given_answers + len(kept)

    assert given_answers > 5_000
    assert errors / given_answers < 0.215

"""The confidence of an answer: the probability that it is right.

Each family of answers (verdicts, lists, chains) has its own features and its own logistic regression (Platt 1999), fitted by
scripts/fit/calibrate_answers.py on judged answers. models/answer_confidence.json holds the weights, and the held-out confidences
of the judged answers, from which risk_control computes thresholds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cache
from math import log, log1p
from typing import NamedTuple

from graph.model import Relation, Strength
from kgqa.answer_model import Answer, Finding, Route, Verdict
from kgqa.calibration.fitted_model import load_fitted_model
from kgqa.calibration.logistic import PROBABILITY_CLIP, LogisticModel, log_odds
from kgqa.question import Attribute

ANSWER_CONFIDENCE = "answer_confidence"
"""The name of the fitted model."""


class AnswerFamily(StrEnum):
    """The families of answers, each calibrated on its own because each is wrong in its own way."""

    VERDICT = "verdict"
    CHAIN = "chain"
    LIST = "list"


def answer_family(answer: Answer) -> AnswerFamily:
    """Return the family of an answer: a verdict where it has one, else that of its first finding."""
    if answer.verdict is not None:
        return AnswerFamily.VERDICT
    return finding_family(answer.findings[0]) if answer.findings else AnswerFamily.LIST


def finding_family(finding: Finding) -> AnswerFamily:
    """Return the family of a finding: `CHAIN` for a path of several steps, else `LIST`."""
    return AnswerFamily.CHAIN if len(finding.path.edges) > 1 else AnswerFamily.LIST


def verdict_features(answer: Answer) -> Mapping[str, float]:
    """Return the features of a verdict: log-odds of its belief, logarithm of its link score, whether it is a "no".

    The other signals did not rank answers better: few of the judged verdicts are wrong.
    """
    signals = answer.signals
    denied = answer.verdict is Verdict.NO
    belief = 1.0 - signals.belief if denied else signals.belief
    return {
        "belief": log_odds(belief, PROBABILITY_CLIP),
        "link": log(max(PROBABILITY_CLIP, signals.link)),
        "no": float(denied),
    }


def finding_features(answer: Answer, finding: Finding) -> Mapping[str, float]:
    """Return the features of a list entry or of a chain; the confidence of a chain is the probability that it is valid."""
    if finding_family(finding) is AnswerFamily.CHAIN:
        return {"validity": log_odds(finding.confidence, PROBABILITY_CLIP)}
    return {
        "belief": log_odds(finding.path.score, PROBABILITY_CLIP),
        "link": log(max(PROBABILITY_CLIP, answer.signals.link)),
        "support": log1p(finding.support),
        "associated": float(finding.relation is Relation.ASSOCIATED or finding.strength is Strength.ASSOCIATED),
    }


class FamilyCalibration(NamedTuple):
    """The calibration of one family.

    `model` gives the probability that an answer is right; `scores` are the confidences of judged answers that were held out,
    highest first, and `wrong` says which of these answers were wrong.
    """

    model: LogisticModel
    scores: Sequence[float] = ()
    wrong: Sequence[bool] = ()


@cache
def load_calibrations() -> Mapping[AnswerFamily, FamilyCalibration]:
    """Return the calibration of each family, read once."""
    fitted = load_fitted_model(ANSWER_CONFIDENCE)
    rows = {family: fitted.parameters[family.value] for family in AnswerFamily}
    return {
        family: FamilyCalibration(fitted.logistic(family.value), row["scores"], list(map(bool, row["wrong"])))
        for family, row in rows.items()
    }


def calibrate_answer(answer: Answer, table: Mapping[AnswerFamily, FamilyCalibration] | None = None) -> Answer:
    """Return an answer whose confidence, and that of its findings, is the probability of being right.

    A refusal has the confidence 0. A contested verdict keeps the confidence that the evidence gives it. So does a verdict on a
    counterfactual, for which there are no judged answers to fit on.
    """
    if answer.verdict is Verdict.CONTESTED or (answer.verdict is not None and is_counterfactual_answer(answer)):
        return answer
    if answer.answer is None:
        return replace(answer, confidence=0.0)
    table = table or load_calibrations()
    if answer_family(answer) is AnswerFamily.VERDICT:
        return _calibrate_verdict(answer, table[AnswerFamily.VERDICT])
    fits = (table[finding_family(finding)].model.probability(finding_features(answer, finding)) for finding in answer.findings)
    findings = tuple(replace(finding, confidence=share) for finding, share in zip(answer.findings, fits, strict=True))
    return replace(answer, confidence=findings[0].confidence if findings else 0.0, findings=findings)


def is_counterfactual_answer(answer: Answer) -> bool:
    """Return whether an answer is about the world under the interventions of the question's "if"."""
    return answer.route is Route.INTERVENTION_GRAPH and Attribute.COUNTERFACTUAL in answer.type.attributes


def _calibrate_verdict(answer: Answer, fitted: FamilyCalibration) -> Answer:
    """Return a verdict with its confidence; the findings after the first have their own, which is at most as high."""
    features = verdict_features(answer)
    confidence = fitted.model.probability(features)
    beliefs = (log_odds(finding.path.score, PROBABILITY_CLIP) for finding in answer.findings[1:])
    rest = (fitted.model.probability({**features, "belief": belief}) for belief in beliefs)
    shares = (confidence, *(min(share, confidence) for share in rest))
    findings = tuple(replace(finding, confidence=share) for finding, share in zip(answer.findings, shares, strict=False))
    return replace(answer, confidence=confidence, findings=findings)

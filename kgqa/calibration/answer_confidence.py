"""From what is known of an answer to the probability that it is right.

A logistic regression for each family of answers, fitted by scripts/fit/calibrate_answers.py on judged answers (Platt 1999), whose
weights stand in data/calibration.json beside the judged answers' own scores, which the control of risk needs.

What the confidence of an answer is reckoned from, as numbers: one table for verdicts, one for lists, one for chains.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cache
from math import exp, log, log1p
from pathlib import Path
from typing import NamedTuple

from graph.model import Relation, Strength
from kgqa.answers import Answer, Finding, Route, Verdict
from kgqa.question import Attribute

LEAST_PROBABILITY = 0.01
"""Probabilities are kept so far from 0 and 1, so that their odds are finite."""


class AnswerFamily(StrEnum):
    """The kinds of answers that are calibrated apart, because they are wrong in different ways."""

    VERDICT = "verdict"
    CHAIN = "chain"
    LIST = "list"


def answer_family(answer: Answer) -> AnswerFamily:
    """Return the family of an answer: whether it says yes or no, how, or what."""
    if answer.verdict is not None:
        return AnswerFamily.VERDICT
    return finding_family(answer.findings[0]) if answer.findings else AnswerFamily.LIST


def finding_family(finding: Finding) -> AnswerFamily:
    """Return the family of what is listed: a chain of several steps, or something a claim names."""
    return AnswerFamily.CHAIN if len(finding.path.edges) > 1 else AnswerFamily.LIST


def clipped_log_odds(share: float) -> float:
    """Return the logarithm of the odds of a probability, which is kept off 0 and 1."""
    share = min(1.0 - LEAST_PROBABILITY, max(LEAST_PROBABILITY, share))
    return log(share / (1.0 - share))


def verdict_features(answer: Answer) -> Mapping[str, float]:
    """Return the features of a verdict: how strongly it is believed, how surely the phrases were read, whether it is a no.

    The other signals, fitted on the few wrong ones among the yes/no questions that the graph answers, ranked answers no better.
    """
    signals = answer.signals
    denied = answer.verdict is Verdict.NO
    belief = 1.0 - signals.belief if denied else signals.belief
    return {
        "one": 1.0,
        "belief": clipped_log_odds(belief),
        "link": log(max(LEAST_PROBABILITY, signals.link)),
        "no": float(denied),
    }


def finding_features(answer: Answer, finding: Finding) -> Mapping[str, float]:
    """Return the features of one entry of a list, or of one chain, whose own confidence is how likely it is to be valid."""
    if finding_family(finding) is AnswerFamily.CHAIN:
        return {"one": 1.0, "validity": clipped_log_odds(finding.confidence)}
    return {
        "one": 1.0,
        "belief": clipped_log_odds(finding.path.score),
        "link": log(max(LEAST_PROBABILITY, answer.signals.link)),
        "support": log1p(finding.support),
        "associated": float(finding.relation is Relation.ASSOCIATED or finding.strength is Strength.ASSOCIATED),
    }


class FamilyCalibration(NamedTuple):
    """What was fitted for one family.

    `weights` go with the features by name; `scores` and `wrong` are the confidences of answers that were held out while
    fitting, highest first, and whether each was wrong.
    """

    weights: Mapping[str, float]
    scores: Sequence[float] = ()
    wrong: Sequence[bool] = ()

    def probability(self, features: Mapping[str, float]) -> float:
        """Return the probability, 0..1, that what has these features is right."""
        total = sum(self.weights.get(name, 0.0) * value for name, value in features.items())
        return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, total))))


@cache
def load_calibrations() -> Mapping[AnswerFamily, FamilyCalibration]:
    """Return what was fitted for each family, read once."""
    table = json.loads(Path(__file__).with_name("data").joinpath("calibration.json").read_text("utf-8"))
    return {
        AnswerFamily(name): FamilyCalibration(row["weights"], row["scores"], list(map(bool, row["wrong"])))
        for name, row in table.items()
    }


def calibrate_answer(answer: Answer, table: Mapping[AnswerFamily, FamilyCalibration] | None = None) -> Answer:
    """Return an answer with its confidence, and that of its findings, as the probability of being right.

    A refusal has a confidence of 0: there is nothing that could be right. That a claim is contested keeps the confidence that the
    evidence gives it. A verdict on what is only supposed ("if") was reckoned from the causes that are left, and how many there
    may be besides; no judged answers of that kind are there to fit it on, and so it is left as it is.
    """
    if answer.verdict is Verdict.CONTESTED or (answer.verdict is not None and is_counterfactual_answer(answer)):
        return answer
    if answer.answer is None:
        return replace(answer, confidence=0.0)
    table = table or load_calibrations()
    if answer_family(answer) is AnswerFamily.VERDICT:
        return _calibrate_verdict(answer, table[AnswerFamily.VERDICT])
    fits = (table[finding_family(finding)].probability(finding_features(answer, finding)) for finding in answer.findings)
    findings = tuple(replace(finding, confidence=share) for finding, share in zip(answer.findings, fits, strict=True))
    return replace(answer, confidence=findings[0].confidence if findings else 0.0, findings=findings)


def is_counterfactual_answer(answer: Answer) -> bool:
    """Return whether an answer is about a world that the "if" of its question supposes."""
    return answer.route is Route.INTERVENTION_GRAPH and Attribute.COUNTERFACTUAL in answer.type.attributes


def _calibrate_verdict(answer: Answer, fitted: FamilyCalibration) -> Answer:
    """Return a verdict with its confidence; a claim that it rests on besides the first has its own, which is no higher."""
    features = verdict_features(answer)
    confidence = fitted.probability(features)
    rest = (fitted.probability({**features, "belief": clipped_log_odds(finding.path.score)}) for finding in answer.findings[1:])
    shares = (confidence, *(min(share, confidence) for share in rest))
    findings = tuple(replace(finding, confidence=share) for finding, share in zip(answer.findings, shares, strict=False))
    return replace(answer, confidence=confidence, findings=findings)

"""From what is known of an answer to the probability that it is right.

A logistic regression for each family of answers, fitted by scripts/calibrate_answers.py on judged answers (Platt 1999), whose
weights stand in data/calibration.json beside the judged answers' own scores, which the control of risk needs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import exp
from pathlib import Path
from typing import NamedTuple

from kgqa.confidence.features import (
    AnswerFamily,
    answer_family,
    clipped_log_odds,
    finding_family,
    finding_features,
    verdict_features,
)
from kgqa.model import Answer, Attribute, Route, Verdict


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

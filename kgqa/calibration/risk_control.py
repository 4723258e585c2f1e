"""Risk control: an answer is given only where its expected error is at most a given risk.

Split-conformal control (after Angelopoulos et al. 2022, "Conformal risk control"): the threshold is the lowest confidence down to
which the share of errors among judged, held-out answers is at most the risk. One error is added to those observed: as many as
the next question can add.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kgqa.answer_model import Answer, Route, Verdict
from kgqa.calibration.answer_confidence import AnswerFamily, FamilyCalibration, answer_family, load_calibrations
from kgqa.reasons import Missing, Need, Reason, Refusal, Remedy, Step, StepKind

UNREACHABLE_THRESHOLD = 2.0
"""A threshold that no confidence reaches."""


def risk_threshold(scores: Sequence[float], wrong: Sequence[bool], risk: float) -> float:
    """Return the least confidence with which an answer is given at a risk of 0..1; `UNREACHABLE_THRESHOLD` where there is none.

    `scores` are the confidences of judged answers, highest first, and `wrong` says which of them were wrong. Answers with the
    same score are given or held back together. Where all judged answers keep to the risk, the threshold is at most 1 - risk.
    """
    least, errors, everything = UNREACHABLE_THRESHOLD, 0, False
    for number, (score, missed) in enumerate(zip(scores, wrong, strict=True), 1):
        errors += missed
        if number < len(scores) and scores[number] == score:
            continue
        if (errors + 1) / (number + 1) <= risk:
            least = score
            everything = number == len(scores)
    return min(least, 1.0 - risk) if everything else least


def apply_risk_limit(answer: Answer, risk: float, table: Mapping[AnswerFamily, FamilyCalibration] | None = None) -> Answer:
    """Return the answer if its expected error is at most `risk` (0..1), else a refusal with the reason."""
    if answer.answer is None:
        return answer
    if answer.route in (Route.READER, Route.INTERVENTION_PASSAGE):
        # Readers calibrate their own scores.
        least = 1.0 - risk
    else:
        fitted = (table or load_calibrations())[answer_family(answer)]
        least = risk_threshold(fitted.scores, fitted.wrong, risk)
    facts = (answer.confidence, risk, None if least == UNREACHABLE_THRESHOLD else least)
    if answer.confidence >= least:
        return replace(answer, steps=(*answer.steps, Step(StepKind.RISK_KEPT, facts)))
    return replace(
        answer,
        answer=None,
        verdict=Verdict.UNKNOWN if answer.verdict is not None else None,
        conclusion=Refusal(Reason.HELD_BACK, (*facts, answer.conclusion)),
        findings=(),
        read=(),
        confidence=0.0,
        steps=(*answer.steps, Step(StepKind.HELD_BACK, facts)),
        gaps=(*answer.gaps, Missing(Need.MORE_SOURCES, remedy=Remedy.TEXTS_ABOUT_IT)),
    )

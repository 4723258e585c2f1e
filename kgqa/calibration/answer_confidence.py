"""The confidence of an answer: the probability that it is right; and risk control, which refuses where that is too low.

Each family of answers (verdicts, lists, chains) has its own features and its own logistic regression (Platt 1999), fitted by
scripts/fit/calibrate_answers.py on judged answers. models/answer_confidence.json holds the weights and the held-out confidences
of the judged answers. Risk control is split-conformal (after Angelopoulos et al. 2022, "Conformal risk control"): the threshold
is the lowest confidence down to which the share of errors among judged, held-out answers is at most the risk. One error is added
to those observed: as many as the next question can add.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from math import log, log1p

from graph.model import JUDGED_SLOT, READ_SLOT, Edge, Relation, Stance, Strength
from kgqa.answer_model import Answer, Finding, Route, Verdict
from kgqa.calibration.linear_model import PROBABILITY_CLIP, FittedModel, load_fitted_model, log_odds
from kgqa.question import Attribute
from kgqa.reasons import Missing, Refusal, Step

ANSWER_CONFIDENCE = "answer_confidence"
"""The name of the fitted model; its parameters hold, for each family, the held-out confidences and which answers were wrong."""
_MOST_WORDS = 6
_CAUSENET_KINDS = frozenset({"causenet", "clueweb12"})
"""The kinds of sources of CauseNet, which holds what many texts say."""
DOUBTFUL_SHARE = 0.5
"""The factor of the confidence of a list of which an editor would hardly name anything: about so often it is rated "main"."""
_COLLECTION_KINDS = _CAUSENET_KINDS | {"conceptnet"}
UNREAD_SHARE = 0.65
"""What the confidence of a list counts where nobody read a sentence it rests on: the lists that it was fitted on were read.

Of claims mined from new text .79 are right, and .49 have names that are good for a list (docs/judge.md).
"""
UNREACHABLE_THRESHOLD = 2.0
"""A threshold that no confidence reaches."""


class AnswerFamily(StrEnum):
    """The families of answers, each calibrated on its own because each is wrong in its own way."""

    VERDICT = "verdict"
    CHAIN = "chain"
    LIST = "list"


def is_in_causenet(edge: Edge) -> bool:
    """Return whether a record of CauseNet is among the grounds of an edge."""
    return any(kind in _CAUSENET_KINDS for ground in edge.grounds for kind, _ in ground.readings)


def _finding_family(finding: Finding) -> AnswerFamily:
    return AnswerFamily.CHAIN if len(finding.path.edges) > 1 else AnswerFamily.LIST


def verdict_features(answer: Answer) -> Mapping[str, float]:
    """Return the features of a verdict: log-odds of its belief, logarithm of its link score, whether it is a "no".

    The other signals did not rank answers better: few of the judged verdicts are wrong.
    """
    signals = answer.signals
    denied = answer.verdict is Verdict.NO or _rests_on_denial(answer)
    belief = 1.0 - signals.belief if denied else signals.belief
    return {"belief": log_odds(belief, PROBABILITY_CLIP), "link": log(max(PROBABILITY_CLIP, signals.link)), "no": float(denied)}


def _rests_on_denial(answer: Answer) -> bool:
    """Return whether all that is shown for an answer are denials: a yes to "Is it a myth that ...?"."""
    return bool(answer.evidence) and all(cited.evidence.stance is Stance.NEGATED for cited in answer.evidence)


def finding_features(finding: Finding) -> Mapping[str, float]:
    """Return the features of a list entry or of a chain; the confidence of a chain is the probability that it is valid."""
    if _finding_family(finding) is AnswerFamily.CHAIN:
        return {"validity": log_odds(finding.confidence, PROBABILITY_CLIP)}
    return {
        "belief": log_odds(finding.path.score, PROBABILITY_CLIP),
        "support": log1p(finding.support),
        "associated": float(finding.relation is Relation.ASSOCIATED or finding.strength is Strength.ASSOCIATED),
        "words": float(min(_MOST_WORDS, finding.text.count(" "))),
        "curated": float(is_in_causenet(finding.path.edges[0])),
    }


def calibrate_answer(answer: Answer) -> Answer:
    """Return an answer whose confidence, and that of its findings, is the probability of being right.

    A refusal has the confidence 0. A contested verdict keeps the confidence that the evidence gives it. So does a verdict on a
    counterfactual, for which there are no judged answers to fit on.
    """
    counterfactual = answer.route is Route.INTERVENTION_GRAPH and Attribute.COUNTERFACTUAL in answer.type.attributes
    if answer.verdict is Verdict.CONTESTED or (answer.verdict is not None and counterfactual):
        return answer
    if answer.answer is None:
        return replace(answer, confidence=0.0)
    fitted = load_fitted_model(ANSWER_CONFIDENCE)
    if answer.verdict is None:
        shares = [_finding_share(answer, finding, fitted) for finding in answer.findings]
        confidence = shares[0] if shares else 0.0
    else:
        # The findings after the first have their own confidence, which is at most as high.
        model, features = fitted.logistic(AnswerFamily.VERDICT), verdict_features(answer)
        confidence = min(model.probability(features), _most_carried(answer))
        beliefs = (log_odds(finding.path.score, PROBABILITY_CLIP) for finding in answer.findings[1:])
        rest = (model.probability({**features, "belief": belief}) for belief in beliefs)
        shares = [confidence, *(min(share, confidence) for share in rest)]
    findings = tuple(replace(finding, confidence=share) for finding, share in zip(answer.findings, shares, strict=False))
    return replace(answer, confidence=confidence, findings=findings)


def _finding_share(answer: Answer, finding: Finding, fitted: FittedModel) -> float:
    """Return the confidence of a list entry, that of its reading and its evidence together, or of a chain."""
    family = _finding_family(finding)
    share = fitted.logistic(family).probability(finding_features(finding))
    if family is AnswerFamily.CHAIN:
        return share
    is_read = any(slot == READ_SLOT for cited in answer.evidence for slot, _ in cited.evidence.context)
    doubt = DOUBTFUL_SHARE if answer.signals.doubtful else 1.0
    return share * answer.signals.link * (1.0 if is_read else UNREAD_SHARE) * doubt


WEAK_CONFIDENCES = (0.49, 0.6)
"""The most confidence in a yes that no sentence asserts: of an entry of a collection alone, and of several witnesses."""


def _most_carried(answer: Answer) -> float:
    """Return the confidence that evidence carries at most: of a yes, the belief in its best claim or chain.

    An entry of a collection alone, which nobody can look up, does not make it likelier than not: of what people ask, much is
    contested.
    Of a verdict whose evidence was all judged for this question alone it is the belief of the verdict: none on such evidence is
    among the judged answers.
    """
    records = [cited.evidence for cited in answer.evidence]
    without_place = (record for record in records if record.text is not None and record.start is None)
    judged_now = [record for record in without_place if JUDGED_SLOT in dict(record.context)]
    if records and len(judged_now) == len(records):
        return answer.signals.belief
    if answer.verdict is not Verdict.YES or _rests_on_denial(answer) or not answer.findings:
        return 1.0
    most = max(finding.path.score for finding in answer.findings)
    entries = [record for record in records if record.text is None and record.start is None]
    weak = answer.signals.steps == 1 and not answer.signals.support
    if weak and any(record.source.kind in _COLLECTION_KINDS for record in entries):
        return min(most, WEAK_CONFIDENCES[answer.signals.hedged > 1])
    return most


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


def apply_risk_limit(answer: Answer, risk: float) -> Answer:
    """Return the answer if its expected error is at most `risk` (0..1), else a refusal with the reason."""
    if answer.answer is None:
        return answer
    if answer.route in (Route.READER, Route.INTERVENTION_PASSAGE):
        # Readers calibrate their own scores.
        least = 1.0 - risk
    else:
        family = _finding_family(answer.findings[0]) if answer.findings else AnswerFamily.LIST
        if answer.verdict is not None:
            family = AnswerFamily.VERDICT
        judged = load_fitted_model(ANSWER_CONFIDENCE).parameters[family]
        least = risk_threshold(judged["scores"], judged["wrong"], risk)
    facts = (answer.confidence, risk, None if least == UNREACHABLE_THRESHOLD else least)
    if answer.confidence >= least:
        return replace(answer, steps=(*answer.steps, Step("risk_kept", facts)))
    return replace(
        answer,
        answer=None,
        verdict=Verdict.UNKNOWN if answer.verdict is not None else None,
        conclusion=Refusal("held_back", (*facts, answer.conclusion)),
        findings=(),
        read=(),
        confidence=0.0,
        steps=(*answer.steps, Step("held_back", facts)),
        gaps=(*answer.gaps, Missing("more_sources", remedy="texts_about_it")),
    )

"""What the confidence of an answer is reckoned from, as numbers: one table for verdicts, one for lists, one for chains."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from math import log, log1p

from graph.model import Relation, Strength
from kgqa.model import Answer, Finding, Verdict

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

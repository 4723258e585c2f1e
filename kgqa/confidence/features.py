"""What the confidence of an answer is reckoned from, as numbers: one table for verdicts, one for lists, one for chains."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from math import log, log1p

from graph.model import Relation, Strength
from kgqa.model import Answer, Finding, Verdict

LEAST = 0.01
"""Probabilities are kept so far from 0 and 1, so that their odds are finite."""


class Family(StrEnum):
    """The kinds of answers that are calibrated apart, because they are wrong in different ways."""

    VERDICT = "verdict"
    CHAIN = "chain"
    LIST = "list"


def family_of(answer: Answer) -> Family:
    """Return the family of an answer: whether it says yes or no, how, or what."""
    if answer.verdict is not None:
        return Family.VERDICT
    return family_of_finding(answer.findings[0]) if answer.findings else Family.LIST


def family_of_finding(finding: Finding) -> Family:
    """Return the family of what is listed: a chain of several steps, or something a claim names."""
    return Family.CHAIN if len(finding.path.edges) > 1 else Family.LIST


def log_odds(share: float) -> float:
    """Return the logarithm of the odds of a probability, which is kept off 0 and 1."""
    share = min(1.0 - LEAST, max(LEAST, share))
    return log(share / (1.0 - share))


def verdict_features(answer: Answer) -> Mapping[str, float]:
    """Return the features of a verdict: how strongly it is believed, how surely the phrases were read, whether it is a no.

    The other signals, fitted on the few wrong ones among the yes/no questions that the graph answers, ranked answers no better.
    """
    found = answer.signals
    denied = answer.verdict is Verdict.NO
    belief = 1.0 - found.belief if denied else found.belief
    return {"one": 1.0, "belief": log_odds(belief), "link": log(max(LEAST, found.link)), "no": float(denied)}


def finding_features(answer: Answer, finding: Finding) -> Mapping[str, float]:
    """Return the features of one entry of a list, or of one chain, whose own confidence is how likely it is to be valid."""
    if family_of_finding(finding) is Family.CHAIN:
        return {"one": 1.0, "validity": log_odds(finding.confidence)}
    return {
        "one": 1.0,
        "belief": log_odds(finding.path.score),
        "link": log(max(LEAST, answer.signals.link)),
        "support": log1p(finding.support),
        "associated": float(finding.relation is Relation.ASSOCIATED or finding.strength is Strength.ASSOCIATED),
    }

"""How sure a script is: the probability that its answer is right, from what was measured on labelled questions."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from kgqa.intervention.passages.weights import fitted

DEFAULT = 0.3
"""What a mechanism is trusted with that was never seen among the labelled questions."""


def certainty(rule: str, signals: Sequence[float]) -> float:
    """Return the probability (0..1) that the answer of a rule with these signals is right.

    `signals` starts with the rule's own probability; rules on one fact go on with the features of that fact.
    """
    numbers = fitted()
    if rule in numbers.calibration and len(signals) > 1:
        weights = numbers.calibration[rule]
        score = weights[0] + sum(weight * signal for weight, signal in zip(weights[1:], calibrated_signals(signals), strict=True))
        return 1 / (1 + exp(-max(-30.0, min(30.0, score))))
    return numbers.precision.get(rule, DEFAULT) * (0.5 + 0.5 * min(1.0, max(0.0, signals[0] if signals else 0.0)))


def calibrated_signals(signals: Sequence[float]) -> tuple[float, ...]:
    """Return what a calibration looks at: the log-odds of the choice, and all features of the fact."""
    probability = min(0.999, max(0.001, signals[0]))
    return (log(probability / (1 - probability)) / 4, *signals[1:])

"""How sure a script is: the probability that its answer is right, from what was measured on labelled questions."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from kgqa.intervention.passages.weights import edit_weights

DEFAULT_PRECISION = 0.3
"""What a mechanism is trusted with that was never seen among the labelled questions."""


def solution_probability(rule: str, signals: Sequence[float]) -> float:
    """Return the probability (0..1) that the answer of a rule with these signals is right.

    `signals` starts with the rule's own probability; rules on one fact go on with the features of that fact.
    """
    numbers = edit_weights()
    shift = numbers.shift.get(rule, numbers.shift.get("", 0.0))
    return bounded_logistic(numbers.slope * solution_log_odds(rule, signals) + shift)


def solution_log_odds(rule: str, signals: Sequence[float]) -> float:
    """Return the log-odds of an answer before what held-out questions taught: by the questions that the rules were made on."""
    numbers = edit_weights()
    if rule in numbers.calibration and len(signals) > 1:
        weights = numbers.calibration[rule]
        return weights[0] + sum(
            weight * signal for weight, signal in zip(weights[1:], calibration_features(signals), strict=True)
        )
    made = numbers.precision.get(rule, DEFAULT_PRECISION) * (0.5 + 0.5 * min(1.0, max(0.0, signals[0] if signals else 0.0)))
    return log(made / (1.0 - made))


def bounded_logistic(score: float) -> float:
    """Return the probability that log-odds are of."""
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, score))))


def calibration_features(signals: Sequence[float]) -> tuple[float, ...]:
    """Return what a calibration looks at: the log-odds of the choice, and all features of the fact."""
    probability = min(0.999, max(0.001, signals[0]))
    return (log(probability / (1 - probability)) / 4, *signals[1:])

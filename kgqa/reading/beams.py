"""Beam search over the tokens of an answer, whatever says which tokens are likely next."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

NextTokens = Sequence[tuple[int, float]]
"""Tokens that may come next with the logarithms of their probabilities, likeliest first."""
DecodingStep = Callable[[Sequence[int], Sequence[int]], Sequence[NextTokens]]
"""Takes, for each beam, the number of the beam that it goes on from and its newest token; returns what may come next in each."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Tokens that a model may answer with, the one that ends them included, and the logarithm of their probability."""

    tokens: tuple[int, ...]
    log_probability: float

    @property
    def score(self) -> float:
        """The probability of one token of it on average (the geometric mean): 0..1, whatever its length."""
        return math.exp(self.log_probability / max(len(self.tokens), 1))


def beam_search(step: DecodingStep, start: int, ends: frozenset[int], beams: int, longest: int) -> list[Hypothesis]:
    """Return at most `beams` answers of at most `longest` tokens, likeliest first; with one beam, the greedy answer.

    The search stops when no beam can come before the last of `beams` finished ones any more: a probability only falls as a beam
    goes on. Each step must offer two tokens a beam, or all there are. Equally likely answers come in the order of their tokens.
    """
    live = [Hypothesis((), 0.0)]
    parents, newest = [0], [start]
    finished: list[Hypothesis] = []
    for _ in range(longest):
        offered = [
            (Hypothesis((*beam.tokens, token), beam.log_probability + log), place)
            for place, (beam, following) in enumerate(zip(live, step(parents, newest), strict=True))
            for token, log in following
        ]
        offered.sort(key=lambda offer: _hypothesis_rank(offer[0]))
        finished = rank_hypotheses([*finished, *(beam for beam, _ in offered[:beams] if beam.tokens[-1] in ends)])[:beams]
        going = [(beam, place) for beam, place in offered if beam.tokens[-1] not in ends][:beams]
        live = [beam for beam, _ in going]
        if (
            not live
            or (finished and beams == 1)
            or (len(finished) == beams and _hypothesis_rank(finished[-1]) <= _hypothesis_rank(live[0]))
        ):
            return finished
        parents, newest = [place for _, place in going], [beam.tokens[-1] for beam in live]
    return rank_hypotheses([*finished, *live])[:beams]


def rank_hypotheses(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Return hypotheses by probability, likeliest first; equal ones by their tokens, so that the order is always the same."""
    return sorted(hypotheses, key=_hypothesis_rank)


def _hypothesis_rank(hypothesis: Hypothesis) -> tuple[float, tuple[int, ...]]:
    return -hypothesis.log_probability, hypothesis.tokens

"""The transitivity that scores chains: the share of a score that is kept at a middle concept, by its degree and its senses."""

from __future__ import annotations

from math import log10
from typing import NamedTuple

HUB_DEGREE = 10  # the greatest degree of a concept that is no hub


class Transitivity(NamedTuple):
    """The share, 0..1, of a path's score that is kept at each middle concept: causation is not always passed on.

    A path is more doubtful the more claims a middle concept has (a hub such as "death" joins unrelated claims) and where the
    claims before and after it use its word in different senses. `hop` is the share at any concept; at a hub of 10^(n+1) claims it
    is divided by 1 + n `hub`; `unlike` is a factor for claims in unlike contexts. The factors are chosen: fitted on judged
    chains they find the same chains (docs/paths.md).
    """

    hop: float = 0.85
    hub: float = 0.25
    unlike: float = 0.75

    def of_degree(self, degree: int) -> float:
        """Return the share at a concept that `degree` claims are about, without the factor of the senses."""
        return self.hop / (1.0 + self.hub * log10(degree / HUB_DEGREE)) if degree > HUB_DEGREE else self.hop

    def of_senses(self, before: int, after: int) -> float:
        """Return the factor where claims with the senses `before` and `after` meet: 1 where either is unknown (0)."""
        return self.unlike if before and after and not before & after else 1.0

    def through(self, degree: int, before: int, after: int) -> float:
        """Return the share at a middle concept of this degree between claims of these senses."""
        return self.of_degree(degree) * self.of_senses(before, after)


DEFAULT_TRANSITIVITY = Transitivity()  # the transitivity that answers use

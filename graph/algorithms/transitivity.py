"""How much of the score of a path is kept at a middle concept: causation is not always passed on.

"A causes M" and "M causes B" make "A leads to B" more doubtful the more claims M has (a hub such as "death" or "stress" joins
unrelated claims) and where the two claims use the word M in different senses.
"""

from __future__ import annotations

from math import log10
from typing import NamedTuple

HUB_DEGREE = 10
"""Up to so many claims about a concept nothing is taken off."""


class Transitivity(NamedTuple):
    """The share, 0..1, of a path's score that is kept at each middle concept.

    The factors are chosen. Fitted on judged chains they tell valid ones little better, and find the same chains (docs/paths.md):
    the score orders the search, and whether a chain is valid is judged of those that it finds.

    `hop` is kept anyway; of a hub of 10^(n+1) claims another 1 / (1 + n `hub`) is kept; and `unlike` where the claims before and
    after it are known to be read in unlike contexts.
    """

    hop: float = 0.85
    hub: float = 0.25
    unlike: float = 0.75

    def of_degree(self, degree: int) -> float:
        """Return what is kept at a concept that `degree` claims are about, whatever the senses are; never more than `hop`."""
        return self.hop / (1.0 + self.hub * log10(degree / HUB_DEGREE)) if degree > HUB_DEGREE else self.hop

    def of_senses(self, before: int, after: int) -> float:
        """Return what is kept where claims with the senses `before` and `after` meet: 1 where either is unknown (0)."""
        return self.unlike if before and after and not before & after else 1.0

    def through(self, degree: int, before: int, after: int) -> float:
        """Return what is kept at a middle concept of this degree between claims of these senses."""
        return self.of_degree(degree) * self.of_senses(before, after)


DEFAULT_TRANSITIVITY = Transitivity()
"""The transitivity that answers use."""

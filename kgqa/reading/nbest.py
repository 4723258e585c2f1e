"""The likeliest spans of one window, with their probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


class TokenSpan(NamedTuple):
    """The tokens `first` to `last` of a window's passage, with the probability that they are the answer if one stands there."""

    first: int
    last: int
    probability: float


def softmax(logits: Floats) -> NDArray[np.float64]:
    """Return logits as probabilities."""
    import numpy as np

    powers = np.exp(logits.astype(np.float64) - logits.max())
    shares: NDArray[np.float64] = powers / powers.sum()
    return shares


def likeliest_spans(
    start: Floats, end: Floats, begins: Sequence[bool], ends: Sequence[bool], longest: int, temperature: float, best: int
) -> list[TokenSpan]:
    """Return the `best` likeliest spans, likeliest first.

    `start` and `end` are the logits of a window's tokens of the passage. A span has at most `longest` tokens, and starts and ends
    where a word does; the probabilities are over all such spans, not only over those that are returned.
    """
    import numpy as np

    count = len(start)
    if count == 0:
        return []
    reach = min(longest, count)
    starts = np.where(np.asarray(begins), start, -np.inf)
    stops = np.concatenate([np.where(np.asarray(ends), end, -np.inf), np.full(reach - 1, -np.inf)])
    together = starts[:, None] + np.lib.stride_tricks.sliding_window_view(stops, reach)
    shares = softmax(together.ravel() / temperature)
    order = np.lexsort((np.arange(shares.size), -shares)) if shares.size <= best else _largest_places(shares, best)
    return [
        TokenSpan(int(place) // reach, int(place) // reach + int(place) % reach, float(shares[place]))
        for place in order
        if shares[place] > 0.0
    ]


def _largest_places(shares: NDArray[np.float64], best: int) -> NDArray[np.int64]:
    """Return the places of the largest shares, largest first; of equal ones the first."""
    import numpy as np

    least = np.partition(shares, -best)[-best]
    places = np.flatnonzero(shares >= least)
    ordered: NDArray[np.int64] = places[np.argsort(-shares[places], kind="stable")][:best]
    return ordered

"""The part of an article that may tell what is asked: windows of the size that IIRC gives them, the best of an article.

Source: Ferguson et al. 2020, section 4.2: a window has (512 - question) / (links + 1) tokens and begins a quarter of its size
behind the one before, so that the question, a window of the passage and one of each linked article fit into 512 tokens. The
rounding down is ours. A token is a run of letters and digits, or a sign.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from math import log
from typing import NamedTuple

from graph.text.segmentation import token_pattern
from kgqa.hops.word_lemmas import lemma_set, word_lemma

MOST_TOKENS = 512
STRIDES = 4
"""How many windows lie over each token."""
_TOKEN = re.compile(r"\w+|[^\w\s]")
_WORD = token_pattern("facts")
_SATURATION = 1.2


class WindowSize(NamedTuple):
    """How many tokens a window has, and how many the next one begins behind it."""

    tokens: int
    stride: int


class ContextWindow(NamedTuple):
    """The characters of a text that a window has, and how well it fits a question."""

    start: int
    end: int
    score: float = 0.0


def window_size(question_tokens: int, links: int) -> WindowSize:
    """Return the size of windows for a question of so many tokens, and of so many links that are followed; at least one token."""
    tokens = max(1, (MOST_TOKENS - question_tokens) // (links + 1))
    return WindowSize(tokens, max(1, tokens // STRIDES))


def count_tokens(text: str) -> int:
    """Return how many tokens a text has."""
    return sum(1 for _ in _TOKEN.finditer(text))


def split_windows(text: str, size: WindowSize) -> list[ContextWindow]:
    """Return the windows of a text in their order, the last of which ends with it."""
    spans = [token.span() for token in _TOKEN.finditer(text)]
    starts = range(0, max(1, len(spans) - size.tokens + size.stride), size.stride) if spans else ()
    return [ContextWindow(spans[at][0], spans[min(at + size.tokens, len(spans)) - 1][1]) for at in starts]


def rank_windows(question: str, text: str, size: WindowSize, best: int) -> Sequence[ContextWindow]:
    """Return at most `best` windows that fit a question by its words, the best first; of equal ones that with them in its middle.

    A word counts by how few windows have it, and more often in a window less and less (BM25 without lengths).
    """
    windows, wanted = split_windows(text, size), lemma_set(question)
    hits = [(token.start(), lemma) for token in _WORD.finditer(text) if (lemma := word_lemma(token[0])) in wanted]
    starts = [start for start, _ in hits]
    ranges = [slice(bisect_left(starts, window.start), bisect_left(starts, window.end)) for window in windows]
    counts = [Counter(lemma for _, lemma in hits[held]) for held in ranges]
    holding = Counter(lemma for count in counts for lemma in count)
    weights = {lemma: log(1.0 + (len(windows) - number + 0.5) / (number + 0.5)) for lemma, number in holding.items()}
    scored = [
        window._replace(score=sum(weights[lemma] * number / (number + _SATURATION) for lemma, number in count.items()))
        for window, count in zip(windows, counts, strict=True)
    ]
    middles = (sum(starts[held]) / max(1, len(starts[held])) for held in ranges)
    aside = (abs(middle - (window.start + window.end) / 2) for window, middle in zip(scored, middles, strict=True))
    ranked = sorted(zip(scored, aside, strict=True), key=lambda pair: (-pair[0].score, pair[1]))
    return [window for window, _ in ranked[:best]]

"""Passages worth an "if" question: those that tell of causes or of change, mostly in the past tense (IfQA §3.1.1).

The paper searched for keywords, of which it names "lead to", "cause", "because", "due to", "originally" and "initially", in
passages "particularly with a high proportion of past tense", and names no threshold. Here words tell the tense, without a parse.
"""

from __future__ import annotations

import re
from typing import NamedTuple

CAUSAL_KEYWORDS = re.compile(
    r"\b(?:(?:lead|leads|leading|led) to|caus(?:e|es|ed|ing)|because|due to|originally|initially|"
    r"planned|intended|scheduled|supposed to|postponed|delayed|cancell?ed|rescheduled|renamed|replaced|"
    r"won|defeated|beat|elected|runner-up|succeeded)\b",
    re.IGNORECASE,
)
"""The paper's, then words of plans, changes and contests that are more frequent in the passages of IfQA train than in others."""
_PAST = re.compile(
    r"\b(?:was|were|had|did|became|began|came|left|took|made|went|gave|led|won|lost|held|found|told|saw|wrote|sold|bought|brought|met|ran|"
    r"grew|fell|felt|kept|knew|said|sent|stood|spent|thought|got|built|chose|died|fought|rose|broke|drew|drove|flew|sought|taught|"
    r"wore|spoke|shot|struck|caught|could|[a-z]{2,}ed)\b"
)
_PRESENT = re.compile(
    r"\b(?:is|are|am|has|have|do|does|can|may|will|becomes?|contains?|includes?|consists?|refers?|means|makes?|takes?|gives?|occurs?|"
    r"exists?|remains?|uses|provides?|forms|shows?|lies|allows?|requires?|causes|leads|results|tends?|seems?|appears?|begins?|must|should)\b"
)
_MADE_OF_TWO = re.compile(r"\b(?:is|are|be|been|being|has|have|can be|may be|will be)\s+(?:\w+ly\s+)?[a-z]{2,}(?:ed|en)\b")
MIN_PAST_SHARE = 0.4
"""The least share of verbs in the past tense; see `scripts/judge/measure_selector.py`."""


class SelectionSignals(NamedTuple):
    """What speaks for a passage: its keywords, and the share of its verbs that are in the past tense."""

    keywords: tuple[str, ...]
    past: float


def selection_signals(passage: str) -> SelectionSignals:
    """Return what speaks for a passage; without any verb that is known, its share is 0."""
    past = len(_PAST.findall(passage)) - len(_MADE_OF_TWO.findall(passage))
    present = len(_PRESENT.findall(passage))
    verbs = max(past, 0) + present
    keywords = dict.fromkeys(keyword.lower() for keyword in CAUSAL_KEYWORDS.findall(passage))
    return SelectionSignals(tuple(keywords), max(past, 0) / verbs if verbs else 0.0)


def is_worth_a_conditional(passage: str, least_past: float = MIN_PAST_SHARE) -> bool:
    """Return whether a passage has a keyword, and enough of its verbs in the past tense."""
    signals = selection_signals(passage)
    return bool(signals.keywords) and signals.past >= least_past

"""What tells the two sides of a contested claim apart: the slot of the context with the most information about the side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log2

from kgqa.answering.cases import SLOTS, narrows, same
from kgqa.answering.weighing import Testimony
from kgqa.model import Separation

LEAST_SHARE = 0.3
"""The least share of the uncertainty about the side that a slot must take away to be said to separate the two."""


def separation(parts: Sequence[Testimony]) -> Separation | None:
    """Return the slot that best separates those who assert from those who deny, by information gain over the records.

    It must be filled on both sides, with nothing in common; what says nothing in the slot is a case of its own.
    """
    whole = _entropy([part.favours for part in parts])
    best: tuple[float, Separation] | None = None
    for slot in SLOTS if whole else ():
        cases = _cases(parts, slot)
        filled = {
            side: [case for part, case in zip(parts, cases, strict=True) if case and part.favours is side]
            for side in (True, False)
        }
        if not filled[True] or not filled[False] or set(filled[True]) & set(filled[False]):
            continue
        left = sum(
            number / len(parts) * _entropy([part.favours for part, one in zip(parts, cases, strict=True) if one == case])
            for case, number in Counter(cases).items()
        )
        gain = whole - left
        if gain >= LEAST_SHARE * whole and (best is None or gain > best[0]):
            best = gain, Separation(slot, *(tuple(dict.fromkeys(filled[side])) for side in (True, False)))
    return best[1] if best else None


def separated(found: Separation) -> str:
    """Return a separation in words: "in adults yes, in children no"."""
    return f"{' or '.join(found.supporting[:2])} yes, {' or '.join(found.denying[:2])} no"


def _cases(parts: Sequence[Testimony], slot: str) -> list[str]:
    """Return for each record the case that it speaks of in a slot, by the first words that name it; empty for none."""
    known: list[str] = []
    cases = []
    for part in parts:
        words = next((words for name, words in part.record.context if name == slot and narrows(words)), "")
        case = next((one for one in known if same(one, words)), words)
        if case and case not in known:
            known.append(case)
        cases.append(case)
    return cases


def _entropy(sides: Sequence[bool]) -> float:
    """Return the uncertainty about the side, in bits."""
    share = sum(sides) / len(sides) if sides else 0.0
    return -sum(one * log2(one) for one in (share, 1.0 - share) if one > 0.0)

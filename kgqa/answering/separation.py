"""What tells the two sides of a contested claim apart: the slot of the context with the most information about the side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log2

from kgqa.answering.cases import CONTEXT_SLOTS, is_same_case, narrows_claim
from kgqa.answering.weighing import Testimony
from kgqa.model import ContextSplit

MIN_SEPARATION = 0.3
"""The least share of the uncertainty about the side that a slot must take away to be said to separate the two."""


def find_separation(parts: Sequence[Testimony]) -> ContextSplit | None:
    """Return the slot that best separates those who assert from those who deny, by information gain over the records.

    It must be filled on both sides, with nothing in common; what says nothing in the slot is a case of its own.
    """
    whole = _entropy([part.favours for part in parts])
    best: tuple[float, ContextSplit] | None = None
    for slot in CONTEXT_SLOTS if whole else ():
        cases = _record_cases(parts, slot)
        filled = {
            side: [case for part, case in zip(parts, cases, strict=True) if case and part.favours is side]
            for side in (True, False)
        }
        if not filled[True] or not filled[False] or set(filled[True]) & set(filled[False]):
            continue
        left = sum(
            number
            / len(parts)
            * _entropy([part.favours for part, part_case in zip(parts, cases, strict=True) if part_case == case])
            for case, number in Counter(cases).items()
        )
        gain = whole - left
        if gain >= MIN_SEPARATION * whole and (best is None or gain > best[0]):
            best = gain, ContextSplit(slot, *(tuple(dict.fromkeys(filled[side])) for side in (True, False)))
    return best[1] if best else None


def word_separation(separation: ContextSplit) -> str:
    """Return a separation in words: "in adults yes, in children no"."""
    return f"{' or '.join(separation.supporting[:2])} yes, {' or '.join(separation.denying[:2])} no"


def _record_cases(parts: Sequence[Testimony], slot: str) -> list[str]:
    """Return for each record the case that it speaks of in a slot, by the first words that name it; empty for none."""
    known: list[str] = []
    cases = []
    for part in parts:
        words = next((words for name, words in part.record.context if name == slot and narrows_claim(words)), "")
        case = next((known_case for known_case in known if is_same_case(known_case, words)), words)
        if case and case not in known:
            known.append(case)
        cases.append(case)
    return cases


def _entropy(sides: Sequence[bool]) -> float:
    """Return the uncertainty about the side, in bits."""
    share = sum(sides) / len(sides) if sides else 0.0
    return -sum(probability * log2(probability) for probability in (share, 1.0 - share) if probability > 0.0)

"""Which sources a verdict stands and falls with: the smallest sets of independent ones without which it is another.

What tells the two sides of a contested claim apart: the slot of the context with the most information about the side.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, islice, product
from math import log2

from kgqa.answer_model import LARGEST_FLIP, ContextSplit, Verdict, VerdictFlip
from kgqa.answering.evidence_kind import CONTEXT_SLOTS, is_same_case, narrows_claim
from kgqa.answering.verdicts.evidence_weighing import Testimony, Witness

VerdictJudge = Callable[[Sequence[Witness]], Verdict]


def find_flips(witnesses: Sequence[Witness], judge: VerdictJudge, limit: int = 5) -> tuple[VerdictFlip, ...]:
    """Return up to `limit` of the smallest sets of at most three witnesses without which `judge` comes to another verdict.

    Witnesses that weigh and speak alike can stand in for one another, so only one set of each kind is judged. Exact.
    """
    now = judge(witnesses)
    alike: defaultdict[Witness, list[int]] = defaultdict(list)
    for place, witness in enumerate(witnesses):
        alike[Witness("", witness.supporting, witness.denying, witness.speaks, witness.denies)].append(place)
    kinds = list(alike)
    for size in range(1, min(LARGEST_FLIP, len(witnesses)) + 1):
        results: list[VerdictFlip] = []
        for drawn in combinations_with_replacement(kinds, size):
            taken = {kind: drawn.count(kind) for kind in drawn}
            if any(len(alike[kind]) < number for kind, number in taken.items()):
                continue
            left = [kind for kind in kinds for _ in range(len(alike[kind]) - taken.get(kind, 0))]
            becomes = judge(left)
            if becomes is not now:
                sets = _place_sets([(alike[kind], number) for kind, number in taken.items()])
                results += (
                    VerdictFlip(tuple(witnesses[place].name for place in places), becomes)
                    for places in islice(sets, limit - len(results))
                )
            if len(results) >= limit:
                break
        if results:
            return tuple(results)
    return ()


def _place_sets(drawn: Sequence[tuple[Sequence[int], int]]) -> Iterator[tuple[int, ...]]:
    """Yield the sets of places with so many of each kind."""
    for parts in product(*(combinations(places, number) for places, number in drawn)):
        yield tuple(sorted(place for part in parts for place in part))


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

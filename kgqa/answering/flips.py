"""Which sources a verdict stands and falls with: the smallest sets of independent ones without which it is another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, islice, product

from kgqa.answering.weighing import Witness
from kgqa.answering.wording import count_noun, join_phrases
from kgqa.model import Verdict, VerdictFlip

LARGEST_FLIP = 3
"""The most sources of a set."""

_COLLECTIONS = ("CauseNet", "ConceptNet")

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


def word_flips(flips: Sequence[VerdictFlip], sources: int) -> str:
    """Return what a verdict rests on, in words: "2 independent sources; without the page on Soil it becomes unknown".

    `sources` is the number of independent texts on its side.
    """
    rests = count_noun(sources, "independent source") if sources else "no sentence that could be looked up"
    if not flips:
        return f"{rests}; no {LARGEST_FLIP} of them alone decide it"
    flip = flips[0]
    which = _name_sources(flip.without)
    alternatives = ", or another such set," if len(flips) > 1 else ""
    return f"{rests}; without {which}{alternatives} it becomes {flip.becomes.value}"


def _name_sources(names: Sequence[str]) -> str:
    """Return how some sources are called in a sentence: "the pages on Frost and Rust and the entry of CauseNet"."""
    known = list(dict.fromkeys(names))
    entries = [f"the entry of {name}" for name in known if name in _COLLECTIONS]
    hosts = [f"the page at {name}" for name in known if name not in _COLLECTIONS and _is_host(name)]
    pages = [name for name in known if name not in _COLLECTIONS and not _is_host(name)]
    titled = [f"the page{'s' if len(pages) > 1 else ''} on {join_phrases(pages)}"] if pages else []
    return join_phrases([*titled, *hosts, *entries])


def _is_host(name: str) -> bool:
    return "." in name and " " not in name

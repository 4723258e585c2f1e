"""For whom, where, when, at what dose and on what condition a record says something: which of it narrows the claim down."""

from __future__ import annotations

from graph.model import Evidence
from graph.normalize import singular
from kgqa.model import Slots

SLOTS = ("population", "place", "time", "dose", "condition")
"""The slots of a context that can narrow a claim down."""

_SMALL = frozenset(
    "a an the in on at of for with by during among under between since until within throughout from to and or is are was were if "
    "when whenever unless once only very most many some these those this that their his her its".split()
)
_ANYBODY = frozenset(
    "human people person patient man individual mankind humanity everyone anyone case general world normal".split()
)
"""What stands for no narrower case: a claim about humans is a claim about everybody."""

Circumstances = tuple[tuple[str, str], ...]
"""The `(slot, phrase)` by which a question narrows its claim down."""


def content(words: str) -> frozenset[str]:
    """Return the words of a phrase that say something, in the singular."""
    return frozenset(singular(word) for word in words.lower().replace("-", " ").split() if word not in _SMALL)


def narrows(words: str) -> bool:
    """Return whether a phrase speaks of a narrower case: "in adults" does, "in humans" does not."""
    return bool(content(words) - _ANYBODY)


def narrowed(record: Evidence) -> tuple[str, ...]:
    """Return the phrases of a record that narrow down what it says."""
    return tuple(words for slot, words in record.context if slot in SLOTS and narrows(words))


def asked_for(slots: Slots) -> Circumstances:
    """Return the cases that a question narrows its claim down to; empty where it asks in general."""
    named = (("population", slots.population), ("place", slots.place), ("time", slots.time))
    return tuple((slot, phrase) for slot, phrase in named if phrase and narrows(phrase))


def same(one: str, other: str) -> bool:
    """Return whether two phrases speak of one case: the words of one are among those of the other."""
    left, right = content(one), content(other)
    return bool(left and right) and (left <= right or right <= left)


def cases_of(record: Evidence, asked: Circumstances) -> int:
    """Return how many of the cases that are asked for a record is about, in whichever slot it says so."""
    phrases = [words for slot, words in record.context if slot in SLOTS]
    return sum(any(same(phrase, words) for words in phrases) for _, phrase in asked)


def speaks_of(record: Evidence, asked: Circumstances) -> bool:
    """Return whether a record is about every case that is asked for."""
    return cases_of(record, asked) == len(asked)

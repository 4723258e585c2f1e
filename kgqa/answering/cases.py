"""For whom, where, when, at what dose and on what condition a record says something: which of it narrows the claim down."""

from __future__ import annotations

from graph.model import Evidence
from graph.normalize import singular
from kgqa.model import Slots

CONTEXT_SLOTS = ("population", "place", "time", "dose", "condition")
"""The slots of a context that can narrow a claim down."""

_SMALL_WORDS = frozenset(
    "a an the in on at of for with by during among under between since until within throughout from to and or is are was were if "
    "when whenever unless once only very most many some these those this that their his her its".split()
)
_ANYBODY_WORDS = frozenset(
    "human people person patient man individual mankind humanity everyone anyone case general world normal".split()
)
"""What stands for no narrower case: a claim about humans is a claim about everybody."""

Circumstances = tuple[tuple[str, str], ...]
"""The `(slot, phrase)` by which a question narrows its claim down."""


def context_words(words: str) -> frozenset[str]:
    """Return the words of a phrase that say something, in the singular."""
    return frozenset(singular(word) for word in words.lower().replace("-", " ").split() if word not in _SMALL_WORDS)


def narrows_claim(words: str) -> bool:
    """Return whether a phrase speaks of a narrower case: "in adults" does, "in humans" does not."""
    return bool(context_words(words) - _ANYBODY_WORDS)


def narrowing_phrases(record: Evidence) -> tuple[str, ...]:
    """Return the phrases of a record that narrow down what it says."""
    return tuple(words for slot, words in record.context if slot in CONTEXT_SLOTS and narrows_claim(words))


def question_circumstances(slots: Slots) -> Circumstances:
    """Return the cases that a question narrows its claim down to; empty where it asks in general."""
    pairs = (("population", slots.population), ("place", slots.place), ("time", slots.time))
    return tuple((slot, phrase) for slot, phrase in pairs if phrase and narrows_claim(phrase))


def is_same_case(first: str, second: str) -> bool:
    """Return whether two phrases speak of one case: the words of one are among those of the other."""
    left, right = context_words(first), context_words(second)
    return bool(left and right) and (left <= right or right <= left)


def count_matching_cases(record: Evidence, circumstances: Circumstances) -> int:
    """Return how many of the cases that are asked for a record is about, in whichever slot it says so."""
    phrases = [words for slot, words in record.context if slot in CONTEXT_SLOTS]
    return sum(any(is_same_case(phrase, words) for words in phrases) for _, phrase in circumstances)


def covers_circumstances(record: Evidence, circumstances: Circumstances) -> bool:
    """Return whether a record is about every case that is asked for."""
    return count_matching_cases(record, circumstances) == len(circumstances)

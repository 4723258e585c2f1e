"""One way to read a phrase of a question."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConceptLink:
    """The concepts that a phrase is taken to mean: `how` says by which step, `score` (0..1) how sure that is.

    `constraint` are the words of the phrase that the concepts do not have, so that an answer is about more than was asked:
    "lower" where "lower back pain" is read as "back pain". `others` are at most three names that it could have meant as well.
    """

    phrase: str
    concepts: tuple[str, ...]
    score: float
    how: str
    constraint: str = ""
    alternatives: tuple[str, ...] = ()


def describe_link(reading: ConceptLink) -> str:
    """Return how a phrase was read, in a clause: "'severe migraines' read as 'migraine' (without 'severe')"."""
    names = [f"'{name}'" for name in reading.concepts[:3]]
    more = len(reading.concepts) - len(names)
    last = f"{more} more" if more else names.pop()
    listing = f"{', '.join(names)} and {last}" if names else last
    how = {
        "exact": "",
        "alias": "another name for it",
        "acronym": "what the letters stand for" if len(reading.phrase) < len(reading.concepts[0]) else "its abbreviation",
        "same words": "the same words",
        "synonym": "another word for it",
        "same stems": "other forms of the words",
        "core": f"'{reading.constraint}' matters little",
        "direction": "the same in other words",
        "occurrence": "that it happens",
        "narrower": "kinds of it",
        "broader": f"in general, not only '{reading.constraint}'",
        "embedding": "nearest in meaning, a guess",
        "spelling": "taken for a slip of the pen",
    }.get(reading.how, reading.how)
    suffix = f"; it could also mean {', '.join(reading.alternatives)}" if reading.alternatives else ""
    return f"'{reading.phrase}' read as {listing}" + (f" ({how})" if how else "") + suffix

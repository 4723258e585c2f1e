"""How surely a phrase must have been read for an answer to be given, or not to mention how it was read."""

from __future__ import annotations

from kgqa.linking.linker import Reading

SURE = 0.8
"""The least score of a reading that an answer need not mention."""

ENOUGH = 0.45
"""The least score of a wider reading that a list is given for: it leaves out one modifier, and what is left says something.

The causes of "migrate" are none of "birds migrate over deserts", nor those of "death" of "the death of the poet's sister".
"""

NARROWER, BROADER, SPELLING = "narrower", "broader", "spelling"
"""How a phrase was read, where the answer depends on it."""


def is_enough(reading: Reading) -> bool:
    """Return whether a list of what a reading leads to is an answer about the phrase."""
    return reading.how != BROADER or reading.score >= ENOUGH

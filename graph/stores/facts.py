"""Graphs that ship facts only: their evidence says where its sentence stands and how to tell its copies, not what it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from graph.likeness import sketch
from graph.model import Claim, Evidence, Statement

LONGEST_NAME_WORDS = 5
LONGEST_PAIR_WORDS = 7


def without_texts(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the statements without the text of their evidence."""
    for statement in statements:
        yield Statement(statement.claim, without_text(statement.evidence))


def has_short_names(claim: Claim) -> bool:
    """Return whether both names of a claim are short enough to be asked for: five words each at most, seven together."""
    words = len(claim.cause.split()), len(claim.effect.split())
    return max(words) <= LONGEST_NAME_WORDS and sum(words) <= LONGEST_PAIR_WORDS


def without_text(evidence: Evidence) -> Evidence:
    """Return a record without its text, but with its sketch, so that what was one group stays one."""
    return evidence if evidence.text is None else replace(evidence, text=None, sketch=sketch(evidence.text))

"""Graphs that ship facts only: their evidence says where its sentence stands and how to tell its copies, not what it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from graph.likeness import sketch
from graph.model import Claim, Evidence, Statement

LONGEST = 5
LONGEST_PAIR = 7


def facts(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the statements without the text of their evidence."""
    for statement in statements:
        yield Statement(statement.claim, without_text(statement.evidence))


def is_short(claim: Claim) -> bool:
    """Return whether both names of a claim are short enough to be asked for: five words each at most, seven together."""
    words = len(claim.cause.split()), len(claim.effect.split())
    return max(words) <= LONGEST and sum(words) <= LONGEST_PAIR


def without_text(evidence: Evidence) -> Evidence:
    """Return a record without its text, but with its sketch, so that what was one group stays one."""
    return evidence if evidence.text is None else replace(evidence, text=None, sketch=sketch(evidence.text))

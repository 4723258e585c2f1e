"""What can be done to a causal graph: set a concept, or add, remove or replace an edge."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from graph.model import Claim, Edge


class Presence(StrEnum):
    """What an intervention, or the "if" of a question, makes of a concept."""

    ABSENT = "absent"
    PRESENT = "present"


class Intervention(NamedTuple):
    """do(`concept` = `setting`): what the concept is no longer depends on its causes (Pearl 2009, section 3.2)."""

    concept: str
    setting: Presence


class Add(NamedTuple):
    """An edge that is there, with its belief, whatever the graph says of its claim."""

    edge: Edge


class Remove(NamedTuple):
    """A claim that nobody makes."""

    claim: Claim


class Replace(NamedTuple):
    """An edge in the place of a claim: of another belief, polarity or relation, or between other concepts."""

    claim: Claim
    edge: Edge


Edit = Intervention | Add | Remove | Replace

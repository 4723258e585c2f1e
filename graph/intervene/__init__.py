"""Interventions: what can be done to a causal graph, and views of it under such edits; the graph below is untouched.

`Overlay` is imported at its first use, since every question needs `Presence` and few need a view.
"""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from graph.model import Claim, Edge

if TYPE_CHECKING:
    from graph.intervene.overlay import Overlay as Overlay

__all__ = ["Add", "Edit", "Intervention", "Overlay", "Presence", "Remove", "Replace"]


def __getattr__(name: str) -> Any:
    if name != "Overlay":
        raise AttributeError(f"module 'graph.intervene' has no attribute {name!r}")
    globals()[name] = overlay = import_module("graph.intervene.overlay").Overlay
    return overlay


class Presence(StrEnum):
    """The setting of a concept by an intervention, or by the "if" of a question."""

    ABSENT = "absent"
    PRESENT = "present"


class Intervention(NamedTuple):
    """do(`concept` = `setting`): the concept no longer depends on its causes (Pearl 2009, section 3.2)."""

    concept: str
    setting: Presence


class Add(NamedTuple):
    """An edge that is added, with its belief, whatever the graph says of its claim."""

    edge: Edge


class Remove(NamedTuple):
    """A claim that is removed."""

    claim: Claim


class Replace(NamedTuple):
    """An edge in the place of a claim: of another belief, polarity or relation, or between other concepts."""

    claim: Claim
    edge: Edge


Edit = Intervention | Add | Remove | Replace

"""Which interventions a question or a `--do` option asks for, on the concepts of a graph."""

from __future__ import annotations

from collections.abc import Iterable

from graph.intervene import Intervention, Overlay, Presence
from graph.protocols import GraphView
from kgqa.errors import ConceptUnknown, SettingInvalid
from kgqa.linking.linker import Reading, near_names, readings
from kgqa.model import Applied, Condition


def parse_setting(text: str) -> Condition:
    """Return what a `--do` option says, "X=absent" or "X=present"; raises `SettingInvalid` for anything else."""
    target, _, value = text.rpartition("=")
    try:
        return Condition(text, target.strip(), Presence(value.strip().lower()))
    except ValueError:
        raise SettingInvalid(text) from None


def apply(view: GraphView, conditions: Iterable[Condition]) -> tuple[Overlay, tuple[Applied, ...], tuple[Reading, ...]]:
    """Return the view under the conditions, what was applied, and how each target was read.

    Raises `ConceptUnknown` for a target that the graph does not know.
    """
    interventions: list[Intervention] = []
    applied: list[Applied] = []
    read: list[Reading] = []
    for condition in conditions:
        reading = next(readings(condition.target, view), None)
        if reading is None or reading.how == "spelling":
            raise ConceptUnknown(condition.target, near_names(condition.target, view))
        interventions.extend(Intervention(name, condition.presence) for name in reading.concepts)
        applied.append(Applied("do", reading.concepts[0], condition.presence.value, condition.text))
        read.append(reading)
    return Overlay(view, frozenset(interventions)), tuple(applied), tuple(read)

"""Which edits of a graph a question or a `--do` option asks for: what is set, on the concepts and claims of that graph."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graph.intervene import Add, Edit, Intervention, Overlay, Presence, Remove, Replace
from graph.links import DRIVING_LINKS
from graph.model import Claim, Edge
from graph.normalize import concept_name
from graph.protocols import GraphView
from kgqa.errors import ClaimUnknown, ConceptUnknown, SettingInvalid, SettingsContradict
from kgqa.intervention.contradiction import contradiction
from kgqa.linking.linker import Reading, near_names, readings
from kgqa.model import Applied, Condition

ARROW = " → "
"""What stands between the ends of an edge that was set."""

_ARROW = re.compile("->|→")
_FORM = "it says neither X=absent nor X=present, and for an edge neither X->Y=absent nor X->Y=present nor a belief, X->Y=0.8"


@dataclass(frozen=True, slots=True)
class EdgeSetting:
    """That `cause` brings `effect` about with this belief, 0..1, or, at 0, that nothing says so."""

    text: str
    cause: str
    effect: str
    belief: float


Setting = Condition | EdgeSetting


@dataclass(frozen=True, slots=True)
class World:
    """A graph as it is set: the view, what was done, how each phrase was read, and in a few words what is so."""

    view: Overlay
    applied: tuple[Applied, ...]
    read: tuple[Reading, ...]

    @property
    def touched(self) -> tuple[str, ...]:
        """The concepts that are set absent, and the causes of edges that are set."""
        edits = self.view.edits
        absent = [edit.concept for edit in edits if isinstance(edit, Intervention) and edit.setting is Presence.ABSENT]
        removed = [edit.claim.cause for edit in edits if isinstance(edit, Remove | Replace)]
        return tuple(dict.fromkeys((*absent, *removed, *(edit.edge.cause for edit in edits if isinstance(edit, Add)))))

    @property
    def name(self) -> str:
        """What is so in this world: "smoking absent, stress → cancer believed 0.8"."""
        return ", ".join(map(setting_in_words, self.applied))


def parse_setting(text: str) -> Setting:
    """Return what a `--do` option says: "X=absent", "X=present", "X->Y=absent", "X->Y=present" or "X->Y=0.8".

    Raises `SettingInvalid` for anything else.
    """
    target, equals, value = (part.strip() for part in text.rpartition("="))
    if not equals or not target or not value:
        raise SettingInvalid(text, _FORM)
    ends = [end.strip() for end in _ARROW.split(target)]
    if len(ends) > 2 or not all(any(character.isalnum() for character in end) for end in ends):
        raise SettingInvalid(text, "an edge leads from one concept to another, as in 'X->Y=absent'")
    presence = Presence(value.lower()) if value.lower() in set(Presence) else None
    if len(ends) == 1 and presence is not None:
        return Condition(text, target, presence)
    if len(ends) == 1:
        raise SettingInvalid(text, f"a concept is absent or present, not '{value}'")
    belief = _belief(value) if presence is None else float(presence is Presence.PRESENT)
    if belief is None:
        raise SettingInvalid(text, f"an edge is absent, present or believed with a number from 0 to 1, not '{value}'")
    return EdgeSetting(text, ends[0], ends[1], belief)


def parse_settings(texts: Iterable[str]) -> tuple[Setting, ...]:
    """Return what all `--do` options of a command say; raises `SettingInvalid` for one that cannot be read."""
    return tuple(map(parse_setting, texts))


def apply(view: GraphView, settings: Iterable[Setting]) -> World:
    """Return the world that the settings make of a graph.

    Raises `ConceptUnknown` for a phrase that the graph does not know, `ClaimUnknown` for an edge to be taken away that it does
    not have, and `SettingsContradict` for settings that cannot all be so.
    """
    edits: list[Edit] = []
    applied: list[Applied] = []
    read: list[Reading] = []
    for setting in settings:
        if isinstance(setting, Condition):
            reading = _read(setting.target, view, setting.text)
            read.append(reading)
            edits.extend(Intervention(name, setting.presence) for name in reading.concepts)
            applied.append(Applied("do", reading.concepts[0], setting.presence.value, setting.text))
        else:
            cause, effect = (_read(end, view, setting.text) for end in (setting.cause, setting.effect))
            if set(cause.concepts) & set(effect.concepts):
                raise SettingInvalid(setting.text, f"both ends of the edge are '{cause.concepts[0]}'")
            read += [cause, effect]
            made, operation = _edge_edits(view, setting, cause, effect)
            edits += made
            ends = cause.concepts[0], effect.concepts[0]
            applied.append(
                Applied(operation, ARROW.join(ends), f"{setting.belief:g}" if setting.belief else "absent", setting.text)
            )
    wrong = contradiction(edits)
    if wrong:
        raise SettingsContradict([one.source for one in applied], wrong)
    return World(Overlay(view, edits), tuple(applied), tuple(dict.fromkeys(read)))


def _edge_edits(view: GraphView, setting: EdgeSetting, cause: Reading, effect: Reading) -> tuple[Sequence[Edit], str]:
    """Return the edits that set an edge, and what they do: "remove", "replace" or "add".

    Taking it away takes every claim from the one to the other; else one claim has the belief and others that also say that it
    drives are taken away. What was counted for a claim is not what its new belief rests on, so it goes.
    """
    targets = set(effect.concepts)
    between = [edge for name in cause.concepts for edge in view.effects(name) if edge.effect in targets]
    if not setting.belief:
        if not between:
            raise ClaimUnknown(cause.concepts[0], effect.concepts[0])
        return [Remove(edge.claim) for edge in between], "remove"
    driving = [edge for edge in between if (edge.claim.relation, edge.claim.polarity) in DRIVING_LINKS.kinds]
    if not driving:
        return [Add(Edge(Claim(cause.concepts[0], effect.concepts[0]), setting.belief))], "add"
    best = max(driving, key=lambda edge: edge.belief)
    others = [Remove(edge.claim) for edge in driving if edge is not best]
    told = replace(best, belief=setting.belief, support=0, against=0, hedged=0, grounds=())
    return [*others, Replace(best.claim, told)], "replace"


def _read(phrase: str, view: GraphView, text: str) -> Reading:
    """Return the first reading of a phrase of a setting; raises `ConceptUnknown` where there is none but another spelling."""
    # "If there were more vitamin C": that there is more is what is supposed, and no part of the name.
    reading = next(readings(phrase, view), None) or next(readings(concept_name(phrase), view), None)
    if reading is None or reading.how == "spelling":
        near = near_names(phrase, view)
        is_option = "=" in text  # and no phrase of a question
        raise ConceptUnknown(phrase, near, f"--do {shlex.quote(text.replace(phrase, near[0], 1))}" if near and is_option else "")
    return reading


def _belief(text: str) -> float | None:
    """Return a number from 0 to 1, or `None` for anything else."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0.0 <= number <= 1.0 else None


def setting_in_words(applied: Applied) -> str:
    """Return what is so after an intervention: "smoking absent", "stress → cancer believed 0.8"."""
    if applied.operation in ("do", "remove"):
        return f"{applied.target} {applied.value}"
    return f"{applied.target} believed {applied.value}"

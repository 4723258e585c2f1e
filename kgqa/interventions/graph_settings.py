"""The edits of a graph that a question or a `--do` option asks for: what is set, on the concepts and claims of that graph.

With a concept that is set absent go its kinds: without smoking there is no cigarette smoking.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from graph.cached_view import expect_names
from graph.intervene import Add, Edit, Intervention, Presence, Remove, Replace
from graph.intervene.overlay import PREVENTING_LINKS, Overlay
from graph.model import Claim, Edge, Relation
from graph.protocols import GraphView
from graph.text.normalise import concept_name
from graph.topology import DRIVING_LINKS
from kgqa.answer_model import AppliedIntervention
from kgqa.errors import ClaimUnknown, ConceptUnknown, SettingInvalid, SettingsContradict
from kgqa.linking.concept_links import ConceptLink
from kgqa.linking.lexical_relations import changes_polarity
from kgqa.linking.linker import link_phrase, similar_names
from kgqa.linking.mention import ConceptMention, is_narrower_name, narrower_names
from kgqa.question import Amount, Condition


def _edit_contradiction(edits: Sequence[Edit]) -> str:
    """Return what two of the edits say that cannot both be so, or an empty string."""
    forced: dict[str, Presence] = {}
    for edit in edits:
        if isinstance(edit, Intervention) and forced.setdefault(edit.concept, edit.setting) is not edit.setting:
            return f"'{edit.concept}' cannot be both absent and present"
    believed: dict[Claim, float] = {}
    removed = {edit.claim for edit in edits if isinstance(edit, Remove)}
    for edit in edits:
        if not isinstance(edit, Add | Replace):
            continue
        claim, belief = edit.edge.claim, edit.edge.belief
        if claim in removed:
            return f"'{claim.cause}->{claim.effect}' cannot be both there and absent"
        if (earlier_belief := believed.setdefault(claim, belief)) != belief:
            return f"'{claim.cause}->{claim.effect}' cannot be believed both {earlier_belief:g} and {belief:g}"
        if claim.effect in forced:
            return f"'{claim.effect}' is set {forced[claim.effect].value}, so that nothing can bring it about"
        if forced.get(claim.cause) is Presence.ABSENT:
            return f"'{claim.cause}' is set absent, so that it can bring nothing about"
    return ""


def _kinds_removed_with(reading: ConceptLink, view: GraphView, among: Iterable[str]) -> tuple[str, ...]:
    """Return the concepts that are named as kinds of what a phrase was read as: by its whole name behind other words.

    Of the names `among`, a single event ("2004 Indian Ocean earthquake"), what is "of" it ("attraction of the Moon") and a case
    of it ("earthquake of magnitude 9") go with it as well; a lack of it, and what is done "in" it, does not.
    """
    ends = tuple(f" {name}" for name in reading.concepts)
    kinds: dict[str, None] = {}
    for concept in reading.concepts:
        mention = ConceptMention(concept, view)
        kinds.update((name, None) for name in narrower_names(mention, MAX_REMOVED_KINDS) if name.endswith(ends))
        for name in among:
            if name.endswith(ends) and (re.match(r"(?:1\d|20)\d\d ", name) or is_narrower_name(mention, name)):
                kinds[name] = None
        cases = tuple(f"{concept} {link} " for link in _KIND_LINKS)
        owners = tuple(f" {link} {the}{concept}" for link in ("of", "from") for the in ("", "the "))
        for name in among:
            belongs = name.startswith(cases) or name.endswith(owners) or name == f"{concept} species"
            if belongs and not changes_polarity(concept, name):
                kinds[name] = None
    return tuple(name for name in kinds if name not in reading.concepts)


_TAKINGS = ("consumption", "intake", "use", "abuse", "drinking", "eating", "ingestion", "exposure", "emission", "burning")
MAX_REMOVED_KINDS = 200
"""So many kinds at most are taken away, those with the shortest names."""
_KIND_LINKS = ("of", "from", "in")
SettingLinker = Callable[[str, GraphView], Iterable[ConceptLink]]
"""Yields the readings of a phrase, surest first."""
_READINGS_TRIED = 2
"""So many readings of an effect are looked at for causes that are kinds of what is set absent."""
_READINGS_MERGED, _SAME_NAMES = 4, frozenset(("exact", "alias", "same words"))
EDGE_ARROW = " → "
"""What stands between the ends of an edge that was set."""
_FORM = "it says neither X=absent nor X=present, and for an edge neither X->Y=absent nor X->Y=present nor a belief, X->Y=0.8"


@dataclass(frozen=True, slots=True)
class EdgeSetting:
    """That `cause` brings `effect` about, or prevents it, with this belief, 0..1, or, at 0, that nothing says so."""

    text: str
    cause: str
    effect: str
    belief: float
    relation: Relation = Relation.CAUSES


GraphSetting = Condition | EdgeSetting


@dataclass(frozen=True, slots=True)
class AppliedSetting:
    """One setting with how its phrases were read: that of a concept, or both ends of a claim.

    `kinds` are concepts that go with one that is set absent, because they are kinds of it.
    """

    setting: GraphSetting
    reading: ConceptLink
    effect: ConceptLink | None = None
    kinds: tuple[str, ...] = ()

    @property
    def takes(self) -> bool:
        """Whether it takes something away: a concept, a claim, or some of a concept."""
        if isinstance(self.setting, EdgeSetting):
            return not self.setting.belief
        return self.setting.value in (Presence.ABSENT, Amount.LESS)

    @property
    def graded(self) -> bool:
        """Whether it is that there is more or less of a concept, and not that there is none."""
        return isinstance(self.setting, Condition) and self.setting.amount is not None

    @property
    def cuts(self) -> bool:
        """Whether it takes something away altogether, with all that this leads to."""
        return self.takes and not self.graded

    @property
    def concepts(self) -> tuple[str, ...]:
        """What was set: the concept in all its forms, with its kinds; of a claim, its cause."""
        return (*self.reading.concepts, *self.kinds)


@dataclass(frozen=True, slots=True)
class InterventionWorld:
    """A graph as it is set: the view, what was done, how each phrase was read, what each setting is about."""

    view: Overlay
    applied: tuple[AppliedIntervention, ...]
    read: tuple[ConceptLink, ...]
    parts: tuple[AppliedSetting, ...] = ()

    @property
    def touched(self) -> tuple[str, ...]:
        """The concepts that are set absent, and the causes of edges that are set."""
        edits = self.view.edits
        names = [edit.concept for edit in edits if isinstance(edit, Intervention) and edit.setting is Presence.ABSENT]
        names += [edit.claim.cause for edit in edits if isinstance(edit, Remove | Replace)]
        return tuple(dict.fromkeys((*names, *(edit.edge.cause for edit in edits if isinstance(edit, Add)))))

    @property
    def name(self) -> str:
        """What is so in this world: "smoking absent, stress → cancer believed 0.8", "more stress"."""
        texts = []
        for operation, target, value, _ in self.applied:
            believed = "" if operation in ("do", "remove") else "believed "
            texts.append(f"{value} {target}" if value in set(Amount) else f"{target} {believed}{value}")
        return ", ".join(texts)


def parse_setting(text: str) -> GraphSetting:
    """Return what a `--do` option says: "X=absent", "X=present", "X->Y=absent", "X->Y=present" or "X->Y=0.8".

    Raises `SettingInvalid` for anything else.
    """
    target, equals, value = (part.strip() for part in text.rpartition("="))
    if not equals or not target or not value:
        raise SettingInvalid(text, _FORM)
    ends = [end.strip() for end in re.split("->|→", target)]
    if len(ends) > 2 or not all(any(character.isalnum() for character in end) for end in ends):
        raise SettingInvalid(text, "an edge leads from one concept to another, as in 'X->Y=absent'")
    presence = Presence(value.lower()) if value.lower() in set(Presence) else None
    if len(ends) == 1:
        if presence is None:
            raise SettingInvalid(text, f"a concept is absent or present, not '{value}'")
        return Condition(text, target, presence)
    try:
        belief = float(value) if presence is None else float(presence is Presence.PRESENT)
    except ValueError:
        belief = -1.0
    if not 0.0 <= belief <= 1.0:
        raise SettingInvalid(text, f"an edge is absent, present or believed with a number from 0 to 1, not '{value}'")
    return EdgeSetting(text, ends[0], ends[1], belief)


def parse_settings(texts: Iterable[str]) -> tuple[GraphSetting, ...]:
    """Return what all `--do` options of a command say; raises `SettingInvalid` for one that cannot be read."""
    return tuple(map(parse_setting, texts))


def settings_of_condition(condition: Condition) -> tuple[GraphSetting, ...]:
    """Return everything that an "if" supposes, as settings of concepts and of claims."""
    settings: list[GraphSetting] = []
    for part in condition.each:
        belief = float(part.presence is Presence.PRESENT)
        settings.append(part if part.effect is None else EdgeSetting(part.text, part.target, part.effect, belief, part.relation))
    return tuple(settings)


def condition_of_settings(settings: Sequence[GraphSetting]) -> Condition | None:
    """Return settings as the "if" that supposes the same; `None` where a claim is believed neither fully nor not at all."""
    if any(isinstance(setting, EdgeSetting) and setting.belief not in (0.0, 1.0) for setting in settings):
        return None
    first, *rest = (
        setting
        if isinstance(setting, Condition)
        else Condition(
            setting.text,
            setting.cause,
            Presence.PRESENT if setting.belief else Presence.ABSENT,
            effect=setting.effect,
            relation=setting.relation,
        )
        for setting in settings
    )
    return first._replace(also=tuple(rest))


def apply_settings(
    view: GraphView, settings: Iterable[GraphSetting], link: SettingLinker = link_phrase, kinds_among: Iterable[str] | None = None
) -> InterventionWorld:
    """Return the world that the settings make of a graph; `link` reads their phrases.

    With names to look among (`kinds_among`), whatever is a kind of something that is set absent is absent as well: without
    smoking there is no cigarette smoking. Raises `ConceptUnknown` for a phrase that the graph does not know, `ClaimUnknown` for
    an edge to be taken away that it does not have, and `SettingsContradict` for settings that cannot all be so.
    """
    edits: list[Edit] = []
    applied: list[AppliedIntervention] = []
    parts: list[AppliedSetting] = []
    for setting in settings:
        if isinstance(setting, Condition):
            reading = _link_phrase(setting.target, view, setting.text, link)
            absent = setting.presence is Presence.ABSENT
            kinds: tuple[str, ...] = ()
            if kinds_among is not None and (absent or setting.amount):
                kinds = _kinds_removed_with(reading, view, kinds_among) if absent else ()
                kinds = tuple(dict.fromkeys((*kinds, *_takings_of(reading, view))))
            parts.append(AppliedSetting(setting, reading, kinds=kinds))
            edits += [Intervention(name, setting.presence) for name in parts[-1].concepts]
            applied.append(AppliedIntervention("do", reading.concepts[0], setting.value, setting.text))
        else:
            cause, effect = (_link_phrase(end, view, setting.text, link) for end in (setting.cause, setting.effect))
            if set(cause.concepts) & set(effect.concepts):
                raise SettingInvalid(setting.text, f"both ends of the edge are '{cause.concepts[0]}'")
            parts.append(AppliedSetting(setting, cause, effect))
            made, operation = _edge_edits(view, setting, cause, effect)
            edits += made
            value = f"{setting.belief:g}" if setting.belief else "absent"
            target = f"{cause.concepts[0]}{EDGE_ARROW}{effect.concepts[0]}"
            applied.append(AppliedIntervention(operation, target, value, setting.text))
    wrong = _edit_contradiction(edits)
    values: dict[str, str] = {}
    for _, target, value, _ in applied if not wrong else ():
        before = values.setdefault(target, value)
        if before != value:
            wrong = f"'{target}' cannot be both {before} and {value}"
            break
    if wrong:
        raise SettingsContradict([applied_edit.source for applied_edit in applied], wrong)
    read = [reading for part in parts for reading in (part.reading, part.effect) if reading is not None]
    return InterventionWorld(Overlay(view, edits), tuple(applied), tuple(dict.fromkeys(read)), tuple(parts))


def _takings_of(reading: ConceptLink, view: GraphView) -> Iterator[str]:
    """Yield how something is taken in or given off: with alcohol goes alcohol consumption, and there is more or less of both."""
    own = set(reading.concepts)
    forms = ((f"{concept} {word}", f"{word} of {concept}") for concept in reading.concepts for word in _TAKINGS)
    names = list(chain.from_iterable(forms))
    expect_names(view, lambda: names)
    yield from (taking.name for name in names if (taking := view.concept(name)) is not None and taking.name not in own)


def causes_asked_about(view: GraphView, phrase: str | None, link: SettingLinker = link_phrase) -> frozenset[str]:
    """Return the causes of what a phrase is read as, surest readings first: some may be kinds of a concept that is set absent."""
    read = islice(link(phrase, view), _READINGS_TRIED) if phrase else ()
    return frozenset(edge.cause for reading in read for name in reading.concepts for edge in view.causes(name))


def _edge_edits(view: GraphView, setting: EdgeSetting, cause: ConceptLink, effect: ConceptLink) -> tuple[Sequence[Edit], str]:
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
    prevents = setting.relation is Relation.PREVENTS
    wanted = PREVENTING_LINKS.kinds if prevents else DRIVING_LINKS.kinds
    alike = [edge for edge in between if (edge.claim.relation, edge.claim.polarity) in wanted]
    if not alike:
        claim = Claim(cause.concepts[0], effect.concepts[0], setting.relation if prevents else Relation.CAUSES)
        return [Add(Edge(claim, setting.belief))], "add"
    best = max(alike, key=lambda edge: edge.belief)
    removals = [Remove(edge.claim) for edge in alike if edge is not best]
    replacement = replace(best, belief=setting.belief, support=0, against=0, hedged=0, grounds=())
    return [*removals, Replace(best.claim, replacement)], "replace"


def _link_phrase(phrase: str, view: GraphView, text: str, link: SettingLinker) -> ConceptLink:
    """Return the first reading of a phrase of a setting, with the names of all that are forms of the same words.

    Raises `ConceptUnknown` where there is none but another spelling.
    """
    # "If there were more vitamin C": that there is more is what is supposed, and no part of the name.
    readings = list(islice(link(phrase, view), _READINGS_MERGED)) or list(islice(link(concept_name(phrase), view), 1))
    if not readings or readings[0].how == "spelling":
        near = similar_names(phrase, view)
        is_option = "=" in text  # and no phrase of a question
        raise ConceptUnknown(phrase, near, f"--do {shlex.quote(text.replace(phrase, near[0], 1))}" if near and is_option else "")
    names = (name for reading in readings if reading.how in _SAME_NAMES for name in reading.concepts)
    return replace(readings[0], concepts=tuple(dict.fromkeys((*readings[0].concepts, *names))))

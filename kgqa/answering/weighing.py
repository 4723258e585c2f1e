"""The evidence for and against a claim, weighed by independent witnesses: what the verdict follows from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from graph.belief import AGAINST, HEDGED_WEIGHT, Standing, belief, standing, trust
from graph.grounds import independent_groups, tally
from graph.model import Claim, Edge, Evidence, Ground, Stance
from graph.protocols import GraphView
from kgqa.answering.cases import Circumstances, narrowed, speaks_of
from kgqa.answering.voice import Voice, name_of, voice, weight
from kgqa.model import Verdict

CONTRARY_WEIGHT = 0.5
"""What an assertion of the opposite weighs as a denial: more can do the one where less does the other."""

FIRM_WEIGHT = 0.5
"""The least weight of a denial upon which alone a claim is refuted."""


class Role(Enum):
    """What the claim of an edge has to do with what is asked: it says just that, more than that, less, or the opposite.

    What says more is evidence for it, but not against it where it is denied; what says less the other way round.
    """

    SAYS = "says"
    MORE = "more"
    LESS = "less"
    CONTRARY = "contrary"


class Testimony(NamedTuple):
    """What a record does: it speaks for what is asked (`favours`) or against it, in a voice and with a weight.

    `opposes` where it asserts the opposite and does not just deny.
    """

    record: Evidence
    favours: bool
    voice: Voice
    weight: float
    opposes: bool = False


class Witness(NamedTuple):
    """An independent group of records: what it weighs on either side, and in which voice it speaks for what is asked."""

    name: str
    supporting: float = 0.0
    denying: float = 0.0
    speaks: Voice | None = None
    denies: Voice | None = None
    opposes: bool = False


@dataclass(frozen=True, slots=True)
class Weighed:
    """The witnesses of a claim, the edges that they speak of, and what belief makes of them.

    `apart` are the cases for which alone it is denied ("in adults"), which does not refute it. `particular` says that only
    records about the case that was asked for were weighed. `disputing` are the independent texts that deny the opposite.
    """

    edges: tuple[Edge, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    parts: tuple[Testimony, ...] = ()
    grounds: tuple[Ground, ...] = ()
    apart: tuple[str, ...] = ()
    particular: bool = False
    disputing: int = 0

    def count(self, *voices: Voice) -> int:
        """Return how many witnesses speak for the claim in one of these voices."""
        return sum(one.speaks in voices for one in self.witnesses)

    @property
    def denying(self) -> int:
        """How many witnesses deny it in a text of their own."""
        return sum(one.denies is Voice.TEXT for one in self.witnesses)

    @property
    def reported(self) -> int:
        """How many witnesses only report that it is denied."""
        return sum(one.denies is Voice.OPINION for one in self.witnesses)

    @property
    def belief(self) -> float:
        """The belief in the claim, 0..1."""
        return belief(self.grounds)

    @property
    def disbelief(self) -> float:
        """How sure it is, 0..1, that the claim is denied."""
        return trust(self.grounds, AGAINST)


def weigh(view: GraphView, roles: Mapping[Edge, Role], asked: Circumstances = ()) -> Weighed:
    """Weigh the evidence of the edges, each in its role; where `asked` names a case of which records speak, only those."""
    found = [(edge, role, record) for edge, role in roles.items() for record in view.evidence(edge.claim)]
    particular = [one for one in found if asked and speaks_of(one[2], asked)]
    parts: list[Testimony] = []
    limited: list[Testimony] = []
    edges: dict[Edge, None] = {}
    disputing, disputed = _dispute(particular or found)
    for edge, role, record in particular or found:
        part = _part(edge.claim, role, record)
        if part is not None and part.opposes and disputed:
            part = part._replace(weight=CONTRARY_WEIGHT * part.weight)
        if part is not None:
            edges.setdefault(edge)
            (limited if not part.favours and not particular and narrowed(record) else parts).append(part)
    favouring = [part for part in parts if part.favours]
    if favouring and all(narrowed(part.record) for part in favouring):
        # Neither side speaks in general, so that the one is no exception to the other.
        parts, limited = [*parts, *limited], []
    return Weighed(
        tuple(edges),
        _witnesses(parts),
        (*parts, *limited),
        tally([_as_believed(part) for part in parts]).grounds if parts else (),
        tuple(dict.fromkeys(words for part in limited for words in narrowed(part.record))),
        bool(particular),
        disputing,
    )


def verdict_of(witnesses: Iterable[Witness], may: bool = False) -> Verdict:
    """Return the verdict that some witnesses make; `may` says that the question asks only whether it can be so.

    Contested is where the lighter side has a quarter of the weight. A yes needs a text that asserts it, or one that hedges where
    it is asked whether it can be so; an entry of a collection suffices only where no text says less. A no needs a denial of some
    weight, not an opinion alone.
    """
    present = list(witnesses)
    support = _together((one.supporting, one.speaks) for one in present)
    found = standing(support, _together((one.denying, one.denies) for one in present))
    if found is Standing.CONTESTED:
        return Verdict.CONTESTED
    if found is Standing.REFUTED:
        return Verdict.NO if any(one.denying >= FIRM_WEIGHT for one in present) else Verdict.UNKNOWN
    if found is Standing.SUPPORTED:
        voices = {one.speaks for one in present if one.speaks is not None}
        if Voice.TEXT in voices or voices == {Voice.BARE} or (may and Voice.HEDGE in voices):
            return Verdict.YES
    return Verdict.UNKNOWN


def _together(weights: Iterable[tuple[float, Voice | None]]) -> float:
    """Return what one side weighs: entries and opinions, which nobody can look up, together no more than one hedge."""
    firm = weak = 0.0
    for number, heard in weights:
        if heard in (Voice.BARE, Voice.OPINION):
            weak += number
        else:
            firm += number
    return firm + min(weak, HEDGED_WEIGHT)


def _dispute(found: Iterable[tuple[Edge, Role, Evidence]]) -> tuple[int, bool]:
    """Return how many independent texts deny the opposite of what is asked, and whether they leave it unsettled or refuted.

    To deny the opposite says nothing for what is asked, but what is itself disputed refutes nothing.
    """
    contrary = [(edge, record) for edge, role, record in found if role is Role.CONTRARY]
    heard = [record for edge, record in contrary if voice(record, edge.claim) is Voice.TEXT]
    asserting, denying = (
        len(independent_groups([one for one in heard if one.stance is stance])) for stance in (Stance.ASSERTED, Stance.NEGATED)
    )
    return denying, denying > 0 and standing(asserting, denying) is not Standing.SUPPORTED


def _part(claim: Claim, role: Role, record: Evidence) -> Testimony | None:
    """Return what a record does for what is asked; `None` where it says nothing about it."""
    heard = voice(record, claim)
    if record.stance is Stance.NEGATED:
        return None if role in (Role.CONTRARY, Role.MORE) else Testimony(record, False, heard, weight(record, claim))
    if role is Role.CONTRARY:
        asserted = record.stance is Stance.ASSERTED and heard is Voice.TEXT
        return Testimony(record, False, heard, CONTRARY_WEIGHT * weight(record, claim), opposes=True) if asserted else None
    if record.stance not in (Stance.ASSERTED, Stance.HEDGED):
        return None
    if role is Role.LESS:
        return Testimony(record, True, Voice.LINK, 0.0)
    return Testimony(record, True, heard, weight(record, claim))


def _witnesses(parts: Sequence[Testimony]) -> tuple[Witness, ...]:
    """Return the independent groups of some records; the weight of a group on a side is that of its weightiest record."""
    of_record = {id(part.record): part for part in parts}
    found = []
    for group in independent_groups([part.record for part in parts]):
        members = [of_record[id(record)] for record in group]
        speaking = sorted((one for one in members if one.favours), key=_order)
        against = sorted((one for one in members if not one.favours), key=_order)
        found.append(
            Witness(
                name_of((speaking or against)[0].record.source),
                max((one.weight for one in speaking), default=0.0),
                max((one.weight for one in against), default=0.0),
                speaking[0].voice if speaking else None,
                against[0].voice if against else None,
                bool(against) and all(one.opposes for one in against),
            )
        )
    return tuple(sorted(found, key=lambda one: (-one.supporting, -one.denying, one.name)))


_VOICES = list(Voice)


def _order(part: Testimony) -> tuple[int, float]:
    return _VOICES.index(part.voice), -part.weight


def _as_believed(part: Testimony) -> Evidence:
    """Return a record as the belief in what is asked counts it.

    Whatever is no text of its own counts as a hedge; a denial that weighs no more than one counts for nothing.
    """
    if not part.favours:
        counts = part.voice is Voice.TEXT and part.weight > HEDGED_WEIGHT
        return replace(part.record, stance=Stance.NEGATED if counts else Stance.QUESTIONED)
    if part.voice is Voice.LINK:
        return replace(part.record, stance=Stance.QUESTIONED)
    return part.record if part.voice is Voice.TEXT else replace(part.record, stance=Stance.HEDGED)

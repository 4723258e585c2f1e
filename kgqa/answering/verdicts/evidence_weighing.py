"""The evidence for and against a claim, weighed by independent witnesses: the verdict, what it rests on, and what splits it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import chain, combinations, combinations_with_replacement, islice, product
from math import log2
from typing import NamedTuple

from graph.belief.belief import HEDGED_WEIGHT, Standing, belief, classify_standing
from graph.belief.curation import counted_records
from graph.belief.independence import count_evidence, independent_groups
from graph.model import Claim, Edge, Evidence, Ground, Stance
from graph.protocols import GraphView
from kgqa.answer_model import LARGEST_FLIP, ContextSplit, Verdict, VerdictFlip
from kgqa.answering.evidence_kind import (
    CONTEXT_SLOTS,
    Circumstances,
    EvidenceKind,
    count_matching_cases,
    evidence_kind,
    evidence_weight,
    is_same_case,
    narrowing_phrases,
    narrows_claim,
    source_name,
)

CONTRARY_WEIGHT = 0.5
"""What an assertion of the opposite weighs as a denial: more can do the one where less does the other."""
FIRM_WEIGHT = 0.5
"""The least weight of a denial upon which alone a claim is refuted."""
MIN_SEPARATION = 0.3
"""The least share of the uncertainty about the side that a slot must take away to be said to separate the two."""


class ClaimRole(Enum):
    """The role of a claim towards the proposition of a question: it says the same, more, less, or the opposite.

    What says more is evidence for it, but not against it where it is denied; what says less the other way round.
    """

    SAYS = "says"
    MORE = "more"
    LESS = "less"
    CONTRARY = "contrary"


class Testimony(NamedTuple):
    """What a record does: it speaks for the proposition (`favours`) or against it, in a voice and with a weight.

    `opposes` where it asserts the opposite and does not just deny.
    """

    record: Evidence
    favours: bool
    evidence_kind: EvidenceKind
    weight: float
    opposes: bool = False


class Witness(NamedTuple):
    """An independent group of records: its weight on either side, and the voice in which it speaks for the proposition."""

    name: str
    supporting: float = 0.0
    denying: float = 0.0
    speaks: EvidenceKind | None = None
    denies: EvidenceKind | None = None
    opposes: bool = False


@dataclass(frozen=True, slots=True)
class WeighedEvidence:
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

    def count(self, *voices: EvidenceKind) -> int:
        """Return how many witnesses speak for the claim in one of these voices."""
        return sum(witness.speaks in voices for witness in self.witnesses)

    @property
    def denying(self) -> int:
        """How many witnesses deny it in a text of their own."""
        return sum(witness.denies is EvidenceKind.TEXT for witness in self.witnesses)

    @property
    def reported(self) -> int:
        """How many witnesses only report that it is denied."""
        return sum(witness.denies is EvidenceKind.OPINION for witness in self.witnesses)

    @property
    def belief(self) -> float:
        """The belief in the claim, 0..1."""
        return belief(self.grounds)


def weigh_evidence(view: GraphView, roles: Mapping[Edge, ClaimRole], circumstances: Circumstances = ()) -> WeighedEvidence:
    """Weigh the evidence of the edges, each in its role; where records speak of the `circumstances`, only those."""
    entries = [(edge, role, record) for edge, role in roles.items() for record in counted_records(view.evidence(edge.claim))]
    total = len(circumstances)
    particular = [entry for entry in entries if total and count_matching_cases(entry[2], circumstances) == total]
    parts: list[Testimony] = []
    limited: list[Testimony] = []
    edges: dict[Edge, None] = {}
    disputing, disputed = _opposite_dispute(particular or entries)
    for edge, role, record in particular or entries:
        part = _testimony(edge.claim, role, record)
        if part is None:
            continue
        if part.opposes and disputed:
            part = part._replace(weight=CONTRARY_WEIGHT * part.weight)
        edges.setdefault(edge)
        (limited if not part.favours and not particular and narrowing_phrases(record) else parts).append(part)
    favouring = [part for part in parts if part.favours]
    if favouring and all(narrowing_phrases(part.record) for part in favouring):
        # Neither side speaks in general, so that the one is no exception to the other.
        parts, limited = [*parts, *limited], []
    return WeighedEvidence(
        tuple(edges),
        _group_witnesses(parts),
        (*parts, *limited),
        count_evidence([_record_for_belief(part) for part in parts]).grounds if parts else (),
        tuple(dict.fromkeys(words for part in limited for words in narrowing_phrases(part.record))),
        bool(particular),
        disputing,
    )


def witness_verdict(witnesses: Iterable[Witness], may: bool = False) -> Verdict:
    """Return the verdict that some witnesses make; `may` says that the question asks only whether it can be so.

    Contested is where the lighter side has a quarter of the weight. A yes needs a text that asserts it, or one that hedges where
    it is asked whether it can be so or another witness says as much; an entry of a collection suffices only where no text says
    less. A no needs a denial of some weight, not an opinion alone.
    """
    present = list(witnesses)
    support = _side_weight((witness.supporting, witness.speaks) for witness in present)
    status = classify_standing(support, _side_weight((witness.denying, witness.denies) for witness in present))
    if status is Standing.CONTESTED:
        return Verdict.CONTESTED
    if status is Standing.REFUTED:
        return Verdict.NO if any(witness.denying >= FIRM_WEIGHT for witness in present) else Verdict.UNKNOWN
    if status is Standing.SUPPORTED:
        voices = Counter(witness.speaks for witness in present if witness.speaks is not None)
        agreed = may or voices[EvidenceKind.HEDGE] + voices[EvidenceKind.BARE] > 1
        if voices[EvidenceKind.TEXT] or set(voices) == {EvidenceKind.BARE} or (voices[EvidenceKind.HEDGE] and agreed):
            return Verdict.YES
    return Verdict.UNKNOWN


def _side_weight(weights: Iterable[tuple[float, EvidenceKind | None]]) -> float:
    """Return what one side weighs: entries and opinions, which nobody can look up, together no more than one hedge."""
    firm = weak = 0.0
    for weight, kind in weights:
        if kind in (EvidenceKind.BARE, EvidenceKind.OPINION):
            weak += weight
        else:
            firm += weight
    return firm + min(weak, HEDGED_WEIGHT)


def _opposite_dispute(entries: Iterable[tuple[Edge, ClaimRole, Evidence]]) -> tuple[int, bool]:
    """Return how many independent texts deny the opposite of the proposition, and whether that leaves it unsettled or refuted.

    A denial of the opposite does not support the proposition, but an opposite that is disputed does not refute it.
    """
    contrary = [(edge, record) for edge, role, record in entries if role is ClaimRole.CONTRARY]
    heard = [record for edge, record in contrary if evidence_kind(record, edge.claim) is EvidenceKind.TEXT]
    asserting, denying = (
        len(independent_groups([text_record for text_record in heard if text_record.stance is stance]))
        for stance in (Stance.ASSERTED, Stance.NEGATED)
    )
    return denying, denying > 0 and classify_standing(asserting, denying) is not Standing.SUPPORTED


def _testimony(claim: Claim, role: ClaimRole, record: Evidence) -> Testimony | None:
    kind, weight = evidence_kind(record, claim), evidence_weight(record, claim)
    if record.stance is Stance.NEGATED:
        return None if role in (ClaimRole.CONTRARY, ClaimRole.MORE) else Testimony(record, False, kind, weight)
    if role is ClaimRole.CONTRARY:
        asserted = record.stance is Stance.ASSERTED and kind is EvidenceKind.TEXT
        return Testimony(record, False, kind, CONTRARY_WEIGHT * weight, opposes=True) if asserted else None
    if record.stance not in (Stance.ASSERTED, Stance.HEDGED):
        return None
    return Testimony(record, True, EvidenceKind.LINK, 0.0) if role is ClaimRole.LESS else Testimony(record, True, kind, weight)


def _group_witnesses(parts: Sequence[Testimony]) -> tuple[Witness, ...]:
    """Return the independent groups of some records; the weight of a group on a side is that of its weightiest record."""
    kinds = list(EvidenceKind)
    of_record = {id(part.record): part for part in parts}
    witnesses = []
    for group in independent_groups([part.record for part in parts]):
        members = sorted(
            (of_record[id(record)] for record in group), key=lambda part: (kinds.index(part.evidence_kind), -part.weight)
        )
        speaking, against = ([part for part in members if part.favours is side] for side in (True, False))
        witnesses.append(
            Witness(
                source_name((speaking or against)[0].record.source),
                max((part.weight for part in speaking), default=0.0),
                max((part.weight for part in against), default=0.0),
                speaking[0].evidence_kind if speaking else None,
                against[0].evidence_kind if against else None,
                bool(against) and all(part.opposes for part in against),
            )
        )
    return tuple(sorted(witnesses, key=lambda witness: (-witness.supporting, -witness.denying, witness.name)))


def _record_for_belief(part: Testimony) -> Evidence:
    """Return a record as the belief in the proposition counts it.

    Whatever is no text of its own counts as a hedge; a denial that weighs no more than one counts for nothing.
    """
    if not part.favours:
        counts = part.evidence_kind is EvidenceKind.TEXT and part.weight > HEDGED_WEIGHT
        return replace(part.record, stance=Stance.NEGATED if counts else Stance.QUESTIONED)
    if part.evidence_kind is EvidenceKind.LINK:
        return replace(part.record, stance=Stance.QUESTIONED)
    return part.record if part.evidence_kind is EvidenceKind.TEXT else replace(part.record, stance=Stance.HEDGED)


def find_flips(
    witnesses: Sequence[Witness], judge: Callable[[Sequence[Witness]], Verdict], limit: int = 5
) -> tuple[VerdictFlip, ...]:
    """Return up to `limit` of the smallest sets of at most three witnesses without which `judge` comes to another verdict.

    Witnesses that weigh and speak alike can stand in for one another, so only one set of each kind is judged. Exact.
    """
    now = judge(witnesses)
    alike: defaultdict[Witness, list[int]] = defaultdict(list)
    for place, witness in enumerate(witnesses):
        alike[witness._replace(name="", opposes=False)].append(place)
    for size in range(1, min(LARGEST_FLIP, len(witnesses)) + 1):
        flips: list[VerdictFlip] = []
        for drawn in combinations_with_replacement(alike, size):
            taken = Counter(drawn)
            if any(len(alike[kind]) < number for kind, number in taken.items()):
                continue
            left = [kind for kind, places in alike.items() for _ in range(len(places) - taken[kind])]
            becomes = judge(left)
            if becomes is not now:
                sets = product(*(combinations(alike[kind], number) for kind, number in taken.items()))
                flips += (
                    VerdictFlip(tuple(witnesses[place].name for place in sorted(chain.from_iterable(places))), becomes)
                    for places in islice(sets, limit - len(flips))
                )
            if len(flips) >= limit:
                break
        if flips:
            return tuple(flips)
    return ()


def find_separation(parts: Sequence[Testimony]) -> ContextSplit | None:
    """Return the slot that best separates those who assert from those who deny, by information gain over the records.

    It must be filled on both sides, with nothing in common; what says nothing in the slot is a case of its own.
    """
    whole = _entropy([part.favours for part in parts])
    best: tuple[float, ContextSplit] | None = None
    for slot in CONTEXT_SLOTS if whole else ():
        cases = _record_cases(parts, slot)
        filled = [
            [case for part, case in zip(parts, cases, strict=True) if case and part.favours is side] for side in (True, False)
        ]
        if not filled[0] or not filled[1] or set(filled[0]) & set(filled[1]):
            continue
        by_case = {case: [part.favours for part, own in zip(parts, cases, strict=True) if own == case] for case in cases}
        left = sum(len(sides) / len(parts) * _entropy(sides) for sides in by_case.values())
        gain = whole - left
        if gain >= MIN_SEPARATION * whole and (best is None or gain > best[0]):
            best = gain, ContextSplit(slot, *(tuple(dict.fromkeys(side)) for side in filled))
    return best[1] if best else None


def _record_cases(parts: Sequence[Testimony], slot: str) -> list[str]:
    """Return for each record the case that it speaks of in a slot, by the first words that name it; empty for none."""
    known: list[str] = []
    cases = []
    for part in parts:
        words = next((words for name, words in part.record.context if name == slot and narrows_claim(words)), "")
        case = next((known_case for known_case in known if is_same_case(known_case, words)), words)
        if case and case not in known:
            known.append(case)
        cases.append(case)
    return cases


def _entropy(sides: Sequence[bool]) -> float:
    share = sum(sides) / len(sides) if sides else 0.0
    return -sum(probability * log2(probability) for probability in (share, 1.0 - share) if probability > 0.0)

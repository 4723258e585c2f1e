"""Which way an effect goes in a supposed world, and what that decides of what was asked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from graph.model import Relation
from kgqa.answering.fates import CauseChanges
from kgqa.answering.pulls import InfluenceSet
from kgqa.model import AnswerChange, EffectOutcome, Verdict


class Direction(Enum):
    """Which way an effect goes: no known cause is left, it becomes less likely, more likely, or is pulled either way."""

    NONE = "no known cause left"
    LESS = "less likely"
    MORE = "more likely"
    EITHER = "pulled either way"


class Doubt(Enum):
    """How uncertain a direction is: the only way there is doubtful, or what is reckoned on all routes moves the other way."""

    NONE = ""
    PERHAPS = "perhaps"
    UNCLEAR = "not clearly"


@dataclass(frozen=True, slots=True)
class EffectOutlook:
    """What a supposed world makes of an effect: what bears on it, what becomes of its causes, and which way it goes."""

    influence_set: InfluenceSet
    cause_changes: CauseChanges
    direction: Direction
    doubt: Doubt

    @property
    def direction_text(self) -> str:
        """The direction in a few words: "less likely", "perhaps no known cause left"."""
        return f"{self.doubt.value} {self.direction.value}".strip()


def effect_outlook(influence_set: InfluenceSet, changes: CauseChanges, changed: AnswerChange) -> EffectOutlook:
    """Return which way an effect goes, and how sure that is."""
    cut = any(influence.part.cuts for influence in influence_set.influences)
    bare = cut and bool(changes.lost) and not changes.remaining and influence_set.less is not False
    if bare:
        return EffectOutlook(
            influence_set, changes, Direction.NONE, Doubt.PERHAPS if influence_set.leading.doubtful else Doubt.NONE
        )
    way = Direction.EITHER if influence_set.less is None else Direction.LESS if influence_set.less else Direction.MORE
    return EffectOutlook(influence_set, changes, way, _direction_doubt(changed, influence_set))


def _direction_doubt(changed: AnswerChange, influence_set: InfluenceSet) -> Doubt:
    """Return how uncertain the direction of a change is."""
    chances = changed.chances
    against = any(influence.opposed for influence in influence_set.influences)
    if chances is not None and influence_set.less is not None and against:
        before, after = (round(estimate.sampled, 2) for estimate in (chances.before, chances.after))
        if (after > before) if influence_set.less else (after < before):
            return Doubt.UNCLEAR
    return Doubt.PERHAPS if influence_set.leading.doubtful else Doubt.NONE


def outcome_verdict(outlook: EffectOutlook, outcome: EffectOutcome | None) -> Verdict:
    """Return the verdict on what was asked of the effect: whether it happens, where nothing else was."""
    if outcome is EffectOutcome.CHANGES:
        return Verdict.YES
    if outcome in (EffectOutcome.MORE, EffectOutcome.LESS):
        return _direction_verdict(outlook, less=outcome is EffectOutcome.LESS)
    happens = _occurrence_verdict(outlook)
    if outcome is not EffectOutcome.GONE:
        return happens
    return {Verdict.YES: Verdict.NO, Verdict.NO: Verdict.YES}.get(happens, happens)


def rests_on_remaining(outlook: EffectOutlook) -> bool:
    """Return whether that the effect happens rests on the causes that are left, and not on what is supposed."""
    return bool(outlook.cause_changes.remaining) and outlook.direction is not Direction.MORE


def _direction_verdict(outlook: EffectOutlook, *, less: bool) -> Verdict:
    """Return whether an effect becomes less likely, or more."""
    if outlook.direction is Direction.EITHER or outlook.doubt is not Doubt.NONE:
        return Verdict.UNKNOWN
    return Verdict.YES if (outlook.direction is not Direction.MORE) is less else Verdict.NO


def _occurrence_verdict(outlook: EffectOutlook) -> Verdict:
    """Return whether an effect still happens: it does while a known cause is left, unless what is supposed prevents it."""
    if outlook.direction is Direction.NONE:
        return (
            Verdict.UNKNOWN
            if outlook.doubt is not Doubt.NONE or outlook.cause_changes.weak or outlook.cause_changes.dependent
            else Verdict.NO
        )
    if outlook.direction is Direction.MORE:
        return Verdict.UNKNOWN if outlook.doubt is not Doubt.NONE and not outlook.cause_changes.remaining else Verdict.YES
    if outlook.direction is Direction.LESS and _is_prevented(outlook):
        return Verdict.UNKNOWN if outlook.doubt is not Doubt.NONE else Verdict.NO
    return Verdict.YES if outlook.cause_changes.remaining else Verdict.UNKNOWN


def _is_prevented(outlook: EffectOutlook) -> bool:
    """Return whether what is supposed to be there is said to prevent the effect, by a claim and not by a chain."""
    leading = outlook.influence_set.leading
    first = leading.best.edges[0]
    return not leading.part.takes and len(leading.best.edges) == 1 and first.claim.relation is Relation.PREVENTS

"""Which way an effect goes in a supposed world, and what that decides of what was asked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from graph.model import Relation
from kgqa.answering.fates import Fate
from kgqa.answering.pulls import Bearing
from kgqa.model import Change, Outcome, Verdict


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
class Outlook:
    """What a supposed world makes of an effect: what bears on it, what becomes of its causes, and which way it goes."""

    bearing: Bearing
    fate: Fate
    direction: Direction
    doubt: Doubt

    @property
    def told(self) -> str:
        """The direction in a few words: "less likely", "perhaps no known cause left"."""
        return f"{self.doubt.value} {self.direction.value}".strip()


def outlook(found: Bearing, fates: Fate, changed: Change) -> Outlook:
    """Return which way an effect goes, and how sure that is."""
    cut = any(pull.part.cuts for pull in found.pulls)
    bare = cut and bool(fates.lost) and not fates.remaining and found.less is not False
    if bare:
        return Outlook(found, fates, Direction.NONE, Doubt.PERHAPS if found.leading.doubtful else Doubt.NONE)
    way = Direction.EITHER if found.less is None else Direction.LESS if found.less else Direction.MORE
    return Outlook(found, fates, way, _doubt(changed, found))


def _doubt(changed: Change, found: Bearing) -> Doubt:
    """Return how uncertain the direction of a change is."""
    chances = changed.chances
    against = any(pull.opposed for pull in found.pulls)
    if chances is not None and found.less is not None and against:
        before, after = (round(one.sampled, 2) for one in (chances.before, chances.after))
        if (after > before) if found.less else (after < before):
            return Doubt.UNCLEAR
    return Doubt.PERHAPS if found.leading.doubtful else Doubt.NONE


def verdict_on(one: Outlook, outcome: Outcome | None) -> Verdict:
    """Return the verdict on what was asked of the effect: whether it happens, where nothing else was."""
    if outcome is Outcome.CHANGES:
        return Verdict.YES
    if outcome in (Outcome.MORE, Outcome.LESS):
        return _moves(one, less=outcome is Outcome.LESS)
    happens = _happens(one)
    if outcome is not Outcome.GONE:
        return happens
    return {Verdict.YES: Verdict.NO, Verdict.NO: Verdict.YES}.get(happens, happens)


def rests_on_others(one: Outlook) -> bool:
    """Return whether that the effect happens rests on the causes that are left, and not on what is supposed."""
    return bool(one.fate.remaining) and one.direction is not Direction.MORE


def _moves(one: Outlook, *, less: bool) -> Verdict:
    """Return whether an effect becomes less likely, or more."""
    if one.direction is Direction.EITHER or one.doubt is not Doubt.NONE:
        return Verdict.UNKNOWN
    return Verdict.YES if (one.direction is not Direction.MORE) is less else Verdict.NO


def _happens(one: Outlook) -> Verdict:
    """Return whether an effect still happens: it does while a known cause is left, unless what is supposed prevents it."""
    if one.direction is Direction.NONE:
        return Verdict.UNKNOWN if one.doubt is not Doubt.NONE or one.fate.weak or one.fate.dependent else Verdict.NO
    if one.direction is Direction.MORE:
        return Verdict.UNKNOWN if one.doubt is not Doubt.NONE and not one.fate.remaining else Verdict.YES
    if one.direction is Direction.LESS and _is_prevented(one):
        return Verdict.UNKNOWN if one.doubt is not Doubt.NONE else Verdict.NO
    return Verdict.YES if one.fate.remaining else Verdict.UNKNOWN


def _is_prevented(one: Outlook) -> bool:
    """Return whether what is supposed to be there is said to prevent the effect, by a claim and not by a chain."""
    leading = one.bearing.leading
    first = leading.best.edges[0]
    return not leading.part.takes and len(leading.best.edges) == 1 and first.claim.relation is Relation.PREVENTS

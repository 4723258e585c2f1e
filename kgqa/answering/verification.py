"""Answers to "Does X cause Y?" and "Does X prevent Y?": a verdict from the evidence on both sides, and how the two are connected.

First comes what is said of the two themselves; then the reverse, where only that is well supported; then what is said of narrower
cases and of wider concepts; then chains; then why nothing is known, with the nearest that is.
"""

from __future__ import annotations

from graph.model import Relation
from kgqa.answering.asked import Asked, Readings, is_narrower
from kgqa.answering.deciding import answered
from kgqa.answering.flips import flips
from kgqa.answering.nearest import mediated, one_thing, reversed_only, unconnected
from kgqa.answering.readings import BROADER, SPELLING, SURE
from kgqa.answering.separation import separation
from kgqa.answering.sides import foremost, told
from kgqa.answering.validity import SHOWN
from kgqa.answering.voice import Voice
from kgqa.answering.weighing import Role, Weighed, verdict_of
from kgqa.model import Answer, Connection, Missing, Verdict
from kgqa.request import Request

FIRM = 2
"""How many independent texts must claim the reverse, where none claims what is asked, for it to be answered no."""

LEAST_LINK = 0.25
"""The least certainty of a pair of readings that is answered from, one of which must be sure."""


def answer_verification(request: Request) -> Answer:
    """Answer whether the cause of the question bears on its effect, in the sense that is asked for."""
    if request.kind.slots.comparison:
        from kgqa.answering.comparison import compared_by_support

        return compared_by_support(request)
    asked = Asked(request)
    if asked.same:
        return one_thing(asked)
    found = asked.verdict(asked.direct)
    said = bool(asked.direct.count(Voice.TEXT) or asked.direct.denying or asked.direct.reported)
    if found is not Verdict.UNKNOWN and (said or asked.reverse.count(Voice.TEXT) < FIRM):
        return direct(asked, asked.direct, asked.sure[0], found)
    if asked.reverse.count(Voice.TEXT) >= FIRM and not said:
        return reversed_only(asked, Verdict.NO)
    near = _near(asked)
    if near is not None:
        return near
    through = asked.chains
    if through and through[0][0] >= SHOWN:
        return mediated(asked, through, sure=True)
    if asked.direct.edges:
        return direct(asked, asked.direct, asked.sure[0], found)
    if asked.reverse.witnesses:
        return reversed_only(asked, Verdict.UNKNOWN)
    return unconnected(asked, through)


def direct(asked: Asked, weighed: Weighed, pair: Readings, found: Verdict) -> Answer:
    """Answer from claims that are made of the two, read as `pair`; `found` is the verdict on what the claims say."""
    apart = separation(weighed.parts) if found is Verdict.CONTESTED else None
    words = told(asked, weighed, pair, found, apart)
    confidence = {
        Verdict.YES: weighed.belief,
        Verdict.NO: min(weighed.disbelief * (1.0 - weighed.belief), 1.0 - _doubt(asked, weighed)),
        Verdict.CONTESTED: 0.5,
        Verdict.UNKNOWN: weighed.belief,
    }[found]
    missing = {
        Verdict.UNKNOWN: (Missing("evidence that says so without a hedge", "more texts, mined with kgqa mine"),),
        Verdict.CONTESTED: (
            ()
            if apart
            else (
                Missing(
                    "what tells the two sides apart", "texts that say for whom, where, when or at what dose, mined with kgqa mine"
                ),
            )
        ),
    }.get(found, ())
    return answered(
        asked,
        asked.proposition.judged(found),
        words,
        pair,
        connection=_connection(asked, weighed, found),
        weighed=weighed,
        confidence=confidence,
        missing=missing,
        flips=flips(weighed.witnesses, lambda left: asked.proposition.judged(verdict_of(left, asked.proposition.may))),
        separation=apart,
        doubt=_doubt(asked, weighed) if found is Verdict.NO else 0.0,
    )


def _doubt(asked: Asked, weighed: Weighed) -> float:
    """Return how little the opposite is believed, 0..1, where it is all that speaks against the claim; else 0."""
    if not all(one.opposes for one in weighed.witnesses if one.denying):
        return 0.0
    return 1.0 - max((edge.belief for edge in weighed.edges if asked.role(edge) is Role.CONTRARY), default=1.0)


def _connection(asked: Asked, weighed: Weighed, found: Verdict) -> Connection | None:
    """Return what the claims that are made of the two themselves say of their connection; `None` where that is not sure."""
    if found is Verdict.NO:
        return Connection.OPPOSITE if all(one.opposes for one in weighed.witnesses if one.denying) else Connection.NONE
    if all(edge.claim.relation is Relation.ASSOCIATED for edge in weighed.edges):
        return Connection.ASSOCIATED
    return None if found is Verdict.UNKNOWN else Connection.DIRECT


def _is_near(pair: Readings) -> bool:
    """Return whether an answer can be given of two readings: one is sure, the other not too far off."""
    one, other = sorted(reading.score for reading in pair)
    return other >= SURE and (one >= LEAST_LINK or any(reading.how == SPELLING for reading in pair))


def _near(asked: Asked) -> Answer | None:
    """Answer from what is said of narrower cases, or of a wider concept in the place of one phrase; `None` where nothing is.

    Narrower cases can only show that it is so: what is denied of them is not denied in general.
    """
    for pair in asked.others():
        edges = asked.of_pair(pair)
        if not edges:
            continue
        weighed = asked.weighed(edges)
        found = asked.verdict(weighed)
        if not _is_near(pair):
            if asked.nearest is None and found is Verdict.YES:
                asked.nearest = pair, foremost(asked, weighed)
            continue
        in_text = weighed.count(Voice.TEXT) or weighed.denying
        if not in_text and (asked.direct.edges or pair[0].how == BROADER):
            continue
        if found is Verdict.YES or (found is not Verdict.UNKNOWN and not is_narrower(pair)):
            return direct(asked, weighed, pair, found)
    return None

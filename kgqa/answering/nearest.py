"""What is answered where no source says what is asked: a chain, the reverse, a link, a common cause, or nothing at all."""

from __future__ import annotations

from collections.abc import Sequence

from graph.model import Edge, Path
from kgqa.answering.asked import Asked
from kgqa.answering.connection import common_cause
from kgqa.answering.deciding import answered
from kgqa.answering.sides import sayers
from kgqa.answering.validity import SHOWN
from kgqa.answering.weighing import Weighed
from kgqa.answering.wording import claim, counted, listed, named
from kgqa.model import Answer, Connection, Missing, Verdict

POSSIBLE = 0.5
"""The least validity of a chain that is shown as a possible one: more likely valid than not."""


def mediated(asked: Asked, through: Sequence[tuple[float, Path]], *, sure: bool) -> Answer:
    """Answer from chains: yes where the best one is valid, else unknown with that chain shown."""
    probability, best = through[0]
    steps = listed([claim(edge) for edge in best.edges])
    verdict = asked.proposition.judged(Verdict.YES) if sure else Verdict.UNKNOWN
    return answered(
        asked,
        verdict,
        f"{verdict.value}, probably, through {listed([named(name) for name in best.concepts[1:-1]])}: {steps}"
        if sure
        else f"unknown: no source says so; a possible chain is that {steps}",
        asked.sure[0],
        connection=Connection.MEDIATED,
        weighed=Weighed(),
        confidence=0.5 * probability * best.score,
        paths=[path for likely, path in through if likely >= SHOWN] if sure else [best],
        trace=(f"no direct claim; {counted(len(through), 'chain')} of up to 3 steps",),
        missing=() if sure else (_wanted(asked),),
    )


def one_thing(asked: Asked) -> Answer:
    """Refuse to say whether something bears on itself: both phrases are a name of it."""
    thing = f"name the same thing, {named(asked.same)}" if asked.same else "are names of the same thing"
    return answered(
        asked,
        Verdict.UNKNOWN,
        f"unknown: '{asked.cause}' and '{asked.effect}' {thing}; ask about two different things",
        None,
        connection=None,
        weighed=Weighed(),
        confidence=0.0,
        trace=(f"'{asked.cause}' and '{asked.effect}' {thing}",),
        missing=(Missing("two different things", "ask what one thing does to another"),),
    )


def reversed_only(asked: Asked, verdict: Verdict) -> Answer:
    """Answer where only the other direction is claimed: no where that is well supported, else unknown."""
    edge = max(asked.reverse.edges, key=lambda one: one.belief)
    head = "unknown" if verdict is Verdict.UNKNOWN else f"{asked.proposition.judged(verdict).value}, as far as the graph knows"
    return answered(
        asked,
        asked.proposition.judged(verdict),
        f"{head}: {sayers(asked.reverse)} the reverse, that {claim(edge)}",
        asked.sure[0],
        connection=Connection.REVERSED,
        weighed=asked.reverse,
        confidence=0.5 * edge.belief,
        against=True,
        trace=("no checkable claim that says what was asked for",),
        missing=(_wanted(asked),),
    )


def unconnected(asked: Asked, through: Sequence[tuple[float, Path]]) -> Answer:
    """Refuse, with the nearest that is known: a mere link, a common cause, a doubtful chain, or that nothing joins the two."""
    if asked.synonymous:
        return one_thing(asked)
    if asked.linked:
        return _else(asked, asked.linked, Connection.ASSOCIATED)
    shared = common_cause(asked.request.view, (asked.causes, asked.effects))
    if shared:
        first, second = shared
        words = f"unknown: no source says so; but {named(first.cause)} may be behind both: {claim(first)} and {claim(second)}"
        return _unknown(asked, words, Connection.COMMON_CAUSE, [Path((first,), first.belief), Path((second,), second.belief)])
    if through and through[0][0] >= POSSIBLE:
        return mediated(asked, through, sure=False)
    if not asked.sure or asked.nearest is not None:
        return _strange(asked)
    if asked.aside:
        return _else(asked, asked.aside, None)
    known = asked.known
    one, other = asked.sure[0][0].concepts[0], asked.sure[0][1].concepts[0]
    words = f"unknown: the graph has no claim that '{asked.cause}' bears on '{asked.effect}'"
    if known:
        words += f", although it has {known[0]:,} claims about {named(one)} and {known[1]:,} about {named(other)}"
    return _unknown(asked, words, Connection.NONE if known else None, [])


def _else(asked: Asked, edges: Sequence[Edge], connection: Connection | None) -> Answer:
    """Refuse, with what is said of the two, which is not what is asked."""
    best = max(edges, key=lambda one: one.belief)
    words = f"unknown: no source says so; it is only said that {claim(best)}"
    return _unknown(asked, words, connection, [Path((best,), best.belief)], against=connection is None)


def _unknown(asked: Asked, words: str, connection: Connection | None, paths: Sequence[Path], *, against: bool = False) -> Answer:
    """Return the answer that something is unknown, with the claims that come nearest; `against` where none speaks for it."""
    pair = asked.sure[0]
    return answered(
        asked,
        Verdict.UNKNOWN,
        words,
        pair,
        connection=connection,
        weighed=Weighed(),
        confidence=0.0,
        paths=paths,
        against=against,
        missing=(_wanted(asked),),
    )


def _strange(asked: Asked) -> Answer:
    """Refuse where a phrase is no concept of the graph, or is one only when read loosely."""
    unknown = [phrase for phrase in (asked.cause, asked.effect) if not asked.knows(phrase)]
    if unknown:
        what, where = f"a concept called {listed([repr(phrase) for phrase in unknown])}", "texts about it, mined with kgqa mine"
    else:
        what, where = f"a claim that '{asked.cause}' bears on '{asked.effect}'", "texts about both, mined with kgqa mine"
    pair, words = next(asked.others(), None), f"unknown: the graph has no {what.removeprefix('a ')}"
    if asked.nearest is not None:
        pair, edge = asked.nearest
        words += f"; the nearest is that {claim(edge)}"
    return answered(
        asked,
        Verdict.UNKNOWN,
        words,
        pair,
        connection=None,
        weighed=Weighed(),
        confidence=0.0,
        missing=(Missing(what, where),),
    )


def _wanted(asked: Asked) -> Missing:
    """Return what would have been needed."""
    one, other = asked.sure[0][0].concepts[0], asked.sure[0][1].concepts[0]
    return Missing(f"a source that says what {named(one)} can do to {named(other)}", "texts about both, mined with kgqa mine")

"""The answer that a verdict makes: its evidence on either side, its findings, and what its confidence is reckoned from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph.model import Edge, Path
from kgqa.answering.asked import Asked, Readings
from kgqa.answering.evidence import cited
from kgqa.answering.findings import distinct, edge_finding, path_finding
from kgqa.answering.listing import read_as
from kgqa.answering.validity import SHOWN
from kgqa.answering.voice import Voice
from kgqa.answering.weighing import Role, Weighed
from kgqa.answering.wording import sentence
from kgqa.model import Answer, Cited, Connection, Finding, Flip, Missing, Route, Separation, Signals, Verdict

_UNDECIDED = (Verdict.UNKNOWN, Verdict.CONTESTED)


def answered(
    asked: Asked,
    verdict: Verdict,
    words: str,
    pair: Readings | None,
    *,
    connection: Connection | None,
    weighed: Weighed,
    confidence: float,
    paths: Sequence[Path] = (),
    against: bool = False,
    missing: tuple[Missing, ...] = (),
    trace: tuple[str, ...] = (),
    flips: tuple[Flip, ...] = (),
    separation: Separation | None = None,
    doubt: float = 0.0,
) -> Answer:
    """Return the answer of a verdict with its evidence, which is that of `weighed` or of `paths`.

    `confidence`, 0..1, is lowered by how surely the phrases were read as `pair`. `against` says that all of the evidence speaks
    against what is asked. `doubt`, 0..1, is how uncertain a no is although nothing speaks for what is asked.
    """
    request = asked.request
    link = pair[0].score * pair[1].score if pair else 0.0
    decided = verdict not in _UNDECIDED
    edges = tuple(dict.fromkeys(edge for path in paths for edge in path.edges)) or weighed.edges
    supporting, denying = _sides(asked, edges, 2 if paths else 3, against=against)
    found: tuple[Finding, ...] = ()
    if decided and paths:
        found = tuple(replace(path_finding(path), text=verdict.value) for path in paths)
    elif decided:
        said = asked.proposition.judged(verdict) is Verdict.YES or against
        deciding = [edge for edge in edges if said == _says(asked, edge, against=against)]
        found = tuple(
            replace(edge_finding(edge), text=verdict.value, confidence=confidence * link)
            for edge in (deciding or edges)[: request.limit]
        )
    signals = Signals(
        belief=confidence if paths else max(weighed.belief, doubt),
        link=link,
        support=weighed.count(Voice.TEXT),
        against=weighed.denying,
        hedged=weighed.count(Voice.HEDGE, Voice.BARE, Voice.OPINION),
        steps=max((len(path.edges) for path in paths[:1]), default=1 if weighed.edges else 0),
        agreement=_agreement(asked, asked.proposition.judged(verdict), connection),
        connection=connection,
    )
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH if edges else Route.NONE,
        verdict=verdict,
        answer=verdict.value if decided else None,
        sentence=sentence(words),
        findings=distinct(found),
        confidence=confidence * link,
        evidence=supporting,
        against=denying,
        trace=(*(read_as(one) for one in pair or ()), *trace),
        missing=missing,
        signals=signals,
        connection=connection,
        flips=flips if verdict is not Verdict.UNKNOWN else (),
        separation=separation,
    )


def _says(asked: Asked, edge: Edge, *, against: bool) -> bool:
    """Return whether some source says of an edge what is asked, and not less or the opposite; with `against` whatever it is."""
    return against or (edge.support + edge.hedged > 0 and asked.role(edge) in (Role.SAYS, Role.MORE))


def _sides(asked: Asked, edges: Sequence[Edge], each: int, *, against: bool) -> tuple[tuple[Cited, ...], tuple[Cited, ...]]:
    """Return the records for and against what is asked: what asserts the opposite speaks against it."""
    contrary = [edge for edge in edges if against or asked.role(edge) is Role.CONTRARY]
    same = [edge for edge in edges if edge not in contrary]
    supporting, denying = cited(asked.request.view, same, each)
    opposing, disputing = cited(asked.request.view, contrary, each)
    both = (*supporting, *(() if against else disputing)), (*denying, *opposing)
    return both[::-1] if asked.proposition.denied else both


def _agreement(asked: Asked, found: Verdict, connection: Connection | None) -> float:
    """Return the share of the other ways to an answer that come to the same: the claim itself, its reverse, a chain of two steps.

    0 for an undecided answer.
    """
    if found in _UNDECIDED:
        return 0.0
    yes = found is Verdict.YES
    ways = [(not asked.reverse.witnesses) == yes] if connection is not Connection.REVERSED else []
    if connection is not Connection.DIRECT and asked.direct.witnesses:
        direct = asked.verdict(asked.direct)
        ways += [direct is found] if direct not in _UNDECIDED else [False]
    chained = any(likely >= SHOWN for likely, _ in asked.chains)
    if connection is not Connection.MEDIATED and (chained or not yes):
        ways.append(chained == yes)
    return sum(ways) / len(ways) if ways else 0.0

"""Answers to "How does X lead to Y?": chains of claims from one to the other, as far as they are likely to be valid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from graph.algorithms.paths import best_paths
from graph.links import ACTING_LINKS, DRIVING_LINKS, lessens
from graph.model import Edge, Path, Strength
from graph.protocols import GraphView
from kgqa.answering.evidence import cited
from kgqa.answering.findings import distinct, path_finding
from kgqa.answering.listing import read_as, refusal
from kgqa.answering.readings import SURE
from kgqa.answering.validity import LOOKED_AT, SHOWN, by_validity
from kgqa.answering.wording import claim, counted, listed, named, sentence
from kgqa.linking.linker import reading_pairs
from kgqa.linking.reading import Reading
from kgqa.model import Answer, Cited, Connection, Finding, Missing, Route, Signals
from kgqa.request import Request

MAX_LENGTH = 3
"""As long as the chains that the model of validity was fitted on; `kgqa path` shows longer ones."""

LEAST_LINK = 0.65
"""The least certainty of a pair of readings that is looked at; below, a phrase was read as something wider, narrower or other."""

_PAIRS = 4
_CITED = 3
_AS_A_WHOLE = {
    Strength.CAUSES: "can lead to",
    Strength.LEADS_TO: "can lead to",
    Strength.CONTRIBUTES_TO: "can contribute to",
    Strength.RISK_FACTOR: "can raise the risk of",
    Strength.ASSOCIATED: "may have to do with",
}
"""What a chain says of its ends, no stronger than its weakest step."""

Judged = tuple[float, Path]


class Explained(NamedTuple):
    """What leads from one reading to another, with how likely it is to hold: `chains` of several steps, and `direct` claims."""

    cause: Reading
    effect: Reading
    chains: Sequence[Judged]
    direct: Sequence[Judged]

    @property
    def link(self) -> float:
        """How surely the two phrases were read so, 0..1."""
        return self.cause.score * self.effect.score

    @property
    def shown(self) -> list[Judged]:
        """What is answered: chains that are likely to be valid, the likeliest first, then what leads there directly."""
        return [*(one for one in self.chains if one[0] >= SHOWN), *self.direct]


def answer_chain(request: Request) -> Answer:
    """Answer with the chains from the cause to the effect of the question that are likely to be valid."""
    cause, effect = request.kind.slots.cause or "", request.kind.slots.effect or ""
    tried: Explained | None = None
    for one, other in islice(reading_pairs(cause, effect, request.view, request.link), _PAIRS):
        if one.score * other.score < LEAST_LINK:
            break
        found = _explained(request.view, one, other)
        if found.shown:
            return _answered(request, found)
        if tried is None or found.chains:
            tried = found
        if found.chains:
            break
    return _refused(request, tried)


def _explained(view: GraphView, cause: Reading, effect: Reading) -> Explained:
    """Look up what leads from one reading to another, without associations and decreases."""
    paths = best_paths(view, cause.concepts, effect.concepts, MAX_LENGTH, LOOKED_AT, DRIVING_LINKS)
    judged = by_validity(paths, view)
    chains, direct = ([one for one in judged if (len(one[1].edges) > 1) is long] for long in (True, False))
    return Explained(cause, effect, chains, direct)


def _answered(request: Request, found: Explained) -> Answer:
    """Answer with what is shown."""
    shown = found.shown[: request.limit]
    findings = distinct(_finding(one, found.link) for one in shown)
    edges = dict.fromkeys(edge for _, path in shown[:_CITED] for edge in path.edges)
    supporting, denying = cited(request.view, edges, each=2)
    likely = sum(probability >= SHOWN for probability, _ in found.chains)
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH,
        answer=findings[0].text,
        sentence=_sentence(found, supporting),
        findings=findings,
        confidence=findings[0].confidence,
        evidence=supporting,
        against=denying,
        trace=(
            read_as(found.cause),
            read_as(found.effect),
            f"{counted(len(found.chains), 'chain')} of 2 to {MAX_LENGTH} steps, {likely} with a validity of {SHOWN} or more",
            *(
                f"{path_finding(path).text}: valid with probability {probability:.2f}"
                for probability, path in found.chains[:_CITED]
            ),
        ),
        signals=_signals(shown[0], found.link),
        connection=Connection.MEDIATED if len(shown[0][1].edges) > 1 else Connection.DIRECT,
    )


def _finding(judged: Judged, link: float) -> Finding:
    """Return a chain as a finding, its confidence the probability that it is valid and the phrases were read rightly."""
    return replace(path_finding(judged[1]), confidence=judged[0] * link)


def _signals(judged: Judged, link: float) -> Signals:
    """Return what the confidence is reckoned from: the belief is the probability that the chain is valid."""
    probability, path = judged
    support, hedged = (min(getattr(edge, count) for edge in path.edges) for count in ("support", "hedged"))
    long = len(path.edges) > 1
    return Signals(
        belief=probability,
        link=link,
        support=support,
        hedged=hedged,
        against=sum(edge.against for edge in path.edges),
        steps=len(path.edges),
        connection=Connection.MEDIATED if long else Connection.DIRECT,
    )


def _sentence(found: Explained, evidence: Iterable[Cited]) -> str:
    """Return the best chain in a sentence: what it comes to, no stronger than its weakest step, and its steps."""
    path = found.shown[0][1]
    said = [claim(edge, [one.evidence for one in evidence if one.claim == edge.claim]) for edge in path.edges]
    loosely = [read_as(one) for one in (found.cause, found.effect) if one.score < SURE]
    remark = f"; {listed(loosely)}" if loosely else ""
    if len(path.edges) == 1:
        none = "; a chain that tells how was found, but none that is likely to be valid" if found.chains else ""
        return sentence(f"directly: {said[0]}{none}{remark}")
    also = ""
    if found.direct:
        also = f"; it is also said directly that {claim(found.direct[0][1].edges[0])}"
    return sentence(f"{_whole(path)}, through {listed(list(map(named, path.concepts[1:-1])))}: {listed(said)}{also}{remark}")


def _whole(path: Path) -> str:
    """Return what a chain says of its ends: "deforestation can lead to floods"."""
    weakest = max(path.edges, key=lambda edge: edge.strength.rank)
    return f"{named(path.concepts[0])} {_AS_A_WHOLE[weakest.strength]} {named(path.concepts[-1])}"


def _refused(request: Request, tried: Explained | None) -> Answer:
    """Answer that it is unknown, naming the best doubtful chain, and what makes less of the effect instead."""
    cause, effect = request.kind.slots.cause or "", request.kind.slots.effect or ""
    known = next(iter(request.link(cause, request.view)), None)
    what = f"how '{cause}' leads to '{effect}'"
    plain = refusal(request.question, request.kind, what, effect if known else cause, request.view)
    trace: list[str] = []
    missing: list[Missing] = []
    words = f"unknown: the graph does not say {what}"
    if tried is not None and tried.chains:
        probability, path = tried.chains[0]
        steps = listed([claim(edge) for edge in path.edges])
        possible = f"a possible chain is doubtful: {steps}"
        words += f"; {possible}"
        trace += [read_as(tried.cause), read_as(tried.effect)]
        trace.append(f"{path_finding(path).text}: valid with probability {probability:.2f}, {SHOWN} is asked for")
        missing.append(Missing("a chain that is likely to be valid", f"{possible} (valid with probability {probability:.2f})"))
    opposed = _opposed(request.view, tried) if tried else None
    if opposed is not None:
        words += f"; {opposed}"
        trace.append(opposed)
    if not missing and opposed is None:
        return plain
    return replace(plain, sentence=sentence(words), trace=tuple(trace), missing=(*missing, *plain.missing))


def _opposed(view: GraphView, read: Explained) -> str | None:
    """Return what makes less of the effect, directly or along a chain, or a chain in which two decreases make an increase.

    Chains with a decrease in them were not among those that the model of validity was fitted on: they are named, not answered.
    """
    paths = best_paths(view, read.cause.concepts, read.effect.concepts, 2, LOOKED_AT, ACTING_LINKS)
    for probability, path in by_validity(paths, view):
        decreases = sum(map(_lessening, path.edges))
        if decreases and probability >= SHOWN:
            steps = listed([claim(edge) for edge in path.edges])
            if decreases == 1:
                return f"the graph says the opposite: {steps}" if len(path.edges) == 1 else f"rather the opposite: {steps}"
            return f"two decreases make an increase: {steps}"
    return None


def _lessening(edge: Edge) -> bool:
    """Return whether more of the cause makes less of the effect."""
    return lessens((edge.claim.relation, edge.claim.polarity))

"""Answers to "Does X cause Y?": a verdict from the evidence of both sides, never from an arrow read backwards."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from graph.algorithms.paths import best_paths
from graph.belief import Standing, standing
from graph.model import Edge, Path, Relation
from graph.protocols import GraphView
from kgqa.answering.chain import path_finding
from kgqa.answering.evidence import cited
from kgqa.answering.listing import is_prevention, read_as
from kgqa.answering.wording import claim, counted, listed, sentence
from kgqa.linking.linker import Reading, readings
from kgqa.model import Answer, Finding, Missing, QuestionType, Route, Verdict

MEDIATED_SCORE = 0.6
"""The least score of a two-step path that answers yes; longer paths are only shown."""

_SURE_READING = 0.8


def answer_verification(question: str, kind: QuestionType, view: GraphView, limit: int) -> Answer:
    """Answer whether the cause of the question bears on its effect, in the sense that is asked for."""
    cause, effect = kind.slots.cause or "", kind.slots.effect or ""
    wanted = _wanted(kind.slots.relation)
    pairs = list(_reading_pairs(cause, effect, view))
    for one, other in pairs:
        edges = [edge for edge in _edges_between(view, one, other) if wanted(edge)]
        if edges:
            return _direct(question, kind, view, (one, other), edges, limit)
    sure = [(one, other) for one, other in pairs if min(one.score, other.score) >= _SURE_READING]
    for one, other in sure:
        reverse = [edge for edge in _edges_between(view, other, one) if wanted(edge) and edge.support > 0]
        if reverse:
            return _reversed(question, kind, view, (one, other), reverse)
    for one, other in sure:
        paths = best_paths(view, one.concepts, other.concepts, 3, limit, lambda edge: wanted(edge) and edge.belief > 0.5)
        if paths:
            return _mediated(question, kind, view, (one, other), paths)
    return _unknown(question, kind, view, cause, effect, pairs)


def _wanted(relation: Relation) -> Callable[[Edge], bool]:
    """Return whether an edge speaks to a question about `relation`: increase for causes, decrease for prevention."""
    if relation is Relation.PREVENTS:
        return is_prevention
    if relation is Relation.ASSOCIATED:
        return lambda edge: True
    return lambda edge: not is_prevention(edge) and edge.claim.relation is not Relation.ASSOCIATED


def _reading_pairs(cause: str, effect: str, view: GraphView) -> Iterator[tuple[Reading, Reading]]:
    """Yield the readings of both phrases together, surest first; never two that share a concept."""
    pairs = itertools.product(readings(cause, view), readings(effect, view))
    ranked = sorted(pairs, key=lambda pair: -pair[0].score * pair[1].score)
    return ((one, other) for one, other in ranked if not set(one.concepts) & set(other.concepts))


def _edges_between(view: GraphView, cause: Reading, effect: Reading) -> list[Edge]:
    """Return the edges from a concept of `cause` to a concept of `effect`, with the arrow."""
    targets = set(effect.concepts)
    return [edge for name in cause.concepts for edge in view.effects(name) if edge.effect in targets]


def _direct(
    question: str, kind: QuestionType, view: GraphView, pair: tuple[Reading, Reading], edges: list[Edge], limit: int
) -> Answer:
    """Answer from claims that are made of the two themselves."""
    support, against = sum(edge.support for edge in edges), sum(edge.against for edge in edges)
    best = max(edges, key=lambda edge: (edge.belief, -edge.strength.rank))
    hedged = sum(edge.hedged for edge in edges)
    said = f"{best.cause} {'is said to bear on' if not support else 'bears on'} {best.effect}"
    scale = pair[0].score * pair[1].score
    verdict, words, confidence = {
        Standing.SUPPORTED: (Verdict.YES, f"yes: {counted(support, 'source')} say that {claim(best)}", best.belief),
        Standing.REFUTED: (Verdict.NO, f"no: {counted(against, 'source')} deny that {claim(best)}", 1.0 - 0.225**against),
        Standing.CONTESTED: (
            Verdict.CONTESTED,
            f"contested: {counted(support, 'source')} say that {claim(best)}, {counted(against, 'source')} deny it",
            0.5,
        ),
        Standing.UNKNOWN: (Verdict.UNKNOWN, f"unknown: {said}, but only with a hedge ({counted(hedged, 'source')})", best.belief),
    }[standing(support, against)]
    if against and verdict is Verdict.YES:
        words += f"; {counted(against, 'source')} deny it"
    findings = tuple(_finding(verdict.value, edge, scale) for edge in edges[:limit])
    supporting, denying = cited(view, edges)
    return Answer(
        question=question,
        type=kind,
        route=Route.GRAPH,
        verdict=verdict,
        answer=verdict.value if verdict in (Verdict.YES, Verdict.NO) else None,
        sentence=sentence(_singular_say(words)),
        findings=findings if verdict in (Verdict.YES, Verdict.NO) else (),
        confidence=confidence * scale,
        evidence=supporting,
        against=denying,
        trace=tuple(read_as(one) for one in pair),
        missing=(Missing("evidence that says so without a hedge", "mine more texts with kgqa mine"),)
        if verdict is Verdict.UNKNOWN
        else (),
    )


def _reversed(question: str, kind: QuestionType, view: GraphView, pair: tuple[Reading, Reading], reverse: list[Edge]) -> Answer:
    """Answer no where only the opposite direction is claimed."""
    best = max(reverse, key=lambda edge: edge.belief)
    supporting, denying = cited(view, reverse)
    return Answer(
        question=question,
        type=kind,
        route=Route.GRAPH,
        verdict=Verdict.NO,
        answer=Verdict.NO.value,
        sentence=sentence(
            _singular_say(f"no, as far as the graph knows: {counted(best.support, 'source')} say the reverse, that {claim(best)}")
        ),
        findings=(_finding(Verdict.NO.value, best, 0.5),),
        confidence=0.5 * best.belief * pair[0].score * pair[1].score,
        evidence=denying,
        against=supporting,
        trace=(*(read_as(one) for one in pair), "no claim in the direction that was asked for"),
        missing=(Missing(f"a claim that {pair[0].concepts[0]} bears on {pair[1].concepts[0]}", "texts about both"),),
    )


def _mediated(
    question: str, kind: QuestionType, view: GraphView, pair: tuple[Reading, Reading], chains: Sequence[Path]
) -> Answer:
    """Answer from chains: yes only for a chain of two well believed steps, else unknown with the chain shown."""
    best = chains[0]
    sure = len(best.edges) == 2 and best.score >= MEDIATED_SCORE
    supporting, denying = cited(view, best.edges, each=2)
    steps = listed([claim(edge) for edge in best.edges])
    return Answer(
        question=question,
        type=kind,
        route=Route.GRAPH,
        verdict=Verdict.YES if sure else Verdict.UNKNOWN,
        answer=Verdict.YES.value if sure else None,
        sentence=sentence(
            f"probably, through {listed(best.concepts[1:-1])}: {steps}"
            if sure
            else f"unknown: no source says so; a possible chain is that {steps}"
        ),
        findings=tuple(replace(path_finding(path), text=Verdict.YES.value) for path in chains) if sure else (),
        confidence=best.score * 0.5 * pair[0].score * pair[1].score,
        evidence=supporting,
        against=denying,
        trace=(*(read_as(one) for one in pair), f"no direct claim; {counted(len(chains), 'chain')} of up to 3 steps"),
        missing=()
        if sure
        else (Missing(f"a source that says whether {pair[0].concepts[0]} bears on {pair[1].concepts[0]}", "texts about both"),),
    )


def _unknown(
    question: str, kind: QuestionType, view: GraphView, cause: str, effect: str, pairs: list[tuple[Reading, Reading]]
) -> Answer:
    """Refuse, and say which phrase the graph does not know or that it holds no claim about the two."""
    strange = [phrase for phrase in (cause, effect) if next(readings(phrase, view), None) is None]
    if strange:
        what, where = f"a concept called {listed([repr(phrase) for phrase in strange])}", "texts about it, mined with kgqa mine"
    else:
        what, where = f"a claim that '{cause}' bears on '{effect}'", "texts about both, mined with kgqa mine"
    return Answer(
        question=question,
        type=kind,
        route=Route.NONE,
        verdict=Verdict.UNKNOWN,
        sentence=sentence(f"unknown: the graph has no {what.removeprefix('a ')}"),
        trace=tuple(read_as(one) for one in pairs[0]) if pairs else (),
        missing=(Missing(what, where),),
    )


def _finding(text: str, edge: Edge, scale: float) -> Finding:
    """Return a finding that rests on one edge."""
    return Finding(
        text=text,
        confidence=edge.belief * scale,
        relation=edge.claim.relation,
        polarity=edge.claim.polarity,
        strength=edge.strength,
        support=edge.support,
        path=Path((edge,), edge.belief),
    )


def _singular_say(words: str) -> str:
    """Return the words with the verb agreeing: "1 source says", "1 source denies"."""
    return words.replace("1 source say ", "1 source says ").replace("1 source deny ", "1 source denies ")

"""Answers to "Does X cause Y?": a verdict from the evidence of both sides, never from an arrow read backwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from graph.algorithms.paths import best_paths
from graph.belief import AGAINST, HEDGED_WEIGHT, Standing, belief, standing, trust
from graph.grounds import independent_groups, tally
from graph.links import BELIEVED_LINKS, DRIVING_LINKS, LESSENING_LINKS, Links
from graph.model import Edge, Evidence, Ground, Path, Relation, Stance
from graph.protocols import GraphView
from kgqa.answering.evidence import cited
from kgqa.answering.findings import edge_finding, path_finding
from kgqa.answering.listing import SURE, is_prevention, read_as
from kgqa.answering.wording import claim, counted, listed, sentence
from kgqa.linking.linker import Reading, reading_pairs, readings
from kgqa.model import Answer, Finding, Missing, QuestionType, Route, Verdict
from kgqa.request import Request

MEDIATED_SCORE = 0.6
"""The least score of a two-step path that answers yes; longer paths are only shown."""

Readings = tuple[Reading, Reading]


@dataclass(frozen=True, slots=True)
class Weighed:
    """The numbers of independent groups of evidence on either side of a claim, by what they do with it.

    `unplaced` ones assert it without a sentence or a place that could be looked up: each weighs as much as a hedge.
    """

    edges: tuple[Edge, ...]
    asserting: int
    unplaced: int
    denying: int
    grounds: tuple[Ground, ...]

    @property
    def support(self) -> float:
        """The weight of what asserts."""
        return self.asserting + HEDGED_WEIGHT * self.unplaced

    @property
    def belief(self) -> float:
        """The belief in the claim, 0..1."""
        return belief(self.grounds)

    @property
    def disbelief(self) -> float:
        """How sure it is, 0..1, that the claim is denied."""
        return trust(self.grounds, AGAINST)


def answer_verification(request: Request) -> Answer:
    """Answer whether the cause of the question bears on its effect, in the sense that is asked for."""
    question, kind, view, limit = request.question, request.kind, request.view, request.limit
    cause, effect = kind.slots.cause or "", kind.slots.effect or ""
    wanted = _wanted(kind.slots.relation)
    pairs = reading_pairs(cause, effect, view)
    sure = [pair for pair in pairs if min(pair[0].score, pair[1].score) >= SURE]
    reverse = next((found for one, other in sure if (found := _supported(view, other, one, wanted))), [])
    between = [_edges_between(view, *pair) for pair in pairs]
    narrower = [edge for pair, found in zip(pairs, between, strict=True) if not _is_broader(pair) for edge in found]
    for pair, found in zip(pairs, between, strict=True):
        edges = [edge for edge in found if wanted(edge)]
        if edges:
            weighed = _weighed(view, edges, narrower)
            if reverse and not weighed.asserting and not weighed.denying and _weighed(view, reverse, ()).asserting:
                break
            return _direct(question, kind, view, pair, weighed, limit)
    denied = [edge for edge in narrower if edge.against]
    if denied:
        return _direct(question, kind, view, pairs[0], _weighed(view, (), denied), limit)
    if reverse:
        return _instead(question, kind, view, sure[0], reverse, "the reverse")
    opposite = next((found for one, other in sure if (found := _supported(view, one, other, _opposed(wanted)))), [])
    if opposite:
        return _instead(question, kind, view, sure[0], opposite, "the opposite")
    for one, other in sure:
        chains = best_paths(view, one.concepts, other.concepts, 3, limit, _links(kind.slots.relation))
        if chains:
            return _mediated(question, kind, view, (one, other), chains)
    return _unknown(question, kind, view, cause, effect, pairs)


def _weighed(view: GraphView, edges: Iterable[Edge], around: Iterable[Edge]) -> Weighed:
    """Weigh the evidence of `edges`; `around` are edges of narrower concepts, of which only denials count."""
    own = tuple(edges)
    shown = list(own)
    weighed: list[Evidence] = []
    unplaced: list[Evidence] = []
    for edge in dict.fromkeys((*own, *around)):
        for record in view.evidence(edge.claim):
            if record.stance is Stance.NEGATED:
                weighed.append(record)
                if edge not in shown:
                    shown.append(edge)
            elif edge not in own:
                continue
            elif record.stance is Stance.ASSERTED and record.text is None and record.start is None:
                unplaced.append(record)
                weighed.append(replace(record, stance=Stance.HEDGED))
            else:
                weighed.append(record)
    if not weighed:
        return Weighed(tuple(shown), 0, 0, 0, ())
    numbers = tally(weighed)
    return Weighed(tuple(shown), numbers.asserted, len(independent_groups(unplaced)), numbers.negated, numbers.grounds)


def _wanted(relation: Relation) -> Callable[[Edge], bool]:
    """Return whether an edge speaks to a question about `relation`: increase for causes, decrease for prevention."""
    if relation is Relation.PREVENTS:
        return is_prevention
    if relation is Relation.ASSOCIATED:
        return lambda edge: True
    return lambda edge: not is_prevention(edge) and edge.claim.relation is not Relation.ASSOCIATED


def _links(relation: Relation) -> Links:
    """Return what can be a step of a chain that answers a question about `relation`."""
    if relation is Relation.PREVENTS:
        return LESSENING_LINKS
    return BELIEVED_LINKS if relation is Relation.ASSOCIATED else DRIVING_LINKS


def _is_broader(pair: Readings) -> bool:
    """Return whether a phrase was read as something wider than, or other than, what it says."""
    return any(one.how in ("broader", "spelling") for one in pair)


def _edges_between(view: GraphView, cause: Reading, effect: Reading) -> list[Edge]:
    """Return the edges from a concept of `cause` to a concept of `effect`, with the arrow."""
    targets = set(effect.concepts)
    return [edge for name in cause.concepts for edge in view.effects(name) if edge.effect in targets]


def _supported(view: GraphView, cause: Reading, effect: Reading, wanted: Callable[[Edge], bool]) -> list[Edge]:
    """Return the wanted edges, with the arrow, that some source asserts."""
    return [edge for edge in _edges_between(view, cause, effect) if wanted(edge) and edge.support > 0]


def _opposed(wanted: Callable[[Edge], bool]) -> Callable[[Edge], bool]:
    """Return whether an edge says the opposite of what is wanted: that it prevents, where causes are wanted, and so on."""
    return lambda edge: not wanted(edge) and edge.claim.relation is not Relation.ASSOCIATED


def _direct(question: str, kind: QuestionType, view: GraphView, pair: Readings, weighed: Weighed, limit: int) -> Answer:
    """Answer from claims that are made of the two themselves."""
    scale = pair[0].score * pair[1].score
    best = max(weighed.edges, key=lambda edge: (edge.belief, -edge.strength.rank))
    against = weighed.denying
    said = f"that {claim(best)}"
    deny = f"{counted(against, 'source')} {'denies' if against == 1 else 'deny'}"
    verdict, words, confidence = {
        Standing.SUPPORTED: (Verdict.YES, f"yes: {_sayers(weighed)} {said}", weighed.belief),
        Standing.REFUTED: (Verdict.NO, f"no: {deny} {said}", weighed.disbelief * (1 - weighed.belief)),
        Standing.CONTESTED: (Verdict.CONTESTED, f"contested: {_sayers(weighed)} {said}, {deny} it", 0.5),
        Standing.UNKNOWN: (Verdict.UNKNOWN, f"unknown: it is only said with a hedge {said}", weighed.belief),
    }[standing(weighed.support, against)]
    if against and verdict is Verdict.YES:
        words += f"; {deny} it"
    if verdict is Verdict.NO and weighed.support:
        words += f", although {_sayers(weighed, 'so')}"
    loosely = [read_as(one) for one in pair if one.score < SURE]
    if loosely:
        words += f"; {listed(loosely)}"
    supporting, denying = cited(view, weighed.edges)
    decided = verdict in (Verdict.YES, Verdict.NO)
    deciding = [edge for edge in weighed.edges if (edge.against if verdict is Verdict.NO else edge.support)] if decided else []
    return Answer(
        question=question,
        type=kind,
        route=Route.GRAPH,
        verdict=verdict,
        answer=verdict.value if decided else None,
        sentence=sentence(words),
        findings=tuple(_finding(verdict.value, edge, confidence * scale) for edge in deciding[:limit]),
        confidence=confidence * scale,
        evidence=supporting,
        against=denying,
        trace=tuple(read_as(one) for one in pair),
        missing=()
        if verdict is not Verdict.UNKNOWN
        else (Missing("evidence that says so without a hedge", "more texts, mined with kgqa mine"),),
    )


def _sayers(weighed: Weighed, what: str = "") -> str:
    """Return who asserts the claim, with the verb and `what` is said: "3 sources say", "CauseNet says so, without ..."."""
    number = weighed.asserting
    if number:
        besides = " (and CauseNet, without a place)" if weighed.unplaced else ""
        return f"{counted(number, 'source')}{besides} {'says' if number == 1 else 'say'} {what}".rstrip()
    if not weighed.unplaced:
        return "nothing says"
    return f"CauseNet says {what}".rstrip() + ", without a sentence that could be looked up" + ("" if what else ",")


def _instead(question: str, kind: QuestionType, view: GraphView, pair: Readings, reverse: list[Edge], what: str) -> Answer:
    """Answer no where only the other direction is claimed ("the reverse"), or the other polarity ("the opposite")."""
    best = max(reverse, key=lambda edge: edge.belief)
    weighed = _weighed(view, reverse, ())
    supporting, denying = cited(view, reverse)
    confidence = 0.5 * best.belief * pair[0].score * pair[1].score
    return Answer(
        question=question,
        type=kind,
        route=Route.GRAPH,
        verdict=Verdict.NO,
        answer=Verdict.NO.value,
        sentence=sentence(f"no, as far as the graph knows: {_sayers(weighed)} {what}, that {claim(best)}"),
        findings=(_finding(Verdict.NO.value, best, confidence),),
        confidence=confidence,
        evidence=denying,
        against=supporting,
        trace=(*(read_as(one) for one in pair), "no checkable claim that says what was asked for"),
        missing=(Missing(f"a claim that {pair[0].concepts[0]} bears on {pair[1].concepts[0]}", "texts about both"),)
        if what == "the reverse"
        else (),
    )


def _mediated(question: str, kind: QuestionType, view: GraphView, pair: Readings, chains: Sequence[Path]) -> Answer:
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


def _unknown(question: str, kind: QuestionType, view: GraphView, cause: str, effect: str, pairs: list[Readings]) -> Answer:
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


def _finding(text: str, edge: Edge, confidence: float) -> Finding:
    """Return a finding that rests on one edge, for a verdict."""
    return replace(edge_finding(edge), text=text, confidence=confidence)

"""Chains of claims from what a question names to what it asks about, joined where two say the same middle, if in other words.

The claims are those near in meaning to the question and to either of its phrases, and those of what these may be linked to. They
make a chain where the effect of the one says what the cause of the next does, each step comes nearer to what is asked about, and
the matcher takes the whole for an answer. docs/paths.md tells how chains were judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from graph.model import Claim, Edge, Path, Relation
from kgqa.answer_model import Answer, CausalConnection, Route
from kgqa.answering.chains.chain_answer import ChainConclusion
from kgqa.answering.chains.chain_validity import junction_validity
from kgqa.answering.chains.connections import ConnectionConclusion
from kgqa.answering.chains.mechanisms import MechanismConclusion, is_telling
from kgqa.answering.findings import cite_evidence, count_decreases, edge_finding, finding_signals, path_finding
from kgqa.answering.matching.claim_embeddings import EmbeddingIndex
from kgqa.answering.matching.claim_matcher import AskedClaim, ClaimMatcher, answer_odds, claim_text
from kgqa.answering.matching.linked_claims import claims_of_reading, likely_readings
from kgqa.calibration.linear_model import logistic
from kgqa.linking.lexical_relations import LESS, MORE, has_opposite_words, is_related_form, polarity_signs
from kgqa.linking.mention import content_words
from kgqa.linking.nominal_phrases import clause_verb
from kgqa.questions.clause_slots import subject_and_act
from kgqa.reasons import Step
from kgqa.request import Request

if TYPE_CHECKING:
    from kgqa.encoders.text_encoders import Vectors

_NEAR, _CLAIMS = 40, 25
"""How many claims are near a text, and how many of a name that a phrase may be linked to are looked at."""
_LEAST_BELIEF = 0.5
_ENDS_ALIKE, _MIDDLES_ALIKE, _NEARLY_SAME, _ANOTHER_WAY = 0.7, 0.86, 0.93, 0.8
"""The least cosines of a phrase and the name of an end, of the two names of a middle, of names that need no word in common, and
the most of two ways' middles."""
_CLAIMS_BETWEEN, _LEAST_VALID, _LEAST_ODDS_OF_THREE = 60, 0.12, 1.7
"""How many claims of a middle are looked at, and how likely a chain of three is at least to be valid, and to be an answer."""
_LEAST_DIRECT = 0.6
_LEAST_NEARER = 0.05
"""So much nearer to what is asked about each step comes."""
_RELATIONS = (Relation.CAUSES, Relation.ENABLES, Relation.PREVENTS)
_WEIGHED, _WAYS, _SHORT = 10, 2, 2
_LEAST_ODDS, _LEAST_STEP, _SHARE_OF_STEPS, _MOST_BEHIND = 0.7, -2.0, 0.15, 0.6
"""The least odds of a chain and of its first step, what the odds of its steps add, and how far behind the best another may be."""


_Candidate = tuple[float, tuple[Edge, ...]]
"""A chain with its rank before it is judged."""


class JoinedChain(NamedTuple):
    """Claims that lead from what a question names to what it asks about, and the log-odds that they answer it."""

    edges: tuple[Edge, ...]
    odds: float


def explain_by_joining(
    request: Request, answer: Answer, target: AskedClaim, matcher: ClaimMatcher, index: EmbeddingIndex
) -> Answer | None:
    """Return the answer to how the cause of a question brings about its effect by the chains that join them; `None` for none.

    With the claim that says it directly: that of the answer, if it has one, or else one of the two ends.
    """
    ends = (target.cause, target.effect) if target.cause else subject_and_act(target.effect or "")
    if ends is None or not all(ends):
        return None
    target = AskedClaim(request.question, *ends)
    reach = _ends(request, target, matcher, index)
    ways = joined_chains(request, target, matcher, reach)
    if not ways:
        return None
    direct = _claim_of(answer) or _direct_claim(request, reach, ways)
    probability = logistic(ways[0].odds)
    paths = tuple(Path(way.edges, min(edge.belief for edge in way.edges)) for way in ways)
    findings = tuple(replace(path_finding(path), confidence=probability) for path in paths)
    edges = dict.fromkeys(edge for path in paths for edge in path.edges)
    cited = dict.fromkeys(((direct,) if direct is not None else ()), None) | edges
    supporting, denying = cite_evidence(request.view, cited, each=2)
    return replace(
        answer,
        type=request.kind,
        route=Route.GRAPH,
        conclusion=MechanismConclusion(direct, paths, None, supporting),
        answer=findings[0].text,
        verdict=None,
        findings=(*findings, *((edge_finding(direct),) if direct is not None else ()))[: request.limit],
        confidence=probability,
        evidence=supporting,
        against=denying,
        steps=(*answer.steps, *(Step("chain_validity", (path, probability)) for path in paths)),
        gaps=(),
        signals=replace(
            finding_signals(findings[0], probability, CausalConnection.MEDIATED),
            belief=probability,
            hedged=min(edge.hedged for edge in paths[0].edges),
        ),
        connection=CausalConnection.MEDIATED,
    )


def joined_chains(request: Request, target: AskedClaim, matcher: ClaimMatcher, reach: _Ends) -> list[JoinedChain]:
    """Return the best chains of two claims, else of three, from the cause of a question to its effect, of different middles."""
    chains = _judged(target, _pairs(request, reach), matcher)
    chains = chains or _judged(target, _threes(request, reach), matcher, _LEAST_ODDS_OF_THREE)
    middles = matcher.vectors([chain.edges[0].effect for chain in chains])
    ways: list[int] = []
    for place, chain in enumerate(chains):
        near = chain.odds >= chains[0].odds - _MOST_BEHIND
        if near and all(float(middles[place] @ middles[way]) < _ANOTHER_WAY for way in ways):
            ways.append(place)
    return [chains[way] for way in ways[:_WAYS]]


def _claim_of(answer: Answer) -> Edge | None:
    """Return the claim without how that an answer is, if it is one."""
    conclusion = answer.conclusion
    if isinstance(conclusion, ConnectionConclusion):
        conclusion = conclusion.conclusions[0]
    return conclusion.path.edges[0] if isinstance(conclusion, ChainConclusion) else None


def _direct_claim(request: Request, reach: _Ends, ways: Sequence[JoinedChain]) -> Edge | None:
    """Return the claim that says most nearly that the cause leads to the effect, unless a chain has it as a step."""
    steps = {edge for way in ways for edge in way.edges}
    both = {edge: near * reach.ends[edge] for edge, near in reach.starts.items() if edge in reach.ends and edge not in steps}
    wanted = _wanted_sign(request, reach.effect)
    fitting = (edge for edge in both if not wanted or wanted == _sign(edge.effect) * _sign_of(Path((edge,))))
    best = max(fitting, key=lambda edge: both[edge], default=None)
    return best if best is not None and both[best] >= _LEAST_DIRECT else None


def _judged(target: AskedClaim, candidates: Iterable[_Candidate], matcher: ClaimMatcher, least: float = 0.0) -> list[JoinedChain]:
    """Return the chains that the matcher takes for answers, best first."""
    likeliest = [edges for _, edges in sorted(candidates, key=lambda item: -item[0])[:_WEIGHED]]
    texts = [text for edges in likeliest for text in (_chain_text(edges), *(claim_text(edge.claim) for edge in edges))]
    odds = iter([answer_odds(each) for each in matcher.logits(target.question, texts)])
    chains = []
    for edges in likeliest:
        whole, first, *others = islice(odds, len(edges) + 1)
        own = whole + _SHARE_OF_STEPS * (first + others[-1])
        if whole >= _LEAST_ODDS and first >= _LEAST_STEP and own >= least:
            chains.append(JoinedChain(edges, own))
    return sorted(chains, key=lambda chain: -chain.odds)


class _Ends(NamedTuple):
    """The claims of what names the cause of a question, and those of what names its effect, with their cosines to these."""

    starts: Mapping[Edge, float]
    ends: Mapping[Edge, float]
    effect: str
    first: Vectors
    last: Vectors
    vectors: Mapping[str, Vectors]


def _ends(request: Request, target: AskedClaim, matcher: ClaimMatcher, index: EmbeddingIndex) -> _Ends:
    cause, effect = target.cause or "", target.effect or ""
    around, first, last = matcher.vectors([target.question, cause, effect])
    near = [[item.claim for item in index.nearest(vector, _NEAR)] for vector in (first, last, around)]
    out = _believed(request, (*near[0], *near[2], *_linked(request, cause, forward=True)))
    into = _believed(request, (*near[1], *near[2], *_linked(request, effect, forward=False)))
    names = sorted({name for edge in {*out, *into} for name in (edge.cause, edge.effect)}, key=lambda name: (len(name), name))
    vectors = dict(zip(names, matcher.vectors(names), strict=True))
    starts = {edge: float(vectors[edge.cause] @ first) for edge in out if _same_direction(cause, edge.cause)}
    ends = {edge: float(vectors[edge.effect] @ last) for edge in into}
    starts, ends = ({edge: near for edge, near in each.items() if near >= _ENDS_ALIKE} for each in (starts, ends))
    return _Ends(starts, ends, effect, first, last, vectors)


def _pairs(request: Request, reach: _Ends) -> Iterator[_Candidate]:
    """Yield the chains of two claims that lead on from the cause to the effect, the best of each middle."""
    best: dict[tuple[str, str], _Candidate] = {}
    for before, after in product(reach.starts, reach.ends):
        joined = float(reach.vectors[before.effect] @ reach.vectors[after.cause])
        if joined < _MIDDLES_ALIKE or not _says_same(before.effect, after.cause, joined):
            continue
        rank = _rank(request, reach, (before, after)) * joined
        key = before.effect, after.effect
        if rank > best.get(key, (0.0, ()))[0]:
            best[key] = rank, (before, after)
    yield from best.values()


def _threes(request: Request, reach: _Ends) -> Iterator[_Candidate]:
    """Yield the chains of three claims that lead on from the cause to the effect."""
    ends: dict[str, list[Edge]] = {}
    for after in reach.ends:
        ends.setdefault(after.cause, []).append(after)
    for before in reach.starts:
        for between in _acting(request.view.effects(before.effect)[:_CLAIMS_BETWEEN]):
            for after in ends.get(between.effect, ()):
                rank = _rank(request, reach, (before, between, after))
                if rank:
                    yield rank, (before, between, after)


def _rank(request: Request, reach: _Ends, edges: tuple[Edge, ...]) -> float:
    """Return how well a chain leads on from the cause to the effect; 0 where it does not."""
    path, first, last = Path(edges), edges[0], edges[-1]
    nearer = min(
        reach.ends[last] - float(reach.vectors[first.effect] @ reach.last),
        reach.starts[first] - float(reach.vectors[last.cause] @ reach.first),
    )
    if nearer < _LEAST_NEARER or len({*edges}) < len(edges) or not is_telling(path):
        return 0.0
    wanted = _wanted_sign(request, reach.effect)
    if wanted and wanted != _sign(last.effect) * _sign_of(path):
        return 0.0
    valid = junction_validity(path, request.view.topology())
    if len(edges) > _SHORT:
        return 0.0 if count_decreases(path) or valid < _LEAST_VALID else valid
    return reach.starts[first] * reach.ends[last] * (1 + valid)


def _says_same(name: str, next_name: str, cosine: float) -> bool:
    """Return whether the second name of a middle says no more than the first, but for how much of it there is."""
    if not _same_direction(name, next_name):
        return False
    words = content_words(name)
    more = (word for word in content_words(next_name) if not polarity_signs(word))
    return cosine >= _NEARLY_SAME or all(any(is_related_form(word, own) for own in words) for word in more)


def _chain_text(edges: Sequence[Edge]) -> str:
    """Return a chain as the matcher reads it: "deforestation increases runoff, which causes flood"."""
    first, *rest = (claim_text(edge.claim) for edge in edges)
    texts = (
        f"which{text.removeprefix(after.cause)}" if before.effect == after.cause else text
        for (before, after), text in zip(pairwise(edges), rest, strict=True)
    )
    return ", ".join((first, *texts))


def _believed(request: Request, claims: Iterable[Claim]) -> list[Edge]:
    return _acting(edge for edge in map(request.view.edge, dict.fromkeys(claims)) if edge is not None)


def _acting(edges: Iterable[Edge]) -> list[Edge]:
    return [edge for edge in edges if edge.belief >= _LEAST_BELIEF and edge.claim.relation in _RELATIONS]


def _linked(request: Request, phrase: str, *, forward: bool) -> Iterator[Claim]:
    for reading in likely_readings(request, phrase):
        yield from claims_of_reading(request, reading, _CLAIMS, forward=forward)


def _same_direction(first: str, second: str) -> bool:
    """Return whether two names speak of more or of less alike; the second may say of what is plain that there is more of it."""
    signs, others = set(polarity_signs(first)), set(polarity_signs(second))
    return not has_opposite_words(first, second) and (signs == others or others == signs | {MORE})


def _wanted_sign(request: Request, effect: str) -> int:
    """Return 1 where a question asks how an effect comes, or more of it; -1 for less of it; 0 where it may be both."""
    relation = request.kind.slots.relation
    if relation is Relation.ASSOCIATED or (clause_verb(effect) and not polarity_signs(effect)):
        return 0
    return -_sign(effect) if relation is Relation.PREVENTS else _sign(effect)


def _sign_of(path: Path) -> int:
    return -1 if count_decreases(path) % 2 else 1


def _sign(name: str) -> int:
    return -1 if polarity_signs(name).count(LESS) % 2 else 1

"""Answers by the claims that come nearest to a question as a whole, where its phrases are no names of the graph.

The claims that are near in meaning, and those of what its phrases may be linked to, are read with the question by the matcher;
those that answer it are the answer, each as the graph has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from graph.model import Claim, Edge, Relation
from kgqa.answer_model import Answer, ConfidenceSignals, Route, Verdict
from kgqa.answering.chains.chain_answer import ChainConclusion
from kgqa.answering.findings import cite_evidence, distinct_findings, edge_finding
from kgqa.answering.matching.claim_embeddings import EmbeddingIndex
from kgqa.answering.matching.claim_matcher import AskedClaim, ClaimMatcher, RelevantClaim
from kgqa.answering.verdicts.evidence_weighing import ClaimRole
from kgqa.answering.verdicts.verification_query import Proposition, Sense, parse_proposition
from kgqa.calibration.answer_confidence import WEAK_CONFIDENCES
from kgqa.linking.lexical_relations import MORE, has_opposite_words, polarity_signs
from kgqa.linking.mention import content_words
from kgqa.linking.nominal_phrases import clause_verb
from kgqa.question import Semantic
from kgqa.reasons import Conclusion, Refusal, Step
from kgqa.request import Request

OpenClaims = Callable[[ClaimMatcher], EmbeddingIndex | None]
"""Opens the vectors of the claims of a graph by an encoder; `None` where there are none."""

NEAREST = 40
"""How many of the claims nearest in meaning are read with a question."""
_READINGS, _LEAST_LINK, _NAMES_OF_READING, _CLAIMS_OF_NAME, MOST_LINKED = 3, 0.35, 4, 10, 24
"""How many readings of a phrase are looked at, from which score on, with how many names each and how many claims of a name."""
_REASONS = frozenset(
    (
        "not_said",
        "no_claim",
        "unfamiliar",
        "near_claims",
        "other_consequences",
        "no_slot",
        "none_of_kind",
        "doubtful_chain",
        "no_causal_question",
    )
)
"""Why a question is unknown that claims near to it may answer."""
_LEAST_BELIEF = 0.5
_LEAST_SHOWN, _MOST_BEHIND = 0.6, 0.25
"""Beside the likeliest claim, those are shown that answer as probably as this, and no more behind it than that."""
_MOST_SHOWN = 6
_DECISIVE, _AS_GOOD = 0.85, 0.1
"""A verdict rests on a claim as probable as this, or on one that is no more behind it than that."""
_SURE, _NOT_CAUSAL = 0.75, 0.85
"""A thin answer is given up from here, and what is no causal question by its form is answered from there."""
_ASKS_FACT = re.compile(
    r"\W*(?:in )?(?:who|whom|whose|when|where|(?:what|which) year|how (?:many|much|old|long|far|tall|big))\b", re.IGNORECASE
)
"""A question for a fact that no claim is."""
_LEAST_NEAR, _MOST_NEAR = 0.5, 2
"""From here a claim is named that comes near to a question without an answer."""
_ALIKE = 0.85
"""Names of this cosine say nearly the same."""
_ANOTHER = 0.6
"""Names of less than this are of two things."""
_ENDINGS = frozenset(
    "end ending abolition cessation prevention avoidance absence lack halt stop suppression recovery relief".split()
)
"""Words that turn round what a name says."""


@dataclass(frozen=True, slots=True)
class ClaimsConclusion(Conclusion):
    """The claims that answer a question, those that do most probably first; with a verdict where it asks whether something is.

    Where it is `compared` which of several does more, they do not tell.
    """

    edges: tuple[Edge, ...]
    verdict: Verdict | None = None
    compared: bool = False


def asked_claim(request: Request) -> AskedClaim:
    """Return a question with the phrases that claims are compared with."""
    return AskedClaim(request.question, *_phrases_asked_about(request))


def _phrases_asked_about(request: Request) -> tuple[str | None, str | None]:
    """Return the phrases of the cause and of the effect of a question; what is supposed stands for the cause."""
    slots = request.kind.slots
    return slots.condition.target if slots.condition is not None else slots.cause, slots.effect


def near_claims(request: Request, matcher: ClaimMatcher, index: EmbeddingIndex) -> dict[Edge, float]:
    """Return the claims that may answer a question: the nearest, with their cosines, and those of its phrases, with 0."""
    near = index.nearest(matcher.vectors([request.question])[0], NEAREST)
    claims = {item.claim: item.cosine for item in near}
    for claim in islice((claim for claim in _linked_claims(request) if claim not in claims), MOST_LINKED):
        claims[claim] = 0.0
    edges = ((request.view.edge(claim), cosine) for claim, cosine in claims.items())
    return {edge: cosine for edge, cosine in edges if edge is not None and edge.belief >= _LEAST_BELIEF}


def _linked_claims(request: Request) -> Iterator[Claim]:
    view = request.view
    for phrase, forward in zip(_phrases_asked_about(request), (True, False), strict=True):
        for reading in islice(request.link(phrase, view), _READINGS) if phrase else ():
            if reading.score < _LEAST_LINK:
                break
            for name in reading.concepts[:_NAMES_OF_READING]:
                edges = view.effects(name) if forward else view.causes(name)
                yield from (edge.claim for edge in edges[:_CLAIMS_OF_NAME])


def answer_with_claims(
    request: Request, answer: Answer, open_matcher: Callable[[], ClaimMatcher | None], open_claims: OpenClaims
) -> Answer:
    """Return the answer to a question by the claims that answer it most probably, in place of a refusal or of a thin answer.

    Where none is sure enough, a thin answer stays, and a refusal names those that come nearest.
    """
    kind = request.kind
    chooses = kind.slots.comparison is not None or kind.slots.options is not None
    thin = answer.is_decided
    matcher = open_matcher() if thin or _may_be_known(answer, chooses=chooses) else None
    index = None if matcher is None else open_claims(matcher)
    if matcher is None or index is None:
        return answer
    judged = matcher.relevance(asked_claim(request), near_claims(request, matcher, index))
    relevant = [item for item in judged if _is_of_thing(request, item.edge)]
    bound = _SURE if thin else matcher.bound if kind.semantic is not None else _NOT_CAUSAL
    asks_whether = kind.semantic is Semantic.VERIFICATION and not chooses and kind.slots.relation is not Relation.ASSOCIATED
    if not relevant or relevant[0].probability < bound:
        return answer if thin or asks_whether or kind.semantic is None else _name_nearest(answer, relevant)
    best = relevant[0]
    verdict = None
    if asks_whether:
        verdicts = {item: _verdict_of(request, item) for item in relevant}
        near = (item for item in relevant if item.is_whole and item.probability >= best.probability - _AS_GOOD)
        verdict = next(filter(None, map(verdicts.get, near)), None) if best.is_whole and best.probability >= _DECISIVE else None
        if verdict is None:
            return answer
        relevant = [item for item in relevant if verdicts[item] is verdict]
    least = max(_LEAST_SHOWN, best.probability - _MOST_BEHIND)
    edges = _without_alike([item.edge for item in relevant if item.probability >= least], matcher)[:_MOST_SHOWN]
    if thin and not _tell_more(edges, answer, matcher):
        return answer
    findings = distinct_findings(map(edge_finding, edges))
    edges = [finding.path.edges[0] for finding in findings]
    evidence, against = cite_evidence(request.view, edges)
    has_place = any(cited.evidence.text is not None or cited.evidence.start is not None for cited in evidence)
    most_carried = 1.0 if has_place else WEAK_CONFIDENCES[0]
    return replace(
        answer,
        route=Route.GRAPH,
        conclusion=ClaimsConclusion(tuple(edges), verdict, kind.slots.comparison is not None),
        answer=verdict.value if verdict else "; ".join(finding.text for finding in findings),
        verdict=verdict,
        findings=findings,
        confidence=min(best.probability, best.edge.belief, most_carried),
        evidence=evidence,
        against=against,
        steps=(*answer.steps, Step("claims_read", (len(relevant), best.edge, best.probability))),
        gaps=(),
        signals=ConfidenceSignals(
            best.edge.belief, best.probability, best.edge.support, best.edge.against, best.edge.hedged, steps=1
        ),
    )


def _may_be_known(answer: Answer, *, chooses: bool) -> bool:
    """Return whether a question is unknown for what the graph was not found to say, and not for what was asked."""
    if not isinstance(answer.conclusion, Refusal):
        return chooses
    fact = answer.type.semantic is None and _ASKS_FACT.match(answer.question)
    return answer.conclusion.reason in _REASONS and not fact


def _tell_more(edges: Sequence[Edge], answer: Answer, matcher: ClaimMatcher) -> bool:
    """Return whether claims tell more than a thin answer: of a claim without how, a step that is neither of its ends again."""
    known = [edge for finding in answer.findings for edge in finding.path.edges]
    if not isinstance(answer.conclusion, ChainConclusion):
        return any(edge not in known for edge in edges)
    direct = answer.conclusion.path.edges[0]
    last, *vectors = matcher.vectors([direct.effect, *(edge.effect for edge in edges)])
    return any(
        edge.cause == direct.cause and float(vector @ last) < _ANOTHER for edge, vector in zip(edges, vectors, strict=True)
    )


def _name_nearest(answer: Answer, relevant: Sequence[RelevantClaim]) -> Answer:
    """Return a refusal that names the claims that come nearest to the question, if any comes near."""
    near = tuple(item.edge for item in relevant[:_MOST_NEAR] if item.probability >= _LEAST_NEAR)
    return replace(answer, conclusion=Refusal("claims_near", near)) if near else answer


def _is_of_thing(request: Request, edge: Edge) -> bool:
    """Return whether a claim may be of the one thing that a question asks about, and not of less of it: a decline of it."""
    cause, effect = _phrases_asked_about(request)
    if (cause is None) == (effect is None) or request.kind.slots.condition is not None:
        return True
    phrase, name = (cause, edge.cause) if cause else (effect or "", edge.effect)
    less = not set(polarity_signs(name)) <= {*polarity_signs(phrase), MORE}
    return not (less and set(content_words(phrase)) <= set(content_words(name)))


def _verdict_of(request: Request, best: RelevantClaim) -> Verdict | None:
    """Return what a claim says of the proposition of a question, whose ends have the directions of its phrases; else `None`."""
    slots, claim = request.kind.slots, best.edge.claim
    proposition = parse_proposition(request.question, slots)
    if not (_keeps_direction(slots.cause, claim.cause) and _keeps_direction(slots.effect, claim.effect, proposition)):
        return None
    role = proposition.role((claim.relation, claim.polarity))
    if role in (ClaimRole.SAYS, ClaimRole.MORE):
        return proposition.judged(Verdict.YES)
    return proposition.judged(Verdict.NO) if role is ClaimRole.CONTRARY else None


def _keeps_direction(phrase: str | None, name: str, proposition: Proposition | None = None) -> bool:
    """Return whether a name has the direction of a phrase.

    An effect may become more of itself where more is asked for: "push up prices" is a surge in prices; a verb of a clause has the
    direction: what damages the ozone layer depletes it.
    """
    if phrase is None:
        return True
    if has_opposite_words(phrase, name) or _ENDINGS & (set(content_words(phrase)) ^ set(content_words(name))):
        return False
    own, signs = polarity_signs(phrase), polarity_signs(name)
    if set(own) == set(signs):
        return True
    if own or proposition is None:
        return False
    return (
        bool(clause_verb(phrase))
        or proposition.sense is Sense.EITHER
        or (proposition.sense is Sense.MORE and set(signs) == {MORE})
    )


def _without_alike(edges: Sequence[Edge], matcher: ClaimMatcher) -> list[Edge]:
    """Return edges without those of an end of an earlier one whose other end says nearly the same as that of it."""
    ends = list(dict.fromkeys(end for edge in edges for end in (edge.cause, edge.effect)))
    vectors = dict(zip(ends, matcher.vectors(ends), strict=True))
    distinct: list[Edge] = []
    for edge in edges:
        if not any(
            (edge.cause == earlier.cause and float(vectors[edge.effect] @ vectors[earlier.effect]) >= _ALIKE)
            or (edge.effect == earlier.effect and float(vectors[edge.cause] @ vectors[earlier.cause]) >= _ALIKE)
            for earlier in distinct
        ):
            distinct.append(edge)
    return distinct

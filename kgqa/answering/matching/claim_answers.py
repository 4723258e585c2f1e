"""Answers by the claims that come nearest to a question as a whole, where its phrases are no names of the graph.

The claims that are near in meaning, and those of what its phrases may be linked to, are read with the question by the matcher;
those that answer it are the answer, each as the graph has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from graph.model import Claim, Edge, Relation
from graph.text.stop_words import PREPOSITIONS
from kgqa.answer_model import Answer, ConfidenceSignals, Route, Verdict
from kgqa.answering.chains.chain_answer import ChainConclusion
from kgqa.answering.findings import cite_evidence, distinct_findings, edge_finding, repeats_question
from kgqa.answering.lists.listing import ListConclusion
from kgqa.answering.lists.near_listing import answer_near_list, asks_list
from kgqa.answering.matching.claim_embeddings import EmbeddingIndex
from kgqa.answering.matching.claim_matcher import AskedClaim, ClaimMatcher, RelevantClaim
from kgqa.answering.matching.compared_options import compare_options
from kgqa.answering.matching.joined_chains import explain_by_joining
from kgqa.answering.matching.linked_claims import claims_of_reading, likely_readings
from kgqa.answering.matching.near_verdicts import answer_denied, answer_turned_round, converse_request, near_verdict
from kgqa.answering.verdicts.verification import HEDGED_BELIEF
from kgqa.calibration.answer_confidence import WEAK_CONFIDENCES, calibrate_answer
from kgqa.linking.concept_links import SURE_LINK
from kgqa.linking.lexical_relations import MORE, is_contrary_event, polarity_signs
from kgqa.linking.mention import content_words
from kgqa.question import Attribute, Semantic
from kgqa.questions.clause_slots import subject_and_act
from kgqa.questions.question_form import asks_why_or_how
from kgqa.reasons import Conclusion, Refusal, Step
from kgqa.request import Request

if TYPE_CHECKING:
    from kgqa.encoders.text_encoders import Vectors

OpenClaims = Callable[[ClaimMatcher], EmbeddingIndex | None]
"""Opens the vectors of the claims of a graph by an encoder; `None` where there are none."""

NEAREST = 40
"""How many of the claims nearest in meaning are read with a question."""
_CLAIMS_OF_NAME, MOST_LINKED = 10, 24
"""How many claims of a name that a phrase may be linked to are looked at, and how many are read with a question."""
_NAMES_OF_WORDS, _CLAIMS_OF_WORDS = 12, 3
"""How many names with all words of a phrase are looked at, with how many claims of either side each."""
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
_SURE, _NOT_CAUSAL = 0.75, 0.85
"""A thin answer is given up from here, and what is no causal question by its form is answered from there."""
_WHAT_IF = "condition.what-if"
"""The rule of a question that only supposes something."""
_ASKS_FACT = re.compile(
    r"\W*(?:in )?(?:who|whom|whose|when|where|(?:what|which) year|how (?:many|much|old|long|far|tall|big))\b", re.IGNORECASE
)
"""A question for a fact that no claim is."""
_ASKS_MANNER = re.compile(r"\W*how\b(?! come\b)", re.IGNORECASE)
_ASKS_LINK = re.compile(r"\W*(?:what|which|the|any|links?|connections?)\b", re.IGNORECASE)
"""A question for a link, and not whether there is one."""
_ASKS_EFFECTS = re.compile(
    r"\W*(?:what (?:are|is|were) the |the )?(?:\w+ )?(?:effects?|results?|consequences?|impacts?)\b", re.IGNORECASE
)
"""A question that is answered with a list of effects, and not with how they come about."""
_CONNECTED, _JOINED = 0.6, (0.6, 0.5)
"""From here a claim answers how two things are connected; names of the first cosine are near to them, else of the second."""
_LEAST_NEAR, _MOST_NEAR = 0.5, 2
"""From here a claim is named that comes near to a question without an answer."""
_ALIKE = 0.85
"""Names of this cosine say nearly the same."""
_ANOTHER = 0.6
"""Names of less than this are of two things."""


@dataclass(frozen=True, slots=True)
class ClaimsConclusion(Conclusion):
    """The claims that answer a question, those that do most probably first; with a verdict where it asks whether something is.

    Where it is `compared` which of several does more, they do not tell.
    """

    edges: tuple[Edge, ...]
    verdict: Verdict | None = None
    compared: bool = False


def asked_claim(request: Request) -> AskedClaim:
    """Return a question with the phrases that claims are compared with; how two things are connected, as what the one does."""
    cause, effect = _phrases_asked_about(request)
    return AskedClaim(f"What does {cause} do to {effect}?" if asks_connection(request) else request.question, cause, effect)


def asks_connection(request: Request) -> bool:
    """Return whether a question asks how two things are connected, or what the role of one is in the other."""
    slots = request.kind.slots
    whether = request.kind.semantic is Semantic.VERIFICATION and not _ASKS_LINK.match(request.question)
    return slots.relation is Relation.ASSOCIATED and bool(slots.cause and slots.effect) and slots.options is None and not whether


def _phrases_asked_about(request: Request) -> tuple[str | None, str | None]:
    """Return the phrases of the cause and of the effect of a question; what is supposed stands for the cause.

    Where a question asks how something does what its clause says, that is the cause, and the rest of the clause the effect.
    """
    slots = request.kind.slots
    cause = slots.condition.target if slots.condition is not None else slots.cause
    clause = cause is None and slots.effect and _ASKS_MANNER.match(request.question)
    split = subject_and_act(slots.effect) if clause and slots.effect else None
    return split or (cause, slots.effect)


def _asks_how(request: Request) -> bool:
    """Return whether a question asks how something comes about, and not whether, which of two, or for a list of effects."""
    slots = request.kind.slots
    semantic = request.kind.semantic
    plain = semantic not in (None, Semantic.VERIFICATION) and slots.condition is None and slots.options is None
    plain = plain and (semantic is not Semantic.RESULT or bool(_ASKS_MANNER.match(request.question)))
    return (plain and not _ASKS_EFFECTS.match(request.question)) or asks_connection(request)


def near_claims(request: Request, matcher: ClaimMatcher, index: EmbeddingIndex, *, denied: bool = False) -> dict[Edge, float]:
    """Return the claims that may answer a question: the nearest, with their cosines, and those of its phrases, with 0.

    They are believed; with `denied` also those that some text denies.
    """
    near = index.nearest(matcher.vectors([asked_claim(request).question])[0], NEAREST)
    claims = {item.claim: item.cosine for item in near}
    for claim in islice((claim for claim in _linked_claims(request) if claim not in claims), MOST_LINKED):
        claims[claim] = 0.0
    edges = ((request.view.edge(claim), cosine) for claim, cosine in claims.items())
    return {
        edge: cosine for edge, cosine in edges if edge is not None and (edge.belief >= _LEAST_BELIEF or (denied and edge.against))
    }


def _linked_claims(request: Request) -> Iterator[Claim]:
    """Yield the claims of what the phrases of a question may be linked to; of what nothing is called, those of its words."""
    view = request.view
    for phrase, forward in zip(_phrases_asked_about(request), (True, False), strict=True):
        sure = False
        for reading in likely_readings(request, phrase) if phrase else ():
            sure = sure or reading.score >= SURE_LINK
            yield from claims_of_reading(request, reading, _CLAIMS_OF_NAME, forward=forward)
        for name in view.search(content_words(phrase), _NAMES_OF_WORDS) if phrase and not sure else ():
            yield from (edge.claim for edge in (*view.effects(name)[:_CLAIMS_OF_WORDS], *view.causes(name)[:_CLAIMS_OF_WORDS]))


def answer_with_claims(
    request: Request, answer: Answer, open_matcher: Callable[[], ClaimMatcher | None], open_claims: OpenClaims
) -> Answer:
    """Return the answer to a question by the claims that answer it most probably, in place of a refusal or of a thin answer.

    Where none is sure enough, a thin answer stays, and a refusal names those that come nearest.
    """
    kind = request.kind
    chooses = kind.slots.comparison is not None or kind.slots.options is not None
    supposes = kind.slots.condition is not None and (Attribute.COUNTERFACTUAL in kind.attributes or _WHAT_IF in kind.rules)
    presumed = answer.type.semantic is None
    thin, lists = answer.is_decided, asks_list(request, answer) and not presumed
    if thin and (supposes or (_is_sound_list(answer) and not lists and not repeats_question(answer))):
        return answer  # A short list says enough of why something is so.
    matcher = open_matcher() if thin or _may_be_known(answer, chooses=chooses) else None
    index = None if matcher is None else open_claims(matcher)
    if matcher is None or index is None:
        return answer
    asks_whether = kind.semantic is Semantic.VERIFICATION and not chooses and kind.slots.relation is not Relation.ASSOCIATED
    if asks_whether and not supposes:
        return _answer_whether(request, answer, matcher, index)
    target, candidates = asked_claim(request), near_claims(request, matcher, index)
    if supposes:  # What is supposed is never answered with claims as they stand.
        relevant = _of_things(request, matcher.relevance(target, candidates))
        return answer if asks_whether or kind.semantic is None else _name_nearest(answer, relevant)
    of_thing = {edge: cosine for edge, cosine in candidates.items() if _is_of_thing(request, edge)}
    joined = answer_near_list(request, answer, of_thing, target, matcher) if lists else None
    if joined is not None or (lists and thin):
        return answer if joined is None else joined
    explained = explain_by_joining(request, answer, target, matcher, index) if _asks_how(request) else None
    if explained is not None:
        return explained
    compared = compare_options(request, answer, matcher, lambda part: near_claims(part, matcher, index))
    if compared is not None:
        return compared
    full_list = target.cause and target.effect and isinstance(answer.conclusion, Conclusion) and not answer.conclusion.is_thin
    if thin and (asks_connection(request) or full_list or kind.slots.options is not None):
        return answer
    relevant = _of_things(request, matcher.relevance(target, candidates))
    bound = _SURE if thin or presumed else _CONNECTED if asks_connection(request) else matcher.bound
    causal = kind.semantic is not None and not (presumed and not target.cause)
    bound = bound if causal else _NOT_CAUSAL
    if not relevant or relevant[0].probability < bound:
        return answer if thin or presumed else _name_nearest(answer, relevant)
    points = asks_connection(request) or (_asks_how(request) and target.effect and asks_why_or_how(request.question))
    pointed = _to_the_point(request, target, relevant, matcher) if points else []
    if asks_connection(request) and not (pointed and pointed[0].probability >= bound):
        return answer if thin or presumed else _name_nearest(answer, relevant)
    if asks_connection(request) or relevant[0] in pointed:
        relevant = pointed
    return _answer_by(relevant, request, answer, matcher, least=min(_LEAST_SHOWN, bound))


def _is_sound_list(answer: Answer) -> bool:
    return isinstance(answer.conclusion, ListConclusion) and answer.conclusion.is_sound


def _of_things(request: Request, judged: Sequence[RelevantClaim]) -> list[RelevantClaim]:
    return [item for item in judged if _is_of_thing(request, item.edge)]


def _answer_whether(request: Request, answer: Answer, matcher: ClaimMatcher, index: EmbeddingIndex) -> Answer:
    """Return the verdict of near claims in place of none, or of one that no text carries; else the answer as it is."""

    def relevant_claims(question: Request, *, denied: bool) -> list[RelevantClaim]:
        return _of_things(
            question, matcher.relevance(asked_claim(question), near_claims(question, matcher, index, denied=denied))
        )

    relevant = relevant_claims(request, denied=True)
    asserting = near_verdict(request, relevant, matcher)
    denied = answer_denied(request, relevant, matcher)
    if denied is not None:
        return calibrate_answer(denied)
    if asserting is not None and (not answer.is_decided or answer.verdict is asserting.verdict):
        near = _answer_by(asserting.items, request, answer, matcher, verdict=asserting.verdict)
        # What a text says of the very names with a hedge is not said more surely with another.
        least = answer.confidence if isinstance(answer.conclusion, Refusal) else max(answer.confidence, HEDGED_BELIEF)
        return near if near.confidence > least else answer
    if answer.is_decided:
        return answer
    converse = relevant_claims(converse_request(request), denied=False)
    turned_round = answer_turned_round(request, relevant, converse, matcher)
    return answer if turned_round is None else calibrate_answer(turned_round)


def _answer_by(
    relevant: Sequence[RelevantClaim],
    request: Request,
    answer: Answer,
    matcher: ClaimMatcher,
    *,
    verdict: Verdict | None = None,
    least: float = _LEAST_SHOWN,
) -> Answer:
    """Return the answer that relevant claims make, those from `least` on; the answer as it is where they tell no more."""
    best, kind = relevant[0], request.kind
    least = max(least, best.probability - _MOST_BEHIND)
    edges = _without_alike([item.edge for item in relevant if item.probability >= least], matcher)[:_MOST_SHOWN]
    if answer.is_decided and not _tell_more(edges, answer, matcher):
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
        return chooses or answer.verdict is Verdict.UNKNOWN
    fact = answer.type.semantic is None and _ASKS_FACT.match(answer.question)
    return answer.conclusion.reason in _REASONS and not fact


def _to_the_point(
    request: Request, target: AskedClaim, relevant: Sequence[RelevantClaim], matcher: ClaimMatcher
) -> list[RelevantClaim]:
    """Return the claims that are about what a question names, those of its connection, or of the best of them.

    Of how two things are connected, those that join them; of others, those of the cause that is named, those whose effect is near
    to that of the best claim, and the steps to these.
    """
    ends = list(dict.fromkeys(name for item in relevant for name in (item.edge.cause, item.edge.effect)))
    first, second, *vectors = matcher.vectors([target.cause or "", target.effect or "", *ends])
    by_name = dict(zip(ends, vectors, strict=True))

    def is_near(name: str, vector: Vectors, least: float = _ANOTHER) -> bool:
        return float(by_name[name] @ vector) >= least

    if asks_connection(request):
        turns = ((first, second), (second, first))
        joining = (
            [i for i in relevant if any(is_near(i.edge.cause, a, least) and is_near(i.edge.effect, b, least) for a, b in turns)]
            for least in _JOINED
        )
        return next(filter(None, joining), [])
    best = by_name[relevant[0].edge.effect]
    pointed = [item for item in relevant if is_near(item.edge.effect, best) or (target.cause and is_near(item.edge.cause, first))]
    steps = {item.edge.cause for item in pointed}
    return [item for item in relevant if item in pointed or item.edge.effect in steps]


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
    """Return whether a claim may be of the one thing that a question asks about, and not of less of it: a decline of it.

    What it says of the fall of a thing is not said of its building.
    """
    cause, effect = _phrases_asked_about(request)
    if any(is_contrary_event(phrase or "", name) for phrase, name in ((cause, edge.cause), (effect, edge.effect))):
        return False
    if (cause is None) == (effect is None) or request.kind.slots.condition is not None:
        return True
    phrase, name = (cause, edge.cause) if cause else (effect or "", edge.effect)
    less = not set(polarity_signs(name)) <= {*polarity_signs(phrase), MORE}
    return not (less and set(content_words(phrase)) <= set(content_words(name)))


def _without_alike(edges: Sequence[Edge], matcher: ClaimMatcher) -> list[Edge]:
    """Return edges without those of an end of an earlier one whose other end says nearly the same as its own, or narrows it."""
    ends = list(dict.fromkeys(end for edge in edges for end in (edge.cause, edge.effect)))
    vectors = dict(zip(ends, matcher.vectors(ends), strict=True))

    def alike(name: str, earlier: str) -> bool:
        return float(vectors[name] @ vectors[earlier]) >= _ALIKE or _is_narrowed(name, earlier)

    distinct: list[Edge] = []
    for edge in edges:
        if not any(
            (edge.cause == earlier.cause and alike(edge.effect, earlier.effect))
            or (edge.effect == earlier.effect and alike(edge.cause, earlier.cause))
            for earlier in distinct
        ):
            distinct.append(edge)
    return distinct


def _is_narrowed(name: str, earlier: str) -> bool:
    """Return whether a name says of an earlier one where it is, or whose: nitrogen dioxide in exhaust gas."""
    rest = name.removeprefix(f"{earlier} ")
    return rest != name and rest.split()[0] in PREPOSITIONS["linking"]

"""Answers to "Does X cause Y?" and "Does X prevent Y?": a verdict from the evidence on both sides, and how the two are connected.

The claims of the two concepts come first; then the claims of narrower and of wider concepts; then chains; then the reverse, where
only that is claimed and the two are not likely to bring about one another; then a refusal with the nearest that is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graph.belief.belief import AGAINST, trust
from graph.model import Edge, Path, Relation
from kgqa.answer_model import (
    Answer,
    CausalConnection,
    CitedEvidence,
    ConfidenceSignals,
    ContextSplit,
    Finding,
    Route,
    Verdict,
    VerdictFlip,
)
from kgqa.answering.chains.chain_validity import MIN_VALIDITY, ScoredPath, explains, junction_validity
from kgqa.answering.evidence_kind import Circumstances, EvidenceKind
from kgqa.answering.findings import cite_evidence, distinct_findings, edge_finding, path_finding
from kgqa.answering.verdicts.causal_direction import ONE_WAY_PROBABILITIES
from kgqa.answering.verdicts.evidence_weighing import ClaimRole, WeighedEvidence, find_flips, find_separation, witness_verdict
from kgqa.answering.verdicts.verification_query import VerificationQuery
from kgqa.linking.concept_links import BROADER, NARROWER, SPELLING, SURE_LINK, ConceptLink, LinkPair, drops_name
from kgqa.question import Semantic
from kgqa.reasons import Conclusion, Missing, Refusal, Step
from kgqa.request import Request

MIN_REVERSE_SOURCES = 2
"""How many independent texts must claim the reverse for the answer no, where the roles of the two do not surely tell."""
MIN_VERDICT_LINK = 0.25
"""The least certainty of a pair of readings that is answered from, one of which must be sure."""
KNOWN_DEGREE = 10
"""How many claims are about a concept that is well known."""
MIN_POSSIBLE_VALIDITY = 0.5
"""The least validity of a chain that is shown as a possible one: more likely valid than not."""
_UNDECIDED = (Verdict.UNKNOWN, Verdict.CONTESTED)
_NOTHING_WEIGHED = WeighedEvidence()


@dataclass(frozen=True, slots=True)
class VerdictConclusion(Conclusion):
    """The verdict that claims of the two concepts themselves make.

    `claim_verdict` is the verdict on the claim; `verdict` is the contrary where the question asks whether the claim is false.
    `foremost` is the claim that is worded, `contrary` the most believed one that says the opposite, `lesser` the most believed
    one that says less. `explains` is set where the question asks why something is not so, and not whether;
    `without_mechanism` where it asks how, which no claim tells.
    """

    verdict: Verdict
    claim_verdict: Verdict
    weighed: WeighedEvidence
    links: tuple[ConceptLink, ConceptLink]
    foremost: Edge
    contrary: Edge | None = None
    lesser: Edge | None = None
    circumstances: Circumstances = ()
    separation: ContextSplit | None = None
    explains: bool = False
    without_mechanism: bool = False

    @property
    def is_thin(self) -> bool:
        """Whether no text asserts the claim, or none of the very things, or one alone denies it."""
        if self.claim_verdict is Verdict.NO:
            return self.weighed.denying == 1
        wider = any(link.how == BROADER for link in self.links)
        return self.claim_verdict is Verdict.YES and (wider or not self.weighed.count(EvidenceKind.TEXT))


HEDGED_BELIEF = 0.62
"""The most belief in a claim that sources only hedge."""


@dataclass(frozen=True, slots=True)
class MediatedConclusion(Conclusion):
    """The verdict that a chain makes; unknown where the chain is only possible, and `likely` where it is likely to be valid."""

    verdict: Verdict
    path: Path
    likely: bool = False


@dataclass(frozen=True, slots=True)
class ReverseConclusion(Conclusion):
    """The verdict where only the reverse is claimed, with the evidence for the reverse and its most believed claim.

    `unstated`: the no is concluded from the roles of the two, for too few texts claim the reverse.
    """

    verdict: Verdict
    weighed: WeighedEvidence
    edge: Edge
    unstated: bool = False


def answer_verification(request: Request) -> Answer:
    """Answer whether the cause of the question bears on its effect, in the sense of the question."""
    query = VerificationQuery(request)
    if query.same_concept:
        return _refuse_same_thing(query)
    verdict = query.verdict(query.direct)
    has_texts = bool(query.direct.count(EvidenceKind.TEXT) or query.direct.denying or query.direct.reported)
    one_way = query.one_way_probability
    is_reversed = bool(one_way) and not has_texts and not _is_unstated(query.reverse)
    if verdict is not Verdict.UNKNOWN and not is_reversed:
        return answer_from_claims(query, query.direct, query.sure[0], verdict)
    if is_reversed:
        return _answer_reversed(query, Verdict.NO, one_way)
    near = _answer_from_near(query)
    if near is not None:
        return near
    if _deciding_chains(query):
        return _answer_by_chain(query, sure=True)
    if one_way > ONE_WAY_PROBABILITIES[0]:
        return _answer_reversed(query, Verdict.NO, one_way)
    if query.direct.edges:
        return answer_from_claims(query, query.direct, query.sure[0], verdict)
    if query.reverse.witnesses:
        return _answer_reversed(query, Verdict.UNKNOWN)
    return _refuse_unconnected(query)


def answer_from_claims(query: VerificationQuery, weighed: WeighedEvidence, pair: LinkPair, verdict: Verdict) -> Answer:
    """Return the answer with the verdict that the weighed evidence makes of the claim, the phrases read as `pair`."""
    proposition = query.proposition
    separation = find_separation(weighed.parts) if verdict is Verdict.CONTESTED else None
    only_opposed = all(witness.opposes for witness in weighed.witnesses if witness.denying)
    contrary, lesser = (
        max((edge for edge in weighed.edges if query.role(edge) is role), key=lambda edge: edge.belief, default=None)
        for role in (ClaimRole.CONTRARY, ClaimRole.LESS)
    )
    # How little the opposite is believed, where it is all that speaks against the claim.
    opposite_doubt = 1.0 - contrary.belief if only_opposed and contrary is not None else 0.0
    gaps: tuple[Missing, ...] = ()
    if verdict is Verdict.UNKNOWN:
        gaps = (Missing("plain_evidence", remedy="more_texts"),)
    elif verdict is Verdict.CONTESTED and separation is None:
        gaps = (Missing("separation", remedy="texts_with_context"),)
    if verdict is Verdict.NO:
        confidence = min(trust(weighed.grounds, AGAINST) * (1.0 - weighed.belief), 1.0 - opposite_doubt)
        connection: CausalConnection | None = CausalConnection.OPPOSITE if only_opposed else CausalConnection.NONE
    else:
        confidence = 0.5 if verdict is Verdict.CONTESTED else weighed.belief
        connection = None if verdict is Verdict.UNKNOWN else CausalConnection.DIRECT
        if all(edge.claim.relation is Relation.ASSOCIATED for edge in weighed.edges):
            connection = CausalConnection.ASSOCIATED
    foremost, explains = _foremost_edge(query, weighed, verdict), query.request.kind.semantic is not Semantic.VERIFICATION
    judged, cases = proposition.judged(verdict), query.circumstances
    conclusion = VerdictConclusion(judged, verdict, weighed, pair, foremost, contrary, lesser, cases, separation, explains)
    flips: tuple[VerdictFlip, ...] = ()
    if verdict is not Verdict.UNKNOWN:
        flips = find_flips(weighed.witnesses, lambda left: proposition.judged(witness_verdict(left, proposition.may)))
    return _verdict_answer(
        query,
        judged,
        conclusion,
        pair,
        connection,
        weighed=weighed,
        confidence=confidence,
        gaps=gaps,
        flips=flips,
        separation=separation,
        doubt=opposite_doubt if verdict is Verdict.NO else 0.0,
    )


def _foremost_edge(query: VerificationQuery, weighed: WeighedEvidence, verdict: Verdict = Verdict.YES) -> Edge:
    """Return the claim that an answer words: the most believed one that says the proposition or more, in the weakest wording.

    Of a denial it is the first that is denied.
    """
    denied = [edge for edge in weighed.edges if edge.against] if verdict is Verdict.NO else []
    if denied:
        return next((edge for edge in denied if query.role(edge) is ClaimRole.SAYS), denied[0])
    return max(
        weighed.edges, key=lambda edge: (query.role(edge) in (ClaimRole.SAYS, ClaimRole.MORE), edge.belief, -edge.strength.rank)
    )


def _answer_from_near(query: VerificationQuery) -> Answer | None:
    """Answer from what is said of narrower cases, or of a wider concept in the place of one phrase; `None` where nothing is.

    Of two readings one must be sure, and the other not too far off. Narrower cases can only show that it is so: what is denied of
    them is not denied in general.
    """
    for pair in query.unsure_pairs():
        if any(drops_name(reading, query.request.question) for reading in pair):
            continue
        edges = query.between.edges(pair[0].concepts, pair[1].concepts)
        if not edges:
            continue
        weighed = query.weighed(edges)
        verdict = query.verdict(weighed)
        ways = {reading.how for reading in pair}
        lower, higher = sorted(reading.score for reading in pair)
        if higher < SURE_LINK or (lower < MIN_VERDICT_LINK and SPELLING not in ways):
            if query.nearest is None and verdict is Verdict.YES:
                query.nearest = pair, _foremost_edge(query, weighed)
            continue
        in_text = weighed.count(EvidenceKind.TEXT) or weighed.denying
        if not in_text and (query.direct.edges or pair[0].how == BROADER):
            continue
        narrower = NARROWER in ways and ways.isdisjoint((BROADER, SPELLING))
        # Aspirin relieves pain, and may well hurt the stomach: what acts against the wider thing denies nothing of this one.
        opposed = BROADER in ways and all(witness.opposes for witness in weighed.witnesses if witness.denying)
        if verdict is Verdict.YES or (verdict is not Verdict.UNKNOWN and not narrower and not opposed):
            return answer_from_claims(query, weighed, pair, verdict)
    return None


def _deciding_chains(query: VerificationQuery) -> list[ScoredPath]:
    """Return the chains that make a yes: that explain, by steps that are not only hedged, and long ones not by one text alone."""
    topology = query.request.view.topology()
    chains = (chain for chain in query.chains if explains(*chain) and all(edge.belief > HEDGED_BELIEF for edge in chain[1].edges))
    return [chain for chain in chains if len(chain[1].edges) <= 2 or junction_validity(chain[1], topology) >= MIN_VALIDITY]


def _answer_by_chain(query: VerificationQuery, *, sure: bool) -> Answer:
    chains = _deciding_chains(query) if sure else query.chains[:1]
    probability, best = chains[0]
    verdict = query.proposition.judged(Verdict.YES) if sure else Verdict.UNKNOWN
    return _verdict_answer(
        query,
        verdict,
        MediatedConclusion(verdict, best, probability >= MIN_VALIDITY),
        query.sure[0],
        CausalConnection.MEDIATED,
        confidence=0.5 * probability * best.score,
        paths=[path for _, path in chains],
        steps=(Step("no_direct_claim", (len(query.chains),)),),
        gaps=() if sure else (_missing_source(query),),
    )


def _is_unstated(reverse: WeighedEvidence) -> bool:
    """Return whether too few texts claim a reverse for that alone to be a no."""
    return reverse.count(EvidenceKind.TEXT) < MIN_REVERSE_SOURCES


def answer_reversed_claims(query: VerificationQuery, reverse: WeighedEvidence, pair: LinkPair) -> Answer:
    """Return the answer no, for only the reverse is so, by the evidence for it, the phrases read as `pair`."""
    return _answer_reversed(query, Verdict.NO, ONE_WAY_PROBABILITIES[1], reverse, pair)


def _answer_reversed(
    query: VerificationQuery,
    verdict: Verdict,
    one_way: float = 0.0,
    near: WeighedEvidence | None = None,
    pair: LinkPair | None = None,
) -> Answer:
    reverse = near or query.reverse
    edge = max(reverse.edges, key=lambda candidate: candidate.belief)
    verdict = query.proposition.judged(verdict)
    return _verdict_answer(
        query,
        verdict,
        ReverseConclusion(verdict, reverse, edge, _is_unstated(reverse)),
        pair or query.sure[0],
        CausalConnection.REVERSED,
        weighed=reverse,
        confidence=one_way * edge.belief,
        doubt=1.0 - one_way * edge.belief,
        against=True,
        steps=(Step("no_claim_as_asked"),),
        gaps=(_missing_source(query),),
    )


def _refuse_same_thing(query: VerificationQuery) -> Answer:
    facts = (query.cause, query.effect, query.same_concept)
    steps = (Step("same_thing", facts),)
    gaps = (Missing("different_things", remedy="two_things"),)
    return _verdict_answer(query, Verdict.UNKNOWN, Refusal("same_thing", facts), None, None, steps=steps, gaps=gaps)


def _refuse_unconnected(query: VerificationQuery) -> Answer:
    """Refuse, with the nearest that is known: a mere link, a common cause, a doubtful chain, or that nothing joins the two."""
    if query.synonymous:
        return _refuse_same_thing(query)
    if query.linked:
        return _refuse_with_other_claim(query, query.linked, CausalConnection.ASSOCIATED)
    if query.common_cause:
        paths = [Path((edge,), edge.belief) for edge in query.common_cause]
        return _refuse_unknown(query, Refusal("shared_cause", query.common_cause), CausalConnection.COMMON_CAUSE, paths)
    if query.chains and query.chains[0][0] >= MIN_POSSIBLE_VALIDITY:
        return _answer_by_chain(query, sure=False)
    if not query.sure or query.nearest is not None:
        return _refuse_unfamiliar(query)
    if query.aside:
        return _refuse_with_other_claim(query, query.aside, None)
    cause, effect = query.sure[0]
    degrees = query.between.degree(query.causes), query.between.degree(query.effects)
    known = ((cause.concepts[0], degrees[0]), (effect.concepts[0], degrees[1])) if min(degrees) >= KNOWN_DEGREE else ()
    refusal = _marked_refusal(query) or Refusal("no_claim", (query.cause, query.effect, _nearest_claims(query), *known))
    return _refuse_unknown(query, refusal, CausalConnection.NONE if known else None, [])


def _refuse_with_other_claim(query: VerificationQuery, edges: Sequence[Edge], connection: CausalConnection | None) -> Answer:
    best = max(edges, key=lambda edge: edge.belief)
    paths = [Path((best,), best.belief)]
    return _refuse_unknown(query, Refusal("other_claim", (best,)), connection, paths, against=connection is None)


def _refuse_unknown(
    query: VerificationQuery,
    refusal: Refusal,
    connection: CausalConnection | None,
    paths: Sequence[Path],
    *,
    against: bool = False,
) -> Answer:
    gaps = (_missing_source(query),)
    return _verdict_answer(query, Verdict.UNKNOWN, refusal, query.sure[0], connection, paths=paths, against=against, gaps=gaps)


def _refuse_unfamiliar(query: VerificationQuery) -> Answer:
    view, link = query.request.view, query.request.link
    unknown = tuple(phrase for phrase in (query.cause, query.effect) if next(iter(link(phrase, view)), None) is None)
    missing = Missing("claim", (query.cause, query.effect), "texts_about_both")
    if unknown:
        missing = Missing("concept", unknown, "texts_about_it")
    pair, edge = query.nearest or (next(query.unsure_pairs(), None), next(iter(_nearest_claims(query)), None))
    return _verdict_answer(query, Verdict.UNKNOWN, Refusal("unfamiliar", (missing, edge)), pair, None, gaps=(missing,))


def _mark_facts(query: VerificationQuery) -> list[tuple[Edge, str, str]]:
    """Return each claim of the two that is marked wrong, with who marked it and the reason."""
    return [(edge, curation.curator, curation.reason) for edge, _, curation in query.marked_wrong]


def _marked_refusal(query: VerificationQuery) -> Refusal | None:
    return Refusal("marked_wrong", tuple(_mark_facts(query))) if query.marked_wrong else None


def _nearest_claims(query: VerificationQuery) -> tuple[Edge, ...]:
    from kgqa.answering.nearest_claims import nearest_claims

    return nearest_claims(query.request)


def _missing_source(query: VerificationQuery) -> Missing:
    names = (link.concepts[0] for link in query.sure[0]) if query.sure else (query.cause, query.effect)
    return Missing("source", tuple(names), "texts_about_both")


def _verdict_answer(
    query: VerificationQuery,
    verdict: Verdict,
    conclusion: Conclusion,
    pair: LinkPair | None,
    connection: CausalConnection | None,
    *,
    weighed: WeighedEvidence = _NOTHING_WEIGHED,
    confidence: float = 0.0,
    paths: Sequence[Path] = (),
    against: bool = False,
    gaps: tuple[Missing, ...] = (),
    steps: tuple[Step, ...] = (),
    flips: tuple[VerdictFlip, ...] = (),
    separation: ContextSplit | None = None,
    doubt: float = 0.0,
) -> Answer:
    """Return the answer of a verdict with its evidence, which is that of `weighed` or of `paths`.

    `confidence`, 0..1, is lowered by how surely the phrases were read as `pair`. `against` says that all of the evidence speaks
    against what is asked. `doubt`, 0..1, is how uncertain a no is although nothing speaks for what is asked.
    """
    request = query.request
    link = pair[0].score * pair[1].score if pair else 0.0
    decided = verdict not in _UNDECIDED
    judged = query.proposition.judged(verdict)
    edges = tuple(dict.fromkeys(edge for path in paths for edge in path.edges)) or weighed.edges
    # An assertion of the opposite is against the proposition.
    contrary = [edge for edge in edges if against or query.role(edge) is ClaimRole.CONTRARY]
    same = [edge for edge in edges if edge not in contrary]
    stating, denying = cite_evidence(request.view, same, 2 if paths else 3)
    opposing, disputing = cite_evidence(request.view, contrary, 2 if paths else 3)
    sides = (*stating, *(() if against else disputing)), (*denying, *opposing)
    supporting, opposed = sides[::-1] if query.proposition.denied else sides
    marks = query.marked_wrong
    opposed = tuple(dict.fromkeys((*(CitedEvidence(edge.claim, record) for edge, record, _ in marks), *opposed)))
    findings: tuple[Finding, ...] = ()
    if decided and paths:
        findings = tuple(replace(path_finding(path), text=verdict.value) for path in paths)
    elif decided:
        affirmed = judged is Verdict.YES
        says = [edge.support + edge.hedged > 0 and query.role(edge) in (ClaimRole.SAYS, ClaimRole.MORE) for edge in edges]
        deciding = [edge for edge, states in zip(edges, says, strict=True) if against or states is affirmed]
        findings = tuple(
            replace(edge_finding(edge), text=verdict.value, confidence=confidence * link)
            for edge in (deciding or edges)[: request.limit]
        )
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH if edges else Route.NONE,
        verdict=verdict,
        answer=verdict.value if decided else None,
        conclusion=conclusion,
        findings=distinct_findings(findings),
        confidence=confidence * link,
        evidence=supporting,
        against=opposed,
        steps=(*(pair or ()), *steps),
        gaps=gaps,
        remarks=() if conclusion == _marked_refusal(query) else tuple(Step("marked_wrong", mark) for mark in _mark_facts(query)),
        signals=ConfidenceSignals(
            belief=confidence if paths else doubt or weighed.belief,
            link=link,
            support=weighed.count(EvidenceKind.TEXT),
            against=weighed.denying,
            hedged=weighed.count(EvidenceKind.HEDGE, EvidenceKind.BARE, EvidenceKind.OPINION),
            steps=max((len(path.edges) for path in paths[:1]), default=1 if weighed.edges else 0),
            agreement=_agreement_share(query, judged, connection),
            connection=connection,
        ),
        connection=connection,
        flips=flips,
        separation=separation,
    )


def _agreement_share(query: VerificationQuery, verdict: Verdict, connection: CausalConnection | None) -> float:
    """Return the share of the other ways to an answer that come to the same: the claim itself, its reverse, a chain of two steps.

    0 for an undecided answer.
    """
    if verdict in _UNDECIDED:
        return 0.0
    yes = verdict is Verdict.YES
    ways = [(not query.reverse.witnesses) == yes] if connection is not CausalConnection.REVERSED else []
    if connection is not CausalConnection.DIRECT and query.direct.witnesses:
        ways.append(query.verdict(query.direct) is verdict)
    chained = any(likely >= MIN_VALIDITY for likely, _ in query.chains)
    if connection is not CausalConnection.MEDIATED and (chained or not yes):
        ways.append(chained == yes)
    return sum(ways) / len(ways) if ways else 0.0

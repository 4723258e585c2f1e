"""Premises checked: causal ones by the verdict that "Does X cause Y?" gets, those about taxa by WordNet; what is so instead."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from graph.model import Claim, Edge, Polarity, Relation, Source, Strength
from kgqa.answer_model import Answer, CitedEvidence, Excerpt, Presupposition, PresuppositionStatus, Verdict
from kgqa.answering.chains.chain_validity import MIN_VALIDITY
from kgqa.answering.findings import cite_evidence
from kgqa.answering.verdicts.evidence_weighing import ClaimRole
from kgqa.answering.verdicts.verification import (
    MediatedConclusion,
    ReverseConclusion,
    VerdictConclusion,
    answer_verification,
)
from kgqa.answering.verdicts.verification_query import VerificationQuery, leads_in_two_steps
from kgqa.calibration.answer_confidence import calibrate_answer
from kgqa.linking.concept_links import SURE_LINK, LinkPair
from kgqa.presuppositions.premise_finder import Premise
from kgqa.presuppositions.taxa import SOURCE, TaxonClaim, is_of_taxon, taxon_of
from kgqa.question import QuestionType
from kgqa.reasons import Conclusion
from kgqa.request import Request


class Contradiction(StrEnum):
    """How a claim is contradicted: sources deny it, say the opposite, only say the reverse, or say it where it is denied."""

    DENIED = "denied"
    OPPOSITE = "opposite"
    REVERSED = "reversed"
    STATED = "stated"


@dataclass(frozen=True, slots=True)
class ClaimCorrection(Conclusion):
    """The `claim` that a question takes for granted is not so: `edge` is what is said of it, or instead of it.

    `sources` are those that say so; `unstated`: that the claim is not so is concluded, for no source says or denies it.
    """

    contradiction: Contradiction
    claim: Edge
    edge: Edge
    sources: int
    unstated: bool = False


_OPPOSING_WITNESSES = 2
MIN_OPPOSITE_BELIEF = 0.7
"""The least belief in the opposite of a claim that no source states, for the claim to be taken for false."""
MIN_REVERSE_BELIEF = 0.9
"""The same for the reverse: things that bring about one another are not rare."""
PROBABILITIES_FALSE = {
    (Contradiction.DENIED, False): 0.88,
    (Contradiction.OPPOSITE, False): 0.97,
    (Contradiction.OPPOSITE, True): 0.95,
    (Contradiction.REVERSED, False): 0.93,
    (Contradiction.REVERSED, True): 0.85,
    (Contradiction.STATED, False): 0.95,
}
"""How probable it is that a premise is false by how it is contradicted: by 26 of each kind, judged (docs/presuppositions.md)."""
ONLY_DENIED = 0.7
"""How probable it is that a premise is false that is denied too weakly for a verdict, with nothing for it: 11 of 16, read."""
SURE_OF_TAXA = 0.97
"""How probable it is that the table of taxa is right."""


@dataclass(frozen=True, slots=True)
class TaxonCorrection(Conclusion):
    """What a question says of the taxon of a thing is not so: it is of the taxon `actual`."""

    claim: TaxonClaim
    actual: str


class CheckedPremise(NamedTuple):
    """A premise as it was checked: with its status, and with the verdict on its claim, where that is a causal one."""

    premise: Premise
    presupposition: Presupposition
    verdict: Answer | None = None


def check_premise(request: Request, premise: Premise) -> CheckedPremise:
    """Return a premise with its status, by the verdict of the graph on it or by the kinds of WordNet."""
    if isinstance(premise.claim, TaxonClaim):
        return CheckedPremise(premise, _check_taxon(premise.presupposition, premise.claim))
    return _check_causal(request, premise, premise.claim)


def _check_taxon(presupposition: Presupposition, claim: TaxonClaim) -> Presupposition:
    belongs, actual = is_of_taxon(claim.thing, claim.taxon), taxon_of(claim.thing)
    if belongs is None or actual is None:
        return presupposition
    excerpt = Excerpt(f"{claim.thing}: {actual}", Source("wordnet", title=SOURCE), 0, len(claim.thing) + len(actual) + 2)
    contradicted = belongs is claim.denied
    return replace(
        presupposition,
        status=PresuppositionStatus.CONTRADICTED if contradicted else PresuppositionStatus.SUPPORTED,
        probability=SURE_OF_TAXA if contradicted else 1.0 - SURE_OF_TAXA,
        excerpts=(excerpt,),
        correction=TaxonCorrection(claim, actual) if contradicted else None,
    )


def _check_causal(request: Request, premise: Premise, claim: QuestionType) -> CheckedPremise:
    """Return a causal premise with the verdict of the graph on it.

    What no source says is contradicted as well where sources surely say the opposite or the reverse, although that alone makes
    no verdict.
    """
    query = VerificationQuery(replace(request, question=premise.words, kind=claim))
    verdict = answer_verification(query.request)
    status = _status(verdict, denied=premise.denied)
    correction = None
    if status is PresuppositionStatus.CONTRADICTED:
        correction = _correction(verdict, claim.slots.relation, denied=premise.denied)
        if correction is None or (correction.contradiction is Contradiction.REVERSED and _has_chain(query)):
            status, correction = PresuppositionStatus.UNKNOWN, None
    elif status is PresuppositionStatus.UNKNOWN and not premise.denied:
        correction = _unstated_correction(query)
        if correction is not None:
            status = PresuppositionStatus.CONTRADICTED
        elif _is_only_denied(query):
            status = PresuppositionStatus.SUSPECT
    only_denied = status is PresuppositionStatus.SUSPECT and verdict.verdict is Verdict.UNKNOWN
    checked = replace(
        premise.presupposition,
        status=status,
        probability=ONLY_DENIED if only_denied else _probability_false(verdict, correction, denied=premise.denied),
        evidence=_cited(query, verdict, correction),
        correction=correction,
    )
    return CheckedPremise(premise, checked, verdict)


def _status(verdict: Answer, *, denied: bool) -> PresuppositionStatus:
    """Return the status of a premise by the verdict on its claim; a verdict on something wider makes it suspect at most."""
    if verdict.verdict is Verdict.CONTESTED:
        return PresuppositionStatus.CONTESTED
    if verdict.verdict not in (Verdict.YES, Verdict.NO):
        return PresuppositionStatus.UNKNOWN
    if (verdict.verdict is Verdict.YES) != denied:
        return PresuppositionStatus.SUPPORTED
    links: LinkPair | tuple[()] = verdict.conclusion.links if isinstance(verdict.conclusion, VerdictConclusion) else ()
    sure = not isinstance(verdict.conclusion, MediatedConclusion) and all(link.score >= SURE_LINK for link in links)
    return PresuppositionStatus.CONTRADICTED if sure else PresuppositionStatus.SUSPECT


def _has_chain(query: VerificationQuery) -> bool:
    """Return whether a chain that is likely to be valid leads from the cause to the effect."""
    return bool(query.chains) and query.chains[0][0] >= MIN_VALIDITY


def _correction(verdict: Answer, relation: Relation, *, denied: bool) -> ClaimCorrection | None:
    """Return what is so instead of a claim, by the conclusion of the verdict on it; `None` for one that tells nothing better."""
    conclusion = verdict.conclusion
    if isinstance(conclusion, ReverseConclusion):
        return replace(_reversed(conclusion.edge, relation), unstated=conclusion.unstated)
    if not isinstance(conclusion, VerdictConclusion):
        return None
    foremost, weighed = conclusion.foremost, conclusion.weighed
    if denied:
        return ClaimCorrection(Contradiction.STATED, foremost, foremost, foremost.support)
    opposing = sum(witness.opposes for witness in weighed.witnesses)
    if weighed.denying > opposing or conclusion.contrary is None:
        claim = _with_ends(foremost, foremost.cause, foremost.effect, relation)
        return ClaimCorrection(Contradiction.DENIED, claim, foremost, weighed.denying - opposing)
    concluded = relation is Relation.PREVENTS and opposing < _OPPOSING_WITNESSES  # What protects may do harm besides.
    return replace(_opposed(conclusion.contrary, relation), unstated=concluded)


def _unstated_correction(query: VerificationQuery) -> ClaimCorrection | None:
    """Return the opposite or the reverse of a claim, where that is surely believed and nothing speaks for the claim itself."""
    relation = query.request.kind.slots.relation
    if any(witness.speaks for witness in query.direct.witnesses):
        return None
    contrary = [edge for edge in query.aside if query.role(edge) is ClaimRole.CONTRARY and edge.cause in query.causes]
    strongest = max(contrary, key=lambda edge: edge.belief, default=None)
    if strongest is not None and strongest.belief >= MIN_OPPOSITE_BELIEF:
        return replace(_opposed(strongest, relation), unstated=True)
    strongest = max(query.reverse.edges, key=lambda edge: edge.belief, default=None)
    sure = strongest is not None and strongest.belief >= MIN_REVERSE_BELIEF and relation is Relation.CAUSES
    if strongest is None or not sure or leads_in_two_steps(query.request.view, query.causes, query.effects):
        return None
    return replace(_reversed(strongest, relation), unstated=True)


def _is_only_denied(query: VerificationQuery) -> bool:
    """Return whether texts deny a claim, too weakly for a verdict, and nothing speaks for it."""
    return query.direct.denying > 0 and not any(witness.speaks for witness in query.direct.witnesses)


def _opposed(edge: Edge, relation: Relation) -> ClaimCorrection:
    claim = _with_ends(edge, edge.cause, edge.effect, relation)
    return ClaimCorrection(Contradiction.OPPOSITE, claim, edge, edge.support)


def _reversed(edge: Edge, relation: Relation) -> ClaimCorrection:
    return ClaimCorrection(Contradiction.REVERSED, _with_ends(edge, edge.effect, edge.cause, relation), edge, edge.support)


def _with_ends(edge: Edge, cause: str, effect: str, relation: Relation) -> Edge:
    return replace(edge, claim=Claim(cause, effect, relation, Polarity.NONE), strength=Strength.CAUSES, support=1)


def _probability_false(verdict: Answer, correction: ClaimCorrection | None, *, denied: bool) -> float | None:
    if correction is not None:
        return PROBABILITIES_FALSE[correction.contradiction, correction.unstated]
    if verdict.verdict is Verdict.CONTESTED:
        return 0.5
    if verdict.verdict not in (Verdict.YES, Verdict.NO):
        return None
    confidence = calibrate_answer(verdict).confidence
    return confidence if (verdict.verdict is Verdict.NO) != denied else 1.0 - confidence


def _cited(query: VerificationQuery, verdict: Answer, correction: ClaimCorrection | None) -> tuple[CitedEvidence, ...]:
    """Return the records that decide a premise: those of its correction, or those for and against it."""
    if correction is None:
        return (*verdict.evidence, *verdict.against)
    if correction.unstated:
        return cite_evidence(query.request.view, [correction.edge])[0]
    return verdict.evidence if correction.contradiction is Contradiction.STATED else verdict.against

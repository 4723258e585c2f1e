"""Answers to "How does X lead to Y?": chains of claims from one to the other, as far as they are likely to be valid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, starmap
from typing import NamedTuple

from graph.algorithms.paths import best_paths
from graph.model import Edge, Path, Relation
from graph.protocols import GraphView
from graph.topology import ACTING_LINKS, DRIVING_LINKS
from kgqa.answer_model import Answer, CausalConnection, CitedEvidence, Route, Verdict
from kgqa.answering.chains.broken_chain import broken_chain
from kgqa.answering.chains.chain_validity import CHAINS_JUDGED, MIN_VALIDITY, ScoredPath, explains, name_stems, rank_by_validity
from kgqa.answering.chains.clause_readings import (
    agent_request,
    causes_before_purposes,
    request_with_formation,
    with_effects,
    without_condition,
    without_people,
    without_receiver,
    without_refusal,
)
from kgqa.answering.chains.mechanisms import explain_claim, find_signed_chains, is_telling
from kgqa.answering.contracts import is_prevention
from kgqa.answering.evidence_kind import EvidenceKind
from kgqa.answering.findings import cite_evidence, count_decreases, distinct_findings, finding_signals, path_finding
from kgqa.answering.refusals import refuse_phrase
from kgqa.answering.verdicts.verification import ReverseConclusion, VerdictConclusion, answer_verification
from kgqa.answering.verdicts.verification_query import EdgeLookup
from kgqa.linking.concept_links import BROADER, NARROWER, SURE_LINK, ConceptLink
from kgqa.linking.linker import link_pairs
from kgqa.linking.mention import content_words
from kgqa.question import Attribute, Semantic
from kgqa.questions.clause_slots import clause_slots
from kgqa.reasons import Conclusion, Missing, Refusal, Step
from kgqa.request import Request

MAX_CHAIN_LENGTH = 3
"""As long as the chains that the model of validity was fitted on; `kgqa path` shows longer ones."""
MIN_CHAIN_LINK = 0.65
"""The least certainty of a pair of readings that is looked at; below, a phrase was read as something wider, narrower or other."""
_PAIRS_TRIED = 4
_CHAINS_CITED = 3
_LOOKED_AT_BESIDE, _CAUSES_BESIDE = 8, 3


@dataclass(frozen=True, slots=True)
class ChainConclusion(Conclusion):
    """The best chain from a cause to an effect, whose phrases were linked as `links`.

    `evidence` is what its claims are worded by. `direct` is the best claim that leads there without steps, where the chain has
    several; `doubtful` says that the path is such a claim and that there are chains, but none that is likely to be valid;
    `beside` are the main other causes of the effect, where nothing tells how the cause brings it about.
    """

    path: Path
    links: tuple[ConceptLink, ConceptLink]
    evidence: tuple[CitedEvidence, ...]
    direct: Edge | None = None
    doubtful: bool = False
    beside: tuple[str, ...] = ()

    @property
    def is_thin(self) -> bool:
        """Whether there is only a claim, and nothing that tells how."""
        return len(self.path.edges) == 1


_FEW_CAUSES = 3
"""What has no more causes than these is particular enough that a condition of it need not be one of them."""


class ChainSearch(NamedTuple):
    """The chains of several steps and the `direct` claims from one linked phrase to another, each with its validity.

    `answerable` are the chains that are likely to be valid, the likeliest first, then the direct claims.
    """

    links: tuple[ConceptLink, ConceptLink]
    chains: Sequence[ScoredPath]
    direct: Sequence[ScoredPath]
    answerable: Sequence[ScoredPath]


def answer_chain(request: Request) -> Answer:
    """Answer how the cause of a question brings about its effect; where nothing is known, by another reading of its clause."""
    answer = _answer_as_asked(request)
    if not answer.is_decided:
        answer = _answer_without_condition(request) or answer
    if answer.is_decided:
        return answer
    explained = _answer_clause(request)
    by_agent = agent_request(request) if explained is None else None
    if by_agent is not None:
        explained = _answer_as_asked(by_agent)
    return explained if explained is not None and explained.is_decided else _answer_otherwise(request) or answer


def answer_list_or_clause(request: Request) -> Answer:
    """Answer a question of why or how with the causes of its clause; where these are unknown, with its subject as the cause.

    Where no name is surely that of its clause, its condition is taken out first ("when there are many jobs").
    """
    conditioned = _answer_without_condition(request)
    if conditioned is not None and conditioned.is_decided:
        return conditioned
    answer = _answer_list_or_clause(request)
    if answer.is_decided and not (conditioned is not None and _leaves_out(answer)):
        return answer
    return _answer_otherwise(request) or conditioned or answer


def _suits_circumstance(answer: Answer, circumstance: str) -> bool:
    """Return whether a list names few causes, or is of what a circumstance speaks of too: "dough"; other answers are no list."""
    from kgqa.answering.lists.listing import ListConclusion

    listed = answer.conclusion
    if not isinstance(listed, ListConclusion) or sum(part.name_count for part in listed.parts) <= _FEW_CAUSES:
        return True
    return not set(content_words(circumstance)).isdisjoint(content_words(listed.link.concepts[0]))


def _leaves_out(answer: Answer) -> bool:
    """Return whether an answer is a list of what is wider than what was asked about."""
    from kgqa.answering.lists.listing import ListConclusion

    return isinstance(answer.conclusion, ListConclusion) and answer.conclusion.link.how == BROADER


def _answer_without_condition(request: Request) -> Answer | None:
    """Answer with the condition of a clause as the cause of the rest; `None` for a clause that has none, or a name.

    What many things cause in general is no answer to what its condition has to do with it: that is then unknown.
    """
    link = next(iter(request.link(request.kind.slots.effect or "", request.view)), None)
    if link is not None and link.score >= SURE_LINK:
        return None
    unknown: Answer | None = None
    for kind in without_condition(request):
        changed = replace(request, kind=kind)
        plain = _answer_as_asked(changed) if kind.slots.cause else _answer_list_or_clause(changed)
        if plain.is_decided and (kind.slots.cause or _suits_circumstance(plain, kind.slots.time or "")):
            return plain
        unknown = unknown or plain
        if kind.slots.time and not request.kind.slots.time:
            return unknown
    return None


def _answer_otherwise(request: Request) -> Answer | None:
    """Answer why something that refuses does not act, or without people, or with the effects of what is called dangerous."""
    from kgqa.answering.lists.listing import ListConclusion, answer_listing

    for kind in chain(without_refusal(request), without_receiver(request), without_people(request), with_effects(request)):
        changed = replace(request, kind=kind)
        if kind.slots.cause and kind.slots.effect:
            answer = _answer_as_asked(changed)
        else:
            answer = answer_listing(changed)
            listed = answer.conclusion
            if not isinstance(listed, ListConclusion) or listed.lacking or listed.link.how in (NARROWER, BROADER):
                continue
            if not answer.signals.support:
                continue  # only with a hedge
        if answer.is_decided and answer.verdict not in (Verdict.NO, Verdict.CONTESTED):
            return answer
    return None


def answer_causes_or_purposes(request: Request) -> Answer:
    """Answer why there is something: with what it is for, or with its causes, whichever its kind has rather, and is known."""
    from kgqa.answering.lists.listing import ListConclusion, answer_listing

    answers = []
    for kind in causes_before_purposes(request.kind, request.question):
        answer = answer_listing(request_with_formation(replace(request, kind=kind)))
        listed = answer.conclusion if isinstance(answer.conclusion, ListConclusion) else None
        if listed is not None and not listed.lacking and listed.link.how not in (NARROWER, BROADER):
            return answer
        answers.append(answer)
    return next((answer for answer in answers if answer.type == request.kind), answers[0])


def _answer_list_or_clause(request: Request) -> Answer:
    from kgqa.answering.lists.listing import ListConclusion, answer_listing

    listed = answer_listing(request_with_formation(request) if request.question.lower().startswith("how") else request)
    left_out = listed.conclusion.link.constraint if isinstance(listed.conclusion, ListConclusion) else ""
    if listed.answer is not None and not left_out:
        return listed
    explained = _answer_clause(request)
    if explained is not None or not left_out:
        return explained or listed
    for slots in clause_slots(request.question):
        if slots.cause and set(slots.cause.lower().split()) <= set(left_out.lower().split()):
            # The causes of dizziness are no answer to why drinking makes people dizzy.
            return _answer_as_asked(replace(request, kind=replace(request.kind, semantic=Semantic.CAUSE, slots=slots)))
    return listed


def _answer_clause(request: Request) -> Answer | None:
    """Answer a question of why or how with its subject as the cause and the rest of the clause as the effect.

    `None` where the clause has no such form, or nothing is known of its reading; what somebody does with an intention has none.
    """
    if not _WILLED.isdisjoint(request.kind.rules) or Attribute.EXPECTATIONAL in request.kind.attributes:
        return None
    as_read = request.kind.slots.cause, request.kind.slots.effect, request.kind.slots.relation
    for slots in clause_slots(request.question):
        if (slots.cause, slots.effect, slots.relation) != as_read:
            kind = replace(request.kind, semantic=Semantic.CAUSE, slots=slots)
            answer = _answer_as_asked(replace(request, kind=kind))
            if answer.is_decided:
                return answer
    return None


_WILLED = frozenset(("why.intend", "why.agent-acts", "why.name-acts", "why.pronoun-does"))
"""The rules that read what somebody does with an intention: who killed somebody had a reason, and is no cause of a death."""


def _answer_as_asked(request: Request) -> Answer:
    """Answer with the chains from the cause to the effect of the question that are likely to be valid.

    A claim that sources state, if only with a hedge, is explained by the chains that tell how it comes about. Where the verdict
    on what the question takes for granted is no, or contested, that is the answer; a no because only the reverse is claimed,
    where there is no chain.
    """
    lessens = request.kind.slots.relation is Relation.PREVENTS
    premise = replace(_premise_verdict(request), type=request.kind)
    claimed = premise.conclusion if isinstance(premise.conclusion, VerdictConclusion) else None
    is_hedged = claimed is not None and premise.verdict is Verdict.UNKNOWN and _is_only_hedged(claimed)
    if claimed is not None and (premise.verdict is Verdict.YES or is_hedged):
        explained = explain_claim(request, claimed)
        if explained is not None:
            return explained
        if lessens and premise.verdict is Verdict.YES:
            return replace(premise, conclusion=replace(claimed, without_mechanism=True))
    is_reversed = isinstance(premise.conclusion, ReverseConclusion)
    if premise.verdict in (Verdict.NO, Verdict.CONTESTED) and not is_reversed:
        return premise
    answer, tried = (None, None) if lessens else _answer_by_chains(request, premise)
    if answer is None and claimed is not None and is_hedged:
        return _answer_from_search(request, _search_of_claim(claimed))
    answer = answer or _answer_by_signs(request)
    if answer is not None:
        return answer
    if lessens or (is_reversed and premise.verdict is Verdict.NO):
        return premise
    if request.kind.semantic is Semantic.RESULT:
        from kgqa.answering.lists.listing import answer_listing_about

        listed = answer_listing_about(request)
        if listed is not None:
            return listed
    if claimed is not None and premise.verdict is Verdict.YES:
        return replace(premise, conclusion=replace(claimed, without_mechanism=True))
    is_marked = isinstance(premise.conclusion, Refusal) and premise.conclusion.reason == "marked_wrong"
    # What is said of the claim with too little weight, of its reverse, or by people, tells more than that there is no chain.
    return premise if claimed is not None or is_reversed or is_marked else _refuse_chain(request, tried)


def _premise_verdict(request: Request) -> Answer:
    """Return the verdict on what the question takes for granted, which may have been computed before."""
    if request.premise is not None and request.premise[0] == request.kind.slots:
        return request.premise[1]
    if request.kind.slots.relation is Relation.PREVENTS:
        return answer_verification(request)
    return answer_verification(replace(request, kind=replace(request.kind, semantic=Semantic.VERIFICATION)))


def _answer_by_chains(request: Request, premise: Answer) -> tuple[Answer | None, ChainSearch | None]:
    """Return the answer by the first pair of readings that a chain or claim joins, or `None`, and the search to refuse with."""
    view, slots = request.view, request.kind.slots
    tried: ChainSearch | None = None
    for links in islice(link_pairs(slots.cause or "", slots.effect or "", view, request.link), _PAIRS_TRIED):
        if links[0].score * links[1].score < MIN_CHAIN_LINK:
            break
        paths = best_paths(view, links[0].concepts, links[1].concepts, MAX_CHAIN_LENGTH, CHAINS_JUDGED, DRIVING_LINKS)
        judged = rank_by_validity(paths, view)
        chains, direct = ([chain for chain in judged if (len(chain[1].edges) > 1) is long] for long in (True, False))
        valid = [chain for chain in chains if explains(*chain) and is_telling(chain[1])]
        search = ChainSearch(links, chains, direct, [*valid, *direct])
        if not valid and direct and premise.verdict is Verdict.UNKNOWN and isinstance(premise.conclusion, VerdictConclusion):
            # What is too doubtful for a yes is no ground for how, unless it is told with its hedge.
            return (None if _is_only_hedged(premise.conclusion) else premise), search
        if search.answerable:
            return _answer_from_search(request, search), search
        if tried is None or search.chains:
            tried = search
        if search.chains:
            break
    return None, tried


def _is_only_hedged(conclusion: VerdictConclusion) -> bool:
    """Return whether a text says the claim of a verdict with a hedge, and none speaks against it."""
    weighed = conclusion.weighed
    return weighed.count(EvidenceKind.HEDGE) > 0 and not weighed.denying and conclusion.foremost.hedged > 0


def _search_of_claim(conclusion: VerdictConclusion) -> ChainSearch:
    """Return the search whose only result is the claim of a verdict."""
    direct = [(conclusion.foremost.belief, Path((conclusion.foremost,), conclusion.foremost.belief))]
    return ChainSearch(conclusion.links, [], direct, direct)


def _answer_by_signs(request: Request) -> Answer | None:
    """Answer with a chain of two steps that make less, or of which one does, as their signs multiply; `None` for none."""
    view, slots = request.view, request.kind.slots
    lessens = slots.relation is Relation.PREVENTS
    for links in islice(link_pairs(slots.cause or "", slots.effect or "", view, request.link), _PAIRS_TRIED):
        if links[0].score * links[1].score < MIN_CHAIN_LINK:
            break
        chains = [
            chain for chain in find_signed_chains(view, links[0].concepts, links[1].concepts, lessens=lessens) if explains(*chain)
        ]
        if chains:
            edges = EdgeLookup(view).edges(links[0].concepts, links[1].concepts)
            alike = (edge for edge in edges if is_prevention(edge) is lessens and edge.belief > 0.0)
            direct = [(edge.belief, Path((edge,), edge.belief)) for edge in sorted(alike, key=lambda edge: -edge.belief)]
            return _answer_from_search(request, ChainSearch(links, chains, direct, [*chains, *direct]))
    return None


def _answer_from_search(request: Request, search: ChainSearch) -> Answer:
    answers = search.answerable[: request.limit]
    validity, best = answers[0]
    link = search.links[0].score * search.links[1].score
    long = len(best.edges) > 1
    connection = CausalConnection.MEDIATED if long else CausalConnection.DIRECT
    findings = distinct_findings(replace(path_finding(path), confidence=likely * link) for likely, path in answers)
    edges = dict.fromkeys(edge for _, path in answers[:_CHAINS_CITED] for edge in path.edges)
    supporting, denying = cite_evidence(request.view, edges, each=2)
    valid = sum(starmap(explains, search.chains))
    direct = search.direct[0][1].edges[0] if long and search.direct else None
    doubtful = not long and bool(search.chains)
    lessens = request.kind.slots.relation is Relation.PREVENTS
    beside = () if long or lessens else _main_causes_beside(request, search.links[1], best.edges[0])
    return Answer(
        question=request.question,
        type=request.kind,
        route=Route.GRAPH,
        answer=findings[0].text,
        conclusion=ChainConclusion(best, search.links, supporting, direct, doubtful, beside),
        findings=findings,
        confidence=findings[0].confidence,
        evidence=supporting,
        against=denying,
        steps=(
            *search.links,
            Step("chains", (len(search.chains), MAX_CHAIN_LENGTH, valid, MIN_VALIDITY)),
            *(Step("chain_validity", (path, likely)) for likely, path in search.chains[:_CHAINS_CITED]),
        ),
        signals=replace(
            finding_signals(findings[0], link, connection), belief=validity, hedged=min(edge.hedged for edge in best.edges)
        ),
        connection=connection,
    )


def _main_causes_beside(request: Request, effect: ConceptLink, edge: Edge) -> tuple[str, ...]:
    """Return the causes of an effect that an editor rated as main, besides that of an edge, best first."""
    from kgqa.answering.contracts import CAUSE
    from kgqa.answering.lists.list_ranking import best_rating
    from kgqa.answering.lists.listing import build_listing

    listing = build_listing(request.view, effect, CAUSE)
    candidates = listing.parts[0].listed_names[:_LOOKED_AT_BESIDE] if listing is not None else ()
    stems = name_stems(edge.cause)
    main = (item.name for item in candidates if best_rating(item, request.view) == "main")
    return tuple(islice((name for name in main if name_stems(name).isdisjoint(stems)), _CAUSES_BESIDE))


def _refuse_chain(request: Request, search: ChainSearch | None) -> Answer:
    cause, effect = request.kind.slots.cause or "", request.kind.slots.effect or ""
    known = next(iter(request.link(cause, request.view)), None)
    missing = Missing("chain", (cause, effect))
    plain = refuse_phrase(request, missing, effect if known else cause)
    gap = broken_chain(request, cause, effect)
    if gap is not None:
        plain = replace(
            plain, gaps=(*plain.gaps, gap), remarks=(*plain.remarks, Step("broken_chain", (*gap.names, *gap.details)))
        )
    doubtful = search.chains[0] if search is not None and search.chains else None
    opposite = _opposite_chain(request.view, search) if search is not None else None
    if doubtful is None and opposite is None:
        from kgqa.answering.nearest_claims import nearest_claims, with_nearest

        return with_nearest(plain, missing, nearest_claims(request))
    steps: list[Step | ConceptLink] = []
    gaps: list[Missing] = []
    if search is not None and doubtful is not None:
        validity, path = doubtful
        steps += [*search.links, Step("doubtful_chain", (path, validity, MIN_VALIDITY))]
        gaps.append(Missing("valid_chain", (), "possible_chain", (path, validity)))
    if opposite is not None:
        steps.append(Step("opposite_chain", (opposite,)))
    conclusion = Refusal("doubtful_chain", (missing, doubtful[1] if doubtful else None, opposite))
    return replace(plain, conclusion=conclusion, steps=tuple(steps), gaps=(*gaps, *plain.gaps))


def _opposite_chain(view: GraphView, search: ChainSearch) -> Path | None:
    """Return what makes less of the effect, directly or along a chain."""
    paths = best_paths(view, search.links[0].concepts, search.links[1].concepts, 2, CHAINS_JUDGED, ACTING_LINKS)
    valid = (path for validity, path in rank_by_validity(paths, view) if validity >= MIN_VALIDITY)
    return next((path for path in valid if count_decreases(path) % 2), None)

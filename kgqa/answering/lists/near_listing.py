"""Lists with the claims that come near to a question, beside those of the concept that its phrase names, or in place of them.

A list that names few things, and a list question without an answer, is joined with claims that answer it as the matcher reads
them; what else is claimed of the concepts that these are of is read in the same way. All are ordered and shown as one list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import ge

from graph.model import Edge
from graph.protocols import GraphView
from kgqa.answer_model import Answer
from kgqa.answering.contracts import Side
from kgqa.answering.lists.list_ranking import RATING_WEIGHTS, ListedName, ListOrder, best_rating, kind_order
from kgqa.answering.lists.listing import AskedList, ListConclusion, answer_from_listing, asked_list, build_listing
from kgqa.answering.matching.claim_matcher import AskedClaim, ClaimMatcher, RelevantClaim
from kgqa.linking.concept_links import BROADER, NEAR_CLAIM, ConceptLink, drops_name, proper_names
from kgqa.linking.lexical_relations import is_contrary_event, is_of_less, word_roots
from kgqa.linking.mention import content_words
from kgqa.question import Semantic
from kgqa.reasons import Step
from kgqa.request import Request

Judge = Callable[[Mapping[Edge, float]], Sequence[RelevantClaim]]
"""Judges how probably some edges, with their cosines to the question, answer it."""
LEAST_OF_LIST, LEAST_OF_BARE, LEAST_BESIDE = 0.65, 0.75, 0.82
"""How probable the surest claim of a list must be that rests on such claims alone, and each that joins a list of another name:
one that names next to nothing, and any other."""
_LEAST_LISTED, _LEAST_OF_CONCEPT, _LEAST_OF_MAIN = 0.6, 0.5, 0.3
"""How probable each claim of a list must be, one of a concept that the surest claims are of, and one of these rated "main"."""
_CONCEPTS, _CLAIMS_OF_CONCEPT = 3, 24
"""Of how many concepts of claims that answer a question others are read, and how many of each."""
_FOLDED = 20
"""How many of the first names are compared with one another."""
_SAME, _SAME_REST, _WITHIN, _CERTAIN = 0.85, 0.7, 0.75, 0.88
"""The least cosine of names that are one thing to a reader, and of what they do not share; of one within the other; and where an
editor kept both."""


def asks_list(request: Request, answer: Answer) -> bool:
    """Return whether a question asks for a list of causes or of effects, and neither why, how nor whether."""
    slots, why = request.kind.slots, request.question.lower().startswith(("why", "how"))
    plain = slots.condition is None and slots.comparison is None and slots.options is None and not why
    if request.kind.semantic in (None, Semantic.VERIFICATION) or not plain or (slots.cause is None) == (slots.effect is None):
        return False
    return isinstance(answer.conclusion, ListConclusion) or not answer.is_decided


def answer_near_list(
    request: Request, answer: Answer, near: Mapping[Edge, float], target: AskedClaim, matcher: ClaimMatcher
) -> Answer | None:
    """Return the list of an answer with the claims near to the question that answer it, or a list of these alone.

    Where none is sure enough, there is no such list.
    """
    listed = answer.conclusion if isinstance(answer.conclusion, ListConclusion) else None
    link = listed.link if listed is not None and listed.is_close else None
    least = LEAST_OF_LIST if link is None or listed is None else LEAST_OF_BARE if listed.is_bare else LEAST_BESIDE
    judged = {item.edge: item.probability for item in matcher.relevance(target, near) if item.probability >= _LEAST_LISTED}
    wanted, claims = (asked_list(request), judged) if link else _read_on_its_side(request, judged)
    if not link and max(claims.values(), default=0.0) < least:
        return None
    claims = _with_others(request.view, wanted.side, claims, lambda edges: matcher.relevance(target, edges, len(edges)), near)
    contract = wanted.kind_asked.narrow(wanted.contract) if wanted.kind_asked else wanted.contract
    claims = {
        edge: share
        for edge, share in claims.items()
        if contract.among(edge) and edge.belief > 0.0 and _is_of_phrase(*wanted.side.ends(edge), wanted.phrase, request.question)
    }
    if link:
        claims = {e: share for e, share in claims.items() if share >= least and wanted.side.ends(e)[0] not in link.concepts}
    else:
        claims = _shared_by_concept(wanted.side, claims, least)
    concepts = tuple(dict.fromkeys(wanted.side.ends(edge)[0] for edge in claims))
    reading = link or ConceptLink(wanted.phrase, concepts, max(claims.values(), default=0.0), NEAR_CLAIM)
    listing = build_listing(request.view, reading, contract, request.limit, (fold_order(matcher), *wanted.orders), claims)
    if listing is None:
        return None
    orders = [*wanted.orders, *((kind_order(wanted.kind_asked.noun),) if wanted.kind_asked and wanted.kind_asked.topics else ())]
    joined = answer_from_listing(request, listing, orders)
    if joined.answer == answer.answer:
        joined = replace(joined, confidence=answer.confidence, signals=answer.signals)
    best = max(claims, key=claims.__getitem__, default=None)
    return replace(joined, steps=(*answer.steps, *((Step("claims_read", (len(claims), best, claims[best])),) if best else ())))


def _is_of_phrase(concept: str, name: str, phrase: str, question: str) -> bool:
    """Return whether a name in the list of a concept tells something of a phrase: more than that, and of no less than a name.

    The causes of civil wars are none of the American Civil War, and those of the building of a wall none of its fall. What has no
    word of a proper name is of another thing.
    """
    if not _without_common(name, phrase) or is_contrary_event(phrase, concept):
        return False
    names = " ".join(proper_names(phrase, question))
    if names and _without_common(names, f"{concept} {name}") == " ".join(content_words(names)):
        return False
    left_out = "" if _without_common(concept, phrase) else _without_common(phrase, concept)
    return not drops_name(ConceptLink(phrase, (concept,), 1.0, BROADER, left_out), question)


def _with_others(
    view: GraphView, side: Side, claims: Mapping[Edge, float], judge: Judge, cosines: Mapping[Edge, float]
) -> dict[Edge, float]:
    """Return claims with those beside them that are of the same concepts and may answer the question."""
    edges = dict.fromkeys(claims, 0.0)
    for concept in list(dict.fromkeys(side.ends(edge)[0] for edge in claims))[:_CONCEPTS]:
        others = view.causes(concept) if side is Side.CAUSES else view.effects(concept)
        edges |= {edge: cosines.get(edge, 0.0) for edge in others[:_CLAIMS_OF_CONCEPT]}
    likely = {}
    for item in judge(edges):
        name = side.ends(item.edge)[1]
        is_main = best_rating(ListedName(name, (item.edge,), (name,)), view) == "main"
        if item.probability >= (_LEAST_OF_MAIN if is_main else _LEAST_OF_CONCEPT):
            likely[item.edge] = item.probability
    return likely | dict(claims)


def _shared_by_concept(side: Side, claims: Mapping[Edge, float], least: float) -> dict[Edge, float]:
    """Return claims with the probability of the surest one of the same concept; without a sure one, the likely claims alone."""
    shares: dict[str, float] = {}
    for edge, share in claims.items():
        shares[side.ends(edge)[0]] = max(share, shares.get(side.ends(edge)[0], 0.0))
    own = {edge: shares[side.ends(edge)[0]] for edge in claims}
    return {edge: own[edge] for edge, share in claims.items() if share >= _LEAST_LISTED or own[edge] >= least}


def fold_order(matcher: ClaimMatcher) -> ListOrder:
    """Return the plain order with names that are one thing to a reader in one entry, under the broader or else the first name."""

    def arrange(candidates: Sequence[ListedName], view: GraphView) -> Sequence[ListedName]:
        first = candidates[:_FOLDED]
        vectors = dict(zip(first, matcher.vectors([candidate.name for candidate in first]), strict=True))

        def are_one(first_name: ListedName, second: ListedName) -> bool:
            cosine = float(vectors[first_name] @ vectors[second])
            if cosine < _WITHIN or is_of_less(first_name.name, second.name):
                return False
            rated = [best_rating(candidate, view) for candidate in (first_name, second)]
            if cosine < _CERTAIN and set(rated) <= {"main", "minor"}:
                return False  # An editor kept them apart.
            rests = _without_common(first_name.name, second.name), _without_common(second.name, first_name.name)
            if not all(rests):
                return True
            own, theirs = matcher.vectors(rests)
            return cosine >= _SAME and float(own @ theirs) >= _SAME_REST

        groups: list[list[ListedName]] = []
        for candidate in first:
            group = next((group for group in groups if are_one(group[0], candidate)), None)
            if group is None:
                groups.append([candidate])
            else:
                group.insert(0 if _is_better_name(candidate, group[0], view) else len(group), candidate)
        return [*(_folded(*group) for group in groups), *candidates[_FOLDED:]]

    return ListOrder(arrange, lambda first, view: None)


def _folded(stays: ListedName, *others: ListedName) -> ListedName:
    names = (name for candidate in others for name in (candidate.name, *candidate.merged_names))
    return stays._replace(merged_names=(*stays.merged_names, *names))


def _is_better_name(later: ListedName, first: ListedName, view: GraphView) -> bool:
    """Return whether a name is broader than one that stands before it, and as well attested and rated."""
    values = [(RATING_WEIGHTS[best_rating(candidate, view)], candidate.support) for candidate in (later, first)]
    return not _without_common(later.name, first.name) and all(map(ge, *values))


def _without_common(name: str, beside: str) -> str:
    """Return the words of a name that another does not have in any form."""
    theirs = frozenset().union(*map(word_roots, content_words(beside)))
    return " ".join(word for word in content_words(name) if theirs.isdisjoint(word_roots(word)))


def _read_on_its_side(request: Request, claims: Mapping[Edge, float]) -> tuple[AskedList, dict[Edge, float]]:
    """Return what list is asked for, on the other side where what is of the kind asked for stands there, and its claims."""
    wanted, slots = asked_list(request), request.kind.slots
    if wanted.kind_asked is None:
        return wanted, dict(claims)
    kinds = {edge: [wanted.kind_asked.accepts(edge, end) for end in wanted.side.ends(edge)] for edge in claims}
    signs = {edge: near - far for edge, (near, far) in kinds.items()}
    if sum(signs.values()) <= 0:
        return wanted, {edge: share for edge, share in claims.items() if signs[edge] <= 0}
    turned = replace(request.kind, slots=replace(slots, cause=slots.effect, effect=slots.cause))
    return asked_list(replace(request, kind=turned)), {edge: share for edge, share in claims.items() if signs[edge] >= 0}

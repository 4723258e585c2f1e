"""Verdicts by the claims that come nearest to a yes/no question: those that say it, that deny it, and that say the reverse.

Claims of other names say the same as a question only probably, so that each must be the whole of what is asked, with ends that
keep the direction of its phrases. A denial near to a question outweighs no text that says it: the two are weighed as they are
where they are of the very names that are asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from graph.model import SPECIFIC_SLOT, Edge, Polarity
from kgqa.answer_model import Answer, Verdict
from kgqa.answering.evidence_kind import EvidenceKind
from kgqa.answering.matching.claim_matcher import ClaimMatcher, RelevantClaim
from kgqa.answering.verdicts.causal_direction import role_log_odds
from kgqa.answering.verdicts.evidence_weighing import ClaimRole
from kgqa.answering.verdicts.verification import answer_from_claims, answer_reversed_claims
from kgqa.answering.verdicts.verification_query import (
    Proposition,
    Sense,
    VerificationQuery,
    leads_in_two_steps,
    parse_proposition,
)
from kgqa.linking.concept_links import NEAR_CLAIM, ConceptLink
from kgqa.linking.lexical_relations import LESS, MORE, has_opposite_words, is_related_form, polarity_signs, word_set
from kgqa.linking.mention import content_words
from kgqa.linking.nominal_phrases import clause_verb
from kgqa.request import Request

_DECISIVE = 0.85
"""A verdict rests on a claim that answers a question as probably as this."""
_AS_GOOD = 0.1
"""Beside the likeliest claim, a verdict may rest on one that is no more behind it than this."""
_LEAST_NEAR = 0.6
"""A denial that answers a question as probably as this is one of what is asked, for few claims are denied at all."""
_NEARLY_AS_GOOD = 0.05
"""It is not where something that says it is more probable than that by more than this."""
_LEAST_REVERSE, _MOST_FORWARD = 0.75, 0.3
"""A claim says the reverse from the one on; only that is so where none says what is asked from the other on."""
_SAYING, _DENIED = (ClaimRole.SAYS, ClaimRole.MORE), (ClaimRole.SAYS, ClaimRole.LESS)
"""The roles of claims that say what is asked, and of those whose denial denies it: they say it, or less."""
_ALIKE, _LEAST_ALIKE = 0.7, 0.5
"""An end of a claim is of the thing of a phrase from this cosine on, or from the other one where they have a word in common."""
_ALIKE_ASSERTED = 0.6
"""As `_ALIKE`, of what is asserted, which is more often of the thing that is asked about than what is denied."""
_SURE = 0.9
"""A claim as probable as this may be of what looks like another kind: peptic ulcers, and not stomach ulcers."""
_ENDINGS = frozenset(
    "end ending abolition cessation prevention avoidance absence lack halt stop suppression recovery relief immunity resistance "
    "protection tolerance treatment cure".split()
)
"""Words that turn round what a name says."""


class NearVerdict(NamedTuple):
    """The verdict of claims near to a question, and those of them that make it."""

    verdict: Verdict
    items: tuple[RelevantClaim, ...]


def near_verdict(
    request: Request, relevant: Sequence[RelevantClaim], matcher: ClaimMatcher, least: float = _DECISIVE
) -> NearVerdict | None:
    """Return the verdict of the claims that assert it, or its contrary, where the likeliest is as probable as `least`."""
    asserted = _of_phrases(request, [item for item in relevant if not is_denied(item.edge)], matcher, _ALIKE_ASSERTED)
    if not asserted or not asserted[0].is_whole or asserted[0].probability < least:
        return None
    verdicts = {item: _verdict_of(request, item.edge) for item in asserted}
    near = (item for item in asserted if item.is_whole and item.probability >= asserted[0].probability - _AS_GOOD)
    verdict = next(filter(None, map(verdicts.get, near)), None)
    if verdict is None:
        return None
    return NearVerdict(verdict, tuple(item for item in asserted if verdicts[item] is verdict))


def is_denied(edge: Edge) -> bool:
    """Return whether a claim is denied by as many as assert it, or more."""
    return edge.against > 0 and edge.against >= edge.support


def answer_denied(request: Request, relevant: Sequence[RelevantClaim], matcher: ClaimMatcher) -> Answer | None:
    """Return the answer no, or contested, where near claims deny what is asked; `None` where none does, or not enough.

    What says it is weighed against them: the claims of the very names, and others that are about as near. One text that denies
    it in other words disputes what is said, and does not refute it.
    """
    query = VerificationQuery(request)
    near = [item for item in relevant if item.is_whole and item.probability >= _LEAST_NEAR]
    near = _of_phrases(request, [item for item in near if _keeps_directions(request, query.proposition, item.edge)], matcher)
    saying = [item for item in near if not is_denied(item.edge) and _role_of(query, item.edge) in _SAYING]
    least = max((item.probability for item in saying), default=0.0) - _NEARLY_AS_GOOD
    denied = [item for item in near if item.edge.against and _role_of(query, item.edge) in _DENIED]
    denying = [item for item in denied if not _is_kind_of(item.edge.effect, query.effect)]
    if not denying or denying[0].probability < least:
        return None
    weighed = query.weighed(list(dict.fromkeys((*_edges(denying), *query.direct.edges, *_edges(saying)))))
    verdict = query.verdict(weighed)
    if verdict is Verdict.NO and weighed.denying == 1 and weighed.count(EvidenceKind.TEXT, EvidenceKind.BARE, EvidenceKind.HEDGE):
        verdict = Verdict.CONTESTED
    if verdict not in (Verdict.NO, Verdict.CONTESTED):
        return None
    return answer_from_claims(query, weighed, _near_pair(query, denying[0]), verdict)


def _edges(items: Iterable[RelevantClaim]) -> list[Edge]:
    return [item.edge for item in items]


def answer_turned_round(
    request: Request, relevant: Sequence[RelevantClaim], converse: Sequence[RelevantClaim], matcher: ClaimMatcher
) -> Answer | None:
    """Return the answer "no, the other way round" by near claims that say the reverse; `None` where it may be so, too.

    `converse` are the claims near to the converse question. Of one event that led to another the reverse is never so; of kinds of
    things it is not where their roles tell the reverse and no claim says nearly what is asked. Of 66 claims judged in
    docs/judgements/reversed-claims.tsv of which this holds the reverse is false of 61; of the 44 others, of 27.
    """
    query = VerificationQuery(request)
    if query.proposition.sense is not Sense.MORE:
        return None
    turned = converse_request(request)
    saying = near_verdict(turned, converse, matcher, _LEAST_REVERSE)
    if saying is None or saying.verdict is not Verdict.YES:
        return None
    reverse = {item.edge: item for item in saying.items if item.is_whole and item.probability >= _LEAST_REVERSE}
    likely = [item for item in relevant if item.probability >= _MOST_FORWARD and item.edge not in reverse]
    forward = [item for item in likely if _verdict_of(request, item.edge) is query.proposition.judged(Verdict.YES)]
    if _of_phrases(request, forward, matcher):
        return None
    best = next((edge for edge in reverse if _is_one_way(request, edge)), None)
    if best is None:
        return None
    cause, effect = _near_pair(VerificationQuery(turned), reverse[best])
    return answer_reversed_claims(query, query.weighed(list(reverse)), (effect, cause))


def _of_phrases(
    request: Request, items: Sequence[RelevantClaim], matcher: ClaimMatcher, least: float = _ALIKE
) -> list[RelevantClaim]:
    """Return the claims whose ends are both of the things that the phrases of a question name."""
    cause, effect = request.kind.slots.cause or "", request.kind.slots.effect or ""
    texts = list(dict.fromkeys((cause, effect, *(end for item in items for end in (item.edge.cause, item.edge.effect)))))
    vectors = dict(zip(texts, matcher.vectors(texts), strict=True)) if items else {}

    def is_of(phrase: str, name: str, probability: float) -> bool:
        cosine = float(vectors[phrase] @ vectors[name])
        shared = _count_shared(content_words(phrase), content_words(name))
        alike = cosine >= (_LEAST_ALIKE if shared else least)
        return alike and (probability >= _SURE or not _are_siblings(phrase, name))

    return [
        item
        for item in items
        if is_of(cause, item.edge.cause, item.probability) and is_of(effect, item.edge.effect, item.probability)
    ]


def _is_kind_of(name: str, phrase: str) -> bool:
    """Return whether a name has the words of a phrase and others that say more: who denies it of a kind does not in general."""
    words, own = _telling_words(phrase), _telling_words(name)
    return bool(words) and _count_shared(words, own) == len(words) < len(own)


def _are_siblings(phrase: str, name: str) -> bool:
    """Return whether a phrase and a name are of two kinds of one thing: fizzy drinks are no alcoholic drinks."""
    words, own = _telling_words(phrase), _telling_words(name)
    return len(words) == len(own) > 1 and is_related_form(words[-1], own[-1]) and _count_shared(words, own) == len(words) - 1


def _count_shared(words: Sequence[str], own: Sequence[str]) -> int:
    return sum(any(is_related_form(word, name_word) for name_word in own) for word in words)


def _telling_words(phrase: str) -> list[str]:
    empty = word_set("carrier") | word_set("occurrence") | word_set("unimportant")
    return [word for word in content_words(phrase) if word not in empty]


def converse_request(request: Request) -> Request:
    """Return the request with its phrases turned round: whether the effect causes the cause."""
    slots = request.kind.slots
    turned = replace(slots, cause=slots.effect, effect=slots.cause)
    return replace(request, question=f"Does {slots.effect} cause {slots.cause}?", kind=replace(request.kind, slots=turned))


def _is_one_way(request: Request, edge: Edge) -> bool:
    """Return whether the reverse of a claim is hardly so: texts say it of one event, or the roles of its ends tell."""
    texts = [record for record in request.view.evidence(edge.claim) if record.start is not None or record.text is not None]
    if texts and all(SPECIFIC_SLOT in dict(record.context) for record in texts):
        return True
    ends = (edge.cause,), (edge.effect,)
    return not leads_in_two_steps(request.view, *ends[::-1]) and role_log_odds(*ends, request.view) >= 0.0


def _near_pair(query: VerificationQuery, item: RelevantClaim) -> tuple[ConceptLink, ConceptLink]:
    """Return how the phrases of a question are read by a near claim, each as sure as the claim is to be what is asked."""
    share = item.probability**0.5
    ends = (query.cause, item.edge.cause, query.causes), (query.effect, item.edge.effect, query.effects)
    cause, effect = (ConceptLink(phrase, (name,), 1.0 if name in sure else share, NEAR_CLAIM) for phrase, name, sure in ends)
    return cause, effect


def _role_of(query: VerificationQuery, edge: Edge) -> ClaimRole | None:
    return query.proposition.role((edge.claim.relation, edge.claim.polarity))


def _verdict_of(request: Request, edge: Edge) -> Verdict | None:
    """Return what a claim says of the proposition of a question, whose ends have the directions of its phrases; else `None`."""
    proposition = parse_proposition(request.question, request.kind.slots)
    if not _keeps_directions(request, proposition, edge):
        return None
    role = proposition.role((edge.claim.relation, edge.claim.polarity))
    if role in _SAYING:
        return proposition.judged(Verdict.YES)
    return proposition.judged(Verdict.NO) if role is ClaimRole.CONTRARY else None


def _keeps_directions(request: Request, proposition: Proposition, edge: Edge) -> bool:
    """Return whether the ends of a claim have the directions of the phrases of a question.

    Too much, or much, of a cause is the cause. An effect may become more of itself where more is asked for: "push up prices" is a
    surge in prices, and what raises blood pressure causes a high one; whoever denies that a thing is changed denies both. A verb
    of a clause has the direction: what damages the ozone layer depletes it.
    """
    cause, effect = request.kind.slots.cause or "", request.kind.slots.effect or ""
    if any(_turns_round(phrase, name) for phrase, name in ((cause, edge.cause), (effect, edge.effect))):
        return False
    own, signs = set(polarity_signs(cause)), set(polarity_signs(edge.cause))
    if own != signs and LESS in own | signs:
        return False
    own, signs = set(polarity_signs(effect)), set(polarity_signs(edge.effect))
    if own == signs:
        return True
    if own:
        return own == {MORE} and not signs and (edge.claim.polarity is Polarity.INCREASES or is_denied(edge))
    either = proposition.sense is Sense.EITHER or (proposition.sense is Sense.MORE and signs == {MORE})
    return either or bool(clause_verb(effect))


def _turns_round(phrase: str, name: str) -> bool:
    return has_opposite_words(phrase, name) or bool(_ENDINGS & (set(content_words(phrase)) ^ set(content_words(name))))

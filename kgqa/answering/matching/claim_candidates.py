"""Claims that may answer a question of two phrases, one of which names nothing: those of what the other is surely linked to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from graph.model import Claim, Edge, Relation
from graph.protocols import GraphView, Topology
from graph.text.normalise import concept_name, head_place
from graph.topology import EDGE_KINDS, EdgeKind, is_lessening
from kgqa.answering.verdicts.evidence_weighing import ClaimRole
from kgqa.answering.verdicts.verification_query import Proposition, Sense, parse_proposition
from kgqa.linking.concept_links import SURE_LINK
from kgqa.linking.lexical_relations import (
    MORE,
    act_verb,
    has_opposite_words,
    is_related_form,
    lookup_table,
    polarity_signs,
    synonyms,
    word_roots,
)
from kgqa.linking.mention import content_words
from kgqa.linking.nominal_phrases import clause_verb
from kgqa.question import Semantic, Slots
from kgqa.request import Request

MOST_CANDIDATES = 120
_NAMES_OF_WORD = 300
"""How many names of a word are looked at, to see how common it is."""
_COMMON_NAMES = 40
"""A word of so many names counts half as much as one of a few."""
_SYNONYMS_OF_WORD = 6
_SYNONYM_WEIGHT = 0.8
_READINGS = 3
_LONG_PHRASE, _LONG_SHARE = 4, 0.4
"""Of a phrase of so many words, which says more than others, a name has at least this share."""
_PHRASE_SHARE, _NAME_SHARE = 0.6, 0.4


class ClaimCandidate(NamedTuple):
    """A claim whose end `name` may be what `phrase` says.

    `share` (0..1) is how much of their words the two have in common, `added` (0..1) which part of the name is not in the phrase.
    """

    claim: Claim
    phrase: str
    name: str
    share: float
    belief: float
    added: float = 0.0


class WeightedPhrase:
    """The words of a phrase with their synonyms; rare words weigh more."""

    def __init__(self, phrase: str, view: GraphView) -> None:
        self._weights: list[float] = []
        self._places: dict[str, dict[int, float]] = {}
        for place, word in enumerate(content_words(phrase)):
            self._weights.append(1.0 / (1.0 + len(view.search([word], _NAMES_OF_WORD)) / _COMMON_NAMES))
            self._add(word, place, 1.0)
            for synonym in _word_synonyms(word):
                parts = synonym.split()
                for part in parts:
                    self._add(part, place, _SYNONYM_WEIGHT / len(parts))

    def _add(self, word: str, place: int, weight: float) -> None:
        for root in word_roots(word):
            weights = self._places.setdefault(root, {})
            weights[place] = max(weight, weights.get(place, 0.0))

    def share(self, name: str) -> float:
        """Return how much of the phrase a name has, and of the name the phrase has, as a weighted mean, 0..1."""
        words = content_words(name)
        covered: dict[int, float] = {}
        matched = 0.0
        for word in words:
            weights = [item for root in word_roots(word) for item in self._places.get(root, {}).items()]
            matched += max((weight for _, weight in weights), default=0.0)
            for place, weight in weights:
                covered[place] = max(weight, covered.get(place, 0.0))
        if not covered:
            return 0.0
        phrase_share = sum(weight * self._weights[place] for place, weight in covered.items()) / sum(self._weights)
        return _PHRASE_SHARE * phrase_share + _NAME_SHARE * matched / len(words)


def phrases_asked_about(slots: Slots) -> tuple[str | None, str | None]:
    """Return the phrases of the cause and of the effect of a question; what is supposed stands for the cause."""
    return slots.condition.target if slots.condition is not None else slots.cause, slots.effect


def first_edge_of_kind(name: str, view: GraphView, *, forward: bool, lessens: bool | None) -> Edge | None:
    """Return the most believed edge of a name on a side, that lessens or does not (`None`: either); no mere link or purpose."""
    edges = view.effects(name) if forward else view.causes(name)
    return next((edge for edge in edges if _may_be_asked(edge.claim, lessens)), None)


def _may_be_asked(claim: Claim, lessens: bool | None) -> bool:
    if claim.relation in (Relation.IS_FOR, Relation.ASSOCIATED):
        return False
    return lessens is None or is_lessening((claim.relation, claim.polarity)) == lessens


def is_sibling_name(phrase: str, name: str) -> bool:
    """Return whether two names have the head alone in common, each modified in its own way: "eye injury" and "head injury"."""
    heads = [words[head_place(words, "linking")] for words in (concept_name(phrase).split(), concept_name(name).split())]
    modifiers, own = (
        [word for word in content_words(text) if not is_related_form(word, head)]
        for text, head in zip((phrase, name), heads, strict=True)
    )
    return is_related_form(*heads) and bool(modifiers) and bool(own) and not _has_related(modifiers, own)


def is_opposite_name(phrase: str, name: str) -> bool:
    """Return whether a word of one is the opposite of a word of the other, also by the verbs of acts: warming and cooling."""
    acts = [" ".join(act_verb(word) or word for word in concept_name(text).split()) for text in (phrase, name)]
    return has_opposite_words(phrase, name) or has_opposite_words(*acts)


def _has_related(words: Sequence[str], others: Sequence[str]) -> bool:
    return any(is_related_form(word, own) or own in synonyms(word) for word in words for own in others)


@lru_cache(maxsize=2_000)
def _word_synonyms(word: str) -> tuple[str, ...]:
    return tuple(islice(filter(None, lookup_table("synonyms").get(concept_name(word)).split("|")), _SYNONYMS_OF_WORD))


def claim_candidates(request: Request) -> list[ClaimCandidate]:
    """Return the claims that may answer a question, those with most words of its unlinked phrase first.

    They are of the kind that is asked for. There are none where a phrase is missing, or neither is surely linked.
    """
    wanted = _WantedKind(request)
    candidates = sorted(filter(wanted.accepts, sure_claims(request)), key=lambda item: (-item.share, -item.belief, item.name))
    return candidates[:MOST_CANDIDATES]


def sure_claims(request: Request) -> Iterator[ClaimCandidate]:
    """Yield every claim, of any kind, of what one phrase of a question is surely linked to, in the direction of the question."""
    slots = request.kind.slots
    cause, effect = phrases_asked_about(slots)
    if not cause or not effect:
        return
    view = request.view
    causes, effects = (_surely_linked(phrase, request) for phrase in (cause, effect))
    topology = view.topology()
    for claims in (
        _claims_beside(causes, effect, view, topology, forward=True),
        _claims_beside(effects, cause, view, topology, forward=False),
    ):
        yield from (item for item in claims if not (item.claim.cause in causes and item.claim.effect in effects))


class _WantedKind:
    """The kinds of claims that a question asks for, and whether a name keeps the direction of its phrase.

    An effect may become more of itself where more is asked for: "push up prices" is a surge in prices; where a change either way
    is asked for, it may become either.
    """

    def __init__(self, request: Request) -> None:
        kind = request.kind
        whether = kind.semantic is Semantic.VERIFICATION and kind.slots.condition is None
        self._proposition: Proposition | None = parse_proposition(request.question, kind.slots) if whether else None
        self._lessens = kind.slots.relation is Relation.PREVENTS
        self._supposes = kind.slots.condition is not None

    def accepts(self, candidate: ClaimCandidate) -> bool:
        """Return whether a claim is of a kind that is asked for, and its name can mean the phrase: no sibling, no opposite."""
        return (
            self._is_of_kind((candidate.claim.relation, candidate.claim.polarity))
            and self._keeps_direction(candidate)
            and not is_sibling_name(candidate.phrase, candidate.name)
            and (candidate.share >= _LONG_SHARE or len(content_words(candidate.phrase)) < _LONG_PHRASE)
        )

    def _is_of_kind(self, kind: EdgeKind) -> bool:
        if self._proposition is not None:
            return self._proposition.role(kind) in (ClaimRole.SAYS, ClaimRole.MORE)
        return self._supposes or is_lessening(kind) == self._lessens

    def _keeps_direction(self, candidate: ClaimCandidate) -> bool:
        if is_opposite_name(candidate.phrase, candidate.name):
            return False
        signs, own = polarity_signs(candidate.name), polarity_signs(candidate.phrase)
        if signs == own:
            return True
        if own or candidate.name != candidate.claim.effect:
            return False
        if clause_verb(candidate.phrase):
            return True  # The verb has the direction: what damages the ozone layer depletes it.
        sense = self._proposition.sense if self._proposition is not None else Sense.MORE
        return sense is Sense.EITHER or (sense is Sense.MORE and set(signs) == {MORE} and not self._lessens)


def _surely_linked(phrase: str, request: Request) -> tuple[str, ...]:
    readings = islice(request.link(phrase, request.view), _READINGS)
    return tuple(dict.fromkeys(name for reading in readings if reading.score >= SURE_LINK for name in reading.concepts))


def _claims_beside(
    names: Iterable[str], phrase: str, view: GraphView, topology: Topology, *, forward: bool
) -> Iterator[ClaimCandidate]:
    """Yield the claims of concepts on one side, whose far ends may be what a phrase says."""
    weighted: WeightedPhrase | None = None
    for name in names:
        number = topology.number(name)
        if number is None:
            continue
        weighted = weighted or WeightedPhrase(phrase, view)
        row = topology.outgoing(number) if forward else topology.incoming(number)
        for end, belief, kind in zip(row.ends, row.beliefs, row.kinds, strict=True):
            far = topology.name(end)
            claim = Claim(name, far, *EDGE_KINDS[kind]) if forward else Claim(far, name, *EDGE_KINDS[kind])
            yield ClaimCandidate(claim, phrase, far, weighted.share(far), belief)

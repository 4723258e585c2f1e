"""Answers by matching: where one phrase of a question is surely linked, a claim of it that answers tells what the other means.

A phrase that is alone means the names that are nearest to it of those that hold the thing that it is about.

A match is no answer by itself: it gives the phrase a name, and the answerer of the question then answers with that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from graph.protocols import GraphView
from kgqa.answer_model import Answer, Verdict
from kgqa.answering.lists.listing import ListConclusion
from kgqa.answering.matching.claim_candidates import ClaimCandidate, claim_candidates
from kgqa.answering.matching.claim_matcher import CLAIM_MATCH, NAME_MATCH, NEAR_MATCH, ClaimMatcher
from kgqa.answering.matching.name_candidates import name_candidates
from kgqa.answering.matching.near_names import near_name_candidates
from kgqa.linking.concept_links import GUESSED, MATCHED, SURE_LINK, ConceptLink
from kgqa.linking.name_embeddings import EmbeddingIndex
from kgqa.question import Attribute, Semantic
from kgqa.reasons import Refusal
from kgqa.request import Answerer, Request

_LARGEST_SCORE = SURE_LINK - 0.01
"""The score of a match, whose probability it is, at most: an answer by a match always says how its phrase was read."""
_DECISIVE_SCORE = 0.78
"""A verdict, or what follows from an if, rests on a name near in meaning only from here: a wrong one is a wrong answer."""
_LEAST_GUESS = 0.45
"""From here a name near in meaning is a guess, by which a list is given with the condition that it is meant."""
_MOST_NAMES = 3
"""How many names a phrase means that is alone, at most."""
_REASONS = frozenset(("not_said", "no_claim", "unfamiliar", "near_claims", "other_consequences"))
"""Why a question is unknown that matching may answer."""


OpenNames = Callable[[ClaimMatcher], EmbeddingIndex | None]
"""Opens the vectors of the names of a graph by an encoder; `None` where there are none."""


def answer_with_match(
    request: Request,
    answerer: Answerer,
    answer: Answer,
    open_matcher: Callable[[], ClaimMatcher | None],
    open_names: OpenNames = lambda encoder: None,
) -> tuple[Answer, Request]:
    """Return the answer to a question by a match in place of a refusal, and the request that it is the answer to."""
    if not _is_unknown(answer):
        return answer, request
    for find in (_matched_links, partial(_near_links, open_names=open_names)):
        links = find(request, open_matcher)
        if not links:
            continue
        matched = replace(request, link=_MatchedLinker(request, links))
        second = answerer(matched)
        # What is denied of something near is not denied of what was asked; a list alone says what a guess is.
        guessed = any(link.how == GUESSED for link in links) and not isinstance(second.conclusion, ListConclusion)
        if second.is_decided and not guessed and second.verdict not in (Verdict.NO, Verdict.CONTESTED):
            return second, matched
    return answer, request


def lower_verdict(answer: Answer) -> Answer:
    """Return a calibrated verdict by a match with its confidence times the probability of the match; other answers have that.

    The judged verdicts that the confidence was fitted on are by sure links.
    """
    matched = any(isinstance(step, ConceptLink) and step.how == MATCHED for step in answer.steps)
    if answer.verdict is None or not matched:
        return answer
    share = answer.signals.link
    findings = tuple(replace(finding, confidence=finding.confidence * share) for finding in answer.findings)
    return replace(answer, confidence=answer.confidence * share, findings=findings)


def _is_unknown(answer: Answer) -> bool:
    """Return whether an answer is a refusal for what the graph was not found to say, and not for what was asked."""
    conclusion = answer.conclusion
    comparison = answer.type.slots.comparison is not None or Attribute.SUPERLATIVE in answer.type.attributes
    return not answer.is_decided and isinstance(conclusion, Refusal) and conclusion.reason in _REASONS and not comparison


def _matched_links(request: Request, open_matcher: Callable[[], ClaimMatcher | None]) -> list[ConceptLink]:
    """Return what the unlinked phrase of a question means by the claim that answers the question best; empty for no match.

    A phrase that is alone may mean several names.
    """
    candidates, model = claim_candidates(request), CLAIM_MATCH
    if not candidates:
        candidates, model = name_candidates(request), NAME_MATCH
    matcher = open_matcher() if candidates else None
    return [] if matcher is None else _best_link(request, candidates, matcher, model)


def _near_links(request: Request, open_matcher: Callable[[], ClaimMatcher | None], open_names: OpenNames) -> list[ConceptLink]:
    """Return what each unlinked phrase of a question means by the names nearest in meaning; empty unless all mean something."""
    matcher = open_matcher()
    index = None if matcher is None else open_names(matcher)
    if matcher is None or index is None:
        return []
    phrases = near_name_candidates(request, matcher, index)
    guesses = len(phrases) == 1 and not (request.kind.slots.cause and request.kind.slots.effect)
    links = [link for names in phrases for link in _best_link(request, names, matcher, NEAR_MATCH, guesses=guesses)]
    decides = request.kind.semantic is Semantic.VERIFICATION or request.kind.slots.condition is not None
    sure = all(link.score >= _DECISIVE_SCORE for link in links) or not decides
    return links if sure and len(links) == len(phrases) else []


def _best_link(
    request: Request, candidates: list[ClaimCandidate], matcher: ClaimMatcher, model: str, *, guesses: bool = False
) -> list[ConceptLink]:
    """Return the link of the phrase of candidates to those that a logistic model takes for matches, if there are any.

    With `guesses`, the best one that falls a little short is a guess.
    """
    bound = matcher.bound(model)
    matches = sorted(matcher.judge(request.question, candidates, model), key=lambda match: -match.probability)
    if not matches or matches[0].probability < (_LEAST_GUESS if guesses else bound):
        return []
    phrase, probability = matches[0].candidate.phrase, min(_LARGEST_SCORE, matches[0].probability)
    near = [match.candidate.name for match in matches if match.probability >= bound]
    if not near:
        return [ConceptLink(phrase, (matches[0].candidate.name,), probability, GUESSED)]
    return [ConceptLink(phrase, tuple(near[: 1 if model == CLAIM_MATCH else _MOST_NAMES]), probability, MATCHED)]


class _MatchedLinker:
    """A linker that yields what phrases mean by matches before their other readings."""

    def __init__(self, request: Request, links: list[ConceptLink]) -> None:
        self._usual = request.link
        self._matched = {link.phrase: link for link in links}

    def __call__(self, phrase: str, view: GraphView) -> Iterable[ConceptLink]:
        """Yield the readings of a phrase."""
        if phrase in self._matched:
            yield self._matched[phrase]
        yield from self._usual(phrase, view)

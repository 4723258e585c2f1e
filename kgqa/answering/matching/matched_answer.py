"""Answers by matching: where one phrase of a question is surely linked, a claim of it that answers tells what the other means.

A phrase that is alone means the names that are nearest to it of those that hold the thing that it is about.

A match is no answer by itself: it gives the phrase a name, and the answerer of the question then answers with that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from graph.protocols import GraphView
from kgqa.answer_model import Answer, Verdict
from kgqa.answering.matching.claim_candidates import claim_candidates
from kgqa.answering.matching.claim_matcher import CLAIM_MATCH, NAME_MATCH, ClaimMatcher
from kgqa.answering.matching.name_candidates import name_candidates
from kgqa.linking.concept_links import MATCHED, SURE_LINK, ConceptLink
from kgqa.question import Attribute
from kgqa.reasons import Refusal
from kgqa.request import Answerer, Request

_LARGEST_SCORE = SURE_LINK - 0.01
"""The score of a match, whose probability it is, at most: an answer by a match always says how its phrase was read."""
_MOST_NAMES = 3
"""How many names a phrase means that is alone, at most."""
_REASONS = frozenset(("not_said", "no_claim", "unfamiliar", "near_claims", "other_consequences"))
"""Why a question is unknown that matching may answer."""


def answer_with_match(
    request: Request, answerer: Answerer, answer: Answer, open_matcher: Callable[[], ClaimMatcher | None]
) -> tuple[Answer, Request]:
    """Return the answer to a question by a match in place of a refusal, and the request that it is the answer to."""
    link = _matched_link(request, open_matcher) if _is_unknown(answer) else None
    if link is None:
        return answer, request
    matched = replace(request, link=_MatchedLinker(request, link))
    second = answerer(matched)
    # What is denied of something near is not denied of what was asked.
    answered = _is_decided(second) and second.verdict not in (Verdict.NO, Verdict.CONTESTED)
    return (second, matched) if answered else (answer, request)


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


def _is_decided(answer: Answer) -> bool:
    return answer.answer is not None or answer.verdict not in (None, Verdict.UNKNOWN)


def _is_unknown(answer: Answer) -> bool:
    """Return whether an answer is a refusal for what the graph was not found to say, and not for what was asked."""
    conclusion = answer.conclusion
    comparison = answer.type.slots.comparison is not None or Attribute.SUPERLATIVE in answer.type.attributes
    return not _is_decided(answer) and isinstance(conclusion, Refusal) and conclusion.reason in _REASONS and not comparison


def _matched_link(request: Request, open_matcher: Callable[[], ClaimMatcher | None]) -> ConceptLink | None:
    """Return what the unlinked phrase of a question means by the claim that answers the question best; `None` for no match.

    A phrase that is alone may mean several names.
    """
    candidates, model = claim_candidates(request), CLAIM_MATCH
    if not candidates:
        candidates, model = name_candidates(request), NAME_MATCH
    matcher = open_matcher() if candidates else None
    if matcher is None:
        return None
    bound = matcher.bound(model)
    matches = sorted(matcher.judge(request.question, candidates, model), key=lambda match: -match.probability)
    near = [match for match in matches if match.probability >= bound]
    if not near:
        return None
    names = tuple(match.candidate.name for match in near[: _MOST_NAMES if model == NAME_MATCH else 1])
    return ConceptLink(near[0].candidate.phrase, names, min(_LARGEST_SCORE, near[0].probability), MATCHED)


class _MatchedLinker:
    """A linker that yields what a phrase means by a match before its other readings."""

    def __init__(self, request: Request, link: ConceptLink) -> None:
        self._usual = request.link
        self._matched = link

    def __call__(self, phrase: str, view: GraphView) -> Iterable[ConceptLink]:
        """Yield the readings of a phrase."""
        if phrase == self._matched.phrase:
            yield self._matched
        yield from self._usual(phrase, view)

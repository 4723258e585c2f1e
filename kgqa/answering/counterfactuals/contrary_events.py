"""An "if" that a known event went otherwise ("Germany had won World War II"): unknown, with what followed from it as it went."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from kgqa.answer_model import Answer
from kgqa.answering.contracts import RESULT
from kgqa.answering.counterfactuals.consequence_ranking import LEAST_VALUE
from kgqa.answering.lists.list_ranking import list_value, topics_about
from kgqa.answering.lists.listing import build_listing
from kgqa.answering.refusals import refuse
from kgqa.linking.concept_links import SURE_LINK, ConceptLink
from kgqa.question import Condition
from kgqa.questions.lexicon import topics_of
from kgqa.reasons import Missing, Refusal
from kgqa.request import Request

_NAMED = re.compile(r"(?:[A-Z][\w’'.\-]*|\d{4})(?:\s+(?:(?:of|the|and|in|for|to)\s+){0,2}(?:[A-Z][\w’'.\-]*|\d{4}|[IVX]+))*")
"""A name of several words with capitals, with the small words inside it."""
_EVENT_TOPICS = frozenset(("war", "event", "act", "contest", "sport"))
_OUTCOMES = ("victory", "defeat")
_FOLLOWED = 3


def refuse_contrary(request: Request, condition: Condition) -> Answer | None:
    """Refuse to say what would follow had an event that the clause names gone otherwise; `None` where it names none.

    Where the graph holds what followed from the outcome that there was, or else from the event, that is told.
    """
    for event in _events_of(request, condition.text):
        for concept in (*_outcomes_of(request, event), event):
            followed = _known_results(request, concept)
            if followed:
                missing = Missing("dependents", (condition.text,), "texts_about_it")
                return refuse(request, Refusal("contrary_event", (condition.text, concept, followed)), missing)
    return None


def _events_of(request: Request, clause: str) -> Iterator[str]:
    """Yield the concepts of the events that a clause names, the last first: what was won stands behind who won it."""
    for match in reversed(list(_NAMED.finditer(clause))):
        reading = next(iter(request.link(match[0], request.view)), None)
        if reading is not None and reading.score >= SURE_LINK:
            name = reading.concepts[0]
            if any(not _EVENT_TOPICS.isdisjoint(topics_of(word)) for word in name.split()):
                yield name


def _outcomes_of(request: Request, event: str) -> Iterator[str]:
    for outcome in _OUTCOMES:
        names = request.view.search((outcome, *event.split()))
        yield from islice((name for name in names if event in name and outcome in name.split()), 1)


def _known_results(request: Request, concept: str) -> tuple[str, ...]:
    listing = build_listing(request.view, ConceptLink(concept, (concept,), 1.0, "exact"), RESULT)
    if listing is None:
        return ()
    topology, topics = request.view.topology(), topics_about((concept,))
    names = (name for part in listing.parts for name in part.listed_names if part.tier.fulfils)
    good = (name.name for name in names if list_value(name, topology, request.view, topics) >= LEAST_VALUE)
    return tuple(islice(good, _FOLLOWED))

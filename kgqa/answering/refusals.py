"""Answers that say that something is unknown: each has a reason, and what to ask or where to look instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from graph.cached_view import expect_names
from graph.model import Edge, Relation
from graph.protocols import GraphView
from graph.text.normalise import concept_name
from graph.text.stop_words import STOP_WORDS
from graph.text.word_lists import kind_of_noun
from kgqa.answer_model import Answer, Route
from kgqa.linking.concept_links import BROADER, SPELLING, ConceptLink
from kgqa.linking.linker import link_phrase, similar_names
from kgqa.linking.mention import content_words, is_plain_name
from kgqa.question import QuestionType, Slots
from kgqa.reasons import Missing, Refusal
from kgqa.request import Request


def refuse(request: Request, refusal: Refusal, missing: Missing) -> Answer:
    """Return the answer "unknown" for a reason, with what is missing."""
    return Answer(question=request.question, type=request.kind, route=Route.NONE, conclusion=refusal, gaps=(missing,))


def refuse_question(question: str, why: str) -> Answer:
    """Return the answer to a question that cannot be put to the graph, with the reason."""
    refusal, missing = Refusal("invalid_question", (why,)), Missing("question", (), "reason", (why,))
    return Answer(question, QuestionType(None, Slots()), Route.NONE, refusal, gaps=(missing,))


def refuse_negated(request: Request) -> Answer:
    """Refuse to list what does *not* cause something: a graph of claims does not bound that list."""
    return refuse(request, Refusal("negated_list"), Missing("single_question", remedy="example_claim"))


def refuse_noncausal(request: Request) -> Answer:
    """Refuse a question that does not ask for a cause or an effect."""
    from kgqa.questions.tokenization import foreign_language

    manner = any("manner" in rule for rule in request.kind.rules)
    refusal = Refusal("no_causal_question", (manner, foreign_language(request.question) is not None))
    return refuse(request, refusal, Missing("causal_question", remedy="example_list"))


def refuse_without_slot(request: Request) -> Answer:
    """Refuse a causal question in which no phrase for a cause or an effect was found."""
    return refuse(request, Refusal("no_slot"), Missing("slot", remedy="name_slot"))


def refuse_phrase(request: Request, missing: Missing, phrase: str) -> Answer:
    """Return the answer "unknown": what is missing, and whether the phrase itself is unknown to the graph."""
    return refuse_link(request, missing, phrase, next(iter(link_phrase(phrase, request.view)), None))


def refuse_link(request: Request, missing: Missing, phrase: str, link: ConceptLink | None) -> Answer:
    """Return the answer "unknown" where `link` is the surest link of the phrase, or `None` where there is none."""
    if link is None:
        gap = missing._replace(remedy="no_concept", details=(phrase,))
        part = nearest_part(phrase, request.view)
        if part is not None:
            side, names = _known_side(part, missing, phrase, request.view)
            gap = gap._replace(remedy="nearest_part", details=(phrase, part, side, names)) if names else gap
        near = near_things(phrase, request.view) if gap.remedy == "no_concept" else ()
        gap = gap._replace(remedy="near_names", details=(phrase, *near)) if near else gap
    elif link.how == SPELLING:
        gap = missing._replace(remedy="near_names", details=(phrase, *similar_names(phrase, request.view)))
    else:
        name = link.concepts[0]
        gap = missing._replace(remedy="no_such_claim", details=(name, *_known_side(name, missing, phrase, request.view)))
        if link.how == BROADER:
            gap = gap._replace(remedy="wider_concept", details=(name,))
    return refuse(request, Refusal("not_said", (gap,)), gap)


_LEAST_BELIEF = 0.5


def _known_side(name: str, missing: Missing, phrase: str, view: GraphView) -> tuple[str, tuple[str, ...]]:
    """Return "causes" or "effects", and those of a concept: of the side that is not asked for.

    Of how one thing leads to another, the effects of the first and the causes of the last are asked for; of what depends on what
    is supposed, the other causes are told.
    """
    first = len(missing.names) > 1 and phrase == missing.names[0] and missing.need != "dependence"
    leads = missing.need == "causes" or first
    if leads:
        return "effects", tuple(dict.fromkeys(edge.effect for edge in view.effects(name) if _is_likely(edge)))
    return "causes", tuple(dict.fromkeys(edge.cause for edge in view.causes(name) if _is_likely(edge)))


def _is_likely(edge: Edge) -> bool:
    return edge.claim.relation is Relation.CAUSES and edge.belief >= _LEAST_BELIEF


def nearest_part(phrase: str, view: GraphView) -> str | None:
    """Return the longest part of a phrase that is a concept: of two and more words, or one with a capital; `None` for none."""
    expect_names(view, lambda: _telling_parts(phrase))
    concepts = map(view.concept, _telling_parts(phrase))
    return next((concept.name for concept in concepts if concept is not None), None)


def _telling_parts(phrase: str) -> Iterator[str]:
    """Iterate over the parts of a phrase that may be names, the longest ones first."""
    words = phrase.split()
    for length in range(len(words) - 1, 0, -1):
        for start in range(len(words) - length + 1):
            part = words[start : start + length]
            names_thing = length > 1 and STOP_WORDS["linking"].isdisjoint((part[0].lower(), part[-1].lower()))
            if (names_thing or (length == 1 and part[0][:1].isupper())) and not _cuts_name(words, start, start + length):
                yield concept_name(" ".join(part))


_NEAR_SHOWN = 2
_MOST_NAMES_HELD = 2_000
"""A word that more names hold is too common to say what a phrase is about."""
_NEAR_LOOKED_AT = 20
_TELLING_THINGS = frozenset(("substance", "food", "plant", "animal", "state"))
"""Kinds of nouns that by themselves say what a phrase is about: insulin does, a leg does not."""


def near_things(phrase: str, view: GraphView) -> tuple[str, ...]:
    """Return the names that hold most things of a phrase, two at least, and no other; else its rarest substances and the like."""
    from kgqa.linking.nominal_phrases import is_thing

    things = [word for word in content_words(phrase) if is_thing(word)]
    for number in range(len(things), 1, -1):
        for words in combinations(things, number):
            names = (name for name in view.search(words, _NEAR_LOOKED_AT) if is_plain_name(name))
            own = {name: content_words(name) for name in names}
            near = [name for name, theirs in own.items() if len(theirs) <= number + 1 and sum(map(is_thing, theirs)) <= number]
            if near:
                return tuple(near[:_NEAR_SHOWN])
    concepts = (view.concept(concept_name(word)) for word in things if kind_of_noun(word) in _TELLING_THINGS)
    known = {concept.name: len(view.search([concept.name], _MOST_NAMES_HELD)) for concept in concepts if concept is not None}
    return tuple(sorted((name for name in known if known[name] < _MOST_NAMES_HELD), key=lambda name: known[name])[:_NEAR_SHOWN])


def _cuts_name(words: Sequence[str], start: int, end: int) -> bool:
    """Return whether a part leaves out a capitalised word that adjoins one of its own: "Martin Luther" of Martin Luther King."""
    capital = [word[:1].isupper() for word in words]
    before, behind = start > 0 and capital[start - 1], end < len(words) and capital[end]
    return (before and capital[start]) or (behind and capital[end - 1])

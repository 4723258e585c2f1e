"""Names that may mean a phrase that says what happens to a thing: "Concorde stop flying" is the retirement of Concorde."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from graph.model import Relation
from graph.text.act_nouns import act_noun, is_act_noun
from graph.text.normalise import surface_name
from graph.text.stems import base_forms
from graph.text.word_lists import kind_of_noun
from kgqa.answering.matching.claim_candidates import (
    ClaimCandidate,
    WeightedPhrase,
    first_edge_of_kind,
    is_opposite_name,
    phrases_asked_about,
)
from kgqa.linking.lexical_relations import (
    act_verb,
    is_only_verb,
    is_related_form,
    polarity_group,
    polarity_signs,
    synonyms,
    word_set,
)
from kgqa.linking.mention import content_words, is_plain_name
from kgqa.linking.nominal_phrases import clause_verb, is_thing, nominal_phrases, nominalizations
from kgqa.request import Request

MOST_NAMES = 40
_NAMES_OF_THING = 120
"""How many names that hold the thing are looked at, the shortest ones."""
_COMMON_THING = 60
"""A thing without a proper name that stands alone and that so many names hold is too common to tell what is meant."""
_LONGEST_PHRASE = 7
_SHORTEST_PART = 3
_PARTICLES = frozenset("up off out down away over apart".split())
"""Words behind a verb that are a part of it: "dry up"."""


class PhraseParts(NamedTuple):
    """The words of a phrase: `things` that it is about, the `rest` that it says of them, and whether a thing has a capital."""

    things: tuple[str, ...]
    rest: tuple[str, ...]
    has_capital: bool


def phrase_parts(phrase: str) -> PhraseParts:
    """Return the parts of a phrase."""
    capitals = {word.strip(".,'\"").removesuffix("'s").lower() for word in phrase.split() if word[:1].isupper()}
    words = [word for word in content_words(phrase) if word not in _PARTICLES]
    verbs = {word for word, after in pairwise(surface_name(phrase).split()) if after in _PARTICLES}
    things = tuple(word for word in words if word in capitals or (word not in verbs and is_thing(word)))
    rest = tuple(word for word in words if word not in things)
    return PhraseParts(things, rest, not capitals.isdisjoint(words))


def _spellings(things: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the words of things, then with two of them as one word, or one of them as two nouns: "honey bee"."""
    yield things
    for place, word in enumerate(things):
        if place + 1 < len(things):
            yield (*things[:place], word + things[place + 1], *things[place + 2 :])
        for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
            if kind_of_noun(word[:cut]) and kind_of_noun(word[cut:]):
                yield (*things[:place], word[:cut], word[cut:], *things[place + 1 :])


def name_candidates(request: Request) -> list[ClaimCandidate]:
    """Return the names that hold every thing of the only phrase of a question, and no other, those with most words first.

    Each comes with its most believed claim of the kind and on the side that is asked for. There are none where a phrase is a
    thing and no more, or where its thing is a common word.
    """
    slots, view = request.kind.slots, request.view
    cause, effect = phrases_asked_about(slots)
    phrase = cause or effect or ""
    parts = phrase_parts(phrase)
    if bool(cause) == bool(effect) or not parts.things or not parts.rest or len(content_words(phrase)) > _LONGEST_PHRASE:
        return []
    if not word_set("eventless").isdisjoint(surface_name(request.question).rstrip("?").split()):
        return []
    names = list(dict.fromkeys(name for words in _spellings(parts.things) for name in view.search(words, _NAMES_OF_THING)))
    if len(parts.things) == 1 and not parts.has_capital and len(names) >= _COMMON_THING:
        return []
    weighted = WeightedPhrase(phrase, view)
    supposed = slots.condition is not None
    lessens = None if supposed else slots.relation is Relation.PREVENTS
    candidates = []
    for name in names:
        added = _added_words(name, phrase, parts)
        if added is None or (supposed and (added or set(polarity_signs(name)) != set(polarity_signs(phrase)))):
            continue  # What is supposed is turned round by a name with another word for its end, or for who won.
        edge = first_edge_of_kind(name, view, forward=bool(cause), lessens=lessens)
        if edge is not None and not _names_better(edge.cause if name == edge.effect else edge.effect, name, phrase):
            candidates.append(ClaimCandidate(edge.claim, phrase, name, weighted.share(name), edge.belief, added))
    return sorted(candidates, key=lambda item: (-item.share, item.name))[:MOST_NAMES]


def _added_words(name: str, phrase: str, parts: PhraseParts) -> float | None:
    """Return which part of a name's words a phrase lacks, 0..1; `None` for a name that cannot mean the phrase.

    A name that can is about the things of the phrase and no other, says of them what happens, and nothing contrary.
    """
    wording = [form for words in (*_spellings(parts.things), parts.rest) for form in words]
    own = content_words(name)
    nouns = {nominal.text.split()[0] for nominal in nominal_phrases(phrase)}
    nouns |= {act_noun(base) for word in parts.rest for base in base_forms(word)}
    added = [word for word in own if not _has_form(word, wording)]
    if any((word.isdigit() or is_thing(word)) and not any(word in synonyms(form) for form in wording) for word in added):
        return None
    left_out = [word for word in parts.rest if not word.isdigit() and not _has_form(word, own)]
    if not added and (any(map(_happens, left_out)) or (left_out and len(left_out) == len(parts.rest))):
        return None  # The thing alone, without what happens to it.
    if not is_plain_name(name) or is_opposite_name(phrase, name):
        return None
    signs, name_signs = polarity_signs(phrase), polarity_signs(name)
    ends = all(polarity_group(word) in ("", "end") for word in content_words(phrase))
    keeps_direction = set(name_signs) == set(signs) or (ends and not name_signs) or (not signs and bool(clause_verb(phrase)))
    return sum(word not in nouns for word in added) / len(own) if keeps_direction else None


def _names_better(far: str, name: str, phrase: str) -> bool:
    """Return whether the other end of a claim has more words of a phrase than a name: a levee's failure causes the flooding."""
    words = content_words(phrase)
    ours, theirs = (sum(_has_form(word, content_words(text)) for word in words) for text in (name, far))
    return theirs > ours


def _has_form(word: str, words: Iterable[str]) -> bool:
    return any(is_related_form(word, form) for form in words)


def _happens(word: str) -> bool:
    """Return whether a word says what happens, as a verb or a noun, or in which direction."""
    return bool(
        act_verb(word) or word in nominalizations() or polarity_group(word) or is_act_noun(word) or is_only_verb(word)
    ) or word.endswith("ed")

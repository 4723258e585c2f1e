"""The names by which the graph knows an event that an "if" supposes, found among the claims near to the question.

"The Greenland ice sheet melted" is the melting of an ice sheet; where nobody is vaccinated against measles, measles vaccination
is gone, and refusal of the vaccine is there. A name says the same as the clause, or the opposite, by the words of either that
take away or bring about (data/words.tsv); all its other words are words of the clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from graph.intervene import Presence
from graph.text.concept_nouns import written_name
from kgqa.answering.evidence_kind import answering_words
from kgqa.linking.lexical_relations import antonyms, is_related_form, numbers_in, polarity_words
from kgqa.linking.mention import content_words
from kgqa.question import Amount, Condition

if TYPE_CHECKING:
    from kgqa.answering.matching.claim_matcher import ClaimMatcher

_LEAST_COSINE, _LEAST_BROADER, _LEAST_ONE_WORD, _LEAST_REWORDED = 0.6, 0.65, 0.76, 0.82
"""From which cosine to the event on a name with all its words is taken, one that drops some of them, and one that has another
word, or several, in their place."""
_LEAST_NEAR, _LEAST_LONG = 0.78, 0.45
"""From which cosine on a name that drops some words says the same, and one that shares many words with the event is taken."""
_MOSTLY_SHARED = 2
"""With so many words of the event, a name may have others as well."""
_LEAST_STEM, _STEM_SHARE = 4, 0.65
"""How long the beginning is that forms of one word have in common, and how much of the shorter one: "Germany", "German"."""
_LEAST_EFFECT = 0.7
"""The least cosine to the effect of a question of a name that stands for it."""
_LEAST_ROOT = 5
"""So many letters are the same where a word with "de" undoes another: "forests", "deforestation"."""
_MOST_NAMES = 8


class EventName(NamedTuple):
    """A name of what is supposed, or of its opposite, with whether that is then there.

    Where the name is broader than the event, its effects are those that have the words `about` that it drops: vaccination
    bears on measles; where it names a kind, those about the effect of the question. A `fuller` one has a word of the clause that
    the target of the condition lacks.
    """

    name: str
    presence: Presence
    cosine: float
    about: frozenset[str] = frozenset()
    fuller: bool = False

    def bears_on(self, effect: str) -> bool:
        """Return whether an effect of the name is one of the event."""
        return all(any(_are_forms(word, own) for own in content_words(effect)) for word in self.about)


def event_names(part: Condition, effect: str | None, causes: Iterable[str], matcher: ClaimMatcher) -> list[EventName]:
    """Return those of some names of causes that name what a condition supposes, or its opposite, the nearest first.

    Where some of them say more of the condition than its target does, those alone: the magnetic field of the Earth.
    """
    names = list(dict.fromkeys(causes))
    if not names:
        return []
    event, *vectors = matcher.vectors([part.target, *names])
    gone = part.presence is Presence.ABSENT or part.amount is Amount.LESS
    fits = (_fit_name(part, effect, name, float(vector @ event), gone=gone) for name, vector in zip(names, vectors, strict=True))
    best = sorted(filter(None, fits), key=lambda item: (bool(item.about), -item.cosine))[:_MOST_NAMES]
    # What is said of the collapse of a dam is nearer to it than that there is no dam.
    same = [item for item in best if (item.presence is Presence.ABSENT) is gone]
    if any(_direction(word) == _TAKING for item in same for word in content_words(item.name)):
        best = same
    return [item for item in best if item.fuller] or best


def nearest_name(
    phrase: str, names: Iterable[str], matcher: ClaimMatcher, *, whole: bool = False, ended: bool = False
) -> str | None:
    """Return the name nearest to a phrase among those that have a word of it; `None` where none is near.

    A `whole` one has no word besides; one that it is `ended` has a word for that, and perhaps where: "abolition of slavery".
    """
    candidates = list(dict.fromkeys(names))
    if not candidates:
        return None
    own, *vectors = matcher.vectors([phrase, *candidates])
    words = content_words(phrase)
    rated = []
    for name, vector in zip(candidates, vectors, strict=True):
        own_words = content_words(name)
        shared = {part for part in own_words if any(_are_forms(word, part) for word in words)}
        ends = {part for part in own_words if _direction(part) == _TAKING} - shared
        beside = set(filter(is_particular, own_words)) if ended else set()
        if shared and (not (whole or ended) or (shared | ends | beside == {*own_words} and bool(ends) is ended)):
            rated.append((float(vector @ own), name))
    cosine, nearest = max(rated, default=(0.0, ""))
    return nearest if cosine >= _LEAST_EFFECT else None


def _fit_name(part: Condition, effect: str | None, name: str, cosine: float, *, gone: bool) -> EventName | None:
    clause, words = content_words(part.target), content_words(name)
    # "Earth" of the main clause is named with the tilt of its axis.
    proper = (word for word in content_words(effect or "") if word.title() in (effect or "").split())
    wider = (*content_words(part.text), *proper)
    numbers = numbers_in(part.text.lower())
    undone = {
        word: own for word in words for own in clause if len(own) >= _LEAST_ROOT and word.startswith(f"de{own[:_LEAST_ROOT]}")
    }
    extra = [word for word in words if not (word in undone or numbers_in(word) or any(_are_forms(word, own) for own in clause))]
    dropped = [
        word
        for word in clause
        if not (word in undone.values() or numbers_in(word) or any(_are_forms(word, own) for own in words))
    ]
    dated = any(map(str.isdigit, words)) and any(map(is_particular, dropped))
    if len(dropped) == len(clause) or ((numbers or dated) and not numbers_in(name) <= numbers):
        return None
    turned = next(((word, own) for word in extra for own in dropped if own in antonyms(word) or word in antonyms(own)), ())
    extra, dropped = ([word for word in own if word not in turned] for own in (extra, dropped))
    opposite = (sum(_direction(word) == _TAKING for word in (*extra, *dropped)) + bool(turned) + bool(undone)) % 2 == 1
    if opposite and any(_direction(word) == _BRINGING for word in extra):
        return None  # What goes on being there does not come to be.
    plain = [word for word in extra if not _direction(word)]
    light = answering_words("doer")
    added = [word for word in plain if word not in light and not any(_are_forms(word, own) for own in wider)]
    won = answering_words("winning") if opposite else frozenset()
    left = [word for word in dropped if not _direction(word) and word not in won]
    # A thing that came to a place is not gone from the world where it did not.
    comes = len(extra) == len(plain) and any(_direction(word) == _BRINGING for word in dropped)
    about = frozenset(word for word in left if not _is_circumstance(word, part.text) or (comes and _is_place(word, part.text)))
    places = [word for word in content_words(part.text) if word not in (*clause, *words) and _is_place(word, part.text)]
    if len(extra) > len(plain) and not opposite and all(f" {word.title()}" in f" {part.text}" for word in about):
        about = frozenset()  # What is so of dams in general is so of one of them.
    shared = len(words) - len(extra)
    narrower = bool(added) and not dropped
    special = narrower and all(map(is_particular, added))
    kind = narrower and not (special or opposite) and " of " not in name and words[: len(extra)] == tuple(extra)
    if special:
        least = _LEAST_COSINE
    elif kind:
        least, about = _LEAST_BROADER, frozenset(content_words(effect or ""))
    elif added:
        close = cosine >= _LEAST_REWORDED and shared >= _MOSTLY_SHARED
        one_word = len(added) == 1 and not any(map(is_particular, left))
        least = _LEAST_ONE_WORD if one_word and shared >= _MOSTLY_SHARED else _LEAST_REWORDED
        least = _LEAST_BROADER if shared >= _MOSTLY_SHARED and not about else least
        least = least if not opposite and len(added) <= len(left) + close else 1.0
    else:
        least = _LEAST_LONG if shared > _MOSTLY_SHARED else _LEAST_BROADER if about else _LEAST_COSINE
    if cosine < least or (kind and not about):
        return None
    if not kind and (added or (cosine >= _LEAST_NEAR and not any(map(is_particular, about)))):
        about = frozenset()
    about |= frozenset(places)
    presence = Presence.PRESENT if opposite is gone else Presence.ABSENT
    fuller = not added and any(_are_forms(word, own) for word in plain for own in wider)
    return EventName(name, presence, cosine, about, fuller)


def _are_forms(first: str, second: str) -> bool:
    if is_related_form(first, second):
        return True
    common = next((place for place, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), len(first))
    return common >= _LEAST_STEM and common >= _STEM_SHARE * max(len(first), len(second))


_TAKING, _BRINGING = "taking away", "bringing about"


@cache
def _direction(word: str) -> str:
    """Return whether a word takes away what stands beside it, or brings it about; empty for any other word."""
    sign = polarity_words().get(word, ("", ""))[1]
    if sign:
        return _TAKING if sign == "less" else _BRINGING
    for direction in (_TAKING, _BRINGING):
        if any(is_related_form(word, own) for own in answering_words(direction)):
            return direction
    return ""


def is_particular(word: str) -> bool:
    """Return whether a word is a name with a capital: "Poland", "Polish"; not the Earth, and no abbreviation."""
    written = written_name(word)
    return word not in answering_words("everywhere") and word != written and not written.isupper()


def is_light(word: str, text: str) -> bool:
    """Return whether a word of a clause says no more than that something is gone or there, where, when, or by whom."""
    return bool(_direction(word)) or _is_circumstance(word, text)


def _is_circumstance(word: str, text: str) -> bool:
    """Return whether a word of a clause says where, when or who: a name behind "in", or before a noun, a number, somebody."""
    anybody = word in answering_words("anybody") or word in answering_words("doer")
    before_noun = re.search(rf"\b{word.title()}(?:n|['’]s)? [a-z]{{3,}}", text) is not None
    return word.isdigit() or anybody or before_noun or _is_place(word, text)


def _is_place(word: str, text: str) -> bool:
    return re.search(rf"\b(?:in|at|near|to|from|on|across) (?:the )?(?:[A-Z]\w+ )*{word.title()}\b", text) is not None

"""The steps from a phrase to concepts, each a function that looks up what it yields: surest step first, as in `STEPS`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log10

from graph.mining.kinds import kind_of
from graph.mining.words import words as word_list
from graph.normalize import concept_name, singular, surface_name
from graph.protocols import GraphView
from kgqa.linking.asked import Asked
from kgqa.linking.forms import cover, words_key
from kgqa.linking.guards import crosses, group_of, marks, opposed, signs
from kgqa.linking.kinds import kinds_of
from kgqa.linking.phrase import EMPTY_HEADS, STOP, UNIMPORTANT, content_words, is_plain, without_occurrence, without_unimportant
from kgqa.linking.phrase import broader as cuts
from kgqa.linking.reading import Reading
from kgqa.linking.slips import mended
from kgqa.linking.synonyms import abbreviates, ailments, synonyms

Step = Callable[[Asked], Iterator[Reading]]

_BROADER = 0.5
_AMOUNTS = frozenset("too much many enough not".split())
_TELLING = frozenset({"", "state", "feeling", "food", "animal", "plant", "person", "substance", "event"})
"""Kinds of nouns that say enough when they stand alone: "pain" does, "damage", "function" or "sensor" do not."""
_OF_A_NAME = 0.35
"""What is broader than a phrase that is itself a concept: its words belong together ("ear wax" is no wax)."""
_LEAST = 0.25
_HUB = 50
"""So many claims about a concept are usual; what is read as a hub with more of them is likely to be about something else."""


def named(asked: Asked) -> Iterator[Reading]:
    """Yield what bears the phrase as its name, or as another name, and then what differs from it in number or a space alone."""
    phrase = asked.phrase
    exact: list[str] = []
    alias: list[str] = []
    for form in dict.fromkeys((surface_name(phrase), asked.name, " ".join(asked.words))):
        if form and signs(form) == asked.signs and (concept := asked.view.concept(form)) is not None:
            (exact if concept.name == form else alias).append(concept.name)
    key = words_key(" ".join(asked.words))
    twins = [name for name in asked.holding if words_key(name) == key and not crosses(phrase, name)]
    if exact:
        yield Reading(phrase, (*exact, *twins), 1.0, "exact")
    if alias:
        yield Reading(phrase, (*alias, *twins), 1.0, "alias")
    joined = () if exact or alias else asked.known(_respaced(asked.words))
    yield Reading(phrase, (*twins, *joined), 0.95, "same words")


def renamed(asked: Asked) -> Iterator[Reading]:
    """Yield what is called by an abbreviation of the phrase, or the long form of it, and by a synonym."""
    forms = dict.fromkeys((asked.name, " ".join(asked.words)))
    if asked.name in STOP:
        return
    found = asked.known(other for form in forms for other in synonyms(form))
    short = tuple(name for name in found if abbreviates(asked.name, name) or abbreviates(name, asked.name))
    yield Reading(asked.phrase, short, 0.92, "acronym")
    yield Reading(asked.phrase, tuple(name for name in found if name not in short), 0.9, "synonym")
    if not asked.is_named:
        yield Reading(asked.phrase, asked.known(ailments(asked.name)), 0.88, "synonym")


def same_stems(asked: Asked) -> Iterator[Reading]:
    """Yield the names that are made of forms of the same words."""
    equal = (
        name
        for name in asked.holding
        if is_plain(name) and cover(asked.words, content_words(name)) and not crosses(asked.phrase, name)
    )
    yield Reading(asked.phrase, tuple(equal), 0.85, "same stems")


def core(asked: Asked) -> Iterator[Reading]:
    """Yield what the phrase is without the words that matter little, which are kept as the constraint."""
    rest, dropped = without_unimportant(asked.phrase)
    if dropped and signs(rest) == asked.signs:
        yield from _as(asked, rest, 0.8, "core", dropped)


def directed(asked: Asked) -> Iterator[Reading]:
    """Yield the names that give the same direction of the same thing in other words: "sleep deprivation" for "lack of sleep"."""
    groups = [group for group, _ in marks(asked.phrase)]
    rest = [word for word in asked.words if not group_of(word) and word not in UNIMPORTANT and word not in _AMOUNTS]
    if len(groups) != 1 or groups[0] == "end" or not rest or len(rest) == len(asked.words):
        return
    same: list[str] = []
    near: list[str] = []
    for name in asked.view.search(rest, limit=100):
        theirs = [word for word in content_words(name) if not group_of(word)]
        if signs(name) == asked.signs and cover(rest, theirs) and not opposed(asked.phrase, name):
            named_groups = [group for group, _ in marks(name)]
            if named_groups == groups:
                same.append(name)
            elif named_groups[0] != "end":
                near.append(name)
    yield Reading(asked.phrase, tuple(same), 0.75, "direction")
    yield Reading(asked.phrase, tuple(near), 0.7, "direction")


def occurring(asked: Asked) -> Iterator[Reading]:
    """Yield the names that say that the thing happens, and the thing where the phrase says that it happens."""
    rest, dropped = without_occurrence(asked.phrase)
    if dropped and signs(rest) == asked.signs:
        yield from _as(asked, rest, 0.7, "occurrence", dropped)
    if asked.words == ["health"]:
        return  # a risk to it, not of it
    made = kind_of(asked.words[-1]) in ("artifact", "person", "substance", "food")
    names = (
        name
        for name in asked.holding
        if not (made and "development" in name)
        and (shorter := without_occurrence(name))[1]
        and cover(asked.words, content_words(shorter[0]))
        and not crosses(asked.phrase, name)
    )
    yield Reading(asked.phrase, tuple(names), 0.7, "occurrence")


def narrower(asked: Asked) -> Iterator[Reading]:
    """Yield kinds of what the phrase names: the head is the same, and modified further."""
    if not _is_empty(asked.name):
        yield Reading(asked.phrase, tuple(kinds_of(asked)), 0.6, "narrower")


def broader(asked: Asked) -> Iterator[Reading]:
    """Yield what is left of the phrase without words behind its head, then without its first modifiers.

    A head that says nothing by itself ("problem") is nothing to fall back on, and the more claims are about what is left, the
    less sure it is.
    """
    score = least = _OF_A_NAME if asked.is_named else _BROADER
    for rest, dropped in cuts(asked.phrase):
        name = concept_name(rest)
        if signs(rest) != asked.signs or _is_empty(name) or (" " not in name and kind_of(name) not in _TELLING):
            continue
        found = asked.known((name,))
        if found and not opposed(rest, found[0]):
            least = max(_LEAST, min(least, score / _hubness(found[0], asked.view)))
            yield Reading(asked.phrase, found, least, "broader", dropped)
        score = max(_LEAST, score * 0.8)


def misspelt(asked: Asked) -> Iterator[Reading]:
    """Yield what the phrase is if the one word of it that neither the graph nor a table knows is a slip of the pen."""
    names = mended(asked)
    for place, name in enumerate(names):
        yield Reading(asked.phrase, (name,), 0.2, "spelling", others=tuple(names[place + 1 :][:3]))


STEPS: tuple[Step, ...] = (named, renamed, same_stems, core, directed, occurring, narrower, broader, misspelt)


def _as(asked: Asked, rest: str, score: float, how: str, dropped: str) -> Iterator[Reading]:
    """Yield the first sure reading of what is left of a phrase, as one of the phrase."""
    left = Asked(rest, asked.view)
    if not left.words or _is_empty(left.name):
        return
    found = (reading for step in (named, renamed) for reading in step(left) if reading.concepts)
    reading = next(found, None)
    if reading is not None:
        yield Reading(asked.phrase, reading.concepts, score, how, dropped)


def _respaced(words: list[str]) -> Iterator[str]:
    """Iterate over what a phrase is with one space less: "wild fire" is "wildfire"."""
    for at in range(len(words) - 1):
        yield " ".join((*words[:at], words[at] + words[at + 1], *words[at + 2 :]))


def _is_empty(name: str) -> bool:
    """Return whether a name by itself names no concept: "problem", "disease", "increase"."""
    words = content_words(name)
    return all(singular(word) in EMPTY_HEADS or word in word_list("vague") or group_of(word) for word in words)


def _hubness(name: str, view: GraphView) -> float:
    """Return by how much a concept's score is divided: 1, and more for one about which there are many claims."""
    topology = view.topology()
    number = topology.number(name)
    degree = 0 if number is None else topology.degree(number)
    return 1.0 if degree <= _HUB else 1.0 + 0.25 * log10(degree / _HUB)

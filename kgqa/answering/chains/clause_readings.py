"""Other readings of a question of why or how: its condition, who it happens to, what a device works with, what a thing is for.

They are looked up only where the question as it was asked is unknown, but for how a thing comes to be, whose causes are those of
the thing and of its formation together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from graph.model import Relation
from graph.protocols import GraphView
from graph.text.inflection import gerund_of
from graph.text.normalise import singular, surface_name
from graph.text.stems import base_forms
from graph.text.stop_words import DETERMINERS
from graph.text.word_lists import kind_of_noun
from kgqa.answering.chains.chain_validity import name_stems
from kgqa.answering.lists.listing import asks_why_exists
from kgqa.linking.concept_links import BROADER, NARROWER, SURE_LINK, ConceptLink
from kgqa.linking.lexical_relations import word_set
from kgqa.linking.mention import content_words
from kgqa.question import Attribute, QuestionType, Semantic, Slots
from kgqa.questions.lexicon import lexicon, verb_topics
from kgqa.request import Linker, Request

AGENT = "agent"
"""How a device is read as what it works with."""
_AGENT_SCORE = 0.79
_CONDITION = re.compile(r"^(?P<main>.+?),? (?P<when>when(?:ever)?|if|while|after) (?P<clause>(?!\d).+)$", re.IGNORECASE)
_SUBJECT = frozenset("i you we they he she it people someone somebody is are was were be".split())
"""How a clause begins that says what anybody does, or what is done to it."""
_ITSELF = re.compile(r" (?:it|them|'?em)\b", re.IGNORECASE)
_REFUSES = re.compile(r"^(?P<subject>.+?) (?:fail|refuse)(?:s|d|ed)? to (?P<act>.+)$", re.IGNORECASE)
_EXISTS = re.compile(
    r"^(?:there (?:is|are|was|were)|you have|people have) (?:(?:lots|plenty|a lot) of |many |much |too many |too much |a |an )?",
    re.IGNORECASE,
)
_ADVERB = re.compile("ily$")
_FORMATIONS = ("formation of ", "origin of ", "development of ", "creation of ", "occurrence of ", "onset of ")
_MADE_FOR = frozenset(("artifact", "body", "plant", "animal", "group", "act", "communication", "possession", "cognition"))
"""Kinds of nouns that are there for something, or that somebody wants: no tides, seasons or earthquakes."""
_WHY = re.compile(r"^why (?:do|does|did|is|are|was|were|can|could) (?P<clause>(?!not\b).+?)[?.! ]*$", re.IGNORECASE)
_HARMS = re.compile(
    r"^(?P<cause>.+?) (?:(?:so|such|very|really|that|considered|seen as|an?|more) )*"
    r"(?:dangerous|bad|harmful|deadly|lethal|unhealthy|damaging|important|useful|good|risky|a problem|(?<=do )matter)"
    r"(?: (?:invention|event|problem|discovery|thing))?(?: (?:for|to|in) (?P<effect>.+))?$",
    re.IGNORECASE,
)
_HAS = re.compile(
    r"^(?:get|have|develop|catch|suffer from|keep getting|often get|always get) (?:such |so (?:much|many) )?", re.IGNORECASE
)
_SUFFERS = re.compile(
    r"^\w+ (?:with|who have|who had|suffering from) (?P<cause>.+?) "
    r"(?P<effect>(?:get|have|lose|feel|become|develop|suffer|die|go)\b.*)$",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"\b(?:their|his|her) ", re.IGNORECASE)
_LONGEST_SUBJECT = 4
_RECEIVERS = frozenset(("person", "body"))
"""Kinds of nouns that something is done to, where no more is said: "What does bullying do to a child?"."""
_AT_A_TIME = frozenset("before after over during in on".split())
_LISTED_READINGS = 6
_LEAST_LINK, _LEAST_BELIEF = 0.7, 0.5


def without_condition(request: Request) -> Iterator[QuestionType]:
    """Yield a question of why without the "when" behind its effect: with what that names as the cause, then as a circumstance.

    It names what stands behind "there is", what somebody does, with what the question has as its cause ("onions when you chop
    them"), and the causes of the effect that have its words: heavy rain, where it rains heavily.
    """
    kind = request.kind
    matched = _CONDITION.match(kind.slots.effect or "")
    if matched is None:
        return
    main, clause = matched["main"], matched["clause"]
    slots = replace(kind.slots, effect=main)
    subject = _EXISTS.sub("", clause)
    yield replace(
        kind, semantic=Semantic.CAUSE, slots=replace(slots, cause=_act_of(subject, kind.slots.cause or _first_thing(main)))
    )
    words = {stem for word in content_words(clause) for stem in name_stems(_ADVERB.sub("y", word).removesuffix("ly"))}
    links = islice(request.link(main, request.view), _LISTED_READINGS)
    sure = (link for link in links if link.score >= _LEAST_LINK and link.how != BROADER)
    edges = (
        edge for link in sure for name in link.concepts for edge in request.view.causes(name) if edge.belief >= _LEAST_BELIEF
    )
    fitting = [edge for edge in edges if words and words <= name_stems(edge.cause)]
    for edge in sorted(fitting, key=lambda edge: -edge.belief)[:1]:
        yield replace(kind, semantic=Semantic.CAUSE, slots=replace(slots, cause=edge.cause, effect=edge.effect))
    if slots.cause:
        yield replace(kind, slots=slots)
    elif matched["when"].lower() != "after":  # What comes after a meal or a war may be looked for with it.
        yield replace(kind, slots=replace(slots, time=f"{matched['when']} {clause}"))


def _first_thing(clause: str) -> str:
    """Return the noun that a clause begins with, as far as it is one: "apples" of "apples turn brown"."""
    word = next((word for word in clause.split() if word.lower() not in DETERMINERS["clauses"]), "")
    return word if word.lower() not in _SUBJECT and kind_of_noun(singular(word.lower())) else ""


def _act_of(clause: str, thing: str) -> str:
    """Return what somebody does in a clause as a phrase: "you chop onions" is chopping onions; `thing` is what "them" is."""
    words = clause.split()
    first = next((place for place, word in enumerate(words) if word.lower() not in _SUBJECT), 0)
    base = (
        next((base for base in reversed(base_forms(words[first].lower())) if verb_topics(base, base=True)), "") if first else ""
    )
    act = " ".join((gerund_of(base) if base else words[first], *words[first + 1 :]))
    return _ITSELF.sub(f" {thing}", act) if thing else act


def without_people(request: Request) -> Iterator[QuestionType]:
    """Yield a question of why with what its people have as the cause of the rest, or without them: what is so is asked of them.

    "Why do teenagers get pimples?" asks for the causes of pimples, in teenagers; with anemia, anemia makes them tired.
    """
    kind, matched = request.kind, _WHY.match(request.question)
    if matched is None or kind.semantic is not Semantic.CAUSE or Attribute.EXPECTATIONAL in kind.attributes:
        return
    clause = matched["clause"]
    suffers = _SUFFERS.match(clause)
    if suffers is not None:
        for effect in dict.fromkeys((suffers["effect"], _POSSESSIVE.sub("", suffers["effect"]))):
            yield replace(kind, slots=Slots(suffers["cause"], effect, Relation.CAUSES))
        return
    words = clause.split()
    ends = [end for end in range(1, min(_LONGEST_SUBJECT, len(words) - 1) + 1) if _is_person(words[end - 1])]
    if not ends or any(word[:1].isupper() for word in words[: ends[0]]) or words[ends[0]].lower() in ("who", "with", "in", "of"):
        return
    people, state = " ".join(words[: ends[0]]), " ".join(words[ends[0] :])
    own = next(iter(request.link(people, request.view)), None)
    if words[ends[0] - 1].lower() not in lexicon().plain["population"] and own is not None and own.score >= SURE_LINK:
        return  # What alcoholics have comes of what they are called after.
    for phrase in dict.fromkeys((_HAS.sub("", state), state, f"people {state}", _POSSESSIVE.sub("", state))):
        surest = next(iter(request.link(phrase, request.view)), None)
        if surest is not None and surest.score >= _LEAST_LINK and surest.how not in (BROADER, NARROWER):
            slots = replace(kind.slots, cause=None, effect=phrase, relation=Relation.CAUSES, population=people)
            yield replace(kind, slots=slots)
            return


def without_refusal(request: Request) -> Iterator[QuestionType]:
    """Yield a question of why something fails, or refuses, to act as one of why it does not."""
    kind, matched = request.kind, _REFUSES.match(request.kind.slots.effect or "")
    if matched is not None and not kind.slots.cause:
        slots = replace(kind.slots, effect=f"{matched['subject']} not {matched['act']}")
        yield replace(kind, slots=slots, attributes=(*kind.attributes, Attribute.EXPECTATIONAL))


def with_effects(request: Request) -> Iterator[QuestionType]:
    """Yield the question for the effects of what is called dangerous, bad or important, of those that it is so for."""
    matched = _WHY.match(request.question)
    harms = _HARMS.match(matched["clause"]) if matched is not None else None
    if harms is None or Attribute.EXPECTATIONAL in request.kind.attributes:
        return
    effect = harms["effect"]
    kind = replace(request.kind, semantic=Semantic.RESULT, slots=Slots(harms["cause"], effect, Relation.CAUSES))
    yield kind
    yield from without_receiver(replace(request, kind=kind))


def without_receiver(request: Request) -> Iterator[QuestionType]:
    """Yield a question for what something does to somebody as one for all that it does, in them: "bullying to a child"."""
    kind, slots = request.kind, request.kind.slots
    words = (slots.effect or "").split()
    if kind.semantic is not Semantic.RESULT or not slots.cause or not words or slots.population:
        return
    place = next((place for place, word in enumerate(words) if place and word.lower() in _AT_A_TIME), len(words))
    if place <= _LONGEST_SUBJECT and not any(word[:1].isupper() for word in words[:place]) and _is_receiver(words[:place]):
        yield replace(kind, slots=replace(slots, effect=None, population=slots.effect, relation=Relation.CAUSES))


def _is_person(word: str) -> bool:
    name = word.lower().rstrip(",")
    several = name in lexicon().plain["population"] or singular(name) != name
    return several and name not in word_set("anybody") and kind_of_noun(singular(name)) == "person"


def _is_receiver(words: list[str]) -> bool:
    head = words[-1].lower()
    anybody = head in word_set("anybody") and head not in DETERMINERS["names"]
    return anybody or kind_of_noun(singular(head)) in _RECEIVERS


def agent_request(request: Request) -> Request | None:
    """Return a request in which a device means what it is named after; `None` where the cause is no device so named.

    A microwave oven heats by microwaves, and an air bag protects by air: the name of a device begins with what it works with.
    """
    phrase = request.kind.slots.cause or ""
    *modifiers, head = surface_name(phrase).split() or [""]
    if not modifiers or kind_of_noun(head) != "artifact":
        return None
    agents = [link for link in islice(request.link(" ".join(modifiers), request.view), 1) if link.score >= SURE_LINK]
    if not agents:
        return None
    reading = ConceptLink(phrase, agents[0].concepts, _AGENT_SCORE, AGENT, head)
    return replace(request, link=_FirstReading(request.link, reading))


def request_with_formation(request: Request) -> Request:
    """Return a request in which the effect means the formation of the thing as well: "How do hurricanes form?"."""
    phrase = request.kind.slots.effect or ""
    readings = list(islice(request.link(phrase, request.view), _LISTED_READINGS))
    formations = [name for reading in readings for name in reading.concepts if name.startswith(_FORMATIONS)]
    if not formations or formations[0] in readings[0].concepts:
        return request
    own = [name for name in formations if name.partition(" of ")[2] in readings[0].concepts]
    reading = replace(readings[0], concepts=tuple(dict.fromkeys((*readings[0].concepts, *own))))
    return replace(request, link=_FirstReading(request.link, reading))


def causes_before_purposes(kind: QuestionType, question: str) -> tuple[QuestionType, ...]:
    """Return the readings of "Why do we have X?": by its causes and by its purposes, the likelier first."""
    phrase = kind.slots.cause or ""
    words = surface_name(phrase).split()
    causes = replace(kind, semantic=Semantic.CAUSE, slots=Slots(None, phrase, Relation.CAUSES))
    made = not words or kind_of_noun(words[-1]) in _MADE_FOR or asks_why_exists(phrase, question)
    has = re.match(r"why (?:do|does|did) \w+ have\b", question, re.IGNORECASE)
    return (causes, kind) if has and not made else (kind, causes)


@dataclass(frozen=True, slots=True)
class _FirstReading:
    """A linker that yields one reading of its phrase before the usual ones."""

    usual: Linker
    reading: ConceptLink

    def __call__(self, phrase: str, view: GraphView) -> Iterable[ConceptLink]:
        """Yield the readings of a phrase."""
        if phrase == self.reading.phrase:
            yield self.reading
        yield from self.usual(phrase, view)

"""What narrows a question down: for whom, where and when it asks, what it compares, and among which options.

"in adults", "in Africa" and "in 1929" at the end of a phrase are read as population, place and time. They are cut out of the
phrase where what is left names the thing as well: not out of a clause, not behind "the" ("the famine in Ireland" is that one),
and not where the phrase is about them ("an increase in women", "life in prison", "pain in the chest" stay whole).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from graph.text.word_lists import place_names
from kgqa.question import Attribute, Semantic, SlotOptions, Slots
from kgqa.questions.lexicon import lexicon, topics_of

_MOST_MODIFIERS = 3
_LONGEST_PLACE = 4
_YEAR = r"(?:1[0-9]{3}|20[0-9]{2})"
_TIME = re.compile(
    rf"\b(?:in|during|since|before|after|around|until|by|throughout) (?:the )?(?:(?:early|late|mid|middle|summer|winter|spring|"
    rf"autumn|fall|year|years|january|february|march|april|may|june|july|august|september|october|november|december) (?:of )?)*"
    rf"(?:{_YEAR}(?:['’]?s)?|[0-9]{{1,2}}(?:st|nd|rd|th) century|(?:first|second|[a-z]+th|[a-z]+eenth) century|"
    rf"middle ages|renaissance|(?:last|past) (?:century|decade|year|few years))"
    rf"(?: (?:and|to|-) (?:{_YEAR}s?|[0-9]{{1,2}}(?:st|nd|rd|th) century))?(?: (?:bc|ad|bce|ce))?$"
    rf"|\bbetween {_YEAR} and {_YEAR}$",
    re.IGNORECASE,
)
_AMONG = re.compile(r" (in|among|amongst|for) ", re.IGNORECASE)
_INSIDE = re.compile(r" (in|across|throughout|within) ", re.IGNORECASE)
_PREGNANT = re.compile(
    r" (during|in|while|when) ((?:early |late )?(?:pregnancy|pregnant|breastfeeding|childhood|adolescence))$", re.I
)
_COMPARED = re.compile(
    r"\s*\b(more|less|fewer|worse|better|faster|rather|quicker|sooner|longer|healthier|safer)((?: [\w'’-]+){0,3}?) than (.+)$",
    re.IGNORECASE,
)
_MEASURES = frozenset(("usual", "normal", "ever", "before", "average"))
_QUALITIES = frozenset(("dangerous", "harmful", "effective"))
_THAN = re.compile(r"\s+than (.+)$", re.IGNORECASE)
_JOINT = re.compile(r"\s*,\s*(?:(?:and|or) )?|\s+(?:and|or|&)\s+", re.IGNORECASE)
_EITHER = re.compile(r"^(?:either|both) ", re.IGNORECASE)
_AS_ONE = re.compile(
    r"\b(?:between|among|(?<=.)\bboth|(?:combination|mixture|interaction|union|merger|marriage) of) .*\band\b", re.IGNORECASE
)
_AGAIN = re.compile(r"^(?:by|from|of|due to|because of|as a result of|a result of|with|to) ", re.IGNORECASE)
_VERB_END = re.compile(r"\s+(?:does|do|did|is|are|will|can)$", re.IGNORECASE)


class NarrowedSlots(NamedTuple):
    """The slots with what narrows the question, and the attributes that this shows."""

    slots: Slots
    attributes: frozenset[Attribute] = frozenset()


def narrow_slots(slots: Slots, semantic: Semantic | None, *, clause: bool) -> NarrowedSlots:
    """Return the slots with population, place, time, comparison and options; a `clause` is left whole."""
    limits: dict[str, str] = {}
    phrases = {"cause": slots.cause, "effect": slots.effect}
    if slots.condition is not None or semantic is None:
        return NarrowedSlots(slots)
    comparison, compared = None, None
    if semantic is Semantic.VERIFICATION:
        comparison, compared = _rated_options(phrases, slots.comparison) if slots.comparison else _cut_comparison(phrases)
    for name, phrase in phrases.items():
        if phrase:
            phrases[name] = _cut_limits(phrase, limits, clause=clause)
    options = compared or (None if clause else _joined_options(phrases, semantic))
    attributes = set()
    if options and not compared:
        attributes.add(Attribute.DISJUNCTION if options.joined == "or" else Attribute.MULTI_SLOT)
    whole = replace(
        slots,
        cause=phrases["cause"],
        effect=phrases["effect"],
        population=limits.get("population"),
        place=limits.get("place"),
        time=limits.get("time"),
        comparison=comparison,
        options=options,
    )
    return NarrowedSlots(whole, frozenset(attributes))


def _cut_limits(phrase: str, limits: dict[str, str], *, clause: bool) -> str:
    """Return a phrase without what narrows it, which is noted in `found`; the phrase as it is where it must stay whole."""
    is_definite = phrase.lower().startswith("the ")
    rest = whole = phrase
    again = True
    while again:
        again = False
        for slot, limit in (("time", _cut_time), ("population", _cut_population), ("place", _cut_place)):
            cut = limit(rest, clause)
            if cut and slot not in limits:
                rest, limits[slot] = cut
                whole = rest if whole.startswith(rest) and (slot == "population" or not is_definite) else whole
                again = True
    return phrase if clause else whole


def _cut_time(phrase: str, clause: bool) -> tuple[str, str] | None:
    """Return what stands before a time at the end of `phrase`, and the time without its preposition "in"."""
    match = _TIME.search(phrase)
    if match is None or not _names_something(phrase[: match.start()], clause):
        return None
    return phrase[: match.start()].rstrip(" ,"), re.sub(r"^(?:in|during) ", "", match.group(), flags=re.IGNORECASE)


def _cut_population(phrase: str, clause: bool) -> tuple[str, str] | None:
    """Return what stands before a population at the end of `phrase`, and the population."""
    match = _PREGNANT.search(phrase)
    if match and _names_something(phrase[: match.start()], clause):
        return phrase[: match.start()], match.group(2)
    match = _last_match(_AMONG, phrase)
    if match is None or not _names_something(phrase[: match.start()], clause):
        return None
    words = phrase[match.end() :].split()
    if len(words) > _MOST_MODIFIERS + 1 or words[-1].lower() not in lexicon().plain["population"]:
        return None
    if any(word.lower() not in lexicon().plain["population modifier"] and not word.isdigit() for word in words[:-1]):
        return None
    return phrase[: match.start()], phrase[match.end() :]


def _cut_place(phrase: str, clause: bool) -> tuple[str, str] | None:
    """Return what stands before a place by name at the end of `phrase`, and the place."""
    match = _last_match(_INSIDE, phrase)
    if match is None or not _names_something(phrase[: match.start()], clause):
        return None
    name = phrase[match.end() :]
    plain = name.lower().removeprefix("the ")
    if len(plain.split()) > _LONGEST_PLACE or plain not in place_names() or set(topics_of(plain)) & {"body", "illness"}:
        return None
    return phrase[: match.start()], name


def _last_match(preposition: re.Pattern[str], phrase: str) -> re.Match[str] | None:
    """Return the last match of a preposition."""
    match = None
    for match in preposition.finditer(phrase):  # noqa: B007 - the last one is wanted
        pass
    return match


def _names_something(phrase: str, clause: bool) -> bool:
    """Say whether a phrase without its limit still names something: "increase", "role" and the like ask for what they are in.

    In a clause these are verbs: "prices rise in Germany".
    """
    words = phrase.lower().rstrip(" ,").split()
    if not words or words[-1] in lexicon().open_words:
        return False
    return (clause or words[-1] not in lexicon().plain["asks for in"]) and " ".join(words) not in lexicon().plain["vague"]


def _cut_comparison(phrases: dict[str, str | None]) -> tuple[str | None, SlotOptions | None]:
    """Return what compares, and the two that are compared; what is compared with is cut out of its phrase.

    "Does tea calm nerves more than coffee?" compares causes. "Is tea better than coffee for nerves?" does so too.
    """
    for name in ("effect", "cause"):
        match = _COMPARED.search(phrases[name] or "")
        cause = phrases["cause"]
        if match is None or cause is None:
            continue
        rated = match.group(2).strip()
        alternative = _VERB_END.sub("", match.group(3))
        if alternative.lower() in _MEASURES or (name == "cause" and rated and rated.lower() not in _QUALITIES):
            continue  # "eating more fat than protein" and "more than usual" are one cause.
        if name == "effect":
            before = (phrases["effect"] or "")[: match.start()]
            if not before and not rated:
                continue
            phrases["effect"] = before or rated
        else:
            phrases["cause"] = cause = cause[: match.start()].rstrip()
        if cause and phrases["effect"]:
            return f"{match.group(1)} than", SlotOptions("cause", (cause, alternative), "or")
    return None, None


def _rated_options(phrases: dict[str, str | None], comparison: str) -> tuple[str | None, SlotOptions | None]:
    """Return what compares by a rule, and the two: "A or B more likely", or "A more likely" with "than B" behind the effect."""
    cause, effect = phrases["cause"], phrases["effect"]
    match = _THAN.search(effect or "")
    if match and cause and effect:
        phrases["effect"] = effect[: match.start()]
        return f"{comparison} than", SlotOptions("cause", (cause, _VERB_END.sub("", match.group(1))), "or")
    options = _joined_options({"cause": cause}, Semantic.VERIFICATION)
    return (comparison, options) if options and options.joined == "or" else (None, None)


def _joined_options(phrases: dict[str, str | None], semantic: Semantic) -> SlotOptions | None:
    """Return the phrases that one of the slots joins, the first slot that does."""
    for name in ("cause", "effect"):
        phrase = phrases.get(name)
        if not phrase or _AS_ONE.search(phrase) or not re.search(r" (?:or|and|&) ", phrase, re.IGNORECASE):
            continue
        joined = "or" if re.search(r" or ", phrase, re.IGNORECASE) else "and"
        parts = _without_repeated_preposition([part.strip() for part in _JOINT.split(_EITHER.sub("", phrase))])
        if all(map(_is_option, parts)) and phrase.lower() not in lexicon().plain["fixed pair"]:
            if joined == "or" and semantic is not Semantic.VERIFICATION and not all(phrases.values()):
                continue
            return SlotOptions(name, tuple(_with_shared_head(parts)), joined)
    return None


def _without_repeated_preposition(parts: list[str]) -> list[str]:
    """Return the options without a preposition that only says again what stands before the first: "mosquitoes or by cold"."""
    first, *rest = parts
    again = [_AGAIN.match(option) for option in rest]
    return [
        first,
        *(
            option[preposition.end() :] if preposition and preposition.group() not in first else option
            for preposition, option in zip(again, rest, strict=True)
        ),
    ]


def _is_option(phrase: str) -> bool:
    """Say whether a phrase can be one of several: some words, and no clause."""
    words = phrase.lower().split()
    return (
        0 < len(words) <= 6
        and not is_joining_word(words[0])
        and phrase.lower() not in lexicon().plain["vague"] | {"not", "other"}
    )


def is_joining_word(word: str) -> bool:
    """Say whether a word only joins: a preposition or a conjunction."""
    return word in lexicon().plain["preposition"] | {"of", "or", "and", "but", "not"}


def _with_shared_head(parts: list[str]) -> Iterator[str]:
    """Yield the options, each with the head that they share: "heart and lung disease" are heart disease and lung disease."""
    *first, last = parts
    words = last.split()
    kind = set(topics_of(words[0].lower())) & {"body", "microbe", "animal", "person"}
    for part in first:
        shared = len(words) == 2 and " " not in part and bool(kind & set(topics_of(part.lower())))
        yield f"{part} {words[-1]}" if shared else part
    yield last

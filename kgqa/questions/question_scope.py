"""What narrows a question down: for whom, where and when it asks, what it compares, and among which options.

"in adults", "in Africa" and "in 1929" at the end of a phrase are read as population, place and time. They are cut out of the
phrase where what is left names the thing as well: not out of a clause, not behind "the" ("the famine in Ireland" is that one),
and not where the phrase is about them ("an increase in women", "life in prison", "pain in the chest" stay whole).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from graph.text.word_lists import kind_of_noun, place_names
from kgqa.question import Attribute, Semantic, SlotOptions, Slots
from kgqa.questions.lexicon import lexicon, topics_of, verb_topics

_MOST_MODIFIERS = 3
_LONGEST_PLACE = 4
_LONGEST_OPTION = 6
_YEAR = r"(?:1[0-9]{3}|20[0-9]{2})"
_TIME = re.compile(
    rf"\b(?:in|during|since|before|after|around|until|by|throughout) (?:the )?(?:(?:early|late|mid|middle|summer|winter|spring|"
    rf"autumn|fall|year|years|january|february|march|april|may|june|july|august|september|october|november|december) (?:of )?)*"
    rf"(?:{_YEAR}(?:['’]?s)?|[0-9]{{1,2}}(?:st|nd|rd|th) century|(?:first|second|[a-z]+th|[a-z]+eenth) century|"
    rf"middle ages|renaissance|(?:last|past) (?:century|decade|year|few years))"
    rf"(?: (?:and|to|-) (?:{_YEAR}s?|[0-9]{{1,2}}(?:st|nd|rd|th) century))?(?: (?:bc|ad|bce|ce))?$"
    rf"|\bbetween {_YEAR} and {_YEAR}$"
    r"|\b(?:for|over) (?:a|too|so|very|many|several|two|three|ten|twenty|thirty) ?(?:long|years|months|weeks|decades|lifetime)"
    r"(?: time| period| while)?$",
    re.IGNORECASE,
)
_AMONG = re.compile(r" (in|among|amongst|for) ", re.IGNORECASE)
_INSIDE = re.compile(r" (in|across|throughout|within) ", re.IGNORECASE)
_EVERYWHERE = re.compile(r" (world-?wide|globally|(?:around|all over|across|in) the world)$", re.IGNORECASE)
_PREGNANT = re.compile(
    r" (?:during|in|while|when) ((?:early |late )?(?:pregnancy|pregnant|breastfeeding|childhood|adolescence))$", re.I
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
_DOING = re.compile(r"\band (?!due )[\w'’-]+(?: [\w'’-]+)? to ([a-z]+)", re.IGNORECASE)
"""Two that do something together: "Britain and France to declare war" are no two effects."""
_ARROW = re.compile(r"\s*(?:-{1,2}>|={1,2}>|→|⇒|⟶)\s*")
_AGAIN = re.compile(r"^(?:by|from|of|due to|because of|as a result of|a result of|with|to) ", re.IGNORECASE)
_VERB_END = re.compile(r"\s+(?:does|do|did|is|are|will|can)$", re.IGNORECASE)


def narrow_slots(slots: Slots, semantic: Semantic | None, *, clause: bool) -> tuple[Slots, set[Attribute]]:
    """Return the slots with population, place, time, comparison and options, and attributes; a `clause` is left whole."""
    if slots.condition is not None or semantic is None:
        return slots, set()
    phrases = {"cause": slots.cause, "effect": slots.effect}
    comparison, compared = None, None
    if semantic is Semantic.VERIFICATION:
        comparison, compared = _rated_options(phrases, slots.comparison) if slots.comparison else _cut_comparison(phrases)
    limits: dict[str, str] = {}
    for name, phrase in phrases.items():
        if phrase:
            phrases[name] = _cut_limits(phrase, limits, clause=clause)
    if semantic is Semantic.RESULT and phrases["cause"]:
        phrases["effect"] = _cut_recipient(phrases["effect"], limits)
    options = compared or (None if clause else _chained_steps(phrases["effect"]) or _joined_options(phrases, semantic))
    attributes = set()
    if options and options.joined in ("or", "and") and not compared:
        attributes.add(Attribute.DISJUNCTION if options.joined == "or" else Attribute.MULTI_SLOT)
    slots = replace(slots, cause=phrases["cause"], effect=phrases["effect"], comparison=comparison, options=options)
    slots = replace(slots, population=limits.get("population"), place=limits.get("place"), time=limits.get("time"))
    return slots, attributes


def _cut_limits(phrase: str, limits: dict[str, str], *, clause: bool) -> str:
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


def _cut_recipient(phrase: str | None, limits: dict[str, str]) -> str | None:
    """Return the effect of a question for results, `None` where it only says on whom, or where, they are looked for."""
    name = (phrase or "").lower()
    places = place_names() if kind_of_noun(name.removeprefix("the ")) in ("", "location") else frozenset()
    for slot, names in (("population", lexicon().plain["recipient"]), ("place", places)):
        if {name, name.removeprefix("the ")} & names and slot not in limits:
            limits[slot] = phrase or ""
            return None
    return phrase


def _cut_time(phrase: str, clause: bool) -> tuple[str, str] | None:
    match = _TIME.search(phrase)
    if match is None or not _names_something(phrase[: match.start()], clause):
        return None
    return phrase[: match.start()].rstrip(" ,"), re.sub(r"^(?:in|during) ", "", match.group(), flags=re.IGNORECASE)


def _cut_population(phrase: str, clause: bool) -> tuple[str, str] | None:
    match = _PREGNANT.search(phrase)
    if match and _names_something(phrase[: match.start()], clause):
        return phrase[: match.start()], match[1]
    cut = _cut_behind(_AMONG, phrase, clause)
    words = cut[1].split() if cut else []
    if not 0 < len(words) <= _MOST_MODIFIERS + 1 or words[-1].lower() not in lexicon().plain["population"]:
        return None
    modifiers = lexicon().plain["population modifier"]
    return cut if all(word.lower() in modifiers or word.isdigit() for word in words[:-1]) else None


def _cut_place(phrase: str, clause: bool) -> tuple[str, str] | None:
    everywhere = _EVERYWHERE.search(phrase)
    if everywhere is not None and _names_something(phrase[: everywhere.start()], clause):
        return phrase[: everywhere.start()], everywhere[1]
    cut = _cut_behind(_INSIDE, phrase, clause)
    name = cut[1].lower().removeprefix("the ") if cut else ""
    is_place = len(name.split()) <= _LONGEST_PLACE and name in place_names()
    return cut if is_place and not set(topics_of(name)) & {"body", "illness"} else None


def _cut_behind(preposition: re.Pattern[str], phrase: str, clause: bool) -> tuple[str, str] | None:
    """Return what stands before the last match of a preposition, where that names something, and what stands behind it."""
    match = deque(preposition.finditer(phrase), maxlen=1)
    if not match or not _names_something(phrase[: match[0].start()], clause):
        return None
    return phrase[: match[0].start()], phrase[match[0].end() :]


def _names_something(phrase: str, clause: bool) -> bool:
    """Return whether a phrase without its limit still names something: "increase", "role" and the like ask for what they are in.

    In a clause these are verbs: "prices rise in Germany".
    """
    words = phrase.lower().rstrip(" ,").split()
    sets = lexicon().plain
    if not words or words[-1] in sets["open"] or (not clause and words[-1] in sets["asks for in"]):
        return False
    return " ".join(words) not in sets["vague"]


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
    for name in ("cause", "effect"):
        phrase = phrases.get(name)
        if (
            not phrase
            or _AS_ONE.search(phrase)
            or _do_together(phrase)
            or not re.search(r" (?:or|and|&) ", phrase, re.IGNORECASE)
        ):
            continue
        joined = "or" if re.search(r" or ", phrase, re.IGNORECASE) else "and"
        first, *rest = (part.strip() for part in _JOINT.split(_EITHER.sub("", phrase)))
        parts = [first, *(_without_preposition_of(first, option) for option in rest)]
        if all(map(_is_option, parts)) and phrase.lower() not in lexicon().plain["fixed pair"]:
            if joined == "or" and semantic is not Semantic.VERIFICATION and not all(phrases.values()):
                continue
            return SlotOptions(name, tuple(_with_shared_head(parts)), joined)
    return None


def _chained_steps(effect: str | None) -> SlotOptions | None:
    """Return the steps that arrows draw behind the first ("obesity -> apnoea"); the last is empty where it is asked for."""
    steps = [step.strip(" ?") for step in _ARROW.split(effect or "")]
    return SlotOptions("effect", tuple(steps), "then") if len(steps) > 1 and all(steps[:-1]) else None


def _do_together(phrase: str) -> bool:
    match = _DOING.search(phrase)
    return match is not None and bool(verb_topics(match[1].lower(), base=True))


def _without_preposition_of(first: str, option: str) -> str:
    """Return an option without a preposition that only says again what stands before the first: "mosquitoes or by cold"."""
    preposition = _AGAIN.match(option)
    again = preposition is not None and f" {preposition.group().lower()}" not in f" {first.lower()} "
    return option[preposition.end() :] if preposition is not None and again else option


def _is_option(phrase: str) -> bool:
    words = phrase.lower().split()
    sets = lexicon().plain
    return (
        0 < len(words) <= _LONGEST_OPTION
        and words[0] not in sets["preposition"] | {"of", "or", "and", "but", "not"}
        and phrase.lower() not in sets["vague"] | {"not", "other"}
    )


def _with_shared_head(parts: list[str]) -> Iterator[str]:
    """Yield the options, each with the head that they share: "heart and lung disease" are heart disease and lung disease."""
    *first, last = parts
    words = last.split()
    kind = set(topics_of(words[0].lower())) & {"body", "microbe", "animal", "person"}
    for part in first:
        shared = len(words) == 2 and " " not in part and not kind.isdisjoint(topics_of(part.lower()))
        yield f"{part} {words[-1]}" if shared else part
    yield last

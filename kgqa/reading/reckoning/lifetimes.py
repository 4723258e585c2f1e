"""How long a thing stood, lived or ruled: from the date of its beginning to that of its end, as a passage tells both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from kgqa.quantities.model import Date
from kgqa.reading.reckoning.named import CharacterSpan, sentence_bounds
from kgqa.reading.reckoning.operands import operand_stems, passage_words


@dataclass(frozen=True, slots=True)
class LifetimeEvent:
    """A way in which things begin or end: what it is the bound of, how questions name it, and how passages tell it."""

    of: str
    begins: bool
    question_pattern: re.Pattern[str]
    passage_pattern: re.Pattern[str]


def lifetime_dates(phrase: str, text: str, dated: Sequence[Date]) -> tuple[Date, Date] | None:
    """Return when the thing of "the tower stand" began and ended; `None` where that is not told, or not as one date."""
    verb = _lasting_verb().search(phrase)
    if verb is None:
        return None
    of = next(name for name, matched in verb.groupdict().items() if matched)
    thing = _thing_stems(f"{phrase[: verb.start()]} {phrase[verb.end() :]}")
    bounds = [
        _agreed_date(
            _event_dates([event for event in lifetime_events() if event.of == of and event.begins == begins], thing, text, dated)
        )
        for begins in (True, False)
    ]
    return (bounds[0], bounds[1]) if bounds[0] is not None and bounds[1] is not None else None


def lifetime_bound(phrase: str, other_phrase: str, text: str, dated: Sequence[Date]) -> Date | None:
    """Return when what a phrase names began or ended ("the fall of the tower"); "its fall" is that of the thing of `other`."""
    meant = [event for event in lifetime_events() if event.question_pattern.search(phrase)]
    if len({event.begins for event in meant}) != 1:
        return None
    thing = _thing_stems(phrase, meant) or _thing_stems(
        other_phrase, [event for event in lifetime_events() if event.question_pattern.search(other_phrase)]
    )
    return _agreed_date(_event_dates(meant, thing, text, dated))


@cache
def lifetime_events() -> tuple[LifetimeEvent, ...]:
    """Return the ways in which things begin and end."""
    import tomllib

    rows = tomllib.loads(resources.files("kgqa.reading.reckoning").joinpath("lifetimes.toml").read_text(encoding="utf-8"))[
        "event"
    ]
    return tuple(_lifetime_event(**row) for row in rows)


def _lifetime_event(of: str, side: str, nouns: str, done: str, does: str) -> LifetimeEvent:
    alternatives = "|".join(part for part in (nouns, done, does) if part)
    ways = []
    if done:
        ways.append(rf"\b(?:was|were|been|being)\s+(?:\w+ly\s+|first\s+|finally\s+)?(?:{done})\b")
        ways.append(rf"(?:^|\band\s+|,\s*)(?:{done})(?=\s+(?:in|on|by|at|from|during|after|as)\b|[,.;]|$)")
    if does:
        ways.append(rf"\b(?<!to )(?:{does})\b")
    return LifetimeEvent(
        of, side == "begin", re.compile(rf"\b(?:{alternatives})\b", re.IGNORECASE), re.compile("|".join(ways), re.IGNORECASE)
    )


def _thing_stems(phrase: str, meant: Sequence[LifetimeEvent] = ()) -> tuple[str, ...]:
    """Return the words of the thing that a phrase is about, without what happens to it, and without where it is."""
    for event in meant:
        phrase = event.question_pattern.sub(" ", phrase)
    phrase = _place_preposition().split(_leading_words().sub("", phrase.strip()))[0]
    return tuple(operand_stems(_own_words().sub(" ", phrase)))


def _event_dates(meant: Sequence[LifetimeEvent], thing: tuple[str, ...], text: str, dated: Sequence[Date]) -> list[Date]:
    """Return the dates of events of a thing: told in a sentence about it, or in one about "it" that follows one about it."""
    if not thing:
        return []
    event_dates: list[Date] = []
    about = False
    for span in sentence_bounds(text):
        sentence = text[span[0] : span[1]]
        first = next((word.start for word in passage_words(sentence) if word.stem == thing[-1]), None)
        pronoun = _pronoun().match(sentence) is not None
        about = first is not None or (about and pronoun)
        if not about:
            continue
        starts = sorted(match.start() for event in lifetime_events() for match in event.passage_pattern.finditer(sentence))
        for event in meant:
            for match in event.passage_pattern.finditer(sentence):
                if first is not None and 0 < match.start() < first and not pronoun:
                    continue
                until = next((start for start in starts if start > match.end()), len(sentence))
                date = _adjacent_date((match.start(), match.end()), until, span, dated)
                if date is not None:
                    event_dates.append(date)
    return event_dates


def _adjacent_date(place: CharacterSpan, until: int, span: CharacterSpan, dated: Sequence[Date]) -> Date | None:
    """Return the date that an event has: the next one behind it that is no other event's, else the last one before it."""
    begin = span[0]
    behind = [date for date in dated if begin + place[1] <= date.start < begin + until]
    before = [date for date in dated if begin <= date.start < begin + place[0]]
    return behind[0] if behind else before[0] if len(before) == 1 else None


def _agreed_date(candidates: list[Date]) -> Date | None:
    """Return a date where all that is found is the same date, one perhaps told more precisely."""
    years = {date.year for date in candidates}
    return max(candidates, key=lambda date: (date.month > 0, date.day > 0)) if len(years) == 1 else None


@cache
def _lasting_verb() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:(?P<stand>last|stand|standing|stood|exist|existed|survive|operate|open|in existence|in place|in use|in operation"
        r"|in service)"
        r"|(?P<live>live|alive)|(?P<rule>reign|rule|govern|serve|in power|in office|on the throne|king|queen|emperor))\b",
        re.IGNORECASE,
    )


@cache
def _leading_words() -> re.Pattern[str]:
    return re.compile(r"^(?:(?:of|when|that|the|a|an|time|did|was|were|its|his|her|their)\b\s*)+", re.IGNORECASE)


@cache
def _place_preposition() -> re.Pattern[str]:
    return re.compile(r"(?<=\w)\s+(?:of|in|at|on|for|near)\b", re.IGNORECASE)


@cache
def _own_words() -> re.Pattern[str]:
    return re.compile(r"\b(?:it|its|he|his|she|her|they|their|them|him|was|were|did|finally|later)\b", re.IGNORECASE)


@cache
def _pronoun() -> re.Pattern[str]:
    return re.compile(r"(?:(?:In|On|By) [^,]{3,30}, )?(?:it|he|she|they)\b", re.IGNORECASE)

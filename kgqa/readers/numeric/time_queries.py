"""Queries of the event table: how old somebody was at an event, when an event was, and how long something went on."""

from __future__ import annotations

import re
from itertools import pairwise

from kgqa.errors import QuantityInvalid
from kgqa.quantities.dates import MONTHS, weekday
from kgqa.quantities.quantity import Date
from kgqa.quantities.quantity_format import format_date
from kgqa.quantities.quantity_parser import dates_in, parse_quantities
from kgqa.readers.numeric.elapsed_time import time_between
from kgqa.readers.numeric.event_table import LEAST_EVENT_FIT, EventTable, PassageEvent, age_between
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES, NumericOperation, NumericQuestion
from kgqa.readers.numeric.operands import NumericAnswer
from kgqa.readers.numeric.passage_tokens import NameMention, content_lemmas, name_mentions, verb_lemma

TIME_OPERATIONS = frozenset({NumericOperation.AGE, NumericOperation.DATE, NumericOperation.ELAPSED})
"""The operations that the event table answers."""
COMPUTED_FIT = 0.6
"""The fit of an answer of the event table."""
_ENDED = re.compile(r"\b(?:end|ended|ending|ends|over|until|complet\w*|finish\w*)\b", re.IGNORECASE)
_TURNED = NUMERIC_CUES["birthday"]
_MAKING = re.compile(r"\b(?:build|construct|complete|finish|erect|make|dig)\b", re.IGNORECASE)
_BEGINNING = frozenset(map(verb_lemma, "begin start laid commence work".split()))
_COMPLETION = frozenset(map(verb_lemma, "complete finish open consecrate inaugurate end".split()))
_CLOSING = frozenset(
    map(verb_lemma, "retire resign sell sold close dissolve end cease leave left abolish replace scrap die retirement".split())
)


def answer_time(question: NumericQuestion, table: EventTable) -> NumericAnswer | None:
    """Return the answer of a table to a question of ages, dates or lengths of time; `None` where it has no sure one."""
    if question.operation is NumericOperation.AGE:
        return _age_answer(question, table)
    if question.operation is NumericOperation.DATE:
        return _date_answer(question, table)
    return _length_answer(question, table) if question.operation is NumericOperation.ELAPSED else None


def date_of_phrase(phrase: str, table: EventTable, who: str = "") -> tuple[Date, str] | None:
    """Return the date that a phrase means, with the step that leads to it: one that it states, else that of an event."""
    stated = [item for item in dates_in(phrase) if item.year] or _years_in(phrase)
    if stated:
        return stated[0], ""
    event = (
        (table.find(phrase, ends=True) if _ENDED.search(phrase) else None) or table.find(f"{who} {phrase}") or table.find(phrase)
    )
    return None if event is None else (event.date, event.step)


def _years_in(phrase: str) -> list[Date]:
    bare = re.fullmatch(r"(?:in |by )?(?:the year )?(\d{4})", phrase.strip())
    return [Date(int(bare[1]))] if bare and parse_quantities(phrase) else []


def _age_answer(question: NumericQuestion, table: EventTable) -> NumericAnswer | None:
    who = question.second[0] if question.second else ""
    phrase = question.first[0]
    names = frozenset(stem for name in name_mentions(who or phrase) for stem in name.stems)
    dated = date_of_phrase(phrase, table, who)
    if dated is None:
        return None
    date, step = dated
    stated = table.stated_age(names, date)
    born = table.birth(names) or table.origin(who)
    if stated is not None:
        return NumericAnswer(str(stated.years), COMPUTED_FIT, (f"at {format_date(date)}: {stated.years} years old",))
    age = age_between(born[0], date) if born is not None else None
    if born is None or age is None:
        return None
    steps = (*filter(None, (born[1], step)), f"{format_date(date)} - {format_date(born[0])} = {age} years")
    return NumericAnswer(str(age), COMPUTED_FIT, steps)


def _date_answer(question: NumericQuestion, table: EventTable) -> NumericAnswer | None:
    """Return the date of an event that the passage does not state: a reader finds what is stated."""
    phrase = question.first[0]
    names = frozenset(stem for name in name_mentions(phrase) for stem in name.stems)
    turned = _TURNED.search(phrase)
    if turned is not None:
        born, years = table.birth(names), next(filter(None, turned.groups()))
        if born is None:
            return None
        year = born[0].year + int(re.sub(r"\D", "", years))
        return NumericAnswer(str(year), COMPUTED_FIT, (f"{format_date(born[0])} and {years} years: {year}",))
    if verb_lemma("born") in content_lemmas(phrase):
        mentions = [name for name in name_mentions(phrase) if name.stems]
        born = table.birth(mentions[-1].stems if mentions else names)
        return date_text(Date(born[0].year), question.unit, born[1]) if born is not None and born[1] else None
    event = table.find(phrase)
    return date_text(event.date, question.unit, event.step) if event is not None and event.step else None


def date_text(date: Date, unit: str, step: str) -> NumericAnswer | None:
    """Return a date as a question of a unit wants it; `None` where it is not precise enough."""
    text = ""
    if unit == "year":
        text = str(date.year)
    elif unit == "month":
        text = MONTHS[date.month - 1] if date.month else ""
    elif unit in ("weekday", "day of the week"):
        text = weekday(date) if date.day else ""
    elif unit in ("date", "day"):
        text = format_date(date, like=date.text) if date.day else ""
    else:
        text = format_date(date)
    return NumericAnswer(text, COMPUTED_FIT, (step,) if step else ()) if text else None


def _length_answer(question: NumericQuestion, table: EventTable) -> NumericAnswer | None:
    """Return the time between two events, or the length of one: none where an event is not sure."""
    ends = _ends_of(question, table)
    if ends is None:
        return None
    (first, first_step), (last, last_step) = ends
    try:
        answer = time_between(first, last, question.unit, COMPUTED_FIT)
    except QuantityInvalid:
        return None
    if answer is None:
        return None
    return answer._replace(trace=(*filter(None, (first_step, last_step)), *answer.trace), start=None, end=None)


def _ends_of(question: NumericQuestion, table: EventTable) -> tuple[tuple[Date, str], tuple[Date, str]] | None:
    phrase = question.first[0]
    if question.second:
        first, last = date_of_phrase(phrase, table), date_of_phrase(question.second[0], table)
        if first is None or last is None or first[0] == last[0]:
            return None
        return first, last
    spans = _length_of_one(phrase, question.noun, table)
    return None if spans is None else ((spans[0].date, spans[0].step), (spans[1].date, spans[1].step))


def _length_of_one(phrase: str, word: str, table: EventTable) -> tuple[PassageEvent, PassageEvent] | None:
    """Return the events with which something began and ended: those of one clause, those of a work, or of a state."""
    if word == "take" and _MAKING.search(phrase):
        thing = _MAKING.sub(" ", phrase)
        begins = _of_thing(thing, table, _BEGINNING)
        ends = _of_thing(thing, table, _COMPLETION)
        return (begins[0], ends[-1]) if begins and ends and begins[0].date < ends[-1].date else None
    fitting = [event for fit, event in table.ranked(phrase) if fit >= LEAST_EVENT_FIT]
    for last in fitting:
        if not (last.ends or _CLOSING & last.lemmas):
            continue
        same = [
            event for event in fitting if event.start == last.start and not event.ends and event.date.start <= last.date.start
        ]
        first = max(same, key=lambda event: event.date.start, default=None)
        first = first or next((event for event in fitting if event.start < last.start and not event.ends), None)
        before = [event for event in table.events if event.at == last.at and event.start < last.start]
        first = first or (before[-1] if before and last.ends else None)
        if first is not None and first.date < last.date:
            return first, last
    return None


def _of_thing(thing: str, table: EventTable, words: frozenset[str]) -> list[PassageEvent]:
    lemmas = frozenset(content_lemmas(thing))
    events = [event for event in table.events if words & event.lemmas and lemmas <= event.lemmas | event.near]
    return [event for event in events if not event.ends] if words is _BEGINNING else events


def longest_span(question: NumericQuestion, table: EventTable, text: str) -> NumericAnswer | None:
    """Return whose period was the longest or the shortest, of several that a passage gives with their beginnings and ends."""
    spans = [
        (last.date.year - first.date.year, first)
        for first, last in pairwise(table.events)
        if first.start == last.start and last.ends and not first.ends and first.date.year < last.date.year
    ]
    people = [(years, name) for years, first in spans if (name := _span_name(text, first)) is not None]
    ordered = sorted(people, key=lambda entry: entry[0], reverse=not question.least)
    if len(ordered) < max(2, question.rank) or (len(ordered) > 1 and ordered[0][0] == ordered[1][0]):
        return None
    name = ordered[question.rank - 1][1]
    step = f"{', '.join(f'{mention.text} {length} years' for length, mention in people)}: {name.text}"
    return NumericAnswer(name.text, COMPUTED_FIT, (step,), name.start, name.end)


def _span_name(text: str, event: PassageEvent) -> NameMention | None:
    """Return the name that stands last before the period of an event, in its clause."""
    mentions = [name for name in name_mentions(text) if event.start <= name.start and name.end <= event.date.start]
    return mentions[-1] if mentions else None

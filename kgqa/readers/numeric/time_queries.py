"""Queries of the event table: how old somebody was, when an event was, how long something went on, who held an office.

"Who was the mayor when the bridge opened?" asks for the mayor of that time, not for the one that the passage calls mayor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from graph.text.segmentation import adjoining_spans
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

HOLDER_FIT = 0.6
"""The fit of a holder whose time is known at both ends by the passage."""
_TAKES = frozenset(
    map(
        verb_lemma,
        "elected appointed became succeeded replaced followed took inaugurated sworn crowned throne won served from".split(),
    )
)
_BY = NUMERIC_CUES["succeeded by"]
_SUCCEEDS = re.compile(r"\b(?:succeed(?:ed|ing)?|replac(?:ed?|ing)|follow(?:ed|ing)|took over from|defeat(?:ed|ing))\s$")
_DEPUTIES = frozenset(map(verb_lemma, "vice deputy prime assistant acting".split()))
_LATEST = Date(9999)


@dataclass(frozen=True, slots=True)
class OfficeHolder:
    """Somebody who held an office from `start` until `end`, exclusive; year 9999 for an end that is open."""

    name: NameMention
    start: Date
    end: Date = _LATEST


def holder_answer(question: NumericQuestion, table: EventTable, text: str, date: Date, step: str) -> NumericAnswer | None:
    """Return who held the office of a question at a date; `None` where the passage does not date its holders."""
    holders = office_holders(question.first[0], table, text)
    held = [holder for holder in holders if _begins_by(holder.start, date) and _lasts_to(holder.end, date)]
    if not held or (len(holders) < 2 and held[0].end == _LATEST):
        return None
    chosen = held[-1]
    steps = [f"{holder.name.text}: {_span_text(holder)}" for holder in holders]
    at = f"at {format_date(date)}: {chosen.name.text}"
    return NumericAnswer(chosen.name.text, HOLDER_FIT, (*filter(None, (step,)), *steps, at), chosen.name.start, chosen.name.end)


def _span_text(holder: OfficeHolder) -> str:
    return f"from {format_date(holder.start)}" + (f" to {format_date(holder.end)}" if holder.end != _LATEST else "")


def _begins_by(start: Date, date: Date) -> bool:
    """Return whether a time has begun at a date: of two dates that are alike as far as they are told, it has not."""
    depth = 3 if start.day and date.day else 2 if start.month and date.month else 1
    first, second = (start.year, start.month, start.day)[:depth], (date.year, date.month, date.day)[:depth]
    return first < second or (first == second and not date.month)


def _lasts_to(end: Date, date: Date) -> bool:
    depth = 3 if end.day and date.day else 2 if end.month and date.month else 1
    return (end.year, end.month, end.day)[:depth] >= (date.year, date.month, date.day)[:depth]


def office_holders(office: str, table: EventTable, text: str) -> list[OfficeHolder]:
    """Return the holders of an office with their times, in their order; a time without an end lasts until the next holder's."""
    lemmas = content_lemmas(re.split(r"\b(?:of|in|for)\b", office)[0])
    if not lemmas:
        return []
    holders = list(_holders_with_years(lemmas[-1], text))
    for event in table.events:
        wording = text[event.start : event.end]
        ending = next((entry.date for entry in table.events if entry.start == event.start and entry.ends), _LATEST)
        of_office = lemmas[-1] in event.lemmas or (lemmas[-1] in event.near and ending != _LATEST)
        if event.ends or not of_office or not _TAKES & (event.lemmas | _plain_words(wording)):
            continue
        names = _names_of(event, text, lemmas[-1])
        listed = {holder.name.text for holder in holders}
        if not names or _DEPUTIES & event.lemmas != _DEPUTIES & set(lemmas) or any(name.text in listed for name in names):
            continue
        by = next((name for name in names if _BY.search(text[event.start : name.start])), None)
        before = next(
            (name for name in names if _SUCCEEDS.search(_without_title(text[event.start : name.start], lemmas[-1]))), None
        )
        holder = by or next((name for name in names if name != before), None)
        if holder is None:
            continue
        holders.append(OfficeHolder(holder, event.date, ending))
    ordered = sorted(holders, key=lambda holder: (holder.start, holder.name.start))
    known = [replace(holder, end=following.start) if holder.end == _LATEST else holder for holder, following in pairwise(ordered)]
    return known + ordered[-1:]


def _holders_with_years(head: str, text: str) -> Iterator[OfficeHolder]:
    """Yield the holders of a list with their years: "the governors Steve Windom (1999-2003) and Kay Ivey (2011-2017)"."""
    for match in NUMERIC_CUES["life span"].finditer(text):
        begin, end = next((span for span in adjoining_spans(text, "names") if span[0] <= match.start() < span[1]), (0, 0))
        names = [name for name in name_mentions(text[: match.start()]) if name.end >= match.start() - 2]
        if names and head in content_lemmas(text[begin:end]):
            years = (Date(int(match[group][-4:])) for group in ("born", "died"))
            yield OfficeHolder(names[-1], *years)


def _plain_words(text: str) -> frozenset[str]:
    return frozenset(map(verb_lemma, re.findall(r"[a-z]+", text)))


def _without_title(text: str, head: str) -> str:
    """Return a text without the title that stands at its end: "to succeed President " gives "to succeed "."""
    *words, last = text.rstrip().split(" ") if text.strip() else [""]
    return f"{' '.join(words)} " if verb_lemma(last) == head else text


def _names_of(event: PassageEvent, text: str, head: str) -> list[NameMention]:
    """Return the names of the clause of an event, without the titles before them."""
    names = []
    for mention in name_mentions(text[event.start : event.end]):
        words = mention.text.split()
        while words and (verb_lemma(words[0]) == head or words[0][:1].isdigit()):
            words = words[1:]
        name = " ".join(words)
        following = re.match(r"\s(\w+)", text[event.start + mention.end :])
        if name and not (following is not None and verb_lemma(following[1]) == head):  # "the Albanian president"
            start = event.start + mention.end - len(name)
            names.append(NameMention(name, start, start + len(name), mention.stems))
    return names


TIME_OPERATIONS = frozenset({NumericOperation.AGE, NumericOperation.DATE, NumericOperation.ELAPSED, NumericOperation.HOLDER})
"""The operations that the event table answers."""
COMPUTED_FIT = 0.6
"""The fit of an answer of the event table."""
_ENDED = re.compile(
    r"\b(?:end|ended|ending|ends|over|until|complet\w*|finish\w*|resign\w*|retire\w*|step\w* down|left office)\b", re.IGNORECASE
)
_TURNED = NUMERIC_CUES["birthday"]
_WORKING = re.compile(r"\bwork on\b|\bwrite\b|\bcompose\b|\bpaint\b", re.IGNORECASE)
_MAKING = re.compile(r"\b(?:build|construct|complete|finish|erect|make|dig)\b", re.IGNORECASE)
_BEGINNING = frozenset(map(verb_lemma, "begin start laid commence work".split()))
_COMPLETION = frozenset(map(verb_lemma, "complete finish open consecrate inaugurate end".split()))
_CLOSING = frozenset(
    map(verb_lemma, "retire resign sell sold close dissolve end cease leave left abolish replace scrap die retirement".split())
)


def answer_time(question: NumericQuestion, table: EventTable, text: str = "") -> NumericAnswer | None:
    """Return the answer of a table to a question of ages, dates, lengths of time or holders; `None` where it has no sure one.

    Only who held an office is looked up in the `text` of the table.
    """
    if question.operation is NumericOperation.HOLDER:
        dated = date_of_phrase(question.second[0], table)
        return holder_answer(question, table, text, *dated) if dated is not None else None
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
    event = event or (table.find_name(phrase) if who else None)
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
    if (word == "take" and _MAKING.search(phrase)) or _WORKING.search(phrase):
        thing = _WORKING.sub(" ", _MAKING.sub(" ", phrase))
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

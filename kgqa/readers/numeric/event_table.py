"""The dated events of a passage as one table: dates that it states, and those that follow from spans of time and from ages.

"The couple moved to Lisbon four years later" has the date of the event before it and four years; "Louis, then 25" has a birth.
The numeric reader asks the table for ages, dates and the time between events; `kgqa.edits` asks it again after an edit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import sqrt

from graph.text.segmentation import adjoining_spans
from kgqa.errors import QuantityInvalid
from kgqa.quantities.dates import add_to_date, years_between
from kgqa.quantities.numbers import BELOW_HUNDRED, ORDINALS
from kgqa.quantities.quantity import Date, Period, Quantity, Sort
from kgqa.quantities.quantity_changes import parse_amount
from kgqa.quantities.quantity_format import format_date
from kgqa.quantities.quantity_parser import dates_in, parse_quantities
from kgqa.readers.numeric.numeric_question import NUMERIC_CUES
from kgqa.readers.numeric.passage_tokens import content_lemmas, event_kinds_of, name_mentions, passage_tokens, verb_lemma

LEAST_EVENT_FIT = 0.62
"""The least share of a phrase's words, weighed, that an event has to hold to be meant."""
_KIND_FIT, _NAME_FIT, _CONTEXT_FIT = 0.65, 0.9, 0.6
"""What a word counts that is of the kind of an event, that names what a sentence is about, and that stands in it or before."""
_UNKNOWN_WEIGHT, _VERB_WEIGHT, _LIGHT_WEIGHT = 0.7, 1.6, 0.3
_RELATIVE, _AGE = NUMERIC_CUES["relative date"], NUMERIC_CUES["age"]
_STRONG_JOINT = re.compile(r"[;:]\s|,?\s(?:but|while|whereas)\s|,\s(?:and|which|who|when|where)\s")
_JOINT = re.compile(r",\s|\s(?:and)\s")
_ENDS = re.compile(r"\b(?:(?:until|till)\s+(?:[\w.]+\s+){0,14}?|(?:from [^.;]{3,30} )to\s+)$")
_SEASON = re.compile(r"\d{4}[-–/]\d\d\s(?!and\b|to\b|in\b|with\b|when\b|by\b|usually\b)\w")
"""Years that name something: "the 1989-90 season"."""
_WHICH = re.compile(r"\b(?:which|who)\s(?:\w+\s){1,4}$")
_AT_TIME = re.compile(r"\s(?:years old )?(?:at the time of|when)\s(?P<event>[^,;]{4,})")
_COMPLEMENT = re.compile(r"\s(?:of|in|at|on|from|to|by|for|with|during|under)\s")
_PRONOUN = re.compile(r"^\W*(?:[^.;]{0,40}\b)?(?:he|she|it|they|his|her|its|their)\b", re.IGNORECASE)
_NO_EVENT_WORDS = frozenset(
    map(verb_lemma, "year years date day month time age old take long last begin first same later after before time".split())
)
_LIGHT_VERBS = frozenset(map(verb_lemma, "held happen occur took place became been had went commit".split()))
_UNITS = {"day": "days", "week": "days", "month": "months", "year": "years", "decade": "years", "centurie": "years"}
_ORIGINS = frozenset(
    map(verb_lemma, "open opened found founded establish build built construct launch incorporate create".split())
)
_FACTORS = {"week": 7, "decade": 10, "centurie": 100}


@dataclass(frozen=True, slots=True)
class PassageEvent:
    """What happened at a date: the words of its clause at `start` to `end`, and `step`, which says how the date was computed.

    `ends` says that the date is the end of what the clause tells ("until 1949"); `near` has the words of the sentence and of the
    one before; `at` is where its sentence begins.
    """

    start: int
    end: int
    at: int
    date: Date
    lemmas: frozenset[str]
    names: frozenset[str]
    near: frozenset[str]
    step: str = ""
    ends: bool = False

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of event that its words stand for."""
        return frozenset(kind for lemma in self.lemmas for kind in event_kinds_of(lemma))


@dataclass(frozen=True, slots=True)
class StatedAge:
    """The age of somebody at an event: "Inga, who was 27 at the time of her father's death"."""

    years: int
    names: frozenset[str]
    date: Date
    start: int


@dataclass(frozen=True, slots=True)
class EventTable:
    """The events of a passage in their order, and the ages that it states."""

    events: tuple[PassageEvent, ...]
    ages: tuple[StatedAge, ...]
    rarity: dict[str, float]

    def find(self, phrase: str, *, ends: bool | None = None, extra: frozenset[str] = frozenset()) -> PassageEvent | None:
        """Return the event that a phrase means; `None` where no event holds enough of its words."""
        ranking = self.ranked(phrase, ends=ends, extra=extra)
        return ranking[0][1] if ranking and ranking[0][0] >= LEAST_EVENT_FIT else None

    def ranked(
        self, phrase: str, *, ends: bool | None = None, extra: frozenset[str] = frozenset()
    ) -> list[tuple[float, PassageEvent]]:
        """Return the events with how well they fit a phrase, the best first."""
        names = _name_stems(phrase)
        lemmas = {*content_lemmas(phrase), *extra} - _NO_EVENT_WORDS
        if not lemmas:
            return []
        head = {*content_lemmas(_COMPLEMENT.split(phrase, maxsplit=1)[0])} - _NO_EVENT_WORDS
        verbs = head - names or lemmas - names
        weights = {lemma: self.rarity.get(lemma, _UNKNOWN_WEIGHT) for lemma in lemmas}
        for word in passage_tokens(phrase):
            lemma = verb_lemma(word.text)
            if lemma in weights and (word.text.endswith("ed") or lemma != word.stem):
                weights[lemma] *= _VERB_WEIGHT
        weights |= {lemma: weights[lemma] * _LIGHT_WEIGHT for lemma in lemmas & _LIGHT_VERBS if len(verbs) > 1}
        if head - names:
            weights |= {lemma: weights[lemma] / 2 for lemma in lemmas - head}
        fits = []
        for event in self.events:
            if ends is not None and event.ends is not ends:
                continue
            fit = {lemma: _word_fit(lemma, event) for lemma in lemmas}
            if verbs and not any(lemma in event.lemmas or fit[lemma] == _KIND_FIT for lemma in verbs):
                continue
            score = sum(weights[lemma] * fit[lemma] for lemma in lemmas) / sum(weights.values())
            fits.append((score, event))
        return sorted(fits, key=lambda entry: (-entry[0], entry[1].start))

    def find_name(self, phrase: str) -> PassageEvent | None:
        """Return the event that holds all of a name of several words in a phrase; `None` where events of several years do."""
        name = frozenset(lemma for word in re.findall(r"\b[A-Z][\w'’-]+", phrase) for lemma in content_lemmas(word))
        holding = [event for event in self.events if len(name) > 1 and name <= event.lemmas and not event.ends]
        return holding[0] if len({event.date.year for event in holding}) == 1 else None

    def birth(self, names: frozenset[str]) -> tuple[Date, str] | None:
        """Return when somebody was born, with its step: as stated, else from an age at a date."""
        births = [event for event in self.events if verb_lemma("born") in event.lemmas and not event.ends]
        of_names = [event for event in births if not names or names & (event.names | event.lemmas)]
        if not of_names and len(births) == 1 and len({age.names for age in self.ages}) < 2:
            of_names = births if not any(names < event.names for event in self.events) else []
        if of_names:
            event = max(of_names, key=lambda entry: len(names & (entry.names | entry.lemmas)))
            return event.date, event.step
        for age in self.ages:
            if age.date.year and (not names or names & age.names):
                year = age.date.year - age.years
                return Date(year), f"{age.years} years old in {age.date.year}: born in {year}"
        return None

    def origin(self, thing: str) -> tuple[Date, str] | None:
        """Return when a thing was built, opened or founded, with its step."""
        lemmas = frozenset(content_lemmas(thing))
        made = next((event for event in self.events if lemmas and lemmas <= event.lemmas and event.lemmas & _ORIGINS), None)
        return None if made is None else (made.date, made.step)

    def stated_age(self, names: frozenset[str], date: Date) -> StatedAge | None:
        """Return the age that the passage states of somebody at a date."""
        return next((age for age in self.ages if age.date == date and (not names or names & age.names)), None)


def _name_stems(text: str) -> frozenset[str]:
    return frozenset(stem for name in name_mentions(text) for stem in name.stems)


def _word_fit(lemma: str, event: PassageEvent) -> float:
    if lemma in event.lemmas:
        return 1.0
    if event_kinds_of(lemma) & event.kinds:
        return _KIND_FIT
    if lemma in event.names:
        return _NAME_FIT
    return _CONTEXT_FIT if lemma in event.near else 0.0


@lru_cache(maxsize=32)
def event_table(text: str) -> EventTable:
    """Return the dated events of a passage."""
    counts = Counter(verb_lemma(word.text) for word in passage_tokens(text) if word.is_content_word)
    rarity = {lemma: 1 / sqrt(count) for lemma, count in counts.items()}
    table = EventTable((), (), rarity)
    year, near, subject = 0, frozenset[str](), frozenset[str]()
    for begin, end in adjoining_spans(text, "names"):
        sentence = text[begin:end]
        here = frozenset(content_lemmas(sentence))
        mentions = name_mentions(sentence)
        names = frozenset(stem for name in mentions for stem in name.stems)
        about = frozenset(subject if _PRONOUN.match(sentence) or not mentions else mentions[0].stems)
        for low, high, marks in _segments(sentence):
            clause = sentence[low:high]
            own = _name_stems(clause)
            lemmas = frozenset(content_lemmas(clause))
            if _ELLIPSIS.match(clause) and table.events and (table.events[-1].at == begin or text[:begin].rstrip().endswith(";")):
                lemmas |= table.events[-1].lemmas & _BORN  # "Sarah, born in 1807; Abraham, in 1809"
            row = PassageEvent(begin + low, begin + high, begin, Date(0), lemmas, own or about, here | near | about)
            for mark in marks:
                dated = _dated_row(row, mark, sentence, year, table)
                if dated is not None and dated.date.year:
                    year = dated.date.year
                    table = replace(table, events=(*table.events, dated))
            last = table.events[-1] if table.events else None
            joined = not marks and text[:begin].rstrip().endswith(";")  # "It burnt down in 1913; Haas, then 70, ..."
            table = _with_ages(table, row, clause, about, last if last and (joined or last.start == row.start) else None)
        near, subject = here | about, about or names
    return _with_ends(_with_life_spans(table, text), text)


_ELLIPSIS = re.compile(r"\W*(?:and )?[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*, (?:on|in) [A-Z\d]")
_BORN = frozenset({verb_lemma("born")})
_LIFE_SPAN = NUMERIC_CUES["life span"]


def _with_life_spans(table: EventTable, text: str) -> EventTable:
    """Return a table in which the years behind a name, "Amadou Sissako (1902-1971)", are a birth and a death."""
    events = list(table.events)
    for match in _LIFE_SPAN.finditer(text):
        names = [name for name in name_mentions(text[: match.start()]) if name.end >= match.start() - 2]
        if not names:
            continue
        events = [event for event in events if not match.start() <= event.date.start < match.end()]
        for place, (group, word) in enumerate((("born", "born"), ("died", "died"))):
            stated = next(iter(dates_in(match[group])), Date(int(match[group][-4:])))
            date = replace(stated, text=match[group], start=match.start(group), end=match.end(group))
            lemmas = names[-1].stems | {verb_lemma(word)}
            start, stems = names[-1].start, names[-1].stems
            events.insert(place, PassageEvent(match.start(group), match.end(group), start, date, lemmas, stems, lemmas))
    return replace(table, events=tuple(events))


Mark = tuple[Date | re.Match[str], int, int, bool]
"""A date, or the match of a relative one or of an age; where it stands in its sentence, and whether it ends a period."""


def _segments(sentence: str) -> Iterator[tuple[int, int, list[Mark]]]:
    """Yield the parts of a sentence with one date each, cut at the strongest joint between two dates."""
    marks = sorted(_marks(sentence), key=lambda mark: mark[1:])
    low, group = 0, list[Mark]()
    for place, mark in enumerate(marks):
        following = marks[place + 1] if place + 1 < len(marks) else None
        group.append(mark)
        cut = None if following is None else _cut(sentence, mark[2], following[1])
        if cut is not None:
            yield low, cut, group
            low, group = cut, []
    yield low, len(sentence), group


def _cut(sentence: str, start: int, end: int) -> int | None:
    if end <= start:
        return None
    joint = _STRONG_JOINT.search(sentence, start, end) or _JOINT.search(sentence, start, end)
    return joint.start() if joint is not None else None


def _marks(sentence: str) -> Iterator[Mark]:
    taken: list[tuple[int, int]] = []
    for match in _RELATIVE.finditer(sentence):
        taken.append(match.span())
        yield match, match.start(), match.end(), False
    yield from ((match, match.start(), match.end(), False) for match in _AGE.finditer(sentence) if match["n7"])
    for item in parse_quantities(sentence):
        if any(item.start < end and start < item.end for start, end in taken):
            continue
        ends = _ENDS.search(sentence, 0, item.start) is not None
        if isinstance(item, Period):
            yield item.first, item.start, item.end, False
            yield item.last, item.start, item.end, True
        elif isinstance(item, Date):
            yield item, item.start, item.end, ends
        elif isinstance(item, Quantity) and item.sort is Sort.YEAR:
            first = Date(int(item.value), text=item.text, start=item.start, end=item.end)
            season = item.upper is not None and _SEASON.match(sentence, item.start)
            yield first, item.start, item.end, ends and item.upper is None
            if item.upper is not None and not season:
                yield replace(first, year=int(item.upper)), item.start, item.end, True


def _dated_row(row: PassageEvent, mark: Mark, sentence: str, year: int, table: EventTable) -> PassageEvent | None:
    date, start, end, ends = mark
    if isinstance(date, Date):
        dated = date if date.year or not year else replace(date, year=year)
        return replace(row, date=replace(dated, start=row.at + start, end=row.at + end), ends=ends)
    if date.re is _AGE:
        born, number = table.birth(row.names), parse_amount(date["n7"])
        if born is None or number is None:
            return None
        made = Date(born[0].year + int(number), start=row.at + start, end=row.at + end)
        return replace(row, date=made, step=f"{format_date(born[0])} and {date['n7']} years: {made.year}")
    return _relative_row(row, date, sentence, table)


def _relative_row(row: PassageEvent, match: re.Match[str], sentence: str, table: EventTable) -> PassageEvent | None:
    """Return an event with the date that a span of time gives it: "two years after the Kestrel", "the following year"."""
    base = table.events[-1] if table.events else None
    phrase = match["event"] or ""
    if {*content_lemmas(phrase)} - _NO_EVENT_WORDS:
        wanted = _name_stems(phrase).issuperset(content_lemmas(phrase))
        own = row.lemmas.difference(content_lemmas(phrase)) - _name_stems(sentence)
        lemmas = frozenset(lemma for lemma in own if event_kinds_of(lemma)) if wanted else frozenset[str]()
        base = table.find(phrase, extra=lemmas)
    elif base is not None and _WHICH.search(sentence, 0, match.start()):
        kinds = frozenset(kind for lemma in content_lemmas(sentence[: match.start()]) for kind in event_kinds_of(lemma))
        alike = [event for event in table.events if event.kinds & kinds]
        base = base if base.at == row.at else alike[0] if len(alike) == 1 else None
    if base is None:
        return None
    if match["n"] is None:
        amount, unit = Fraction(match["same"].lower() != "same"), "year"
    else:
        amount, unit = parse_amount(match["n"]) or Fraction(0), match["u"].lower()
    if match["n"] and not amount:
        return None
    sign = -1 if (match["way"] or "").lower() in ("before", "earlier") else 1
    shifted = shifted_date(base.date, sign * amount, unit)
    if shifted is None:
        return None
    shifted = replace(shifted, text=base.date.text, start=row.at + match.start(), end=row.at + match.end())
    return replace(row, date=shifted, step=f"{format_date(base.date)}, {match[0].strip(' ,')}: {format_date(shifted)}")


def shifted_date(date: Date, amount: Fraction, unit: str) -> Date | None:
    """Return a date so much later; `None` where it is not precise enough to tell."""
    number = amount * _FACTORS.get(unit, 1)
    if number.denominator != 1 or unit not in _UNITS:
        return None
    if _UNITS[unit] == "years":
        date = Date(date.year)  # "two years later" says no day
    try:
        return add_to_date(date, **{_UNITS[unit]: int(number)})
    except QuantityInvalid:
        return None


def _with_ages(table: EventTable, row: PassageEvent, clause: str, about: frozenset[str], own: PassageEvent | None) -> EventTable:
    """Return a table with the ages that a clause states: at its `own` event, or at the one that it names."""
    for match in _AGE.finditer(clause):
        number = _age_of_match(match)
        if number is None or match["n7"]:
            continue
        ahead = [name for name in name_mentions(clause[: match.start()]) if name.stems]
        pronoun = re.search(r"\b(?:he|she)\b", clause[: match.end()], re.IGNORECASE)
        names = ahead[-1].stems if ahead and not pronoun else about
        event, phrase = own, clause[match.end() :]
        if own is not None and (at := _AT_TIME.match(phrase)) is not None:
            event = table.find(at["event"])
            event = None if event is not None and event.start == row.start else event
        elif event is None and content_lemmas(phrase):
            event = table.find(phrase) or next((entry for entry in table.events if _names_it(phrase, entry)), None)
        if event is not None:
            table = replace(table, ages=(*table.ages, StatedAge(number, names, event.date, row.start + match.start())))
        elif own is None and (born := table.birth(names)) is not None:
            date = Date(born[0].year + number, start=row.start + match.start(), end=row.start + match.end())
            step = f"{format_date(born[0])} and {number} years: {date.year}"
            table = replace(table, events=(*table.events, replace(row, date=date, step=step)))
    return table


def _names_it(phrase: str, event: PassageEvent) -> bool:
    names = _name_stems(phrase)
    return bool(names) and names <= event.lemmas | event.names


def _age_of_match(match: re.Match[str]) -> int | None:
    text = next(text for name, text in match.groupdict().items() if name.startswith("n") and text)
    small = text.lower()
    if small in ORDINALS:
        return BELOW_HUNDRED.get(ORDINALS[small])
    number = parse_amount(small)
    return int(number) if number is not None and number.denominator == 1 and 0 < number < 120 else None


_LASTS = NUMERIC_CUES["lasted"]


def _with_ends(table: EventTable, text: str) -> EventTable:
    """Return a table with the ends that follow from a length: "came to the throne in 1430" and "reigned for 27 years"."""
    events = list(table.events)
    for match in _LASTS.finditer(text):
        number = parse_amount(match["n"])
        begin, end = next((span for span in adjoining_spans(text, "names") if span[0] <= match.start() < span[1]), (0, 0))
        before = [event for event in events if event.start < match.start() and event.date.start < match.start()]
        base = next((event for event in reversed(before) if event.at == begin or (_begins_rule(event) and not event.ends)), None)
        if number is None or number.denominator != 1 or base is None:
            continue
        ending = shifted_date(base.date, number, match["u"].lower())
        if ending is None or ending.year <= base.date.year:
            continue
        lemmas = frozenset(content_lemmas(text[begin:end])) | {verb_lemma(word) for word in ("end", "leave", "retire")}
        step = f"{format_date(base.date)} and {match['n']} {match['u']}s: {format_date(ending)}"
        if base.at == begin and base.ends:
            own = frozenset(content_lemmas(text[base.date.end : end]))
            events.append(replace(base, start=match.start(), end=match.end(), lemmas=own, ends=False))
        events.append(PassageEvent(match.start(), match.end(), begin, ending, lemmas, base.names, base.near, step, ends=True))
    return replace(table, events=tuple(events))


def _begins_rule(event: PassageEvent) -> bool:
    rule = ("throne", "crowned", "elected", "appointed", "king", "queen", "president", "director")
    return not {verb_lemma(word) for word in rule}.isdisjoint(event.lemmas)


def age_between(born: Date, date: Date) -> int | None:
    """Return the age at a date: in whole years where both days are known; `None` before the birth."""
    if not born.year or not date.year:
        return None
    whole = bool(born.month and date.month)
    age = years_between(born, date, whole=whole)
    return age if 0 <= age < 130 else None

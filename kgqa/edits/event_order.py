"""Queries for a place among dated events after an event was removed: "who would have been the last to win it before 2020?"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.edit_script import EditProblem, EditSolution
from kgqa.edits.edited_table import EditedTable
from kgqa.edits.fact_table import DATE, ELIDED_CLAUSE, FactRow, fact_rows, is_same_name
from kgqa.edits.order_queries import order_solution, ordinal_number
from kgqa.edits.passage_tokens import NameMention, content_word_stems, name_mentions, passage_stem, passage_tokens, verb_lemma
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_parser import parse_quantities

LIGHT_VERBS = frozenset(
    passage_stem(word)
    for word in "be been become get take make have hold do serve go give exist participate compete enter live".split()
)
"""Verbs that do not identify an event without their object."""
_GAIN_VERBS = frozenset(passage_stem(word) for word in "win take receive get gain earn claim capture secure award become".split())
"""Verbs that mean the same of a prize: who "took the title" or "received the award" won it."""
_ANY_PRIZE = frozenset(
    passage_stem(word)
    for word in "title award trophy race prize championship tournament election event contest medal post office job".split()
)
PLACE_CUES = {
    "last": r"last|latest|most recent(?:ly)?|final",
    "first": r"first|earliest",
    "next": r"next",
    "previous": r"previous(?:ly)?|preceding",
    "only": r"only(?: one)?|sole",
}
"""The places in an order of events, besides the second, third and so on from its beginning."""
_TAIL = r"(?=(?:\s[\w’'\-]+){0,5}?(?:\s(?:to|who|that|before|after|by|until|till|in|since|between|of|from|up|during)\b|$))"
_ORDER = re.compile(
    rf"\b(?:{'|'.join(f'(?P<{name}>{cue})' for name, cue in PLACE_CUES.items())}|(?P<nth>[a-z]+|\d+(?:st|nd|rd|th)))\b{_TAIL}",
    re.IGNORECASE,
)
_BOUND_CUES = {
    "before": r"before|prior to|earlier than|ahead of",
    "until": r"until|till|up to|by(?: the end of)?",
    "after": r"after|following|later than",
    "since": r"since|from",
    "between": r"between",
    "in": r"in|during|of|within",
}
_BOUND = re.compile(
    rf"\b(?:{'|'.join(f'(?P<{name}>{cue})' for name, cue in _BOUND_CUES.items())})\s(?:the\s(?:year\s|end of\s)?)?$",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"\b(?:withdr[ae]w\w*|disqualif\w*|dropped out|removed|excluded|stripped|lost|retired)\b|^without\b|^but for\b", re.IGNORECASE
)
_VERB = re.compile(r"(?:\b(?:not|never)|n['’]t)\s+(?:have\s+|ever\s+)?(?:(?:been|be)\s+)?(?P<verb>[a-z]+)\b", re.IGNORECASE)
_TO = re.compile(r"\bto\s(?:have\s)?(?:been\s|be\s)?(?P<verb>[a-z]+)\b|\b(?:have)\s(?:been\s)?(?P<past>[a-z]+)\b", re.IGNORECASE)
_RECIPIENT = re.compile(r"\b(?:by|to)\s(?:the\s)?$", re.IGNORECASE)
_BOUNDING = re.compile(r"\b(?:after|before)\s(?:the\s)?$", re.IGNORECASE)
_FOLLOWS = re.compile(
    r"\b(?:follow(?:s|ed|ing)?|succeed(?:s|ed|ing)?|came (?:next|after|then)|came|did (?:so|it|the same)|repeated|was next|"
    r"took over|joined (?:her|him|them)|emulated|matched)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|lost|failed|nearly|almost|without|instead of)\b|n['’]t\b", re.IGNORECASE)
_LIST = re.compile(r"(?:\b(?:were|are|included?):?|:)\s+(?:[A-Z][\w’'.\-]*\s)+\($")
"""How a list begins that has its dates in brackets: "the laureates were Eva Strand (1982)"."""
_OBJECT = re.compile(
    r"\s+(?:the|an?|his|her|its|their)\s+(?P<object>[^,.;:()]+?)(?=\s(?:in|on|at|for|of|from|with)\b|[,.;:()]|\s*$)"
)
_WOMEN, _MEN = (
    re.compile(rf"\b(?:{cue})\b", re.IGNORECASE) for cue in ("woman|women|female|she|her|hers", "man|men|male|he|his|him")
)

Day = tuple[int, int, int]


class DateBounds(NamedTuple):
    """The part of the order that a question is about: its first and last date, each as precise as stated, and the words."""

    low: Day | None = None
    high: Day | None = None
    open_low: bool = False
    open_high: bool = False
    text: str = ""

    def has(self, day: Day) -> bool:
        """Return whether a date lies within the bounds."""
        if self.low is not None and (
            _rounded(day, self.low) < self.low or (self.open_low and _rounded(day, self.low) == self.low)
        ):
            return False
        return self.high is None or not (
            _rounded(day, self.high) > self.high or (self.open_high and _rounded(day, self.high) == self.high)
        )


def solve_event_order(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield who has the place that is asked for after the events of another were removed from the dated events of one kind."""
    clause, main = problem.conditional.clause, problem.conditional.main
    asked_place = _place_in_order(main) if problem.answer_type is AnswerType.NAME else None
    removes = (problem.conditional.negated or _GONE.search(clause)) and not problem.conditional.changes
    if asked_place is None or not removes:
        return
    names = [name for name in name_mentions(clause) if name.stems]
    late = [name for name in names[1:] if _RECIPIENT.search(clause[: name.start])]
    for removed in (*late, *names[:1]):
        rest = f"{clause[: removed.start]} {clause[removed.end :]}"
        events = _events(problem, removed, rest)
        stated = [_day(low) for low, *_ in _date_spans(clause)]
        gone = [
            row
            for row in events
            if is_same_name(row.subject, removed) and (not stated or any(_rounded(_key(row), day) == day for day in stated))
        ]
        if gone:
            solution = _event_at_place(problem, events, gone, *asked_place)
            if solution is not None:
                yield solution
            return


def _place_in_order(main: str) -> tuple[str, int] | None:
    """Return the cue and the place that a main clause asks for, `None` where it asks for none."""
    if re.search(r"\b(?:not|never)\b|n['’]t\b", main):
        return None
    for match in _ORDER.finditer(main):
        if match["nth"] is None:
            return str(match.lastgroup), 1
        place = ordinal_number(match["nth"].lower())
        if place > 1:
            return "first", place
    return None


def _events(problem: EditProblem, removed: NameMention, rest: str) -> list[FactRow]:
    """Return the dated events of the kind that a question is about, the earliest first; of repeated ones the first stated."""
    clause, main = problem.conditional.clause, problem.conditional.main
    denied_verb = _VERB.search(clause)
    verbs = [denied_verb["verb"]] if denied_verb else re.findall(r"\b([a-z]+ing)\b", clause)
    verbs += [match["verb"] or match["past"] for match in _TO.finditer(main)]
    acts = frozenset(verb_lemma(verb) for verb in verbs if verb.lower() not in ("the", "a", "an", "been"))
    acts |= {verb_lemma(word.text) for word in passage_tokens(main) if verb_lemma(word.text) != word.stem}
    objects = content_word_stems(f"{rest} . {main}")
    bounding = {stem for name in name_mentions(main) if _BOUNDING.search(main[: name.start]) for stem in name.stems}
    events: list[FactRow] = []
    before: FactRow | None = None
    for row in fact_rows(problem.passages, (objects | acts) - bounding - removed.stems):
        if row.attribute != DATE or not _key(row)[0]:
            continue
        continued = before is not None and _continues(row, before) and not _DENIED.search(row.wording)
        if continued or _states_event(row.wording, acts or LIGHT_VERBS, objects):
            before = row
            if not any(_key(row) == _key(event) and is_same_name(row.subject, event.subject) for event in events):
                events.append(row)
    return sorted(events, key=_key)


def _states_event(wording: str, acts: Collection[str], objects: frozenset[str]) -> bool:
    """Return whether words state an event of a kind: its verb, on no other object; a light verb only with its object."""
    if _DENIED.search(wording):
        return False
    stems = content_word_stems(wording)
    for word in passage_tokens(wording):
        verb = verb_lemma(word.text)
        if verb in acts and verb not in LIGHT_VERBS:
            match = _OBJECT.match(wording, word.end)
            of = content_word_stems(match["object"]) if match is not None else frozenset()
            if not of or of & (objects | _ANY_PRIZE):
                return True
        elif (verb in acts and stems & objects) or (
            verb in _GAIN_VERBS and not _GAIN_VERBS.isdisjoint(acts) and stems & (objects | _ANY_PRIZE)
        ):
            return True
    return bool(stems & objects) and (LIGHT_VERBS.issuperset(acts) or _LIST.search(wording) is not None)


def _continues(row: FactRow, before: FactRow) -> bool:
    """Return whether words leave their verb to the event before: "Italy in 2006", or "Ghez followed"."""
    if _FOLLOWS.search(row.wording):
        return row.fact.sentence - before.fact.sentence <= 1
    rest = row.wording.replace(row.fact.text, " ").replace(row.subject.text, " ")
    return before.fact.sentence == row.fact.sentence and ELIDED_CLAUSE.fullmatch(rest) is not None


def _event_at_place(
    problem: EditProblem, events: Sequence[FactRow], gone: Sequence[FactRow], cue: str, place: int
) -> EditSolution | None:
    """Return who has the place among the events that are left; `None` for nobody, a tie, or the subject that is removed."""
    main = problem.conditional.main
    bounds = _date_bounds(main, events)
    if cue in ("next", "previous") and not bounds.text:
        day = _key(gone[0])
        bounds = DateBounds(low=day, open_low=True) if cue == "next" else DateBounds(high=day, open_high=True)
    backwards = cue in ("last", "previous")
    table = EditedTable(tuple(row for row in events if bounds.has(_key(row)) and not _is_other_sex(row, main)))
    former = table.ranked(backwards)
    for row in gone:
        table = table.remove(row)
    left = [row for _, row in table.ranked(False)]
    first = table.nth(place, backwards)
    if first is None or any(is_same_name(row.subject, first.subject) for row in gone):
        return None
    if cue == "only" and len({row.subject.stems for row in left}) > 1:
        return None
    unmoved = cue not in ("next", "previous", "only") and is_same_name(former[place - 1][1].subject, first.subject)
    consequences = [f"{row.subject.text} {row.fact.text} → gone" for row in gone]
    consequences.append(f"left {bounds.text}".rstrip() + f": {', '.join(f'{row.subject.text} {row.fact.text}' for row in left)}")
    return order_solution(table, first, "row: remove", 0.5 if unmoved else 0.9, "; ".join(consequences))


def _date_bounds(main: str, events: Sequence[FactRow]) -> DateBounds:
    """Return the bounds that a main clause sets by dates, or by the subject of one event ("after Senna")."""
    bounds = DateBounds()
    marks = [(_day(low), _day(high), start, end) for low, high, start, end in _date_spans(main)]
    for name in name_mentions(main):
        of = [row for row in events if is_same_name(row.subject, name)]
        if len(of) == 1:
            marks.append((_key(of[0]), _key(of[0]), name.start, name.end))
    marks.sort(key=lambda mark: mark[2])
    for at, (low, high, start, end) in enumerate(marks):
        bound = _BOUND.search(main[:start])
        if bound is None:
            continue
        cue, text = bound.lastgroup, f"{bounds.text} {main[bound.start() : end]}".strip()
        if cue in ("before", "until"):
            bounds = bounds._replace(high=low if cue == "before" else high, open_high=cue == "before", text=text)
        elif cue in ("after", "since"):
            bounds = bounds._replace(low=high if cue == "after" else low, open_low=cue == "after", text=text)
        elif cue == "between" and at + 1 < len(marks):
            bounds = DateBounds(low, marks[at + 1][1], text=main[bound.start() : marks[at + 1][3]])
        elif cue == "in":
            bounds = DateBounds(low, high, text=text)
    return bounds


def _date_spans(text: str) -> Iterator[tuple[Date, Date, int, int]]:
    """Yield the dates, decades and centuries of a text: their first and last year or day, and their places."""
    for item in parse_quantities(text, ranges=False):
        if isinstance(item, Date) and item.year:
            yield item, item, item.start, item.end
        elif isinstance(item, Quantity) and item.sort is Sort.YEAR and int(item.value):
            yield Date(int(item.value)), Date(int(item.value)), item.start, item.end
        elif isinstance(item, Quantity) and item.sort in (Sort.DECADE, Sort.CENTURY):
            century = item.sort is Sort.CENTURY
            low = int(item.value - 1) * 100 + 1 if century else int(item.value)
            yield Date(low), Date(low + (99 if century else 9)), item.start, item.end


def _is_other_sex(row: FactRow, main: str) -> bool:
    """Return whether a question asks for a woman, or a man, and the sentence of an event states the other."""
    women, men = (pattern.search(main) is not None for pattern in (_WOMEN, _MEN))
    if women == men:
        return False
    own, opposite = (_WOMEN, _MEN) if women else (_MEN, _WOMEN)
    sentence = row.passage.sentence_of(row.fact)
    return opposite.search(sentence) is not None and own.search(sentence) is None


def _key(row: FactRow) -> Day:
    return row.amount if isinstance(row.amount, tuple) else (0, 0, 0)


def _day(date: Date) -> Day:
    return date.year, date.month, date.day


def _rounded(day: Day, reference: Day) -> Day:
    """Return a date as precise as another."""
    return day[0], day[1] if reference[1] else 0, day[2] if reference[2] else 0

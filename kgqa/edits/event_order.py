"""The place of an event in the order of dates after another event was removed: "who would have been the last to win it?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.edit_script import EditOperation, EditProblem, EditSolution, name_solution
from kgqa.edits.edited_table import GONE, EditedTable
from kgqa.edits.fact_table import DATE, ELIDED_CLAUSE, FactRow, fact_rows
from kgqa.edits.order_queries import ordinal_number
from kgqa.edits.passage_tokens import (
    NameMention,
    content_word_stems,
    is_same_name,
    name_mentions,
    passage_stem,
    passage_tokens,
    verb_lemma,
)
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_parser import parse_quantities

_LIGHT_VERBS = frozenset(map(passage_stem, "be been become get take make have hold do go give exist compete enter live".split()))
"""Verbs that do not identify an event without their object."""
_GAIN_VERBS = frozenset(map(passage_stem, "win take receive get gain earn claim capture secure award become".split()))
"""Verbs that mean the same of a prize: who "took the title" or "received the award" won it."""
_PRIZES = frozenset(
    map(passage_stem, "title award trophy race prize championship tournament election event contest medal post office".split())
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
    rf"(?i)\b(?:{'|'.join(f'(?P<{name}>{cue})' for name, cue in PLACE_CUES.items())}|(?P<nth>[a-z]+|\d+(?:st|nd|rd|th)))\b{_TAIL}"
)
_BOUND_CUES = {
    "before": r"before|prior to|earlier than|ahead of",
    "until": r"until|till|up to|by(?: the end of)?|and",
    "after": r"after|following|later than",
    "since": r"since|from|between",
    "in": r"in|during|of|within",
}
_BOUND = re.compile(
    rf"(?i)\b(?:{'|'.join(f'(?P<{name}>{cue})' for name, cue in _BOUND_CUES.items())})\s(?:the\s(?:year\s|end of\s)?)?$"
)
_VERBS = re.compile(
    r"(?i)(?:(?:\b(?:not|never)|n['’]t)\s+(?:have\s+|ever\s+)?|\bto\s|\bhave\s)(?:(?:have|been|be)\s+)*(?!(?:the|"
    r"an?)\b)([a-z]+)\b|\b([a-z]+ing)\b"
)
_RECIPIENT = re.compile(r"(?i)\b(?:by|to)\s(?:the\s)?$")
_FOLLOWS = re.compile(r"(?i)\b(?:follow|succeed|came|did (?:so|it|the same)|repeated|was next|took over|joined|emulated|matched)")
_DENIED = re.compile(r"(?i)\b(?:not|never|lost|failed|nearly|almost|without|instead of)\b|n['’]t\b")
_OBJECT = re.compile(r"\s+(?:the|an?|his|her|its|their)\s+([^,.;:()]+?)(?=\s(?:in|on|at|for|of|from|with)\b|[,.;:()]|\s*$)")

Day = tuple[int, int, int]


def solve_event_order(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield who has the place that is asked for after the events of another were removed from the dated events of one kind."""
    conditional = problem.conditional
    place = _place_in_order(conditional.main) if problem.answer_type is AnswerType.NAME else None
    if place is None or conditional.changes or not (conditional.negated or GONE.search(conditional.clause)):
        return
    stated = [low for low, *_ in _date_spans(conditional.clause)]
    names = [name for name in name_mentions(conditional.clause) if name.stems]
    late = [name for name in names[1:] if _RECIPIENT.search(conditional.clause[: name.start])]
    for removed in (*late, *names[:1]):
        events = _events(problem, removed)
        gone = [
            row
            for row in events
            if is_same_name(row.subject, removed) and (not stated or any(_rounded(row.day, day) == day for day in stated))
        ]
        if gone:
            yield from _event_at_place(problem, events, gone, *place)
            return


def _place_in_order(main: str) -> tuple[str, int] | None:
    """Return the cue and the place that a main clause asks for, `None` where it asks for none."""
    if re.search(r"\b(?:not|never)\b|n['’]t\b", main):
        return None
    for match in _ORDER.finditer(main):
        place = 1 if match["nth"] is None else ordinal_number(match["nth"].lower())
        if match["nth"] is None or place > 1:
            return "first" if match["nth"] else str(match.lastgroup), place
    return None


def _events(problem: EditProblem, removed: NameMention) -> list[FactRow]:
    """Return the dated events of the kind that a question is about; of repeated ones the first stated."""
    clause, main = problem.conditional.clause, problem.conditional.main
    objects = content_word_stems(f"{clause} . {main}") - removed.stems
    verbs = [word for match in _VERBS.finditer(f"{clause} . {main}") for word in match.groups() if word]
    verbs += [word.text for word in passage_tokens(main) if verb_lemma(word.text) != word.stem]
    acts = set(map(verb_lemma, verbs))
    bounding = {stem for name in name_mentions(main) if _BOUND.search(main[: name.start]) for stem in name.stems}
    events: list[FactRow] = []
    before: FactRow | None = None
    for row in fact_rows(problem.passages, (objects | acts) - bounding - removed.stems):
        if row.attribute != DATE or not row.day[0] or _DENIED.search(row.wording):
            continue
        if (before is not None and _continues(row, before)) or _states_event(row.wording, acts, objects):
            before = row
            if not any(row.day == event.day and is_same_name(row.subject, event.subject) for event in events):
                events.append(row)
    return events


def _states_event(wording: str, acts: set[str], objects: frozenset[str]) -> bool:
    """Return whether words state an event of a kind: its verb, on no other object; a light verb only with its object."""
    stems = content_word_stems(wording)
    for word in passage_tokens(wording):
        verb = verb_lemma(word.text)
        if verb in acts and verb not in _LIGHT_VERBS:
            match = _OBJECT.match(wording, word.end)
            if match is None or content_word_stems(match[1]) & (objects | _PRIZES):
                return True
        elif (verb in acts and stems & objects) or (verb in _GAIN_VERBS and acts & _GAIN_VERBS and stems & (objects | _PRIZES)):
            return True
    return bool(stems & objects) and (acts <= _LIGHT_VERBS or wording.endswith("("))


def _continues(row: FactRow, before: FactRow) -> bool:
    """Return whether words leave their verb to the event before: "Italy in 2006", or "Ghez followed"."""
    if _FOLLOWS.search(row.wording):
        return row.fact.sentence - before.fact.sentence <= 1
    rest = row.wording.replace(row.fact.text, " ").replace(row.subject.text, " ")
    return before.fact.sentence == row.fact.sentence and ELIDED_CLAUSE.fullmatch(rest) is not None


def _event_at_place(
    problem: EditProblem, events: Sequence[FactRow], gone: Sequence[FactRow], cue: str, place: int
) -> Iterator[EditSolution]:
    """Yield who has the place among the events that are left; none for nobody, a tie, or the subject that is removed."""
    bounds = list(_date_bounds(problem.conditional.main, events))
    if cue in ("next", "previous") and not bounds:
        bounds = [("after" if cue == "next" else "before", gone[0].day, gone[0].day)]
    backwards = cue in ("last", "previous")
    table = EditedTable(tuple(row for row in events if all(_is_within(row.day, *bound) for bound in bounds)))
    former = table.nth(place, backwards)
    for row in gone:
        table = table.edit(EditOperation.REMOVE, row, None)
    left = [row for _, row in table.ranked(False)]
    first = table.nth(place, backwards)
    if first is None or any(is_same_name(row.subject, first.subject) for row in gone):
        return
    if cue == "only" and len({row.subject.stems for row in left}) > 1:
        return
    unmoved = cue not in ("next", "previous", "only") and former is not None and is_same_name(former.subject, first.subject)
    texts = [f"{row.subject.text} {row.fact.text} → gone" for row in gone]
    texts.append(f"left: {', '.join(f'{row.subject.text} {row.fact.text}' for row in left)}")
    yield name_solution("row: remove", 0.5 if unmoved else 0.9, first, table.edits, "; ".join(texts))


def _date_bounds(main: str, events: Sequence[FactRow]) -> Iterator[tuple[str, Day, Day]]:
    """Yield the bounds that a main clause sets by dates, or by the subject of one event ("after Senna")."""
    marks = list(_date_spans(main))
    for name in name_mentions(main):
        days = [row.day for row in events if is_same_name(row.subject, name)]
        marks += [(day, day, name.start) for day in days if len(days) == 1]
    for low, high, start in marks:
        bound = _BOUND.search(main[:start])
        if bound is not None:
            yield str(bound.lastgroup), low, high


def _is_within(day: Day, cue: str, low: Day, high: Day) -> bool:
    early, late = _rounded(day, low), _rounded(day, high)
    within = {"before": early < low, "until": late <= high, "after": late > high, "since": early >= low}
    return within.get(cue, early >= low and late <= high)


def _date_spans(text: str) -> Iterator[tuple[Day, Day, int]]:
    """Yield the dates, decades and centuries of a text: their first and last year or day, and where they begin."""
    for item in parse_quantities(text, ranges=False):
        if isinstance(item, Date) and item.year:
            day = item.year, item.month, item.day
            yield day, day, item.start
        elif isinstance(item, Quantity) and item.sort in (Sort.YEAR, Sort.DECADE, Sort.CENTURY) and int(item.value):
            low = int(item.value - 1) * 100 + 1 if item.sort is Sort.CENTURY else int(item.value)
            yield (low, 0, 0), (low + {Sort.YEAR: 0, Sort.DECADE: 9}.get(item.sort, 99), 0, 0), item.start


def _rounded(day: Day, reference: Day) -> Day:
    """Return a date as precise as another."""
    return day[0], day[1] if reference[1] else 0, day[2] if reference[2] else 0

"""Queries for a place in an order of the edited table: argmax, argmin and nth, over values, dates and stated superlatives."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import starmap
from pathlib import Path
from typing import NamedTuple

from graph.text.pattern_tables import read_pattern_table
from kgqa.edits.answer_type import AnswerType
from kgqa.edits.cue_patterns import CUES
from kgqa.edits.edit_script import EditOperation, EditProblem, EditSolution, FactEdit, name_solution
from kgqa.edits.edited_table import GONE, EditedTable, edit_by_clause, value_tables
from kgqa.edits.fact_table import DATE, ELIDED_CLAUSE, RANK, FactRow, fact_rows, stated_extremes
from kgqa.quantities.numbers import BELOW_HUNDRED, ORDINALS
from kgqa.quantities.quantity import Date, Quantity, Sort
from kgqa.quantities.quantity_parser import parse_quantities
from kgqa.readers.numeric.passage_tokens import (
    NameMention,
    content_word_stems,
    is_same_name,
    name_mentions,
    passage_stem,
    passage_tokens,
    stem_overlap,
    verb_lemma,
)


class SuperlativePattern(NamedTuple):
    """A superlative: a pattern, whether it is the most, the attributes it orders (any, where empty), and words that state it."""

    pattern: str
    most: bool
    measures: str
    cue_words: str
    example: str

    def first_is_most(self, measure: str) -> bool:
        """Return whether the largest value comes first: of times the fastest is the smallest."""
        return self.most != (measure in ("time", "months") and re.search("fastest|slowest", self.pattern) is not None)

    def fits(self, attribute: str, stems: Collection[str]) -> bool:
        """Return whether the order is one of this attribute; the question must name what is counted."""
        sort, _, nouns = "percent percentage share vote".partition(" ") if attribute == "percent" else attribute.partition(" ")
        if attribute in (DATE, RANK) or (self.measures and sort not in self.measures.split()):
            return False
        return not nouns or bool(set(nouns.split()) & set(stems))


_DATA = Path(__file__).with_name("data")
SUPERLATIVE_PATTERNS = tuple(
    SuperlativePattern(pattern, end == "most", measures, cue_words, example)
    for pattern, end, measures, cue_words, example in read_pattern_table(_DATA / "superlatives.tsv")
)
"""The superlatives; the first that a main clause has decides."""
_DENIED = re.compile(r"(?i)\b(?:not|never|no longer)\b|n['’]t\b")


def requested_order(main: str) -> tuple[SuperlativePattern, int] | None:
    """Return the order that a main clause asks for, and the place in it; `None` for none, a denied one, or two."""
    if _DENIED.search(main):
        return None
    places: dict[SuperlativePattern, str] = {}
    for row in SUPERLATIVE_PATTERNS:
        match = re.search(rf"\b(?:(?P<place>[a-z]+|\d+(?:st|nd|rd|th))[\s-])?(?:{row.pattern})\b", main, re.IGNORECASE)
        if match is not None:
            places[row] = match["place"] or ""
    if len({row.most for row in places}) != 1:
        return None
    row, place = next(iter(places.items()))
    return row, ordinal_number(place.lower()) or 1


def ordinal_number(word: str) -> int:
    """Return the number of an ordinal ("second", "3rd"), 0 for another word."""
    digits = re.match(r"\d+(?=st|nd|rd|th)", word)
    return int(digits[0]) if digits else BELOW_HUNDRED.get(ORDINALS.get(word, ""), 0)


def solve_order(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the subject at the place that a superlative asks for, after values were shifted, scaled, set or removed."""
    order = requested_order(problem.conditional.main) if problem.answer_type is AnswerType.NAME else None
    if order is None:
        return
    superlative, place = order
    cue_stems = frozenset(map(passage_stem, superlative.cue_words.split()))
    stems = content_word_stems(problem.question) | cue_stems
    wished = stems if problem.conditional.changes else content_word_stems(problem.conditional.main) | cue_stems
    fitting = [table for table in value_tables(problem, stems) if superlative.fits(table.attribute, wished)]
    tables = [edit_by_clause(problem, table) for table in fitting]
    edited_tables = [(max(row.fit(stems) for row, _ in table.changed), len(table.rows), table) for table in tables if table.edits]
    for _, _, table in sorted(edited_tables, key=lambda entry: entry[:2], reverse=True):
        descending = superlative.first_is_most(table.attribute)
        before = [row for _, row in table.ranked(descending, before=True)]
        first = table.nth(place, descending)
        if first is None or any(amount is None and before.index(row) >= place for row, amount in table.changed):
            continue
        sure = 0.9 if all(edit.operation is EditOperation.SHIFT for edit in table.edits) else 0.7
        yield name_solution("compare", sure, first, table.edits, table.consequences(descending, place + 1))
        return


class ExposureProcess(NamedTuple):
    """A process, what it does first, the quality that decides who is first, and the measure of that quality."""

    supposed: str
    happens: str
    decides: str
    measure: str
    example: str


EXPOSURE_PROCESSES = tuple(starmap(ExposureProcess, read_pattern_table(_DATA / "exposures.tsv")))
"""The processes, each with an example."""
_FIRST = re.compile(r"(?i)\b(?:first|earliest|soonest|before (?:all|any) others?|initially)\b")


def exposure_process(clause: str, main: str) -> ExposureProcess | None:
    """Return the process that a question supposes, where it asks whom that process reaches first."""
    if _FIRST.search(main):
        for process in EXPOSURE_PROCESSES:
            if re.search(process.supposed, clause, re.IGNORECASE) and re.search(process.happens, main, re.IGNORECASE):
                return process
    return None


def solve_first_exposed(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the subject that a process reaches first: the one with the stated superlative, else the argmin or argmax."""
    conditional = problem.conditional
    process = exposure_process(conditional.clause, conditional.main)
    if process is None or problem.answer_type not in (AnswerType.NAME, AnswerType.RANK):
        return
    stems = content_word_stems(problem.question)
    edits = (FactEdit(EditOperation.FORCE, conditional.clause, "so"),)
    decides = re.compile(rf"(?i)\b{process.decides.replace('-lying', '')}\b(?:[\s-]lying\b)?")
    sort = {passage_stem(item) for item in re.findall(r"(?:which|what)\s+(\w+)", conditional.main, re.IGNORECASE)}
    stated = [row for row in stated_extremes(problem.passages, decides) if stem_overlap(row.subject.stems, stems) < 0.5]
    if stated:
        row = max(stated, key=lambda row: bool(sort & content_word_stems(row.passage.text[row.fact.end : row.fact.end + 60])))
        yield name_solution("most exposed", 0.7, row, edits, f"first is the {process.decides}: {row.subject.text}")
        return
    order = requested_order(process.decides.partition("-")[0])
    if order is None:
        return
    most = order[0].most
    for table in value_tables(problem, stems):
        first = table.nth(1, most) if table.attribute in process.measure.split() else None
        if first is not None:
            consequence = f"first is the {process.decides}: {table.consequences(most, 2)}"
            yield name_solution("most exposed", 0.7, first, edits, consequence)
            return


_LIGHT_VERBS = frozenset(map(passage_stem, "be been become get take make have hold do go give exist compete enter live".split()))
"""Verbs that do not identify an event without their object."""
_PRIZES = frozenset(
    map(passage_stem, "title award trophy race prize championship tournament election event contest medal post office".split())
)
_ORDER = CUES["order"]
"""The places in an order of events: by their cue, or by their number from its beginning."""
_BOUND = CUES["bound"]
_VERBS = CUES["event"]
_RECIPIENT = re.compile(r"(?i)\b(?:by|to)\s(?:the\s)?$")
_FOLLOWS = re.compile(r"(?i)\b(?:follow|succeed|came|did (?:so|it|the same)|repeated|was next|took over|joined|emulated|matched)")
_NO_EVENT = re.compile(r"(?i)\b(?:not|never|lost|failed|nearly|almost|without|instead of)\b|n['’]t\b")
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
        if row.attribute != DATE or not row.day[0] or _NO_EVENT.search(row.wording):
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
        elif verb in acts and stems & objects:
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
    for row in gone:
        table = table.edit(EditOperation.REMOVE, row, None)
    left = [row for _, row in table.ranked(False)]
    first = table.nth(place, backwards)
    if first is None or any(is_same_name(row.subject, first.subject) for row in gone):
        return
    if cue == "only" and len({row.subject.stems for row in left}) > 1:
        return
    texts = [f"{row.subject.text} {row.fact.text} → gone" for row in gone]
    texts.append(f"left: {', '.join(f'{row.subject.text} {row.fact.text}' for row in left)}")
    yield name_solution("row: remove", 0.9, first, table.edits, "; ".join(texts))


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

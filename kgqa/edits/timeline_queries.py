"""Queries of the dated events of a passage after the "if" moves one of them: ages, other dates, and the time between two."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kgqa.edits.answer_type import DATE_TYPES, AnswerType
from kgqa.edits.cue_patterns import CUES
from kgqa.edits.edit_script import EditOperation, EditProblem, EditSolution, FactEdit, build_solution
from kgqa.edits.fact_table import ParsedPassage
from kgqa.edits.plain_question import plain_main_clause
from kgqa.errors import QuantityInvalid
from kgqa.quantities.dates import add_to_date
from kgqa.quantities.quantity import Date
from kgqa.quantities.quantity_changes import ChangeKind, parse_amount
from kgqa.quantities.quantity_format import format_date
from kgqa.quantities.quantity_parser import dates_in
from kgqa.questions.conditional_parser import ConditionalQuestion, TextSpan
from kgqa.readers.numeric.event_table import EventTable, PassageEvent, event_table, shifted_date
from kgqa.readers.numeric.numeric_question import NumericOperation, NumericQuestion, parse_numeric_question
from kgqa.readers.numeric.passage_tokens import content_lemmas, name_mentions, verb_lemma
from kgqa.readers.numeric.time_queries import answer_time, date_text

_AS_LONG = re.compile(
    r"(?i)\b(?:just |equally |exactly )?as long\b|\bthe same (?:time|length|number of|period)\b|\bequally long\b"
)
_AT_AGE = CUES["age supposed"]
_FOR_LENGTH = CUES["length supposed"]
_MORE = re.compile(r"(?i)\b(?:more|longer|less|fewer|another|additional|extra|later|earlier)\b")
_ENDING = re.compile(r"(?i)\b(?:le(?:ft|ave)|end(?:ed)?|retired?|closed?|stop(?:ped)?|finish(?:ed)?|resign\w*|sold|until|over)\b")
_PRONOUN = re.compile(r"(?i)\b(?:he|she)\b")
_DATE_PHRASE = re.compile(r"(?i)\s*\b(?:in|on|at|by|during|since|until|from)?\s*(?:the year\s)?$")
_UNITS_OF_TYPE = {AnswerType.YEAR: "year", AnswerType.MONTH: "month", AnswerType.WEEKDAY: "weekday", AnswerType.DATE: "date"}
_BIRTH = verb_lemma("born")


def solve_timeline(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield what the dated events come to where the "if" gives an event another date, and the answer speaks of another one."""
    conditional = problem.conditional
    question = parse_numeric_question(plain_main_clause(conditional.main))
    moved_date = _stated_date(conditional)
    if conditional.negated:
        return
    for passage in problem.passages:
        table = event_table(passage.text)
        solution = _solution_by_length(problem, passage, table)
        if solution is None and (moved_date is not None or conditional.changes):
            solution = _solution_by_date(problem, passage, table, question, moved_date)
        if solution is not None:
            yield solution
            return


def _solution_by_length(problem: EditProblem, passage: ParsedPassage, table: EventTable) -> EditSolution | None:
    reached = _date_of_age_or_length(problem, table)
    if reached is None:
        return None
    event, year, edit = reached
    return _solution(passage, event, year, (edit,), f"{format_date(event.date)} → {year}")


def _solution_by_date(
    problem: EditProblem, passage: ParsedPassage, table: EventTable, question: NumericQuestion | None, date: Date | None
) -> EditSolution | None:
    """Return the solution in which an event has the date that the "if" gives it."""
    phrase = _event_phrase(problem.conditional, date)
    event = _event_of(phrase, table)
    made = None if event is None else _new_date(event, problem.conditional, date)
    if event is None or made is None or made == event.date:
        return None
    answer = _answer_after(problem, question, table, event, made)
    if answer is None:
        return None
    text, steps = answer
    operation = EditOperation.REPLACE if date is not None else EditOperation.SHIFT
    edits = (FactEdit(operation, f"date of: {phrase}", format_date(made), format_date(event.date)),)
    return _solution(passage, event, text, edits, "; ".join(steps))


def _date_of_age_or_length(problem: EditProblem, table: EventTable) -> tuple[PassageEvent, str, FactEdit] | None:
    """Return the year that the "if" gives by an age ("had lived to be 80") or by a length ("had held it for only five years")."""
    clause, main = problem.conditional.clause, problem.conditional.main
    age, length = _AT_AGE.search(clause), _FOR_LENGTH.search(clause)
    if problem.answer_type is not AnswerType.YEAR or _MORE.search(clause):
        return None
    if age is not None:
        names = frozenset(stem for name in name_mentions(f"{clause} . {main}") for stem in name.stems)
        number = parse_amount(age["n"])
        born = table.birth(names) or (table.birth(frozenset()) if _PRONOUN.search(clause) else None)
        if number is None or born is None or not 0 < number < 130:
            return None
        made = Date(born[0].year + int(number))
        event = PassageEvent(born[0].start, born[0].end, 0, born[0], frozenset(), names, names, born[1])
        return event, format_date(made), FactEdit(EditOperation.REPLACE, f"age in: {clause}", age["n"])
    if length is None or not _ENDING.search(main):
        return None
    number, phrase = parse_amount(length["n"]), clause[: length.start()]
    begin = table.find(phrase, ends=False)
    made_date = shifted_date(begin.date, number, length["u"].lower()) if begin is not None and number is not None else None
    if begin is None or made_date is None:
        return None
    return begin, str(made_date.year), FactEdit(EditOperation.REPLACE, f"length of: {phrase}", length[0].strip())


def _solution(
    passage: ParsedPassage, event: PassageEvent, text: str, edits: tuple[FactEdit, ...], consequence: str
) -> EditSolution:
    place = TextSpan(event.start, event.end)
    return build_solution("timeline", (1.0,), text, passage, place, edits, consequence, exact=True)


def _stated_date(conditional: ConditionalQuestion) -> Date | None:
    """Return the date that the clause gives to an event ("had been born in 1845"), where it gives only that."""
    dates = [date for date in dates_in(conditional.clause) if date.year]
    if not dates:
        years = re.findall(r"\b(?:in|by|during|until|since) (\d{4})\b", conditional.clause)
        place = conditional.clause.find(years[0]) if len(years) == 1 else -1
        dates = [Date(int(years[0]), text=years[0], start=place, end=place + 4)] if years and place >= 0 else []
    return dates[0] if len(dates) == 1 and not conditional.changes else None


def _event_phrase(conditional: ConditionalQuestion, date: Date | None) -> str:
    """Return the words of the event that a clause moves, without its new date, without the change, and of the first condition."""
    clause = conditional.clause
    if date is not None:
        return f"{_DATE_PHRASE.sub('', clause[: date.start])} {_AS_LONG.sub('', clause[date.end :])}".strip()
    change = conditional.changes[0]
    return f"{clause[: change.start]} {clause[change.end :]}".strip()


def _event_of(phrase: str, table: EventTable) -> PassageEvent | None:
    """Return the event that a phrase means; a birth that follows from an age stands for itself."""
    event = table.find(phrase)
    if event is not None or _BIRTH not in content_lemmas(phrase):
        return event
    born = table.birth(frozenset(content_lemmas(phrase)))
    if born is None:
        return None
    lemmas = frozenset(content_lemmas(phrase))
    return PassageEvent(0, 0, 0, born[0], lemmas, lemmas, lemmas, born[1])


def _new_date(event: PassageEvent, conditional: ConditionalQuestion, date: Date | None) -> Date | None:
    if date is not None:
        return Date(date.year, date.month, date.day)
    change = conditional.changes[0]
    if change.how is not ChangeKind.LATER or len(conditional.changes) != 1:
        return None
    return shifted_date(event.date, change.amount, change.unit)


def _answer_after(
    problem: EditProblem, question: NumericQuestion | None, table: EventTable, event: PassageEvent, made: Date
) -> tuple[str, tuple[str, ...]] | None:
    """Return the answer of the table in which an event has a new date: an age, a length, or the date of what depends on it."""
    clause, asks_date = problem.conditional.clause, problem.answer_type in DATE_TYPES
    if question is not None and question.operation in (NumericOperation.AGE, NumericOperation.ELAPSED):
        answer = answer_time(question, _with_date(table, event, made))
        former = answer_time(question, table)
        return (answer.text, answer.trace) if answer is not None and former is not None and answer.text != former.text else None
    unit = _UNITS_OF_TYPE.get(problem.answer_type, "")
    if not asks_date or question is None or question.operation is not NumericOperation.DATE or not unit:
        return None
    if _AS_LONG.search(clause):
        dependent = table.find(question.first[0])
        moved = _moved_like(dependent, event, made) if dependent is not None and dependent != event else None
        answer = date_text(moved, unit, "") if moved is not None else None
        return (answer.text, (f"{format_date(event.date)} → {format_date(made)}",)) if answer is not None else None
    answer = answer_time(replace(question, unit=unit), _with_date(table, event, made))
    former = answer_time(replace(question, unit=unit), table)
    changed = answer is not None and (former is None or answer.text != former.text)
    return (answer.text, answer.trace) if answer is not None and changed else None


def _with_date(table: EventTable, event: PassageEvent, date: Date) -> EventTable:
    """Return a table in which an event has another date; a birth that is moved makes the stated ages void."""
    events = tuple(replace(entry, date=date, step=entry.step) if entry == event else entry for entry in table.events)
    if event not in table.events:
        events = (replace(event, date=date, step="as supposed"), *events)
    return replace(table, events=events, ages=() if _BIRTH in event.lemmas else table.ages)


def _moved_like(dependent: PassageEvent, event: PassageEvent, made: Date) -> Date | None:
    """Return the date of an event that keeps its distance from one that is moved."""
    date, months = dependent.date, made.month - event.date.month if made.month and event.date.month else 0
    try:
        return add_to_date(date, years=made.year - event.date.year, months=months if date.month else 0)
    except QuantityInvalid:
        return None

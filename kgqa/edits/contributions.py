"""A total without what an event added to it or took from it: "revenue of £84 million", of which a contract brought £12 million.

The total is the amount that a reader finds for the main clause. The part is the amount of the same measure, or for a time of the
day the length of time, that stands nearest to the words of the "if". Which way it goes is told by the words beside both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.cue_patterns import CUES
from kgqa.edits.edit_script import EditOperation, EditProblem, EditSolution, FactEdit, build_solution
from kgqa.edits.fact_table import ParsedPassage
from kgqa.quantities.quantity_format import format_quantity
from kgqa.questions.conditional_parser import TextSpan
from kgqa.readers.numeric.amount_table import AmountRow, AmountTable, amount_table
from kgqa.readers.numeric.passage_tokens import content_lemmas
from kgqa.readers.reader import AnswerKind

_LEAST_FIT, _MARGIN, _NEAR = 0.2, 1.5, 0.3
"""The least share of the words of an "if" that stand near its part, how many times less those near another,
and what a word counts that stands in a sentence beside."""
_LEAST_TOTAL = 0.05
"""The least score of the candidate of a reader that is the total."""
_REACH = 2


def solve_contribution(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the total without the part that the event of the "if" made, or with what that took away."""
    conditional = problem.conditional
    if problem.answer_type is AnswerType.WHETHER or conditional.changes or not CUES["asks amount"].search(conditional.main):
        return
    for passage in problem.passages:
        table = amount_table(passage.text)
        total, score = _total(problem, passage, table)
        part = _part(problem, table, total) if total is not None else None
        if total is None or part is None:
            continue
        sign = _sign(conditional.main, table, total, part[0])
        value = total.quantity.value + sign * part[0].quantity.value * _factor(total, part[0])
        if not sign or value <= 0:
            continue
        answer = _text_of(total, value)
        place = TextSpan(total.start, total.quantity.end)
        change = f"{'-' if sign < 0 else '+'}{part[0].quantity.text}"
        edits = (FactEdit(EditOperation.SHIFT, total.wording.strip(" ,;."), change, total.quantity.text),)
        why = f"{total.quantity.text} {'-' if sign < 0 else '+'} {part[0].quantity.text}"
        yield build_solution("contribution", (min(1.0, part[1] + score),), answer, passage, place, edits, why)


def _total(problem: EditProblem, passage: ParsedPassage, table: AmountTable) -> tuple[AmountRow | None, float]:
    """Return the amount that the likeliest candidate of a reader is, and how likely that is."""
    wanted = frozenset(content_lemmas(problem.conditional.main))
    for candidate in problem.candidates:
        spans = candidate.kind in (AnswerKind.SPAN, AnswerKind.NUMBER) and candidate.passage == passage.number
        start, end = candidate.start, candidate.end
        if not spans or start is None or end is None or candidate.score < _LEAST_TOTAL:
            continue
        rows = [row for row in table.rows if not row.step and row.start < end and start < row.quantity.end]
        rows = [next((whole for whole in table.rows if whole.start == row.whole), row) for row in rows]
        if len(rows) == 1 and (rows[0].measure == "clock" or wanted & (rows[0].clause | rows[0].nouns)):
            return rows[0], candidate.score
    clocks = [row for row in table.rows if row.measure == "clock" and CUES["arrives"].search(row.wording)]
    return (clocks[0], _LEAST_TOTAL) if len(clocks) == 1 and CUES["arrives"].search(problem.conditional.main) else (None, 0.0)


def _part(problem: EditProblem, table: AmountTable, total: AmountRow) -> tuple[AmountRow, float] | None:
    """Return the amount that stands nearest to the words of the "if", where no other does as near, and how near it does."""
    conditional = problem.conditional
    wanted = frozenset(content_lemmas(conditional.clause)) - frozenset(content_lemmas(conditional.main))
    sentences = [frozenset(content_lemmas(table.text[begin:end])) for begin, end in table.sentences]
    fits: list[tuple[float, AmountRow]] = []
    for row in table.rows:
        kind = "time" if total.measure == "clock" else total.measure
        if row.step or row is total or row.measure != kind or (kind == "money" and row.quantity.unit != total.quantity.unit):
            continue
        low, high = max(0, row.at - _REACH), row.at + _REACH + 1
        if not conditional.negated and not any(
            CUES["contrary fact"].search(table.text, *table.sentences[at])
            for at in range(max(0, row.at - 1), min(row.at + 2, len(sentences)))
            if wanted & sentences[at]
        ):
            continue
        near = frozenset[str]().union(*sentences[low:high])
        held = sum(1.0 if lemma in row.clause else 0.6 if lemma in row.sentence else _NEAR * (lemma in near) for lemma in wanted)
        fits.append((held / max(1, len(wanted)), row))
    fits = [item for item in fits if kind != total.measure or item[1].quantity.value < total.quantity.value or _adds(item[1])]
    fits.sort(key=lambda item: -item[0])
    if not fits or fits[0][0] < _LEAST_FIT or (len(fits) > 1 and fits[0][0] < _MARGIN * fits[1][0]):
        return None
    return fits[0][1], fits[0][0]


def _adds(row: AmountRow) -> bool:
    return CUES["takes away"].search(row.wording) is not None


def _sign(main: str, table: AmountTable, total: AmountRow, part: AmountRow) -> int:
    """Return whether the total is less (-1) or more (1) without the part; 0 where nothing tells."""
    if total.measure == "clock":
        return -1 if CUES["takes time"].search(table.text, *table.sentences[part.at]) else 0
    if part.whole == total.start:
        return -1
    costs, gives = (CUES[name].search(part.wording) is not None for name in ("takes away", "brings in"))
    if CUES["expense"].search(main):
        return -1 if costs else 0
    if costs is gives:
        return 0
    return 1 if costs else -1


def _factor(total: AmountRow, part: AmountRow) -> int:
    return 60 if total.measure == "clock" and part.quantity.unit.startswith("hour") else 1


def _text_of(total: AmountRow, value: Fraction) -> str:
    made = replace(total.quantity, value=value)
    text = format_quantity(made, total.quantity)
    return text.replace(":", ".") if total.measure == "clock" and ":" not in total.quantity.text else text

"""What else happens on a date to which an event is moved: events are matched by their dates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgqa.intervention.passages.asked import AnswerType
from kgqa.intervention.passages.names import content_word_stems, name_mentions, stem_overlap
from kgqa.intervention.passages.problem import EditProblem, EditSolution, build_solution
from kgqa.intervention.passages.script import EditOperation, EditScript, FactEdit
from kgqa.quantities.model import Date
from kgqa.quantities.reading import dates_in

_RIVAL = re.compile(
    r"\b(?:compet\w*|rival\w*|clash\w*|coincid\w*|alongside|same (?:day|date|time|week|weekend)|up "
    r"against|opposite|share\w*|faced?|head-to-head)\b",
    re.IGNORECASE,
)


def solve_shared_date(problem: EditProblem) -> Iterator[EditSolution]:
    """Yield the name that stands nearest to the date which an event is given, and is not that of the event itself."""
    if problem.answer_type is not AnswerType.NAME or not _RIVAL.search(problem.conditional.main):
        return
    days = [date for date in dates_in(problem.conditional.clause) if date.day]
    if not days:
        return
    day = days[-1]
    moved = content_word_stems(problem.conditional.clause)
    best: tuple[int, EditSolution] | None = None
    for passage in problem.passages:
        other_names = [name for name in name_mentions(passage.text) if stem_overlap(name.stems, moved) < 0.5]
        for fact in passage.facts:
            value = fact.value
            if (
                not isinstance(value, Date)
                or (value.month, value.day) != (day.month, day.day)
                or value.year not in (0, day.year or value.year)
            ):
                continue
            start, end = passage.sentences[fact.sentence]
            for name in other_names:
                if not start <= name.start < end:
                    continue
                gap = fact.start - name.end if name.end <= fact.start else name.start - fact.end + 15
                if best is None or gap < best[0]:
                    edit = FactEdit(EditOperation.REPLACE, f"date of: {problem.conditional.clause}", day.text, "its own date")
                    made = build_solution(
                        name.text,
                        passage,
                        name.start,
                        name.end,
                        EditScript((edit,)),
                        "same date",
                        (0.8 if gap < 60 else 0.4,),
                        f"on {day.text} is also {name.text}",
                    )
                    best = gap, made
    if best is not None:
        yield best[1]

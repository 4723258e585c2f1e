"""What else happens on a date to which an event is moved: events are matched by their dates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgqa.intervention.passages.asked import Sought
from kgqa.intervention.passages.names import alike, names, stems_of
from kgqa.intervention.passages.problem import Problem, Solution, solution
from kgqa.intervention.passages.script import Edit, Operation, Script
from kgqa.quantities.model import Date
from kgqa.quantities.reading import dates

_RIVAL = re.compile(
    r"\b(?:compet\w*|rival\w*|clash\w*|coincid\w*|alongside|same (?:day|date|time|week|weekend)|up "
    r"against|opposite|share\w*|faced?|head-to-head)\b",
    re.IGNORECASE,
)


def meeting(problem: Problem) -> Iterator[Solution]:
    """Yield the name that stands nearest to the date which an event is given, and is not that of the event itself."""
    if problem.sought is not Sought.NAME or not _RIVAL.search(problem.asked.main):
        return
    days = [date for date in dates(problem.asked.clause) if date.day]
    if not days:
        return
    day = days[-1]
    moved = stems_of(problem.asked.clause)
    best: tuple[int, Solution] | None = None
    for passage in problem.passages:
        others = [name for name in names(passage.text) if alike(name.stems, moved) < 0.5]
        for fact in passage.facts:
            value = fact.value
            if (
                not isinstance(value, Date)
                or (value.month, value.day) != (day.month, day.day)
                or value.year not in (0, day.year or value.year)
            ):
                continue
            start, end = passage.sentences[fact.sentence]
            for name in others:
                if not start <= name.start < end:
                    continue
                gap = fact.start - name.end if name.end <= fact.start else name.start - fact.end + 15
                if best is None or gap < best[0]:
                    edit = Edit(Operation.REPLACE, f"date of: {problem.asked.clause}", day.text, "its own date")
                    made = solution(
                        name.text,
                        passage,
                        name.start,
                        name.end,
                        Script((edit,)),
                        "same date",
                        (0.8 if gap < 60 else 0.4,),
                        f"on {day.text} is also {name.text}",
                    )
                    best = gap, made
    if best is not None:
        yield best[1]

"""Totals without what an event brought to them or took from them."""

from __future__ import annotations

import pytest

from kgqa.edits.edit_solver import solve_conditional
from kgqa.readers.reader import AnswerKind, Candidate, Passage

ACCOUNTS = (
    "The society took £5,400 at the gate and spent £3,900, leaving a profit of £1,500. The spending included £450 for a "
    "second band, hired because the first had missed its train. Its choir tour, which took place only because the Basel "
    "hall was closed, brought in £700."
)
COACH = (
    "The coach leaves Bergen at 7.50 and arrives at 13.20. It halts for forty minutes at Lom, where the cook is the "
    "driver's brother."
)


@pytest.mark.parametrize(
    ("text", "question", "total", "answer"),
    [
        (ACCOUNTS, "What would the profit have been if the first band had not missed its train?", "£1,500", "£1,950"),
        (ACCOUNTS, "What would the profit have been if the Basel hall had not been closed?", "£1,500", "£800"),
        (COACH, "When would the coach arrive if it did not halt at Lom?", "13.20", "12.40"),
        (ACCOUNTS, "What would the profit have been if the tent had not burnt down?", "£1,500", None),
    ],
)
def test_an_if_takes_the_part_that_its_event_made_from_the_total(
    text: str, question: str, total: str, answer: str | None
) -> None:
    start = text.index(total)
    read = [Candidate(total, 0.5, AnswerKind.SPAN, 0, start, start + len(total))]
    solutions, _ = solve_conditional(question, [Passage(text)], read)
    assert next((item.candidate.text for item in solutions if item.rule == "contribution"), None) == answer

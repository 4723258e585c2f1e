"""What holds of every edit script: examples of the tables are read as they say, and changed numbers give changed answers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgqa.intervention.passages.answering import worked_out
from kgqa.intervention.passages.asked import FORMS as ASKED_FORMS
from kgqa.intervention.passages.asked import Row as AskedRow
from kgqa.intervention.passages.asked import sought
from kgqa.intervention.passages.changes import changes
from kgqa.intervention.passages.extremes import PROCESSES, process_of
from kgqa.intervention.passages.former import ROWS, told_by
from kgqa.intervention.passages.forms import FORMS, Form
from kgqa.intervention.passages.queries import queries
from kgqa.intervention.passages.rewriting import rewritten
from kgqa.intervention.passages.supposition import supposed
from kgqa.reading.model import Passage

UNITS = {"year": 1, "decade": 10, "century": 100}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.example)
def test_a_form_of_change_reads_its_example(form: Form) -> None:
    found = changes(form.example)
    assert found
    assert found[0].how is form.how


@pytest.mark.parametrize("row", ASKED_FORMS, ids=lambda row: row.example)
def test_a_form_of_main_clause_reads_its_example(row: AskedRow) -> None:
    assert sought(row.example) is row.sought


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_former_state_is_read_from_its_example(row: object) -> None:
    assert any(name == getattr(row, "name", "") for name, _ in told_by(getattr(row, "example", "")))


@pytest.mark.parametrize("process", PROCESSES, ids=lambda process: process.decides + process.example[:20])
def test_a_process_is_known_by_its_example(process: object) -> None:
    asked = supposed(getattr(process, "example", ""))
    assert asked is not None
    assert process_of(asked.clause, asked.main) is process


@settings(max_examples=60, deadline=None)
@given(st.integers(1500, 2010), st.integers(1, 30), st.sampled_from(sorted(UNITS)), st.booleans(), st.booleans())
def test_a_year_is_moved_by_what_the_question_says(year: int, amount: int, unit: str, later: bool, postponed: bool) -> None:
    text = f"The bridge was opened in {year} by the mayor. It is painted green."
    plural = {"century": "centuries"}.get(unit, f"{unit}s") if amount > 1 else unit
    how = f"{amount} {plural} {'later' if later else 'earlier'}"
    clause = (
        f"the opening of the bridge had been postponed by {amount} {plural}"
        if later and postponed
        else f"the bridge had been opened {how}"
    )
    found = worked_out(f"If {clause}, in which year would it have been opened?", [Passage(text)])
    expected = year + UNITS[unit] * amount * (1 if later else -1)
    if expected > 0:
        assert found.solutions[0].candidate.text == str(expected)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 9000), st.integers(1, 9000), st.booleans())
def test_a_number_grows_or_shrinks_and_is_never_negative(number: int, amount: int, more: bool) -> None:
    text = f"The club has {number} members and plays in the old stadium."
    question = f"If the club had {amount} {'more' if more else 'fewer'} members, how many members would it have?"
    found = worked_out(question, [Passage(text)])
    expected = number + amount if more else number - amount
    if expected >= 0:
        assert found.solutions[0].candidate.text.replace(",", "") == str(expected)
    else:
        assert found.solutions == ()


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=200),
    st.text(max_size=300),
    st.sampled_from(["If {}, how many would there be?", "{}", "If {} were doubled, when would {} be?"]),
)
def test_no_question_and_no_passage_raises(clause: str, text: str, form: str) -> None:
    question = form.replace("{}", clause)
    for solution in worked_out(question, [Passage(text)]).solutions:
        assert 0 <= solution.candidate.score <= 1
        assert solution.candidate.text
        assert solution.script.shown()
    assert isinstance(rewritten(question), str)
    assert len(queries(question)) == 3


def test_the_queries_are_the_whole_the_main_clause_and_the_fact() -> None:
    asked = queries("If Mount Everest had not been climbed in 1953, who would have been first?")
    assert asked.main == "who was first"
    assert asked.fact == "Mount Everest was climbed in 1953"
    flooded = queries("If the sea level continues to rise, which country is likely to be submerged first?")
    assert flooded.fact == "lowest-lying country in the world"


def test_a_question_is_rewritten_as_a_fact_and_a_plain_question() -> None:
    asked = "If the film hadn't been delayed, in which year would it have been released?"
    assert rewritten(asked) == "The film was delayed. In which year was it released?"
    assert rewritten("Why is the sky blue?") == "Why is the sky blue?"

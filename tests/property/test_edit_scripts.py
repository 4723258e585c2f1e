"""What holds of every edit script: examples of the tables are read as they say, and changed numbers give changed answers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.text.pattern_tables import read_pattern_table
from kgqa import edits
from kgqa.edits.answer_type import ANSWER_TYPE_PATTERNS as ASKED_FORMS
from kgqa.edits.answer_type import AnswerTypePattern as AskedRow
from kgqa.edits.answer_type import answer_type_of
from kgqa.edits.cue_patterns import CUES
from kgqa.edits.edit_solver import solve_conditional
from kgqa.edits.order_queries import EXPOSURE_PROCESSES, exposure_process
from kgqa.edits.plain_question import rewrite_without_condition
from kgqa.edits.prior_states import PRIOR_STATE_PATTERNS, PriorStatePattern
from kgqa.quantities.quantity_changes import ChangePattern, change_patterns, find_changes
from kgqa.questions.conditional_parser import parse_conditional
from kgqa.readers.reader import Passage
from kgqa.retrieval.retrievers import query_variants

CUE_ROWS = read_pattern_table(Path(edits.__path__[0]) / "data" / "cues.tsv")
UNITS = {"year": 1, "decade": 10, "century": 100}


@pytest.mark.parametrize("form", change_patterns(), ids=lambda form: form.example)
def test_a_form_of_change_reads_its_example(form: ChangePattern) -> None:
    found = find_changes(form.example)
    assert found
    assert found[0].how is form.how


@pytest.mark.parametrize("row", ASKED_FORMS, ids=lambda row: row.example)
def test_a_form_of_main_clause_reads_its_example(row: AskedRow) -> None:
    assert answer_type_of(row.example) is row.answer_type


@pytest.mark.parametrize("row", PRIOR_STATE_PATTERNS, ids=lambda row: row.name)
def test_a_former_state_is_read_from_its_example(row: PriorStatePattern) -> None:
    assert re.search(row.pattern, row.example)


@pytest.mark.parametrize(("name", "example"), [(name, example) for name, _, example in CUE_ROWS], ids=lambda text: text)
def test_a_cue_is_found_in_its_example(name: str, example: str) -> None:
    assert CUES[name].search(example.partition("_")[0])


@pytest.mark.parametrize("process", EXPOSURE_PROCESSES, ids=lambda process: process.decides + process.example[:20])
def test_a_process_is_known_by_its_example(process: object) -> None:
    asked = parse_conditional(getattr(process, "example", ""))
    assert asked is not None
    assert exposure_process(asked.clause, asked.main) is process


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
    found = solve_conditional(f"If {clause}, in which year would it have been opened?", [Passage(text)])
    expected = year + UNITS[unit] * amount * (1 if later else -1)
    if expected > 0:
        assert found.solutions[0].candidate.text == str(expected)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 9000), st.integers(1, 9000), st.booleans())
def test_a_number_grows_or_shrinks_and_is_never_negative(number: int, amount: int, more: bool) -> None:
    text = f"The club has {number} members and plays in the old stadium."
    question = f"If the club had {amount} {'more' if more else 'fewer'} members, how many members would it have?"
    found = solve_conditional(question, [Passage(text)])
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
    for solution in solve_conditional(question, [Passage(text)]).solutions:
        assert 0 <= solution.candidate.score <= 1
        assert solution.candidate.text
        assert solution.edits
    conditional = parse_conditional(question)
    assert conditional is None or isinstance(rewrite_without_condition(conditional), str)
    assert query_variants(question).whole == " ".join(question.split())


def test_the_queries_are_the_whole_the_main_clause_and_the_fact() -> None:
    asked = query_variants("If Mount Everest had not been climbed in 1953, who would have been first?")
    assert asked.main == "who was first"
    assert asked.factual == "Mount Everest was climbed in 1953"
    flooded = query_variants("If the sea level continues to rise, which country is likely to be submerged first?")
    assert flooded.factual == "lowest-lying country in the world"


def test_a_question_is_rewritten_as_a_fact_and_a_plain_question() -> None:
    asked = "If the film hadn't been delayed, in which year would it have been released?"
    conditional = parse_conditional(asked)
    assert conditional is not None
    assert rewrite_without_condition(conditional) == "The film was delayed. In which year was it released?"
    assert parse_conditional("Why is the sky blue?") is None

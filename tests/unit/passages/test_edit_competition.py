"""How a reader's answers and those of edits compete."""

from __future__ import annotations

from dataclasses import replace

from kgqa.edits.answer_type import AnswerType
from kgqa.edits.edit_solver import solve_conditional
from kgqa.passages.edit_competition import are_edits_settled, date_as_asked, rank_answers
from kgqa.questions.conditional_parser import parse_conditional
from kgqa.readers.reader import AnswerKind, Candidate, Passage

TEXT = "The dam at Elmstead was built in 1960 by four hundred workers from Harrow."
MOVED = "If the dam at Elmstead had been built ten years later, in which year would it have been built?"


def span(words: str, score: float, kind: AnswerKind = AnswerKind.SPAN) -> Candidate:
    start = TEXT.index(words)
    return Candidate(words, score, kind, 0, start, start + len(words))


def ranked(question: str, whole: list[Candidate], plain: list[Candidate], edits: bool = True) -> list[str]:
    asked = parse_conditional(question)
    assert asked is not None
    solutions = solve_conditional(question, [Passage(TEXT)], whole).solutions if edits else ()
    return [one.candidate.text for one in rank_answers(asked, whole, plain, solutions)]


def test_what_an_edit_starts_from_does_not_win_over_what_it_comes_to() -> None:
    assert ranked(MOVED, [span("1960", 0.8)], [span("1960", 0.9)])[0] == "1970"


def test_an_answer_found_with_and_without_the_if_wins_over_one_found_once() -> None:
    question = "If the dam had not been built, who would have lost work?"
    found = ranked(question, [span("Harrow", 0.4), span("four hundred workers", 0.38)], [span("four hundred workers", 0.4)])
    assert found[0] == "four hundred workers"


def test_probabilities_are_between_0_and_1_and_each_answer_stands_once() -> None:
    asked = parse_conditional(MOVED)
    assert asked is not None
    found = rank_answers(
        asked, [span("1960", 0.9), span("Harrow", 0.0)], [span("1960", 1.0), Candidate("", 0.5, AnswerKind.NULL)], ()
    )
    assert sorted(one.candidate.text for one in found) == ["1960", "Harrow"]
    assert all(0 < one.candidate.score < 1 for one in found)


def test_nobody_has_an_answer_where_nothing_was_found() -> None:
    assert ranked("If the sea were green, who would be glad?", [Candidate("", 0.9, AnswerKind.NULL)], []) == []


def test_a_date_is_said_as_it_is_asked_for() -> None:
    assert date_as_asked("5 August 1979", AnswerType.DATE) == "August 5, 1979"
    assert date_as_asked("5 August 1979", AnswerType.YEAR) == "1979"
    assert date_as_asked("5 August 1979", AnswerType.NAME) == "5 August 1979"
    assert date_as_asked("the 1979 fair", AnswerType.DATE) == "the 1979 fair"


def test_where_the_edits_are_sure_the_question_is_not_read_without_its_if() -> None:
    asked = parse_conditional(MOVED)
    assert asked is not None
    sure = solve_conditional(MOVED, [Passage(TEXT)], [span("1960", 0.9)]).solutions
    assert are_edits_settled(asked, [span("1960", 0.9)], sure)
    assert not are_edits_settled(asked, [span("1960", 0.9)], ())
    unsure = [replace(one, candidate=replace(one.candidate, score=0.3), exact=False) for one in sure]
    assert not are_edits_settled(asked, [span("Harrow", 0.9)], unsure)

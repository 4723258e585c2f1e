"""What the form of a question asks for, and answers made tidy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgqa.questions.question_form import QuestionForm, question_form_of
from kgqa.readers.answer_normalisation import normalise_answer, trim_span

FORMS = {
    "Does smoking cause cancer?": QuestionForm.WHETHER,
    "isn't it so": QuestionForm.WHETHER,
    "Would Everest be the highest mountain if it were 300 m lower?": QuestionForm.WHETHER,
    "If the dam had broken, would the town have been flooded?": QuestionForm.WHETHER,
    "If Ann, who led the team, had left, would they have won?": QuestionForm.WHETHER,
    "Were it not for the rain, would the match go on?": QuestionForm.WHETHER,
    "What causes cancer?": QuestionForm.OPEN,
    "In which year did it end?": QuestionForm.OPEN,
    "Name the river.": QuestionForm.OPEN,
    "If the dam had broken, how many towns would be flooded?": QuestionForm.OPEN,
    "If Titan, a moon of Saturn, did not exist, which moon would be the largest?": QuestionForm.OPEN,
    "If he had stayed, according to whom would he be king?": QuestionForm.OPEN,
    "Had he stayed, who would be king?": QuestionForm.OPEN,
    "Should the dam break, how many towns would be flooded?": QuestionForm.OPEN,
    "Was it in Paris or in London?": QuestionForm.UNCLEAR,
    "If he had trained, could he have beaten which rival?": QuestionForm.UNCLEAR,
    "last king of france": QuestionForm.UNCLEAR,
    "": QuestionForm.UNCLEAR,
    "?!": QuestionForm.UNCLEAR,
}

TIDY = [
    ("It was the Cleveland Cavaliers, then", "the Cleveland Cavaliers,", "Cleveland Cavaliers"),
    ("costs 1,500.5 dollars", "500", "1,500.5"),
    ("costs 1,500.5 dollars", "500.", "1,500.5"),
    ("in the U.S. today", "the U.S.", "U.S."),
    ("Martin Luther King Jr. said", "King Jr.", "King Jr."),
    ("He won. Then", "won.", "won"),
    ('called "Deep Purple" by', '"Deep Purple', "Deep Purple"),
    ("Paris (France) is", "Paris (France", "Paris (France)"),
    ("Paris (France, which is far from here and has no end, and so on for a while, is", "Paris (France", "Paris"),
    ("(born 1950) was", "born 1950)", "born 1950"),
    ("a “Big Bang” in", "“Big Bang", "Big Bang"),
    ("by -5 degrees", "-5 degrees", "-5 degrees"),
    ("The Beatles are", "The Beatles", "The Beatles"),
    ("worth $5.2 million", "$5", "$5.2"),
    ("went to the", "went to the", "went"),
    ("x ... y", "...", ""),
    ("((((", "((((", ""),
]


@pytest.mark.parametrize("question", FORMS)
def test_the_form_is_that_of_the_main_clause(question: str) -> None:
    assert question_form_of(question) is FORMS[question]


@pytest.mark.parametrize(("text", "span", "wanted"), TIDY)
def test_an_answer_is_tidy(text: str, span: str, wanted: str) -> None:
    start = text.index(span)
    low, high = trim_span(text, start, start + len(span))
    assert text[low:high] == wanted


def test_an_empty_answer_stays_where_it_is() -> None:
    assert trim_span("11111.1", 5, 5) == (5, 5)


@given(st.text(alphabet="aA1,.5 \"“”()[]'’-\r\n😀", max_size=30), st.data())
def test_tidying_ends_and_stays_inside_the_text(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    low, high = trim_span(text, start, end)
    assert 0 <= low <= high <= len(text)
    assert low == high or any(map(str.isalnum, text[low:high]))
    assert low == high or trim_span(text, low, high) == (low, high)


@given(st.text(max_size=60))
def test_every_text_has_a_form(text: str) -> None:
    assert question_form_of(text) in QuestionForm


def test_answers_are_compared_without_articles_case_and_punctuation() -> None:
    assert normalise_answer("The  Cleveland-Cavaliers!") == normalise_answer("cleveland cavaliers")
    assert normalise_answer("the") == "the"

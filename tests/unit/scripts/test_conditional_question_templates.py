"""The tables of questions by rule: each example gives its question, and what cannot stand alone gives none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts" / "training"))

from made_questions.article_passages import Found, Subject, about, grams, sentences
from made_questions.conditional_questions import asked, drawn
from made_questions.english_forms import participle, pronoun_of
from made_questions.question_templates import Template, templates


def ground(text: str, subject: Subject | None = None, before: str = "") -> Found:
    """A sentence that is a whole passage."""
    return Found(subject or Subject("Somebody Else"), text, 0, len(text), before)


@pytest.mark.parametrize("template", templates(), ids=lambda template: f"{template.source}-{template.name}")
def test_a_template_makes_its_question_of_its_example(template: Template) -> None:
    made = [row for row in asked(ground(template.example)) if row.id.startswith(f"{template.source}-{template.name}-")]
    assert [row.question for row in made] == [template.question]
    (start, end) = made[0].spans[0]
    assert template.example[start:end].lower().removeprefix("the ") == template.answer.lower().removeprefix("the ")


def test_a_pronoun_is_the_subject_of_the_article_where_the_sentence_before_is_about_it() -> None:
    subject = Subject("Grace Kelly", "American actress", "actress", "she")
    text = "She married Prince Rainier in 1956."
    questions = [row.question for row in asked(ground(text, subject, "Kelly left Hollywood when she was twenty-six."))]
    assert questions
    assert all("Grace Kelly" in question for question in questions)


def test_a_pronoun_that_may_be_anybody_gives_no_question() -> None:
    subject = Subject("Monaco", "city-state", "city-state", "it")
    assert not list(asked(ground("She married Prince Rainier in 1956.", subject, "The wedding was a great event.")))


def test_no_question_holds_its_answer() -> None:
    for template in templates():
        for row in asked(ground(template.example)):
            if row.kind == "span":
                assert row.answers[0].lower() not in row.question.lower()


def test_the_same_sentences_and_seed_give_the_same_rows() -> None:
    several = [ground(template.example) for template in templates()]
    assert drawn(several, 50, set()) == drawn(several, 50, set())


def test_a_passage_that_shares_a_run_of_words_with_a_measured_one_is_left_out() -> None:
    text = "Ernest Hemingway won the Pulitzer Prize for the novel The Old Man."
    assert drawn([ground(text)], 50, set())
    assert not drawn([ground(text)], 50, grams(f"It is known that {text}"))


def test_no_template_makes_more_than_its_share() -> None:
    several = [ground(f"Daniel Vierge{'e' * number} was born in Madrid.") for number in range(40)]
    rows = [row for row in drawn(several, 50, set()) if row.source == "made-if"]
    assert len(rows) == 3


def test_only_whole_sentences_of_a_passage_are_asked_about() -> None:
    passage = "of the old town. The Eiffel Tower of Paris was completed in the year of 1889. It was built by the company of"
    assert [passage[start:end] for start, end in sentences(passage)] == [
        "The Eiffel Tower of Paris was completed in the year of 1889."
    ]


def test_what_an_article_is_about_is_read_from_its_beginning() -> None:
    subject = about("Blade Runner (film)", '"Blade Runner" is a 1982 American science fiction film directed by Ridley Scott.')
    assert (subject.title, subject.kind, subject.work) == ("Blade Runner", "film", True)


@pytest.mark.parametrize(
    ("verb", "form"), [("wrote", "written"), ("adopt", "adopted"), ("carry", "carried"), ("plan", "planned")]
)
def test_a_participle_is_made_of_any_form(verb: str, form: str) -> None:
    assert participle(verb) == form


def test_a_name_tells_its_pronoun_where_it_can() -> None:
    assert [pronoun_of(name) for name in ("Grace Kelly", "George Gershwin", "The Hague", "Pelé")] == ["she", "he", "it", ""]

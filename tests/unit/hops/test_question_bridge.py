"""Questions in which a description is replaced by the name of what it means."""

from __future__ import annotations

import pytest

from kgqa.hops.question_bridge import bridge_question, shown_title
from kgqa.hops.word_lemmas import lemma_set

CASES = [
    (
        "Scott was born in Cooksville, near the town of Normal.",
        "When was the town Scott was born in founded?",
        "Cooksville",
        "When was Cooksville founded?",
    ),
    (
        "The draft of 2016 was held in the Auditorium Theatre in Chicago.",
        "What year was the theatre that held the 2016 draft built?",
        "Auditorium Theatre",
        "What year was Auditorium Theatre built?",
    ),
    (
        "He met with officials in a villa near Berlin in January 1942, at the conference.",
        "How many people attended the conference held near Berlin in January 1942?",
        "Wannsee Conference",
        "How many people attended Wannsee Conference?",
    ),
    (
        "Weber was born in Cooksville.",
        "Where was the founder of the town that Weber was born in born?",
        "Cooksville",
        "Where was the founder of Cooksville born?",
    ),
    (
        "Schopenhauer shared the view of the state of Hobbes.",
        "Where was the philosopher born whose view of the state Schopenhauer shared?",
        "Thomas Hobbes",
        "Where was Thomas Hobbes born?",
    ),
    ("The bird lives in Peru.", "What is the capital of this country?", "Peru", "What is the capital of Peru?"),
]


@pytest.mark.parametrize(("passage", "question", "name", "bridged"), CASES)
def test_a_description_gives_way_to_the_name(passage: str, question: str, name: str, bridged: str) -> None:
    bridge = bridge_question(question, name, lemma_set(passage))
    assert bridge is not None
    assert bridge.text == bridged


@pytest.mark.parametrize("question", ["Who was Lincoln?", "", "Why?", "When did rain fall?"])
def test_a_question_without_a_description_stays(question: str) -> None:
    assert bridge_question(question, "Lincoln", lemma_set("Lincoln met Grant.")) is None


def test_a_title_is_shown_without_what_tells_it_from_others() -> None:
    assert shown_title("Mercury (planet)") == "Mercury"
    assert shown_title("(planet)") == "(planet)"

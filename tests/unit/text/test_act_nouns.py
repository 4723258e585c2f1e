from __future__ import annotations

import pytest

from graph.text.act_nouns import act_noun


@pytest.mark.parametrize(
    ("verb", "noun"),
    [
        ("fail", "failure"),
        ("deliver", "delivery"),
        ("detect", "detection"),
        ("generate", "generation"),
        ("define", "definition"),
        ("internalise", "internalisation"),
        ("process", "processing"),
        ("place", "placement"),
        ("note", "noting"),
        ("cross", "crossing"),
    ],
)
def test_a_verb_gives_the_noun_of_its_act(verb: str, noun: str) -> None:
    assert act_noun(verb) == noun

"""The arcs of sentences whose root the parser takes wrongly, after their repair."""

from __future__ import annotations

import pytest

from graph.mining.miner import Miner
from graph.mining.sentence.parse_repair import repair_parse

MINER = Miner()

REPAIRED = {
    "The claim that vaccines cause autism is false.": ("is", {"claim": "nsubj", "cause": "acl", "autism": "dobj"}),
    "That vaccines cause autism has been disproved.": ("disproved", {"cause": "csubjpass", "autism": "dobj", "That": "mark"}),
    "Whether coffee causes cancer is unknown.": ("is", {"causes": "csubj", "cancer": "dobj"}),
    "Neither smoking nor drinking causes acne.": ("causes", {"smoking": "nsubj", "drinking": "conj"}),
}


@pytest.mark.parametrize("sentence", REPAIRED)
def test_a_garden_path_is_put_right(sentence: str) -> None:
    root, labels = REPAIRED[sentence]
    doc = MINER.nlp(sentence)
    repair_parse(doc)
    assert [token.text for token in doc if token.dep_ == "ROOT"] == [root]
    assert {token.text: token.dep_ for token in doc if token.text in labels} == labels
    assert len(list(doc.sents)) == 1


@pytest.mark.parametrize("sentence", ["", "Coffee causes cancer, and tea causes obesity.", "They say that tea causes no harm."])
def test_other_parses_stay_as_they_are(sentence: str) -> None:
    doc, same = MINER.nlp(sentence), MINER.nlp(sentence)
    repair_parse(doc)
    assert [(token.head.i, token.dep_) for token in doc] == [(token.head.i, token.dep_) for token in same]

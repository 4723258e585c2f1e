"""How likely the best answer is right: by the cuts that overlap it, the words near it and what is stated."""

from __future__ import annotations

from kgqa.passages.answer_chance import LEAST_CHANCE, answer_chance, chance_signals
from kgqa.passages.passage_answer import PassageInput, answer_passages
from kgqa.questions.classifier import classify
from kgqa.readers.extractive.extractive_reader import make_extractive_reader
from kgqa.readers.reader import AnswerKind, Candidate, Passage

SIEVE = (
    "Slivers of metal came from a mixer blade which had worked loose on its shaft. A sieve further down the line should have "
    "caught them but had been taken out the week before. The bakery is sorry."
)


def test_cuts_of_one_clause_support_each_other_and_words_that_are_nowhere_count_against() -> None:
    cuts = [
        Candidate(SIEVE[30:76], 0.2, AnswerKind.SPAN, 0, 30, 76),
        Candidate(SIEVE[23:76], 0.15, AnswerKind.SPAN, 0, 23, 76),
        Candidate(SIEVE[150:160], 0.1, AnswerKind.SPAN, 0, 150, 160),
        Candidate("", 0.3, AnswerKind.NULL),
    ]
    question = "Where did the slivers of metal come from?"
    signals = chance_signals(question, "", [Passage(SIEVE)], cuts, cuts, [])
    alone = chance_signals(question, "", [Passage(SIEVE)], [cuts[0], cuts[3]], [cuts[0], cuts[3]], [])
    assert signals["overlap"] > alone["overlap"]
    assert answer_chance(signals) > answer_chance(alone)
    foreign = chance_signals("Where did the dolphins of Sicily come from?", "", [Passage(SIEVE)], cuts, cuts, [])
    assert foreign["here"] < signals["here"]
    assert foreign["nowhere"] > signals["nowhere"]


def test_an_answer_is_said_where_it_is_likelier_right_than_wrong() -> None:
    texts = PassageInput(lambda _: (Passage(SIEVE),), make_extractive_reader)
    question = "What did the slivers of metal come from?"
    answer = answer_passages(question, classify(question), texts)
    assert answer.answer is not None
    assert "mixer blade" in answer.answer
    assert (answer.confidence or 0.0) >= LEAST_CHANCE
    untold = "Why did the baker of Palermo emigrate?"
    assert answer_passages(untold, classify(untold), texts).answer is None


def test_what_would_happen_is_told_with_the_clauses_that_are_joined_to_it() -> None:
    text = "Should a drill get through to the core, the stored energy is set free and the whole pane crumbles into small grains."
    question = "What happens if a drill gets through to the core?"
    answer = answer_passages(question, classify(question), PassageInput(lambda _: (Passage(text),), make_extractive_reader))
    assert answer.answer is not None
    assert answer.answer.endswith("stored energy is set free and the whole pane crumbles into small grains")

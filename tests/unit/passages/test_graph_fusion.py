"""A graph and a reader asked together: agreement, disagreement, and what neither may say alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

import pytest

from graph.mining.rules.rule_tables import builtin_rules
from graph.protocols import GraphStore
from kgqa.answer_model import Answer, Route, Verdict
from kgqa.passages.passage_answer import PassageInput, PassageMethod
from kgqa.passages.passage_graph import PassageGraph, mining_cues, unwrap_lines
from kgqa.pipeline import Pipeline
from kgqa.readers.reader import AnswerKind, Candidate, Passage

TEXT = "It was a wet year. Heavy rain led to floods, and the floods caused a famine."


@dataclass(frozen=True)
class Says:
    """A reader that knows its answers beforehand."""

    candidates: tuple[Candidate, ...]
    name: str = "says"

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return what it was made with."""
        return self.candidates


def span(words: str, score: float, text: str = TEXT) -> Candidate:
    start = text.index(words)
    return Candidate(words, score, AnswerKind.SPAN, 0, start, start + len(words))


@contextmanager
def passage(text: str, *candidates: Candidate) -> Iterator[tuple[Pipeline, PassageGraph]]:
    with closing(PassageGraph(text)) as claims:
        texts = PassageInput(lambda _: (Passage(text),), lambda: Says(candidates), PassageMethod.READER, promises=claims.promises)
        yield Pipeline(claims.store, texts=texts), claims


def asked(question: str, *candidates: Candidate, text: str = TEXT) -> Answer:
    with passage(text, *candidates) as (pipeline, _):
        return pipeline.answer(question)


def test_agreement_raises_confidence_and_is_said() -> None:
    found = asked("What causes floods?", span("Heavy rain", 0.6))
    assert (found.answer, found.route) == ("Heavy rain", Route.READER)
    assert found.confidence > 0.6
    assert found.read[0].confidence == found.confidence
    assert found.notes == ("The graph says the same: heavy rain (0.57).",)
    assert [one.text for one in found.findings] == ["heavy rain"]


def test_where_neither_tells_the_text_is_what_does_not() -> None:
    found = asked("What prevents floods?", Candidate("", 0.9, AnswerKind.NULL))
    assert found.sentence == "Unknown: the passage does not tell."
    assert found.missing
    assert "graph" not in " ".join(f"{one.what} {one.where}" for one in found.missing)


def test_disagreement_is_shown_and_raises_nothing() -> None:
    found = asked("What causes floods?", span("a wet year", 0.6))
    assert (found.answer, found.confidence) == ("a wet year", 0.6)
    assert found.notes == ("The graph says otherwise: heavy rain (0.57).",)
    assert any(line.startswith("they disagree; the reader's answer is given") for line in found.trace)


def test_the_graph_wins_where_it_is_surer() -> None:
    found = asked("What causes floods?", span("a wet year", 0.3))
    assert (found.answer, found.route) == ("heavy rain", Route.GRAPH)
    assert found.notes == ("The reader says otherwise: a wet year (0.30).",)
    assert [one.text for one in found.read] == ["a wet year"]


def test_no_reader_of_a_corpus_outranks_a_sure_graph() -> None:
    with closing(PassageGraph(TEXT)) as claims:
        texts = PassageInput(lambda _: (Passage(TEXT),), lambda: Says((span("a wet year", 0.9),)), PassageMethod.READER)
        found = Pipeline(claims.store, texts=texts).answer("What causes floods?")
    assert (found.answer, found.route) == ("heavy rain", Route.GRAPH)


def test_an_unlikely_reading_of_a_corpus_is_no_cause() -> None:
    with closing(PassageGraph(TEXT)) as claims:
        texts = PassageInput(lambda _: (Passage(TEXT),), lambda: Says((span("a wet year", 0.15),)), PassageMethod.READER)
        found = Pipeline(claims.store, texts=texts).answer("What causes drought?")
    assert found.answer is None


def test_a_sure_reader_spares_the_mining() -> None:
    with passage(TEXT, span("Heavy rain", 0.9)) as (pipeline, claims):
        found = pipeline.answer("What causes floods?")
        assert claims.mined is None
    assert found.trace[-1] == "the passage was not mined: the reader is sure enough (0.90)"


def test_a_question_that_is_not_causal_is_answered_without_mining() -> None:
    with passage(TEXT, span("a wet year", 0.4)) as (pipeline, claims):
        assert pipeline.answer("What kind of year was it?").answer == "a wet year"
        assert claims.mined is None


def test_direction_is_sacred_whatever_a_reader_says() -> None:
    found = asked("Does famine cause floods?", Candidate("yes", 0.99, AnswerKind.YES, 0))
    assert (found.answer, found.verdict, found.route) == (None, Verdict.UNKNOWN, Route.GRAPH)
    right = asked("Do floods cause famine?", Candidate("no", 0.99, AnswerKind.NO, 0))
    assert (right.answer, right.verdict, right.route) == ("yes", Verdict.YES, Route.GRAPH)
    assert right.notes == ("The reader says otherwise: no (0.99).",)


def test_yes_to_what_is_not_even_named_is_held_back() -> None:
    found = asked("Does coffee cause baldness?", Candidate("yes", 0.99, AnswerKind.YES, 0))
    assert (found.answer, found.verdict) == (None, Verdict.UNKNOWN)


def test_a_reader_may_say_yes_where_no_claim_is_mined_and_both_are_named() -> None:
    text = "A famine? Yes: whoever lived through the floods of that year remembers the hunger."
    found = asked("Do floods cause hunger?", Candidate("yes", 0.8, AnswerKind.YES, 0), text=text)
    assert (found.answer, found.verdict, found.route) == ("yes", Verdict.YES, Route.READER)


def test_where_neither_knows_both_reasons_are_kept() -> None:
    found = asked("What causes drought?", Candidate("", 0.9, AnswerKind.NULL))
    assert found.answer is None
    assert found.missing


def test_the_words_that_promise_a_claim_are_those_of_the_rules() -> None:
    """To mend it, write the sorted words of `frozenset().union(*(rule.cue for rule in builtin_rules()))` to cues.txt."""
    assert mining_cues() == frozenset().union(*(rule.cue for rule in builtin_rules()))


@pytest.mark.parametrize(
    ("phrases", "promised"), [(["floods"], True), (["flood"], True), ([], True), (["earthquake"], False), (["wet"], False)]
)
def test_a_sentence_promises_a_claim_about_a_phrase_by_its_words(phrases: list[str], promised: bool) -> None:
    assert PassageGraph(TEXT).promises(phrases) is promised


def test_wrapped_lines_keep_their_places() -> None:
    text = "Heavy\r\nrain\nled to\n\nfloods\0."
    assert unwrap_lines(text) == "Heavy  rain led to\n\nfloods ."
    assert len(unwrap_lines(text)) == len(text)


@pytest.mark.parametrize("blank", [" ", "\t", "\n", " \n", "\u00a0"])
def test_a_long_run_of_white_space_is_cut_and_still_divides_what_it_divided(blank: str) -> None:
    text = unwrap_lines(f"It rained{blank * 10_000}and flooded.")

    assert len(text) < 150
    assert text.split() == ["It", "rained", "and", "flooded."]
    assert ("\n\n" in text) is (blank == "\n")


def test_of_a_long_text_what_fits_the_question_is_mined_with_its_place() -> None:
    text = "The harbour was busy all the year round. " * 5_000 + TEXT
    with closing(PassageGraph(text, "What causes famine?")) as claims:
        (edge,) = claims.store().causes("famine")
        (record,) = claims.store().evidence(edge.claim)
    assert record.start is not None
    assert record.text is not None
    assert text[record.start : record.end] == record.text
    assert record.text.endswith("caused a famine.")


@pytest.fixture
def with_sentences() -> Iterator[GraphStore]:
    from kgqa.passages.passage_graph import mine_passage

    with closing(mine_passage("Heavy rain led to floods. The dam was built to hold the lake.")) as store:
        yield store


def test_where_the_graph_does_not_know_its_sentences_are_read(with_sentences: GraphStore) -> None:
    sentence = "The dam was built to hold the lake."
    candidates = (span("the lake", 0.7, sentence),)
    texts = PassageInput(
        lambda q: [Passage(sentence)], lambda: Says(candidates), PassageMethod.READER, given=False, title="graph"
    )
    pipeline = Pipeline(with_sentences, fallback_texts=lambda: texts)
    found = pipeline.answer("What causes the lake's disappearance?")
    assert (found.answer, found.route) == ("the lake", Route.READER)
    assert "it was read in a sentence that the graph keeps" in found.notes[0]
    assert pipeline.answer("What causes floods?").route is Route.GRAPH
    assert pipeline.answer("Does rain cause baldness?").answer is None
    assert pipeline.answer("Who wrote it?").answer is None

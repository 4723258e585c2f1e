"""Answers from passages: which candidate becomes the answer, where it stands, and what is said where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from kgqa.answer_model import Answer, Route, Verdict
from kgqa.passages.passage_answer import PassageInput, PassageMethod, answer_passages, sentence_around
from kgqa.questions.classifier import classify
from kgqa.readers.reader import AnswerKind, Candidate, Passage, Reader

TEXT = "It was a wet year. Heavy rain led to floods in 1953. The floods caused a famine."


@dataclass(frozen=True)
class Says:
    """A reader that knows its answers beforehand."""

    candidates: tuple[Candidate, ...]
    name: str = "says"

    def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
        """Return what it was made with."""
        return self.candidates


def span(words: str, score: float, kind: AnswerKind = AnswerKind.SPAN, text: str = TEXT) -> Candidate:
    start = text.index(words)
    return Candidate(words, score, kind, 0, start, start + len(words))


def asked(question: str, *candidates: Candidate, passages: Sequence[Passage] = (Passage(TEXT),), **more: bool) -> Answer:
    reader: Reader = Says(candidates)
    texts = PassageInput(lambda _: passages, lambda: reader, PassageMethod.READER, **more)
    return answer_passages(question, classify(question), texts)


def null(score: float) -> Candidate:
    return Candidate("", score, AnswerKind.NULL)


def test_the_surest_candidate_is_the_answer_with_its_sentence_and_its_place() -> None:
    found = asked("When were the floods?", span("1953", 0.8), null(0.1), span("a wet year", 0.05))
    assert (found.answer, found.route, found.confidence) == ("1953", Route.READER, 0.8)
    assert found.sentence == "1953, according to the passage."
    assert [one.text for one in found.read] == ["1953", "a wet year"]
    excerpt = found.read[0].excerpt
    assert excerpt is not None
    assert excerpt.text == "Heavy rain led to floods in 1953."
    assert TEXT[excerpt.start : excerpt.end] == excerpt.text
    assert excerpt.marked is not None
    assert excerpt.text[slice(*excerpt.marked)] == "1953"
    assert excerpt.source.kind == "text"


def test_an_answer_that_is_cut_in_several_ways_is_shown_once_beside_others_that_share_words() -> None:
    candidates = [span(words, score) for words, score in (("Heavy rain", 0.4), ("rain", 0.2), ("Heavy rain led to floods", 0.1))]
    found = asked("What led to floods?", *candidates, span("floods in 1953", 0.1), null(0.1))
    assert [one.text for one in found.read] == ["Heavy rain", "floods in 1953"]


def test_yes_that_is_hardly_likelier_than_no_is_no_answer() -> None:
    said = (Candidate("yes", 0.45, AnswerKind.YES), Candidate("no", 0.34, AnswerKind.NO), null(0.1))
    found = asked("Was it a dry year?", *said)
    assert (found.answer, found.verdict, found.confidence) == (None, Verdict.UNKNOWN, 0.0)
    assert found.sentence == "Unknown: the reader cannot tell yes (0.45) from no (0.34)."
    sure = asked("Was it a dry year?", Candidate("no", 0.7, AnswerKind.NO), Candidate("yes", 0.2, AnswerKind.YES))
    assert (sure.answer, sure.verdict) == ("no", Verdict.NO)


def test_an_article_alone_is_no_answer() -> None:
    found = asked("What caused a famine?", span("The", 0.5), span("floods caused", 0.2))
    assert [one.text for one in found.read] == ["floods caused"]


def test_where_no_answer_is_likelier_there_is_none_and_what_is_missing_is_said() -> None:
    found = asked("When was it won?", span("1953", 0.3), null(0.6))
    assert (found.answer, found.route, found.confidence) == (None, Route.NONE, 0.0)
    assert found.sentence == "Unknown: the passage does not tell."
    assert found.missing


def test_what_is_far_less_likely_than_that_nothing_is_told_is_no_answer() -> None:
    assert asked("When was it won?", span("1953", 0.16), null(0.5)).answer is None
    assert asked("When was it won?", span("1953", 0.18), null(0.5)).answer == "1953"


def test_what_is_hardly_likely_is_no_answer_to_a_question_without_an_if() -> None:
    assert asked("When was it won?", span("1953", 0.14), null(0.1)).answer is None
    assert asked("When was it won?", span("1953", 0.16), null(0.1)).answer == "1953"


def test_a_share_that_was_taken_for_an_amount_is_no_answer() -> None:
    reckoned = Candidate("2,099.6667", 0.9)
    assert asked("How many orchards recovered?", reckoned, null(0.1)).answer is None


def test_an_if_that_is_not_worked_into_the_passage_is_said_to_be_not() -> None:
    reader: Reader = Says((span("a famine", 0.6),))
    texts = PassageInput(lambda _: [Passage(TEXT)], lambda: reader)
    question = "If the bishop had sung, what would the floods have caused?"
    found = answer_passages(question, classify(question), texts)
    assert found.sentence.startswith("A famine, according to the passage as it stands: the “if” is not worked into it")
    plain = "What happens if there are floods?"
    assert "as it stands" not in answer_passages(plain, classify(plain), texts).sentence


def test_a_number_that_nobody_reckoned_is_no_answer() -> None:
    found = asked("How many years before 1960 were the floods?", span("1953", 0.7, AnswerKind.NUMBER), null(0.1))
    assert found.answer is None
    assert found.missing[0].what == "a number that has to be reckoned"
    assert "1953" in found.missing[0].where


def test_yes_is_a_verdict() -> None:
    found = asked("Was there a famine?", Candidate("yes", 0.7, AnswerKind.YES, 0), null(0.2))
    assert (found.answer, found.verdict) == ("yes", Verdict.YES)
    excerpt = found.read[0].excerpt
    assert excerpt is not None
    assert (excerpt.text, excerpt.marked) == ("The floods caused a famine.", None)
    assert asked("Was there a famine?", null(0.9)).verdict is Verdict.UNKNOWN
    assert asked("When was there a famine?", null(0.9)).verdict is None


def test_an_unsure_answer_is_hedged() -> None:
    assert asked("When?", span("1953", 0.3), null(0.1)).sentence == "Perhaps 1953, according to the passage."


@pytest.mark.parametrize("text", ["", " \n ", "...", "\u200b"])
def test_a_passage_without_words_is_an_honest_unknown(text: str) -> None:
    found = asked("When were the floods?", span("1953", 0.9), passages=[Passage(text)])
    assert (found.answer, found.route) == (None, Route.NONE)
    assert "no passage to read" in found.sentence


def test_a_passage_in_another_language_is_an_honest_unknown() -> None:
    german = Passage("Der starke Regen führt zu der Flut, und die Flut verursacht den Schaden.")
    found = asked("What led to the flood?", span("1953", 0.9), passages=[german])
    assert found.answer is None
    assert "another language" in found.sentence


def test_two_ways_to_say_one_answer_are_shown_once() -> None:
    found = asked("What led to floods?", span("Heavy rain", 0.5), Candidate("heavy rain", 0.3), null(0.1))
    assert [one.text for one in found.read] == ["Heavy rain"]


def test_an_answer_out_of_a_part_of_a_long_text_stands_where_it_stands_in_the_whole() -> None:
    long = Passage("The harbour was busy. " * 600 + TEXT)

    @dataclass(frozen=True)
    class Finds:
        name: str = "finds"

        def read(self, question: str, passages: Sequence[Passage], best: int = 5) -> Sequence[Candidate]:
            place, one = next((place, one) for place, one in enumerate(passages) if "in 1953" in one.text)
            start = one.text.index("1953")
            return [Candidate("1953", 0.9, AnswerKind.SPAN, place, start, start + 4)]

    question = "When did heavy rain lead to floods?"
    found = answer_passages(question, classify(question), PassageInput(lambda _: [long], Finds, PassageMethod.READER))
    excerpt = found.read[0].excerpt
    assert excerpt is not None
    assert excerpt.text == "Heavy rain led to floods in 1953."
    assert long.text[excerpt.start : excerpt.end] == excerpt.text
    assert "the 8 parts that fit best of 1 passage" in found.trace[0]


def test_a_title_and_an_address_tell_where_an_answer_is_from() -> None:
    page = Passage(TEXT, "North Sea flood", "99", "https://en.wikipedia.org/wiki?curid=99")
    found = asked("When were the floods?", span("1953", 0.8), passages=[page])
    excerpt = found.read[0].excerpt
    assert found.sentence == "1953, according to “North Sea flood”."
    assert excerpt is not None
    assert (excerpt.source.kind, excerpt.source.title, excerpt.source.page_id) == ("wikipedia", "North Sea flood", "99")


def test_an_answer_over_two_sentences_has_both_around_it() -> None:
    start = TEXT.index("1953. The")
    first, last = sentence_around(TEXT, start, start + 9)
    assert TEXT[first:last] == "Heavy rain led to floods in 1953. The floods caused a famine."


def test_of_an_endless_sentence_only_what_is_near_is_shown() -> None:
    text = "and so on " * 1_000 + "in 1953 " + "and so on " * 1_000
    start = text.index("1953")
    first, last = sentence_around(text, start, start + 4)
    assert "in 1953" in text[first:last]
    assert last - first < 1_300


def shipped(question: str, text: str) -> Answer:
    from kgqa.readers.reader import load_reader

    texts = PassageInput(lambda _: (Passage(text),), load_reader)
    return answer_passages(question, classify(question), texts)


def test_two_sides_are_contested_and_shown() -> None:
    text = "Farmers say that the new spray is killing their bees. The maker denies this and points to a cold spring."
    found = shipped("Does the new spray kill bees?", text)
    assert (found.answer, found.verdict, found.confidence) == (None, Verdict.CONTESTED, 0.5)
    assert found.sentence == "Contested: the passage gives two sides."
    assert [item.excerpt.text for item in found.read if item.excerpt] == text.replace(". ", ".|").split("|")


def test_a_stated_verdict_has_its_sentence() -> None:
    text = "The town closed its centre to cars. Turnover in the shops rose by eight per cent."
    found = shipped("Did turnover in the shops fall?", text)
    assert found.verdict is Verdict.NO
    assert found.read[0].excerpt is not None
    assert found.read[0].excerpt.text == "Turnover in the shops rose by eight per cent."


def test_a_verbatim_because_is_sure() -> None:
    found = shipped("Why did the mill burn down?", "It burned down because sparks from an engine fell on straw.")
    assert found.answer == "sparks from an engine fell on straw"
    assert found.confidence >= 0.7


def test_a_difference_is_computed_without_naming_a_reader() -> None:
    found = shipped("How many fewer men worked there in 1891 than in 1887?", "The works employed 85 men in 1887 and 62 in 1891.")
    assert found.answer == "23"

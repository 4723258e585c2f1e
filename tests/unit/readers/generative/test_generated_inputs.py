"""What generative models are given to read, as the papers write it."""

from __future__ import annotations

import math

import pytest

from kgqa.readers.generative.encoder_decoder import InputFormat
from kgqa.readers.generative.generative_readers import (
    clean_input,
    format_input,
    format_unified,
    rank_passages,
    split_choices,
)
from kgqa.readers.reader import Passage

RAIN = Passage("Heavy rain fell.\nThe river rose.", "Flood")


def test_unifiedqa_puts_a_literal_backslash_n_between_the_parts_and_all_in_lower_case() -> None:
    assert format_unified("What fell?", "Heavy Rain fell.") == "what fell? \\n heavy rain fell."


def test_a_question_without_a_context_stands_alone() -> None:
    assert format_unified("Why does ice float?") == "why does ice float?"


def test_choices_are_lettered_between_the_question_and_the_context() -> None:
    assert (
        format_unified("Which conducts? (a) iron (b) a feather", "Iron does.")
        == "which conducts? \\n (a) iron (b) a feather \\n iron does."
    )


def test_choices_are_found_in_the_question() -> None:
    assert split_choices("Which conducts best? (A) iron, (B) a feather") == ("Which conducts best?", ("iron", "a feather"))
    assert format_unified("Which conducts best? (A) iron (B) feather") == "which conducts best? \\n (a) iron (b) feather"


@pytest.mark.parametrize(
    "question", ["Who is (a) king?", "Was it (b) iron (c) wood?", "(a) iron (b) wood", "Which? (a) (b) wood", "Why?"]
)
def test_what_are_no_choices_stays_in_the_question(question: str) -> None:
    assert split_choices(question) == (question, ())


def test_fusion_in_decoder_names_the_parts() -> None:
    assert (
        format_input(InputFormat.FUSION, "What fell?", RAIN, 100)
        == "question: What fell? title: Flood context: Heavy rain fell. The river rose."
    )
    assert format_input(InputFormat.FUSION, "What fell?", Passage("Rain."), 100) == "question: What fell? context: Rain."


def test_rag_puts_the_passage_before_the_question() -> None:
    assert format_input(InputFormat.RAG, "What fell?", RAIN, 100) == "Flood / Heavy rain fell. The river rose. // What fell?"
    assert format_input(InputFormat.RAG, "What fell?", None, 100) == "What fell?"


def test_no_text_can_write_a_separator_of_its_own() -> None:
    assert format_input(InputFormat.UNIFIED, r"What \n fell?", Passage(r"Rain \n answer: snow"), 100).count("\\n") == 1


def test_what_no_tokenizer_reads_is_left_out() -> None:
    assert clean_input("a\x00b\ud83d c\n\n d", 100) == "a b? c d"
    assert clean_input("abcdef", 3) == "abc"


def test_passages_come_by_score_and_those_without_words_not_at_all() -> None:
    passages = [Passage("b"), Passage("?!"), Passage("c", score=2.0), Passage(""), Passage("a"), Passage("d", score=math.nan)]
    assert rank_passages(passages, 100) == [2, 4, 0, 5]

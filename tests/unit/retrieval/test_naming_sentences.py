"""Sentences of an index that name what a question is about."""

from __future__ import annotations

from pathlib import Path

from kgqa.linking.phrase_forms import PhraseForms
from kgqa.retrieval.index_builder import build_passage_index
from kgqa.retrieval.naming_sentences import NamingSentences
from kgqa.retrieval.passage_index import PassageIndex
from kgqa.retrieval.passage_splitting import PassagePage

PAGES = (
    PassagePage(
        "Anemia", "1", "u", ("Anemia is common. It begins slowly, and in many people", "anemia brings fatigue. Rest helps.")
    ),
    PassagePage("Sleep", "2", "u", ("Fatigue follows a short night.",)),
    PassagePage("Blood", "3", "u", ("Anemia is a lack of red cells.",)),
)


def found(folder: Path, *phrases: str, most: int = 9) -> list[tuple[str, str]]:
    build_passage_index(folder / "index", PAGES)
    forms = [PhraseForms(phrase) for phrase in phrases]

    def names_all(text: str) -> bool:
        return all(any(form.spans(text)) for form in forms)

    search = NamingSentences(PassageIndex(folder / "index"))
    sentences = search.find([form.stems() for form in forms], {"anemia": 1.0}, names_all, most, 100)
    return [(sentence.text, sentence.passage.title) for sentence in sentences]


def test_a_sentence_that_goes_on_in_the_next_passage_is_whole(tmp_path: Path) -> None:
    assert found(tmp_path, "anemia", "fatigue") == [("It begins slowly, and in many people anemia brings fatigue.", "Anemia")]


def test_one_thing_alone_is_found_in_every_page_and_at_most_so_many(tmp_path: Path) -> None:
    assert {title for _, title in found(tmp_path, "anemias")} == {"Anemia", "Blood"}
    assert len(found(tmp_path, "anemias", most=1)) == 1


def test_what_no_passage_names_is_not_found(tmp_path: Path) -> None:
    assert found(tmp_path, "anemia", "sleepwalking") == []

"""Fields that a question with an "if" asks about as a whole: the economy, the climate, the environment, health.

data/target_fields.tsv has the phrases that ask, and the topics and words by which a name belongs to the field.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from graph.text.normalise import concept_name
from graph.text.word_lists import table_rows
from kgqa.linking.mention import content_words
from kgqa.questions.lexicon import topics_of


class TargetField(NamedTuple):
    """A field, and what the words of the names have that belong to it."""

    topics: frozenset[str]
    words: frozenset[str]

    def holds(self, name: str) -> bool:
        """Return whether a name belongs to the field: it has one of its words, or its last word is about one of its topics."""
        words = content_words(name)
        return not self.words.isdisjoint(words) or bool(words and not self.topics.isdisjoint(topics_of(words[-1])))


@cache
def _fields_by_phrase() -> Mapping[str, TargetField]:
    path = Path(__file__).parents[1].joinpath("data", "target_fields.tsv")
    return {
        phrase: TargetField(frozenset(row["topics"].split()), frozenset(content_words(row["words"])))
        for row in table_rows(path.read_text(encoding="utf-8"))
        for phrase in row["asked"].split("|")
    }


def target_field(phrase: str) -> TargetField | None:
    """Return the field that a phrase asks about as a whole: "the economy"; `None` for a phrase about one thing."""
    return _fields_by_phrase().get(concept_name(phrase) or phrase)

"""Every row of the tables of function words, by the number of its words and their checksum: scores depend on each word."""

from __future__ import annotations

import zlib

import pytest

from graph.text import stop_words
from graph.text.stop_words import PREPOSITIONS, STOP_WORDS

ROWS = [
    ("STOP_WORDS", "names", 18, 3292778240),
    ("STOP_WORDS", "linking", 55, 1762661244),
    ("STOP_WORDS", "chains", 31, 2637018190),
    ("STOP_WORDS", "claim context", 44, 3061414121),
    ("STOP_WORDS", "page titles", 8, 1622897583),
    ("STOP_WORDS", "English", 45, 806230880),
    ("STOP_WORDS", "question features", 65, 3288965651),
    ("STOP_WORDS", "operands", 113, 657517244),
    ("STOP_WORDS", "passage graph", 20, 30914815),
    ("STOP_WORDS", "passage parts", 51, 1919162561),
    ("STOP_WORDS", "yes-no", 84, 1217207684),
    ("STOP_WORDS", "facts", 119, 3434821473),
    ("STOP_WORDS", "retrieval", 156, 1719284369),
    ("STOP_WORDS", "baselines", 69, 1705503081),
    ("PREPOSITIONS", "list items", 21, 2619495246),
    ("PREPOSITIONS", "chains", 22, 1588817337),
    ("PREPOSITIONS", "names", 25, 237182145),
    ("PREPOSITIONS", "linking", 33, 104943760),
    ("PREPOSITIONS", "wording", 27, 2152544115),
    ("PREPOSITIONS", "noun phrases", 21, 4191321928),
    ("DETERMINERS", "names", 30, 2904913805),
    ("DETERMINERS", "clauses", 14, 3792732227),
    ("DETERMINERS", "before nouns", 24, 4202310878),
    ("DETERMINERS", "before no head", 21, 789934778),
    ("AUXILIARIES", "be", 6, 767847135),
    ("AUXILIARIES", "support", 12, 3322054871),
    ("AUXILIARIES", "question features", 21, 3595768762),
    ("AUXILIARIES", "openings", 36, 1559416758),
    ("AUXILIARIES", "weak openings", 16, 222846195),
    ("AUXILIARIES", "counted nouns", 20, 900268216),
    ("NAME_PARTICLES", "questions", 10, 303076139),
    ("NAME_PARTICLES", "titles", 15, 839192788),
]


@pytest.mark.parametrize(("table", "row", "count", "checksum"), ROWS)
def test_the_words_of_a_row_stay_as_the_scores_were_measured(table: str, row: str, count: int, checksum: int) -> None:
    words = getattr(stop_words, table)[row]
    assert (len(words), zlib.crc32(" ".join(sorted(words)).encode())) == (count, checksum)


def test_every_row_is_frozen() -> None:
    tables = ("STOP_WORDS", "PREPOSITIONS", "DETERMINERS", "AUXILIARIES", "NAME_PARTICLES")
    assert {(table, row) for table, row, _, _ in ROWS} == {(table, row) for table in tables for row in getattr(stop_words, table)}


def test_a_row_has_what_its_use_needs() -> None:
    assert "affects" in STOP_WORDS["baselines"]
    assert "affects" not in STOP_WORDS["retrieval"]
    assert "caused" in PREPOSITIONS["names"]
    assert "caused" not in PREPOSITIONS["chains"]

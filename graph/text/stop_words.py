"""Function words: stop words, prepositions, determiners, auxiliaries and particles of names, with a row for every use.

The words stand in data/function_words.tsv, where a name in capitals means the words of this row of the table "shared". Rows
differ by a few words because scores were measured, and models fitted, with exactly these words.
"""

from __future__ import annotations

from pathlib import Path


def _read_tables() -> dict[str, dict[str, frozenset[str]]]:
    tables: dict[str, dict[str, frozenset[str]]] = {"shared": {}}
    lines = Path(__file__).with_name("data").joinpath("function_words.tsv").read_text(encoding="utf-8").splitlines()
    for table, row, words in (line.split("\t") for line in lines[1:]):
        parts = (tables["shared"].get(word, (word,)) for word in words.split())
        tables.setdefault(table, {})[row] = frozenset(word for part in parts for word in part)
    return tables


_TABLES = _read_tables()

PREPOSITIONS = _TABLES["prepositions"]
"""The words that end the part of a name in which its head stands; "noun phrases": the prepositions that a concept may contain."""

STOP_WORDS = _TABLES["stop words"]
"""The words that say nothing about what a text is about."""

DETERMINERS = _TABLES["determiners"]
"""The words before a noun that belong to no name; "before nouns" and "before no head" have other words that stand there too."""

AUXILIARIES = _TABLES["auxiliaries"]
"""The auxiliary verbs; "openings": of a clause that asks, "weak openings": of one that may continue an "if", "counted nouns": the
words that end the noun behind "how many", some pronouns among them.
"""

NAME_PARTICLES = _TABLES["name particles"]
"""The words in lower case inside a proper name."""

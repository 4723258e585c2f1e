"""Stems: what the inflected forms of a word share, by its endings, by its first letters, or by Porter's algorithm (1980)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3

PREFIX_LETTERS = 5  # which the forms of a word share: "flooded", "floods"
SHORTEST_STEM = 3
_LONGEST_PORTER_WORD = 64


class StemRules(NamedTuple):
    """How an ending is cut from a word.

    The endings are tried in their order, each with the letters that replace it. A stem longer than `longest_double` loses the
    second of two equal letters at its end, unless it is one of `kept_doubles`; 0 for stems that keep both. `drops_e` cuts each
    "e" at the end of a stem of more than four letters.
    """

    endings: tuple[tuple[str, str], ...]
    keeps_ss: bool = False
    longest_double: int = 0
    kept_doubles: str = ""
    doubles_of_stems_only: bool = False
    drops_e: bool = False


def _endings(text: str) -> tuple[tuple[str, str], ...]:
    """Return the endings of a row: "ies>y" replaces -ies by -y, "s" cuts -s."""
    return tuple((ending, base) for ending, _, base in (part.partition(">") for part in text.split()))


STEM_RULES = {
    "facts": StemRules(
        _endings("ization isation ations ation ingly ments ment ings ing ions ion ies>y ied>y ers es ed er ly s e"),
        longest_double=4,
        kept_doubles="sl",
        doubles_of_stems_only=True,
    ),
    "yes-no": StemRules(
        _endings("ations ation ingly ments ment edly ings ing ies ied ers es ed er ly s e al y"), keeps_ss=True, longest_double=3
    ),
    "operands": StemRules(_endings("ies>y sses>ss ing ed es s ers er"), keeps_ss=True, drops_e=True),
    "everyday": StemRules(
        _endings("ization ations ation ingly ments ment iness>y ness ings ing ics ic ions ion ies>y ied>y es ed ly s e"),
        keeps_ss=True,
        longest_double=4,
        doubles_of_stems_only=True,
    ),
}
"""The stems of edits of a passage, of the yes-no model (whose weights were fitted on them), of numbers, and of everyday names."""

_BASE_ENDINGS = _endings("ies>y es s ied>y ed ed>e d ing ing>e")


@lru_cache(maxsize=1 << 15)
def stem(word: str, rules: str) -> str:
    """Return the stem of a lower-case word by a row of `STEM_RULES`: "released" and "releasing" give "releas"."""
    row = STEM_RULES[rules]
    endings = () if row.keeps_ss and word.endswith("ss") else row.endings
    ending, base = next((pair for pair in endings if _leaves_stem(word, pair[0])), ("", ""))
    cut = word.removesuffix(ending)
    doubled = 0 < row.longest_double < len(cut) and cut[-1] == cut[-2] and cut[-1] not in row.kept_doubles
    if doubled and (ending or not row.doubles_of_stems_only):
        return cut[:-1]
    cut += base
    return cut.rstrip("e") if row.drops_e and len(cut) > 4 else cut


def _leaves_stem(word: str, ending: str) -> bool:
    return word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM


def base_forms(word: str) -> list[str]:
    """Return a lower-case word and the base forms that it may be a regular form of: "used" gives "used", "us", "use"."""
    forms = (word.removesuffix(ending) + base for ending, base in _BASE_ENDINGS if word.endswith(ending))
    return [word, *(form for form in forms if len(form) >= SHORTEST_STEM)]


def regular_roots(word: str) -> Iterator[str]:
    """Yield the words that a lower-case word may be a plural, a past tense or a gerund of, without a doubled consonant too."""
    for ending in ("ing", "ed", "es", "s", "d"):
        if _leaves_stem(word, ending):
            root = word.removesuffix(ending)
            yield from (root, root + "e")
            if root[-1] == root[-2] and root[-1] not in "aeiouls":
                yield root[:-1]
            if root[-1] == "i":
                yield root[:-1] + "y"


def prefix_stems(words: Iterable[str], letters: int = PREFIX_LETTERS) -> set[str]:
    """Return the first letters of each word."""
    return {word[:letters] for word in words}


def porter_stems(words: Collection[str]) -> dict[str, str]:
    """Return the Porter stem of each word, without diacritics; a word without letters and digits is its own stem."""
    listed = sorted(words)
    stems = {word: word[:_LONGEST_PORTER_WORD] for word in listed}
    options = "detail=none, columnsize=0, tokenize='porter unicode61 remove_diacritics 2'"
    with closing(_porter_index(options)) as connection:
        connection.execute("BEGIN")
        rows = ((at, word[:_LONGEST_PORTER_WORD]) for at, word in enumerate(listed, 1))
        connection.executemany("INSERT INTO word(rowid, text) VALUES (?, ?)", rows)
        for term, row in connection.execute("SELECT term, doc FROM term"):
            stems[listed[row - 1]] = term
    return stems


def porter_terms(texts: Sequence[str]) -> list[list[str]]:
    """Return the Porter stems of the words of each text in their order, as the full-text indexes of the stores have them."""
    connection = _shared_porter_index()
    terms: list[list[str]] = [[] for _ in texts]
    with closing(connection.cursor()) as cursor:
        cursor.executemany("INSERT INTO word(rowid, text) VALUES (?, ?)", enumerate(texts))
        for term, text, _ in cursor.execute("SELECT term, doc, offset FROM term ORDER BY doc, offset"):
            terms[text].append(term)
        cursor.execute("INSERT INTO word (word) VALUES ('delete-all')")
    return terms


@cache
def _shared_porter_index() -> sqlite3.Connection:
    return _porter_index("tokenize='porter unicode61'", shared=True)


def _porter_index(options: str, *, shared: bool = False) -> sqlite3.Connection:
    import sqlite3

    connection = sqlite3.connect(":memory:", check_same_thread=not shared, isolation_level=None)
    connection.execute(f"CREATE VIRTUAL TABLE word USING fts5(text, content='', {options})")
    connection.execute("CREATE VIRTUAL TABLE term USING fts5vocab(word, instance)")
    return connection

"""The terms of a text: its words in lower case, without accents, by their stems; and the words that no passage is looked for by.

The stems are those of Porter's algorithm, as SQLite's full-text search has it, which the stores use for sentences and names too.

Words of a question that stand side by side in a passage too: names and phrases, which BM25 takes for words at random.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from itertools import pairwise

_WORD = re.compile(r"\d+(?:,\d{3})+(?!\d)|[^\W_]+")
_LONGEST = 64
SEARCH_STOP_WORDS = frozenset(
    "a about above after again against all am an and any are as at be because been before being below between both but by can "
    "could did do does doing down during each either else few for from further had has have having he her here hers him his how "
    "i if in instead into is it its itself just like may me might more most must my never no nor not now of off on once only or "
    "other otherwise our out over own rather s same shall she should so some still such t than that the their them then there "
    "these they this those through to too under until up upon us very was we were what whatever when where whether which while "
    "who whom whose why will with without would yet you your d ll m re ve hadn hasn haven didn doesn isn wasn weren wouldn "
    "couldn shouldn won don aren".split()
)
"""Words of function, which every passage has."""


def search_words(text: str) -> list[str]:
    """Return the words of a text in their order, in lower case; numbers of thousands without their commas."""
    return [word.replace(",", "") for word in _WORD.findall(text.lower())] if "," in text else _WORD.findall(text.lower())


def porter_stems(words: Collection[str]) -> dict[str, str]:
    """Return the stem of each word; a word that is of no letters and digits that SQLite knows is its own."""
    listed = sorted(words)
    stems = {word: word[:_LONGEST] for word in listed}
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("BEGIN")
        connection.execute(
            "CREATE VIRTUAL TABLE word USING fts5(text, content='', detail=none, columnsize=0, "
            "tokenize='porter unicode61 remove_diacritics 2')"
        )
        connection.execute("CREATE VIRTUAL TABLE stem USING fts5vocab(word, instance)")
        connection.executemany(
            "INSERT INTO word(rowid, text) VALUES (?, ?)", ((at, word[:_LONGEST]) for at, word in enumerate(listed, 1))
        )
        for stem, row in connection.execute("SELECT term, doc FROM stem"):
            stems[listed[row - 1]] = stem
    return stems


def query_terms(text: str) -> Sequence[str]:
    """Return the terms that passages are looked for by, each as often as it stands, without words of function."""
    words = [word for word in search_words(text) if word not in SEARCH_STOP_WORDS] or search_words(text)
    stems = porter_stems(set(words))
    return [stems[word] for word in words]


_PREFIX_LENGTH = 2


def adjacency_scores(question: str, passages: Sequence[str], weight: Callable[[str], float]) -> list[float]:
    """Return for each passage how many of the question's adjacent words are adjacent there, in the same order, by weight.

    A pair weighs what its words weigh together, words of function nothing; the sum is over that of the question's terms, so that
    a passage that has the whole question word for word gets nearly 2.
    """
    question_words, texts = search_words(question), [search_words(passage) for passage in passages]
    # A stem begins as its word does: of the passages' words, only those that begin as one of the question's can be the same.
    begun = {word[:_PREFIX_LENGTH] for word in question_words}
    stems = porter_stems({word for word in set(question_words).union(*texts) if word[:_PREFIX_LENGTH] in begun})
    weights = {word: 0.0 if word in SEARCH_STOP_WORDS else weight(stems[word]) for word in question_words}
    pairs = {(stems[first], stems[second]): weights[first] + weights[second] for first, second in pairwise(question_words)}
    whole = sum({stems[word]: weights[word] for word in question_words}.values())
    if not whole:
        return [0.0] * len(texts)
    matched_pairs = ({pair for pair in pairwise(map(stems.get, words)) if pair in pairs} for words in texts)
    return [sum(sorted(map(pairs.__getitem__, held))) / whole for held in matched_pairs]

"""BM25: the sentence that a search engine would put first, out of the passages of a data set or the sentences of a graph."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence

from graph.protocols import GraphStore

BM25_NAME = "BM25, first sentence"

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]*[A-Z0-9])|\n+")
_NEGATION = re.compile(r"\b(?:not|no|never|none|cannot|neither|nor|without|\w+n['’]t)\b", re.IGNORECASE)
_STOP_WORDS = frozenset(
    "a an the is are was were be been do does did can could will would may might should have has had what which who whom whose "
    "when where why how if in on at to of for from by with and or not it its that this these those there as than cause causes "
    "caused causing lead leads effect effects affect affects happen happens result results due because".split()
)
_MOST_WORDS = 24
_EXAMINED_SENTENCES = 20


def cut_sentences(text: str) -> list[str]:
    """Return the sentences of a passage, cut at full stops before a capital or a digit, and at line breaks."""
    return [sentence for part in _SENTENCE_END.split(text) if (sentence := " ".join(part.split()))]


def query_words(text: str) -> list[str]:
    """Return the words of a question that say what it is about, in lower case, each once; all where nothing else is left."""
    words = list(dict.fromkeys(re.findall(r"[^\W_]+", text.lower())))
    return [word for word in words if word not in _STOP_WORDS][:_MOST_WORDS] or words[:_MOST_WORDS]


def sentence_verdict(sentence: str | None) -> str | None:
    """Return "no" for a sentence with a negation, "yes" for any other, `None` for none."""
    return None if sentence is None else "no" if _NEGATION.search(sentence) else "yes"


class PassageSentences:
    """The sentences of all passages of a data set, in a full-text index in memory (SQLite FTS5, its BM25, Porter's stems)."""

    def __init__(self, passages: Iterable[str]) -> None:
        self._database = sqlite3.connect(":memory:")
        self._database.execute("CREATE VIRTUAL TABLE sentence USING fts5(text, tokenize='porter unicode61')")
        rows = ((sentence,) for passage in dict.fromkeys(passages) for sentence in cut_sentences(passage))
        self._database.executemany("INSERT INTO sentence VALUES (?)", rows)

    def first(self, question: str) -> str | None:
        """Return the best sentence for a question, the earlier of equals; `None` where no word of it occurs."""
        words = query_words(question)
        if not words:
            return None
        wanted = " OR ".join(f'"{word}"' for word in words)
        query = "SELECT text FROM sentence WHERE sentence MATCH ? ORDER BY bm25(sentence), rowid LIMIT 1"
        row = self._database.execute(query, (wanted,)).fetchone()
        return None if row is None else str(row[0])

    def close(self) -> None:
        """Release the index."""
        self._database.close()


class GraphSentences:
    """The sentences that a graph keeps as evidence."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store

    def first(self, question: str) -> str | None:
        """Return the best sentence for a question; `None` where no word of it occurs, or no sentence is kept."""
        return next((text for text in self._texts(query_words(question), 1)), None)

    def with_both(self, pair: tuple[str, str]) -> str | None:
        """Return the best sentence that holds the last word of each of two phrases, or `None`."""
        heads = [words[-1] for phrase in pair if (words := query_words(phrase))]
        for text in self._texts(query_words(" ".join(pair)), _EXAMINED_SENTENCES):
            lower = text.lower()
            if len(heads) == len(pair) and all(head[: max(4, len(head) - 2)] in lower for head in heads):
                return text
        return None

    def _texts(self, words: Sequence[str], limit: int) -> list[str]:
        return (
            [text for evidence_record in self._store.search_evidence(words, limit) if (text := evidence_record.evidence.text)]
            if words
            else []
        )

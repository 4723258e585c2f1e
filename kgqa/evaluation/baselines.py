"""Plain methods on the same items: BM25, breadth-first search over the graph by exact names, and trivial answers.

Breadth-first search knows no polarity, evidence, sense or belief; it runs with the arrows, and without them as some published
systems do.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from graph.protocols import GraphStore, GraphView, Topology
from graph.text.normalise import concept_name
from graph.text.segmentation import separated_spans, text_tokens
from graph.text.stop_words import STOP_WORDS
from kgqa.evaluation.dataset_item import DatasetItem

BM25_NAME = "BM25, first sentence"

_NEGATION = re.compile(r"\b(?:not|no|never|none|cannot|neither|nor|without|\w+n['’]t)\b", re.IGNORECASE)
_MOST_WORDS = 24
_EXAMINED_SENTENCES = 20


def cut_sentences(text: str) -> list[str]:
    """Return the sentences of a passage, cut at full stops before a capital or a digit, and at line breaks."""
    return [sentence for span in separated_spans(text, "baselines") if (sentence := " ".join(text[slice(*span)].split()))]


def query_words(text: str) -> list[str]:
    """Return the words of a question that say what it is about, in lower case, each once; all where nothing else is left."""
    words = list(dict.fromkeys(text_tokens(text.lower(), "letters and digits")))
    return [word for word in words if word not in STOP_WORDS["baselines"]][:_MOST_WORDS] or words[:_MOST_WORDS]


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
        records = self._store.search_evidence(words, limit) if words else ()
        return [text for record in records if (text := record.evidence.text)]


_CAPITALS = re.compile(r"[^\W\d_a-z][\w'’.-]*(?:\s+(?:(?:of|the|de|von|van|and)\s+)?[^\W\d_a-z][\w'’.-]*)*")


def first_capitalised_span(item: DatasetItem) -> str | None:
    """Return the first run of capitalised words of the passage, or else of the question behind its first word."""
    text = item.passage or item.question.partition(" ")[2]
    match = _CAPITALS.search(text)
    return match[0].rstrip(".") if match else None


TRIVIAL_ANSWERS: Mapping[str, Callable[[DatasetItem], str | None]] = {
    "first capitalised span": first_capitalised_span,
    "first sentence of the passage": lambda item: next(iter(cut_sentences(item.passage)), None),
    "copy of the question": lambda item: item.question,
    "always no answer": lambda item: None,
}
"""Trivial answers in words, by name."""


def majority_answer(items: Iterable[DatasetItem]) -> str | None:
    """Return the gold answer that most items have, the first of equals; `None` where most have none."""
    counts = Counter(item.gold[0] if item.gold else None for item in items)
    return counts.most_common(1)[0][0] if counts else None


HOPS = (2, 3)
BREADTH_FIRST_SEARCHES = {
    f"breadth-first, {hops} hops, {'with the arrows' if directed else 'either way'}": (hops, directed)
    for directed in (True, False)
    for hops in HOPS
}
"""The searches by name: how many hops, and whether arrows are respected."""


def is_connected(topology: Topology, cause: int, effect: int, hops: int, *, directed: bool) -> bool:
    """Return whether a walk of 1 to `hops` claims leads from one concept to another; the nearer end is widened first."""
    ahead, behind = {cause}, {effect}
    seen_ahead, seen_behind = {cause}, {effect}

    def widen(frontier: set[int], seen: set[int], *, forward: bool) -> set[int]:
        along = topology.outgoing if forward else topology.incoming
        sides = [along] if directed else [topology.outgoing, topology.incoming]
        reached = {end for number in frontier for side in sides for end in side(number).ends} - seen
        seen |= reached
        return reached

    for _ in range(hops):
        if len(ahead) <= len(behind):
            ahead = widen(ahead, seen_ahead, forward=True)
        else:
            behind = widen(behind, seen_behind, forward=False)
        if not seen_ahead.isdisjoint(seen_behind):
            return True
    return False


def search_verdicts(view: GraphView, pair: tuple[str, str]) -> dict[str, str | None]:
    """Return "yes" for each search that connects the pair, `None` where it does not."""
    topology = view.topology()
    cause, effect = (topology.number(concept_name(phrase)) for phrase in pair)
    if cause is None or effect is None or cause == effect:
        return dict.fromkeys(BREADTH_FIRST_SEARCHES)
    return {
        name: "yes" if is_connected(topology, cause, effect, hops, directed=directed) else None
        for name, (hops, directed) in BREADTH_FIRST_SEARCHES.items()
    }

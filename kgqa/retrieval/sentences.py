"""The evidence sentences of a graph as passages."""

from __future__ import annotations

from collections.abc import Sequence

from graph.protocols import GraphStore
from kgqa.reading.model import Passage
from kgqa.retrieval.terms import SEARCH_STOP_WORDS, search_words


class EvidenceRetriever:
    """Retrieval from the sentences that a graph's claims were read in, by the full-text search of its store."""

    def __init__(self, store: GraphStore) -> None:
        self._store = store

    def retrieve(self, query: str, best: int = 20) -> Sequence[Passage]:
        """Return at most `best` sentences, the best first, each once; a sentence's score is one over its rank."""
        words = [word for word in dict.fromkeys(search_words(query)) if word not in SEARCH_STOP_WORDS] or search_words(query)
        if not words or best < 1:
            return []
        passages: dict[str, Passage] = {}
        for statement in self._store.search_evidence(words, best):
            text, source = statement.evidence.text, statement.evidence.source
            if text and text not in passages:
                name = (
                    f"{source.page_id or source.title}@{statement.evidence.start}"
                    if statement.evidence.start is not None
                    else source.page_id
                )
                passages[text] = Passage(text, source.title, name, source.url, 1 / (len(passages) + 1))
        return list(passages.values())[:best]

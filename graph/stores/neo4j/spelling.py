"""Names of concepts that are spelt nearly like a given one."""

from __future__ import annotations

from graph.stores.neo4j.connecting import Neo4jConnection
from graph.stores.neo4j.rows import names_from_rows
from graph.stores.neo4j.texts import LONGEST_NAME, escape_text
from graph.stores.neo4j.words import index_stems
from graph.stores.spelling import OTHER_FIRST_LETTER, SAME_FIRST_LETTER, nearest_names

CANDIDATES = 1000
_BEGINNING = 2
_LONGEST_WORD = 50
_MOST_WORDS = 20


def fetch_similar_names(connection: Neo4jConnection, name: str, limit: int) -> list[str]:
    """Return at most `limit` names that are spelt like `name`, nearest first.

    Candidates are the best thousand that share a word with it by at most two letters, and a thousand that begin alike; their
    distance is that of the embedded store.
    """
    words = [word for word in index_stems([name])[0].split() if len(word) <= _LONGEST_WORD][:_MOST_WORDS]
    if not words or limit <= 0 or len(name) > LONGEST_NAME:
        return []
    fulltext_query = " OR ".join(f"{word}~2" for word in words)
    lengths = {"shortest": int(len(name) * SAME_FIRST_LETTER), "longest": int(len(name) / SAME_FIRST_LETTER) + 1}
    rows = connection.read("alike", query=fulltext_query, beginning=escape_text(name)[:_BEGINNING], limit=CANDIDATES, **lengths)
    candidates = names_from_rows(rows)
    alike = [candidate for candidate in candidates if candidate[:1] == name[0]]
    return (nearest_names(name, alike, SAME_FIRST_LETTER) or nearest_names(name, candidates, OTHER_FIRST_LETTER))[:limit]

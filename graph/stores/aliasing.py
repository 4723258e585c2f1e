"""The other names of concepts in an embedded store.

A name leads to one concept: a concept's own name is never an alias, and of two concepts with one alias the alphabetically
first has it. An alias counts once its concept is there; one that comes before its concept is left out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import chain

from graph.model import Alias
from graph.stores.columns import decode_text, encode_text
from graph.stores.digest import alias_mark
from graph.stores.names import InternedNames, chunks, placeholders

ALIAS_BATCH = 10_000


def add_aliases(connection: sqlite3.Connection, aliases: Iterable[Alias]) -> int:
    """Add what is new of `aliases`; return the sum of the marks that the digest moves by."""
    return sum(_add_alias_batch(connection, batch) for batch in chunks(aliases, ALIAS_BATCH))


def drop_shadowed_aliases(connection: sqlite3.Connection, names: Sequence[str]) -> int:
    """Delete the aliases that are now the `names` of concepts; return the sum of the marks that the digest moves by."""
    if not connection.execute("SELECT EXISTS (SELECT 1 FROM alias)").fetchone()[0]:
        return 0
    shadowed = _stored_aliases(connection, names)
    connection.executemany("DELETE FROM alias WHERE name = ?", [(encode_text(name),) for name in shadowed])
    return -sum(alias_mark(Alias(name, concept)) for name, concept in shadowed.items())


def _add_alias_batch(connection: sqlite3.Connection, aliases: Sequence[Alias]) -> int:
    names = InternedNames(connection, "concept")
    concepts = names.known(chain.from_iterable((alias.concept, alias.name) for alias in aliases))
    wanted: dict[str, str] = {}
    for alias in aliases:
        if alias.name and alias.name not in concepts and alias.concept in concepts:
            wanted[alias.name] = min(alias.concept, wanted.get(alias.name, alias.concept))
    stored = _stored_aliases(connection, wanted)
    changed = {name: concept for name, concept in wanted.items() if name not in stored or concept < stored[name]}
    connection.executemany(
        "REPLACE INTO alias (name, concept) VALUES (?, ?)",
        [(encode_text(name), concepts[concept]) for name, concept in changed.items()],
    )
    came = sum(alias_mark(Alias(name, concept)) for name, concept in changed.items())
    went = sum(alias_mark(Alias(name, stored[name])) for name in changed if name in stored)
    return came - went


def _stored_aliases(connection: sqlite3.Connection, names: Iterable[str]) -> dict[str, str]:
    """Return those of `names` that are aliases, with the names of their concepts."""
    concepts_by_alias: dict[str, str] = {}
    for chunk in chunks(names):
        query = f"""
            SELECT alias.name, concept.name FROM alias JOIN concept ON concept.id = alias.concept
            WHERE alias.name IN ({placeholders(len(chunk))})
        """
        rows = connection.execute(query, [encode_text(name) for name in chunk])
        concepts_by_alias.update((decode_text(name), decode_text(concept)) for name, concept in rows)
    return concepts_by_alias

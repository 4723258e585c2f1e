"""Stores as earlier versions of the program wrote them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

_CLAIM = """
CREATE TABLE claim (
    id INTEGER PRIMARY KEY,
    cause INTEGER NOT NULL REFERENCES concept (id),
    effect INTEGER NOT NULL REFERENCES concept (id),
    relation INTEGER NOT NULL,
    polarity INTEGER NOT NULL,
    asserted INTEGER NOT NULL,
    negated INTEGER NOT NULL,
    hedged INTEGER NOT NULL,
    strength INTEGER NOT NULL,
    {later}
    UNIQUE (cause, effect, relation, polarity)
)
"""
_EVIDENCE = """
CREATE TABLE evidence (
    claim INTEGER NOT NULL REFERENCES claim (id),
    key INTEGER NOT NULL,
    source INTEGER NOT NULL REFERENCES source (id),
    rule INTEGER NOT NULL REFERENCES rule (id),
    stance INTEGER NOT NULL,
    strength INTEGER NOT NULL,
    start INTEGER,
    "end" INTEGER,
    section INTEGER NOT NULL REFERENCES section (id),
    text TEXT,
    {later}
    PRIMARY KEY (claim, key)
) WITHOUT ROWID
"""
_LATER = {1: ("", ""), 2: ("ground INTEGER REFERENCES ground (id),", "context TEXT, sketch BLOB,")}
_CLAIM_COLUMNS = "id, cause, effect, relation, polarity, asserted, negated, hedged, strength"
_EVIDENCE_COLUMNS = 'claim, key, source, rule, stance, strength, start, "end", section, text'


def turn_back(path: Path, version: int) -> None:
    """Make the store of today at `path` one that the program of an earlier `version` would have written: 1 or 2."""
    of_claims, of_evidence = _LATER[version]
    claims = _CLAIM_COLUMNS + (", ground" if version == 2 else "")
    records = _EVIDENCE_COLUMNS + (", context, sketch" if version == 2 else "")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA legacy_alter_table = ON")
        connection.execute(f"CREATE TEMP TABLE claims AS SELECT {claims} FROM claim")
        connection.execute(f"CREATE TEMP TABLE records AS SELECT {records} FROM record")
        for what in ("VIEW record", "TABLE evidence", "TABLE sentence", "TABLE sentence_words", "TABLE claim"):
            connection.execute(f"DROP {what}")
        if version == 1:
            connection.execute("DROP TABLE ground")
        connection.execute(_CLAIM.format(later=of_claims))
        connection.execute("CREATE INDEX claim_effect ON claim (effect)")
        connection.execute(_EVIDENCE.format(later=of_evidence))
        connection.execute("INSERT INTO claim SELECT * FROM claims")
        connection.execute("INSERT INTO evidence SELECT * FROM records")
        connection.execute(f"PRAGMA user_version = {version:d}")

-- The tables of an embedded store. Claims and evidence are the truth; counts, strength, grounds, senses and the word indexes are
-- derived. Indexes are made by indexes.sql.
-- Relation, polarity, stance and strength are positions in the enums of graph/model.py.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE job (
    name TEXT PRIMARY KEY,
    done INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE concept (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL
);

CREATE VIRTUAL TABLE concept_words USING fts5(name, content='', columnsize=0, tokenize='porter unicode61');

CREATE TABLE alias (
    name TEXT PRIMARY KEY,
    concept INTEGER NOT NULL REFERENCES concept (id)
) WITHOUT ROWID;

CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    page_id TEXT NOT NULL,
    revision TEXT NOT NULL,
    url TEXT NOT NULL
);

CREATE TABLE rule (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

CREATE TABLE section (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

-- What the beliefs in claims rest on, in JSON: see graph/stores/columns.py. Claims with the same grounds share a row.
CREATE TABLE ground (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

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
    ground INTEGER REFERENCES ground (id),
    sense INTEGER NOT NULL DEFAULT 0
);

-- A sentence that several claims rest on is kept once. `key` is its hash.
CREATE TABLE sentence (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL UNIQUE,
    text TEXT NOT NULL
);

CREATE VIRTUAL TABLE sentence_words USING fts5(text, content='', tokenize='porter unicode61');

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
    context TEXT,
    sketch BLOB,
    sentence INTEGER REFERENCES sentence (id),
    PRIMARY KEY (claim, key)
) WITHOUT ROWID;

-- Evidence as it is read, in whatever version of a store: with its sentence.
CREATE VIEW record AS
SELECT *, (SELECT text FROM sentence WHERE id = evidence.sentence) AS text FROM evidence;

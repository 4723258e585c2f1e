-- From version 1 to version 2: grounds, contexts and sketches.
CREATE TABLE ground (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
ALTER TABLE claim ADD COLUMN ground INTEGER REFERENCES ground (id);
ALTER TABLE evidence ADD COLUMN context TEXT;
ALTER TABLE evidence ADD COLUMN sketch BLOB;

-- From version 2 to version 3: senses, and each sentence once.
ALTER TABLE claim ADD COLUMN sense INTEGER NOT NULL DEFAULT 0;
CREATE TABLE sentence (id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, text TEXT NOT NULL);
CREATE VIRTUAL TABLE sentence_words USING fts5(text, content='', tokenize='porter unicode61');
ALTER TABLE evidence ADD COLUMN sentence INTEGER REFERENCES sentence (id);

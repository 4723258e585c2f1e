-- Views that let a store of version 2, which has no senses and no table of sentences, be read like a current one.
CREATE TEMP VIEW claim AS SELECT *, NULL AS sense FROM main.claim;
CREATE TEMP VIEW record AS SELECT *, NULL AS sentence FROM main.evidence;
CREATE TEMP TABLE sentence (id INTEGER PRIMARY KEY, key INTEGER, text TEXT);
CREATE VIRTUAL TABLE temp.sentence_words USING fts5(text, content='', tokenize='porter unicode61');

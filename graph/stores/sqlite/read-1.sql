-- Views that let a store of version 1, which has neither contexts nor sketches nor grounds, be read like a current one.
CREATE TEMP TABLE ground (id INTEGER PRIMARY KEY, name TEXT);
CREATE TEMP VIEW claim AS SELECT *, NULL AS ground, NULL AS sense FROM main.claim;
CREATE TEMP VIEW record AS SELECT *, NULL AS context, NULL AS sketch, NULL AS sentence FROM main.evidence;
CREATE TEMP TABLE sentence (id INTEGER PRIMARY KEY, key INTEGER, text TEXT);
CREATE VIRTUAL TABLE temp.sentence_words USING fts5(text, content='', tokenize='porter unicode61');

// One node for each source that is no page, found by the hash of its fields.
CREATE CONSTRAINT source_key IF NOT EXISTS FOR (s:Source) REQUIRE s.key IS UNIQUE

// One node for each evidence record, found by its hash.
CREATE CONSTRAINT evidence_hash IF NOT EXISTS FOR (e:Evidence) REQUIRE e.hash IS UNIQUE

// One node for each claim, found by its hash.
CREATE CONSTRAINT claim_hash IF NOT EXISTS FOR (k:Claim) REQUIRE k.hash IS UNIQUE

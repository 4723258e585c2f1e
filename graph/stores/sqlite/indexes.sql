-- The indexes of an embedded store: of a new store that is filled at once they are made last. See schema.sql.

CREATE UNIQUE INDEX concept_name ON concept (name);

CREATE INDEX alias_concept ON alias (concept);

CREATE UNIQUE INDEX claim_key ON claim (cause, effect, relation, polarity);

CREATE INDEX claim_effect ON claim (effect);

-- Empty where no sentence is kept.
CREATE INDEX evidence_sentence ON evidence (sentence) WHERE sentence IS NOT NULL;

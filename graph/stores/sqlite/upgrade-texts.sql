-- The end of an upgrade to version 3, when the texts of the records are sentences.
ALTER TABLE evidence DROP COLUMN text;
CREATE INDEX evidence_sentence ON evidence (sentence) WHERE sentence IS NOT NULL;
CREATE VIEW record AS
    SELECT *, (SELECT text FROM sentence WHERE id = evidence.sentence) AS text FROM evidence;

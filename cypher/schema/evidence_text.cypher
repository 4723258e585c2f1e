// Evidence records by the words of their sentences.
CREATE FULLTEXT INDEX evidence_text IF NOT EXISTS FOR (e:Evidence) ON EACH [e.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}

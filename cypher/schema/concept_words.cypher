// Concepts by the stems of their names, which are in the property `words` with spaces between them.
CREATE FULLTEXT INDEX concept_words IF NOT EXISTS FOR (c:Concept) ON EACH [c.words]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}

// Concepts and their other names by the words of their names, for people.
CREATE FULLTEXT INDEX concepts IF NOT EXISTS FOR (n:Concept|Alias) ON EACH [n.name]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}

// The aliases, in the order of their names, a page at a time.
// parameters: after (the last name of the page before, or ""), limit
// columns: name, whole, concept, concept_whole
MATCH (a:Alias) WHERE a.name > $after
WITH a ORDER BY a.name LIMIT $limit
MATCH (a)-[:NAMES]->(c:Concept)
RETURN a.name AS name, a.whole AS whole, c.name AS concept, c.whole AS concept_whole
ORDER BY a.name

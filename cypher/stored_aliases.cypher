// Which names are aliases, and of which concepts.
// parameters: names (a list)
// columns: name, whole, concept, concept_whole
UNWIND $names AS name
MATCH (a:Alias {name: name})-[:NAMES]->(c:Concept)
RETURN a.name AS name, a.whole AS whole, c.name AS concept, c.whole AS concept_whole

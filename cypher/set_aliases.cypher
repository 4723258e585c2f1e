// Write aliases; one that names another concept names this one from now on.
// parameters: name, whole, concept (lists of one length)
UNWIND range(0, size($name) - 1) AS i
MATCH (c:Concept {name: $concept[i]})
MERGE (a:Alias {name: $name[i]})
ON CREATE SET a.whole = $whole[i]
WITH a, c
OPTIONAL MATCH (a)-[before:NAMES]->()
DELETE before
CREATE (a)-[:NAMES]->(c)

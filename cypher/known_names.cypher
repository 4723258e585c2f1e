// Which names are names of concepts.
// parameters: names (a list)
// columns: name
UNWIND $names AS name
MATCH (c:Concept {name: name})
RETURN c.name AS name

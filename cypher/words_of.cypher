// The stems that concepts are searched by.
// parameters: names (a list)
// columns: name, words
UNWIND $names AS name
MATCH (c:Concept {name: name})
RETURN c.name AS name, c.words AS words

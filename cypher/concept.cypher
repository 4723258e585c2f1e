// The concept of a name, or that has it as an alias, with all its aliases; no row for a name that is neither.
// parameters: name
// columns: name, whole, aliases (pairs of name and whole)
CALL () {
  MATCH (c:Concept {name: $name})
  RETURN c
  UNION
  MATCH (:Alias {name: $name})-[:NAMES]->(c:Concept)
  RETURN c
}
RETURN c.name AS name, c.whole AS whole, COLLECT { MATCH (a:Alias)-[:NAMES]->(c) RETURN [a.name, a.whole] } AS aliases

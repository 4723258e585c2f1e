// The edges into concepts, many concepts at once, and how many claims are about each; no row for an unknown name.
// parameters: names (a list)
// columns: name, degree, edges (lists of name and whole of the cause, relation, polarity, support, sense, grounds)
UNWIND $names AS name
MATCH (c:Concept {name: name})
RETURN c.name AS name,
  COUNT { (c)-[:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]->() }
    + COUNT { (c)<-[:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]-() } AS degree,
  COLLECT {
    MATCH (c)<-[r:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]-(other:Concept)
    RETURN [other.name, other.whole, type(r), r.polarity, r.support, r.sense, r.grounds]
  } AS edges

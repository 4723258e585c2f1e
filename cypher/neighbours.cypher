// The concepts of many names, or that have them as aliases, with all their aliases, how many claims are about each, and the edges of each
// side that has not too many; no row for a name that is neither.
// parameters: names, most (edges of a side, for each name; lists of one length)
// columns: asked, name, whole, effects, causes (how many), aliases (pairs of name and whole), outgoing, incoming (lists of name and whole of the far end, how many claims are about that, relation, polarity, support, against, hedged, strength, sense, grounds)
UNWIND range(0, size($names) - 1) AS i
CALL (i) {
  MATCH (c:Concept {name: $names[i]})
  RETURN c
  UNION
  MATCH (:Alias {name: $names[i]})-[:NAMES]->(c:Concept)
  RETURN c
}
WITH i, c, COUNT { (c)-[:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]->() } AS effects,
  COUNT { (c)<-[:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]-() } AS causes
RETURN $names[i] AS asked, c.name AS name, c.whole AS whole, effects, causes,
  COLLECT { MATCH (a:Alias)-[:NAMES]->(c) RETURN [a.name, a.whole] } AS aliases,
  COLLECT {
    MATCH (c)-[r:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]->(far:Concept) WHERE effects <= $most[i]
    RETURN [far.name, far.whole, COUNT { (far)-[:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]->() }
      + COUNT { (far)<-[:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]-() },
      type(r), r.polarity, r.support, r.against, r.hedged, r.strength, r.sense, r.grounds]
  } AS outgoing,
  COLLECT {
    MATCH (c)<-[r:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]-(far:Concept) WHERE causes <= $most[i]
    RETURN [far.name, far.whole, COUNT { (far)-[:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]->() }
      + COUNT { (far)<-[:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]-() },
      type(r), r.polarity, r.support, r.against, r.hedged, r.strength, r.sense, r.grounds]
  } AS incoming

// The edges out of a concept.
// parameters: name
// columns: name, whole (of the effect), relation, polarity, support, against, hedged, strength, sense, grounds
MATCH (:Concept {name: $name})-[r:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]->(b:Concept)
RETURN b.name AS name, b.whole AS whole, type(r) AS relation, r.polarity AS polarity,
  r.support AS support, r.against AS against, r.hedged AS hedged, r.strength AS strength, r.sense AS sense, r.grounds AS grounds

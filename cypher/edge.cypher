// The edge of a claim; no row for an unknown claim.
// parameters: cause, effect, hash (of the claim)
// columns: relation, polarity, support, against, hedged, strength, sense, grounds
MATCH (:Concept {name: $cause})-[r:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED {hash: $hash}]->(:Concept {name: $effect})
RETURN type(r) AS relation, r.polarity AS polarity,
  r.support AS support, r.against AS against, r.hedged AS hedged, r.strength AS strength, r.sense AS sense, r.grounds AS grounds

// Write anew what follows from the evidence of claims.
// parameters: hash, belief, support, against, hedged, strength, sense, grounds (lists of one length)
UNWIND range(0, size($hash) - 1) AS i
MATCH (k:Claim {hash: $hash[i]})
MATCH (a:Concept)-[:CAUSE_IN]->(k)-[:TO_EFFECT]->(b:Concept)
MATCH (a)-[r:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED {hash: $hash[i]}]->(b)
SET r.belief = $belief[i], r.support = $support[i], r.against = $against[i], r.hedged = $hedged[i],
  r.strength = $strength[i], r.sense = $sense[i], r.grounds = $grounds[i]

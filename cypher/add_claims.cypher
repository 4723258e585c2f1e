// Add claims that are not there yet, each as an edge and as a node; the relation is the type of the edge.
// parameters: cause, effect, relation, type, polarity, hash, belief, support, against, hedged, strength, sense, grounds (lists of one length)
UNWIND range(0, size($hash) - 1) AS i
MATCH (a:Concept {name: $cause[i]})
MATCH (b:Concept {name: $effect[i]})
CREATE (a)-[:$($type[i]) {hash: $hash[i], polarity: $polarity[i], belief: $belief[i], support: $support[i],
  against: $against[i], hedged: $hedged[i], strength: $strength[i], sense: $sense[i], grounds: $grounds[i]}]->(b)
CREATE (a)-[:CAUSE_IN]->(:Claim {hash: $hash[i], relation: $relation[i], polarity: $polarity[i]})-[:TO_EFFECT]->(b)

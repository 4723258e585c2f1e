// The claim with a hash; no row for an unknown one.
// parameters: hash
// columns: cause, cause_whole, effect, effect_whole, relation, polarity
MATCH (a:Concept)-[:CAUSE_IN]->(k:Claim {hash: $hash})-[:TO_EFFECT]->(b:Concept)
RETURN a.name AS cause, a.whole AS cause_whole, b.name AS effect, b.whole AS effect_whole,
  k.relation AS relation, k.polarity AS polarity

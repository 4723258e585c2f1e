// The edges out of many concepts.
// parameters: names (a list)
// columns: cause, cause_whole, effect, effect_whole, relation, polarity, support, against, hedged, strength, sense, grounds, hash, belief
UNWIND $names AS name
MATCH (a:Concept {name: name})-[r:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]->(b:Concept)
RETURN a.name AS cause, a.whole AS cause_whole, b.name AS effect, b.whole AS effect_whole,
  type(r) AS relation, r.polarity AS polarity,
  r.support AS support, r.against AS against, r.hedged AS hedged, r.strength AS strength, r.sense AS sense, r.grounds AS grounds,
  r.hash AS hash, r.belief AS belief

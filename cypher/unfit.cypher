// How many nodes are not joined to what they must be: claims, evidence records, aliases.
// columns: claims, evidence, aliases
RETURN
  COUNT { MATCH (k:Claim) WHERE COUNT { (:Concept)-[:CAUSE_IN]->(k) } <> 1 OR COUNT { (k)-[:TO_EFFECT]->(:Concept) } <> 1
    OR NOT EXISTS { (k)<-[:ASSERTS|DENIES|HEDGES|ASKS|SUPPOSES]-(:Evidence) } } AS claims,
  COUNT { MATCH (e:Evidence) WHERE COUNT { (e)-[:ASSERTS|DENIES|HEDGES|ASKS|SUPPOSES]->(:Claim) } <> 1 OR COUNT { (e)-[:ON|FROM]->() } <> 1 } AS evidence,
  COUNT { MATCH (a:Alias) WHERE COUNT { (a)-[:NAMES]->(:Concept) } <> 1 OR EXISTS { (:Concept {name: a.name}) } } AS aliases

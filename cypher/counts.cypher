// How many concepts, pairs of cause and effect, claims, evidence records and sentences there are.
// columns: concepts, pairs, claims, evidence, sentences
MATCH (a:Concept)
WITH count(a) AS concepts, sum(COUNT { MATCH (a)-[:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]->(b:Concept) RETURN DISTINCT b }) AS pairs
RETURN concepts, pairs, COUNT { (:Claim) } AS claims, COUNT { (:Evidence) } AS evidence,
  COUNT { MATCH (e:Evidence) WHERE e.text IS NOT NULL } AS sentences

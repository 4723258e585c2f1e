// How does X lead to Y?
// The best of the shortest chains from one concept to another: at most four arrows, each believed by more than a half.
// A chain loses at each middle concept, more at hubs, as in `kgqa path`; only whether senses fit is not looked at here.
// :param cause => 'deforestation'
// :param effect => 'flood'
// parameters: cause, effect (names of concepts)
// columns: path (from cause to effect), score (the product of the beliefs and of what is kept at each middle concept)
MATCH (cause:Concept {name: $cause})
MATCH (effect:Concept {name: $effect})
MATCH path = SHORTEST 50 (cause)
  (()-[edges:CAUSES|ENABLES|MOTIVATES WHERE edges.belief > 0.5 AND edges.polarity <> 'decreases']->(:Concept)){1,4}
  (effect)
WHERE all(one IN nodes(path) WHERE single(other IN nodes(path) WHERE other = one))
WITH path, reduce(product = 1.0, edge IN edges | product * edge.belief) AS believed,
  [middle IN nodes(path)[1..-1] | COUNT {(middle)-[:CAUSE_IN]->()} + COUNT {(middle)<-[:TO_EFFECT]-()}] AS degrees
WITH path, reduce(product = believed, degree IN degrees |
  product * 0.85 / (1 + CASE WHEN degree > 10 THEN 0.25 * log10(degree / 10.0) ELSE 0 END)) AS score
RETURN path, score
ORDER BY score DESC
LIMIT 5

// Feedback loops through X
// The shortest ways from a concept back to itself: at most five arrows, each believed by more than a half; the best ten.
// A loop with an odd number of arrows that prevent or decrease is balancing.
// :param concept => 'global warming'
// parameters: concept (its name)
// columns: start (the first arrow), back (the rest of the loop), sign (reinforcing or balancing), belief (the product of the beliefs)
MATCH (concept:Concept {name: $concept})
MATCH (concept)-[first:CAUSES|ENABLES|MOTIVATES|PREVENTS WHERE first.belief > 0.5]->(next:Concept)
WHERE next <> concept
MATCH back = SHORTEST 1 (next)
  (()-[edges:CAUSES|ENABLES|MOTIVATES|PREVENTS WHERE edges.belief > 0.5]->(:Concept)){1,4}
  (concept)
WITH concept, [first] + edges AS edges, first, back
WITH edges, first, back, reduce(product = 1.0, edge IN edges | product * edge.belief) AS belief,
  size([edge IN edges WHERE type(edge) = 'PREVENTS' OR edge.polarity = 'decreases']) AS turns
ORDER BY belief DESC
LIMIT 10
MATCH start = (concept)-[edge]->(next)
WHERE edge = first
RETURN start, back, CASE turns % 2 WHEN 0 THEN 'reinforcing' ELSE 'balancing' END AS sign, belief
ORDER BY belief DESC

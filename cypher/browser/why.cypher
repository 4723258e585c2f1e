// Why X?
// The ten causes of a concept that are believed most, and three causes of each of them.
// :param concept => 'tsunami'
// parameters: concept (its name)
// columns: path (one or two arrows that end at the concept), belief (the product of those of its arrows)
MATCH (effect:Concept {name: $concept})
MATCH (cause:Concept)-[last:CAUSES|ENABLES|MOTIVATES]->(effect)
WHERE last.belief > 0.5 AND last.polarity <> 'decreases' AND cause <> effect
WITH effect, cause, last
ORDER BY last.belief DESC, last.support DESC, cause.name
LIMIT 10
CALL (effect, cause, last) {
  MATCH path = (cause)-[edge]->(effect)
  WHERE edge = last
  RETURN path, last.belief AS belief, 1 AS length
  UNION
  MATCH path = (before:Concept)-[first:CAUSES|ENABLES|MOTIVATES]->(cause)-[edge]->(effect)
  WHERE edge = last AND first.belief > 0.5 AND first.polarity <> 'decreases' AND NOT before IN [cause, effect]
  WITH path, first, before, last
  ORDER BY first.belief DESC, first.support DESC, before.name
  LIMIT 3
  RETURN path, first.belief * last.belief AS belief, 2 AS length
}
RETURN path, belief
ORDER BY last.belief DESC, last.support DESC, cause.name, length, belief DESC

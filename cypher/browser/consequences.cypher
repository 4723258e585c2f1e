// What comes of X?
// The ten effects of a concept that are believed most, and three effects of each of them.
// :param concept => 'deforestation'
// parameters: concept (its name)
// columns: path (one or two arrows that begin at the concept), belief (the product of those of its arrows)
MATCH (cause:Concept {name: $concept})
MATCH (cause)-[first:CAUSES|ENABLES|MOTIVATES]->(effect:Concept)
WHERE first.belief > 0.5 AND first.polarity <> 'decreases' AND cause <> effect
WITH cause, effect, first
ORDER BY first.belief DESC, first.support DESC, effect.name
LIMIT 10
CALL (cause, effect, first) {
  MATCH path = (cause)-[edge]->(effect)
  WHERE edge = first
  RETURN path, first.belief AS belief, 1 AS length
  UNION
  MATCH path = (cause)-[edge]->(effect)-[last:CAUSES|ENABLES|MOTIVATES]->(after:Concept)
  WHERE edge = first AND last.belief > 0.5 AND last.polarity <> 'decreases' AND NOT after IN [cause, effect]
  WITH path, last, after, first
  ORDER BY last.belief DESC, last.support DESC, after.name
  LIMIT 3
  RETURN path, first.belief * last.belief AS belief, 2 AS length
}
RETURN path, belief
ORDER BY first.belief DESC, first.support DESC, effect.name, length, belief DESC

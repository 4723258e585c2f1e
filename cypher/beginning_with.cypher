// Names of concepts that begin with some letters: those of most claims first, then the shortest.
// parameters: beginning, limit
// columns: name, whole
MATCH (c:Concept) WHERE c.name STARTS WITH $beginning
WITH c, COUNT { (c)-[:CAUSES|ENABLES|PREVENTS|MOTIVATES|IS_FOR|ASSOCIATED]-() } AS degree
RETURN c.name AS name, c.whole AS whole
ORDER BY degree DESC, size(c.name), c.name
LIMIT $limit

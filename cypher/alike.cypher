// Names of concepts that may be spelt like a given one: the best of a fuzzy full-text search, and some that begin alike.
// parameters: query (for the full-text index), beginning, shortest, longest (lengths of names), limit
// columns: name, whole
CALL () {
  CALL db.index.fulltext.queryNodes('concept_words', $query, {limit: $limit}) YIELD node AS c
  RETURN c
  UNION
  MATCH (c:Concept) WHERE c.name STARTS WITH $beginning AND $shortest <= size(c.name) <= $longest
  RETURN c LIMIT $limit
}
WITH c WHERE $shortest <= size(c.name) <= $longest
RETURN c.name AS name, c.whole AS whole

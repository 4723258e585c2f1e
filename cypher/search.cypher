// Names of concepts that hold all of some phrases of stems, shortest first, for many searches at once.
// parameters: queries (some of the phrases of each, for the full-text index), phrases (all of each, with a space before and after), limit (of names of each)
// columns: place (of the search), name, whole
UNWIND range(0, size($queries) - 1) AS i
CALL (i) {
  CALL db.index.fulltext.queryNodes('concept_words', $queries[i]) YIELD node AS c
  WHERE all(phrase IN $phrases[i] WHERE c.words CONTAINS phrase)
  RETURN c
  ORDER BY size(c.name), c.name
  LIMIT $limit
}
RETURN i AS place, c.name AS name, c.whole AS whole
ORDER BY place, size(name), name

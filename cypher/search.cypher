// Names of concepts that hold all of some phrases of stems, shortest first.
// parameters: query (some of the phrases, for the full-text index), phrases (all, each with a space before and after), limit
// columns: name, whole
CALL db.index.fulltext.queryNodes('concept_words', $query) YIELD node AS c
WHERE all(phrase IN $phrases WHERE c.words CONTAINS phrase)
RETURN c.name AS name, c.whole AS whole
ORDER BY size(name), name
LIMIT $limit

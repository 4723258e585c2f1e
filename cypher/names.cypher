// The names of concepts, in order, a page at a time.
// parameters: after (the last name of the page before, or ""), limit
// columns: name, whole
MATCH (c:Concept) WHERE c.name > $after
RETURN c.name AS name, c.whole AS whole
ORDER BY c.name
LIMIT $limit

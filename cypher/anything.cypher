// The labels of some node; no row where the database is empty.
// columns: labels
MATCH (n)
RETURN labels(n) AS labels
LIMIT 1

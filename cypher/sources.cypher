// How many evidence records there are of each kind of source.
// columns: kind, evidence
MATCH (:Evidence)-[:ON|FROM]->(p)
RETURN p.kind AS kind, count(*) AS evidence

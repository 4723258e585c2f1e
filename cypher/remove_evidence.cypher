// Delete evidence records, and the pages and sources that nothing rests on any more.
// parameters: hashes (a list)
UNWIND $hashes AS hash
MATCH (e:Evidence {hash: hash})-[:ON|FROM]->(p)
DETACH DELETE e
WITH DISTINCT p
WHERE NOT EXISTS { (:Evidence)-[:ON|FROM]->(p) }
DELETE p

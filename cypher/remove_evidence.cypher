// Delete evidence records, and the pages that nothing rests on any more.
// parameters: hashes (a list)
UNWIND $hashes AS hash
MATCH (e:Evidence {hash: hash})-[:ON]->(p:Page)
DETACH DELETE e
WITH DISTINCT p
WHERE NOT EXISTS { (:Evidence)-[:ON]->(p) }
DELETE p

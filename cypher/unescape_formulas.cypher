// Remove the apostrophes before what a spreadsheet would compute, once, from a graph that was bulk loaded with them. It has no index yet,
// so that all is read; writing the digest keeps other openers waiting until this transaction ends.
// parameters: escaped (a regular expression of such texts)
MATCH (g:Graph)
SET g.digest = g.digest
WITH g
WHERE g.escaped > 0
OPTIONAL MATCH (n)
UNWIND [key IN keys(n) WHERE n[key] IS :: STRING AND n[key] =~ $escaped] AS key
SET n[key] = substring(n[key], 1)
WITH g, count(*) AS nodes
OPTIONAL MATCH ()-[r]->()
UNWIND [key IN keys(r) WHERE r[key] IS :: STRING AND r[key] =~ $escaped] AS key
SET r[key] = substring(r[key], 1)
WITH g, count(*) AS relationships
REMOVE g.escaped

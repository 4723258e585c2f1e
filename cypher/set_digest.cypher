// Write the digest of the graph.
// parameters: digest
MATCH (g:Graph {name: 'kgqa'})
SET g.digest = $digest

// Make the node of the graph, where there is none.
// parameters: version, digest (of an empty graph)
MERGE (g:Graph {name: 'kgqa'})
ON CREATE SET g.version = $version, g.digest = $digest

// The digest of the graph; writing it keeps other writers waiting until this transaction ends.
// columns: digest
MATCH (g:Graph {name: 'kgqa'})
SET g.digest = g.digest
RETURN g.digest AS digest

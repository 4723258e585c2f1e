// What the database holds: the version and the digest of its graph; no row where it holds none.
// columns: version, digest
MATCH (g:Graph {name: 'kgqa'})
RETURN g.version AS version, g.digest AS digest

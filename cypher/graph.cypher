// What the database holds: the version and the digest of its graph, and how many texts were bulk loaded with an apostrophe before
// them (none once they are removed); no row where it holds none.
// columns: version, digest, escaped
MATCH (g:Graph {name: 'kgqa'})
RETURN g.version AS version, g.digest AS digest, g.escaped AS escaped

// Delete aliases.
// parameters: names (a list)
UNWIND $names AS name
MATCH (a:Alias {name: name})
DETACH DELETE a

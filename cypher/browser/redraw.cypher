// The paths of an answer
// `kgqa ask --cypher` prints this with the hashes in place of the parameter.
// parameters: claims (a list of hashes of claims)
// columns: cause, edge, effect
UNWIND $claims AS hash
MATCH (cause:Concept)-[:CAUSE_IN]->(:Claim {hash: hash})-[:TO_EFFECT]->(effect:Concept)
MATCH (cause)-[edge {hash: hash}]->(effect)
RETURN cause, edge, effect
